import { css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Cell, Tensor, Token } from "../../data/index.js";
import { type CellsPaintDetail, emit } from "../../elements/events.js";
import "../../elements/matrices.js";
import { formatPercent, message } from "../../i18n/index.js";
import { DRAWN_WHOLE, painted } from "../../state/index.js";
import { choice } from "../../ui/choice.js";
import { PagePart } from "../../ui/page-part.js";
import { keepRegion } from "./save-figure.js";

type Drawing = readonly (readonly number[])[];

const SHARES = ["0", "0.25", "0.5", "1"];

/** Each row divided by its sum, as the model takes it before its mask; rows and columns that the drawing lacks are 0. */
function rowsOf(drawing: Drawing, queries: number, keys: number): Tensor {
  const data = new Float32Array(queries * keys);
  for (const [query, whole] of drawing.slice(0, queries).entries()) {
    const row = whole.slice(0, keys);
    const sum = row.reduce((all, cell) => all + cell, 0);
    row.forEach((cell, key) => (data[query * keys + key] = sum > 0 ? cell / sum : 0));
  }
  return { data, shape: [queries, keys], axes: ["query", "key"] };
}

/**
 * The weights of a head, drawn by hand: a click, a stroke or the key B gives a cell the chosen share. Fires
 * `headscope-drawn` with the drawing as it is then, once for each stroke.
 */
@customElement("headscope-draw-pattern")
export class HeadscopeDrawPattern extends PagePart {
  static override styles = css`
    .inline {
      margin-bottom: 8px;
    }
    p {
      flex: 1 1 260px;
    }
  `;

  @property({ attribute: false }) drawing: Drawing = [];
  @property({ attribute: false }) queries: Token[] = [];
  @property({ attribute: false }) keys: Token[] = [];
  /** What a stroke puts into a cell, as a share of the row that it was taken from. */
  @state() private share = "1";

  override render(): TemplateResult {
    const { drawing, queries, keys } = this;
    const tensor = rowsOf(drawing, queries.length, keys.length);
    const stop = (event: Event): void => event.stopPropagation();
    return html`<div class="inline">
        ${choice(
          message("draw.share"),
          SHARES,
          this.share,
          (share) => formatPercent(Number(share), 0),
          (share) => (this.share = share),
          "segments",
        )}
        <p class="small muted">${message("draw.hint")}</p>
      </div>
      <headscope-heatmap
        .tensor=${tensor}
        .queries=${queries}
        .keys=${keys}
        .blocking=${true}
        .comfortableHeight=${260}
        strokes="mark"
        @headscope-cell-hover=${stop}
        @headscope-cell-toggle=${(event: CustomEvent<Cell>) => this.put(event, [event.detail])}
        @headscope-cells-paint=${(event: CustomEvent<CellsPaintDetail>) => this.put(event, event.detail.cells)}
        @headscope-cell-lock=${stop}
        @headscope-region-change=${keepRegion}
      ></headscope-heatmap>`;
  }

  private put(event: Event, cells: readonly Cell[]): void {
    event.stopPropagation();
    const value = Number(this.share) * DRAWN_WHOLE;
    const changed = cells.filter(({ query, key }) => this.drawing[query]?.[key] !== value);
    if (changed.length === 0) return;
    const drawing = changed.reduce<Drawing>((all, cell) => painted(all, cell, value), this.drawing);
    // The next stroke goes on from here, even before the page has answered.
    this.drawing = drawing;
    emit(
      this,
      "headscope-drawn",
      drawing.map((row) => [...row]),
    );
  }
}

declare global {
  interface HTMLElementEventMap {
    /** A drawn pattern, `[query][key]`, in whole parts. */
    "headscope-drawn": CustomEvent<number[][]>;
  }
}
