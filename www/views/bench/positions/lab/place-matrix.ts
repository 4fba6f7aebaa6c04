import { html, type TemplateResult } from "lit";
import type { Tensor } from "../../../../data/index.js";
import "../../../../elements/numbers/index.js";
import { message } from "../../../../i18n/index.js";
import { keepRegion } from "../../saving/own-region.js";

const HEIGHT = 300;

/** Numbers of every two positions, `[position, position]`; what a person does there is not about the picture of the page. */
export function placeMatrix(tensor: Tensor, places: readonly string[], values: string): TemplateResult {
  const position = message("figure.position");
  return html`<headscope-numbers
    .tensor=${tensor}
    .rowNames=${places}
    .columnNames=${places}
    .titles=${{ rows: position, columns: position, values }}
    .comfortableHeight=${HEIGHT}
    signed
    @headscope-cell-hover=${stop}
    @headscope-cell-lock=${stop}
    @headscope-region-change=${keepRegion}
  ></headscope-numbers>`;
}

function stop(event: Event): void {
  event.stopPropagation();
}
