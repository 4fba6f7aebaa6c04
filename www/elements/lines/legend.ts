import { html, svg, type TemplateResult } from "lit";
import { formatValue } from "../../draw/format.js";
import { linkLook } from "../../draw/lines-paint.js";
import { message } from "../../i18n/index.js";
import { styled } from "../shared/styled.js";

/** The heads of a layer: the first of `shown` is looked at, each other one is drawn beside it or not. Every hue has its number. */
export function headChoice(
  count: number,
  shown: readonly number[],
  colourOf: (head: number) => string,
  toggle: (head: number) => void,
): TemplateResult {
  const heads = Array.from({ length: count }, (_, head) => head);
  const several = shown.length > 1;
  return html`<div class="heads" role="group" aria-label=${message("lines.heads")}>
    <span class="title" aria-hidden="true">${message("lines.heads")}</span>
    ${heads.map((head) => {
      const name = message("grid.head", { head: head + 1 });
      const drawn = shown.includes(head);
      const swatch = html`<i style=${styled(drawn ? { background: colourOf(head) } : {})}></i>`;
      if (head === shown[0])
        return html`<span class="own" aria-label=${name} role="img">${swatch}${head + 1}</span>`;
      return html`<button aria-pressed=${drawn} aria-label=${name} title=${several || drawn ? name : message("lines.add", { head: head + 1 })} @click=${() => toggle(head)}>
        ${swatch}${head + 1}
      </button>`;
    })}
  </div>`;
}

/** Three strokes as they are drawn, with the weights that they stand for. */
export function linkLegend(most: number, title: string): TemplateResult {
  const sample = (share: number): TemplateResult => {
    const { width, alpha } = linkLook(share);
    return html`<svg width="28" height="8" aria-hidden="true">${svg`<path d="M0 4H28" stroke="currentColor" stroke-width=${width} opacity=${alpha} />`}</svg
      >${formatValue(most * share)}`;
  };
  return html`<span class="weights" part="legend">${title} ${[0.1, 0.5, 1].map((share) => html`<span>${sample(share)}</span>`)}</span>`;
}
