import { css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Cell, Tensor, Token } from "../../data/index.js";
import type { CellsPaintDetail } from "../../elements/events.js";
import "../../elements/heatmap.js";
import { Memo } from "../../elements/shared/controllers.js";
import { formatPercent, message } from "../../i18n/index.js";
import { DRAWN_WHOLE, painted } from "../../state/index.js";
import "../../ui/choice.js";
import { PagePart } from "../../ui/page-part.js";
import { keepRegion } from "./save-figure.js";

/** What a stroke puts into a cell, as a share of the row that it was taken from. */
const SHARES = [0, 0.25, 0.5, 1] as const;
const HEIGHT = 260;

type Drawing = readonly (readonly number[])[];

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
  @state() private share: (typeof SHARES)[number] = 1;

  private readonly shown = new Memo<Tensor>();

  override render(): TemplateResult {
    const { drawing } = this;
    const tensor = this.shown.get([drawing, this.queries.length, this.keys.length], () =>
      rowsOf(drawing, this.queries.length, this.keys.length),
    );
    return html`<div class="inline">
        <headscope-choice
          look="segments"
          .label=${message("draw.share")}
          .value=${String(this.share)}
          .choices=${SHARES.map((value) => ({ value: String(value), label: formatPercent(value, 0) }))}
          @headscope-choose=${this.chooseShare}
        ></headscope-choice>
        <p class="small muted">${message("draw.hint")}</p>
      </div>
      <headscope-heatmap
        .tensor=${tensor}
        .queries=${this.queries}
        .keys=${this.keys}
        .blocking=${true}
        .comfortableHeight=${HEIGHT}
        strokes="mark"
        @headscope-cell-hover=${stop}
        @headscope-cell-toggle=${this.toggled}
        @headscope-cells-paint=${this.stroked}
        @headscope-cell-lock=${stop}
        @headscope-region-change=${keepRegion}
      ></headscope-heatmap>`;
  }

  private readonly toggled = (event: CustomEvent<Cell>): void => {
    event.stopPropagation();
    this.give([event.detail]);
  };

  private readonly stroked = (event: CustomEvent<CellsPaintDetail>): void => {
    event.stopPropagation();
    this.give(event.detail.cells);
  };

  /** Gives some cells the chosen share; nothing is said where they have it already. */
  private give(cells: readonly Cell[]): void {
    const value = this.share * DRAWN_WHOLE;
    const drawing = cells.reduce(
      (before, cell) =>
        before[cell.query]?.[cell.key] === value ? before : painted(before, cell, value),
      this.drawing,
    );
    if (drawing === this.drawing) return;
    // The next stroke goes on from here, even before the page has answered.
    this.drawing = drawing;
    this.dispatchEvent(
      new CustomEvent("headscope-drawn", {
        detail: drawing.map((row) => [...row]),
        bubbles: true,
        composed: true,
      }),
    );
  }

  private readonly chooseShare = (event: CustomEvent<string>): void => {
    event.stopPropagation();
    const share = SHARES.find((one) => String(one) === event.detail);
    if (share !== undefined) this.share = share;
  };
}

/** Each row divided by its sum, as the model takes it before its mask; rows and columns that the drawing lacks are 0. */
function rowsOf(drawing: Drawing, queries: number, keys: number): Tensor {
  const data = new Float32Array(queries * keys);
  for (let query = 0; query < queries; query += 1) {
    const row = (drawing[query] ?? []).slice(0, keys);
    const sum = row.reduce((all, cell) => all + cell, 0);
    if (sum > 0)
      data.set(
        row.map((cell) => cell / sum),
        query * keys,
      );
  }
  return { data, shape: [queries, keys], axes: ["query", "key"] };
}

function stop(event: Event): void {
  event.stopPropagation();
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-draw-pattern": HeadscopeDrawPattern;
  }
  interface HTMLElementEventMap {
    /** A drawn pattern, `[query][key]`, in whole parts. */
    "headscope-drawn": CustomEvent<number[][]>;
  }
}
