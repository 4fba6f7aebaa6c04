import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import {
  divergingScale,
  rampStep,
  sequentialScale,
  type ColourScale,
  rampColour,
  rampInk,
} from "../../../draw/colours.js";
import { InkController, Memo } from "../../../elements/shared/controllers.js";
import { baseStyles } from "../../../elements/shared/base-styles.js";
import { isShortcut, moveInGrid } from "../../../elements/shared/grid-navigation.js";
import { styled } from "../../../elements/shared/templates.js";
import { language } from "../../../i18n/index.js";
import { shapeOf, type Rows } from "../../../state/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { isLarge, largeMatrix, largePicture, type LargeMatrix } from "./large-picture.js";
import { numberText, type Digits } from "./number-words.js";

/** A cell of a grid. */
export interface GridCell {
  row: number;
  column: number;
}

/**
 * A matrix of results with its numbers in its colours, or a picture of one that is too large to read. Tab reaches one cell, arrows the others. Fires
 * `headscope-worked-cell` with the cell under the pointer or the keyboard, or null.
 */
@customElement("headscope-worked-grid")
export class HeadscopeWorkedGrid extends PagePart {
  static override styles = [
    baseStyles,
    css`
      .scroll {
        max-width: 100%;
        overflow-x: auto;
      }

      headscope-numbers {
        display: block;
        width: min(420px, 86vw);
      }

      table {
        border-collapse: separate;
        border-spacing: 1px;
        font-size: 13px;
      }

      th {
        padding: 0 6px 0 0;
        color: var(--_muted);
        font-weight: 400;
        text-align: right;
        white-space: nowrap;
      }

      thead th {
        padding: 0 4px;
        text-align: center;
      }

      tbody td {
        min-width: 44px;
        height: 28px;
        padding: 0 6px;
        text-align: right;
        cursor: default;
      }

      td.whole {
        text-align: center;
      }

      td.forbidden {
        color: var(--_muted);
        background: repeating-linear-gradient(45deg, var(--_line) 0 1.5px, transparent 1.5px 6px);
        text-align: center;
      }

      td.broken {
        box-shadow: inset 0 0 0 1.5px var(--_accent);
        color: var(--_accent);
        font-weight: 600;
        text-align: center;
      }

      td.held,
      td:focus-visible {
        outline: 2px solid var(--_accent);
        outline-offset: 0;
      }
    `,
  ];

  @property({ attribute: false }) rows: Rows = [];
  @property({ attribute: false }) rowNames: readonly string[] = [];
  /** Null where columns are counted. */
  @property({ attribute: false }) columnNames: readonly string[] | null = null;
  @property() label = "";
  /** Weights are drawn from zero up, all else on both sides of zero. */
  @property({ type: Boolean }) weights = false;
  @property({ type: Number }) digits: Digits = 3;
  /** The cell whose arithmetic is shown. */
  @property({ attribute: false }) held: GridCell | null = null;

  @state() private cursor: GridCell = { row: 0, column: 0 };
  private readonly inks = new InkController(this);
  private readonly scale = new Memo<ColourScale>();
  private readonly pictured = new Memo<LargeMatrix>();

  override render(): TemplateResult {
    const { rows, rowNames, columnNames, label } = this;
    if (isLarge(rows)) return this.renderLarge();
    return html`<div class="scroll">
      <table role="grid" aria-label=${label} @keydown=${this.pressed} @pointerleave=${() => this.say(null)}>
        ${columnNames ? html`<thead><tr role="row"><td role="presentation"></td>${columnNames.map((name) => html`<th scope="col" role="columnheader"><bdi>${name}</bdi></th>`)}</tr></thead>` : nothing}
        <tbody>
          ${rows.map((row, index) => html`<tr role="row"><th scope="row" role="rowheader"><bdi>${rowNames[index]}</bdi></th>${row.map((value, column) => this.renderCell(value, { row: index, column }))}</tr>`)}
        </tbody>
      </table>
    </div>`;
  }

  /** A cell of the page for each of so many numbers would keep the browser busy for seconds. */
  private renderLarge(): TemplateResult {
    const { rows, rowNames, columnNames, label, weights } = this;
    const large = this.pictured.get([rows, rowNames, columnNames, label, language()], () =>
      largeMatrix(rows, rowNames, columnNames, label),
    );
    return largePicture(large, {
      signed: !weights,
      looked: (cell) => this.say(cell && { row: cell.query, column: cell.key }),
    });
  }

  private renderCell(value: number, cell: GridCell): TemplateResult {
    const { held, cursor, digits } = this;
    const kind =
      value === -Infinity
        ? "forbidden"
        : Number.isFinite(value)
          ? Number.isInteger(value)
            ? "whole"
            : ""
          : "broken";
    const same = (other: GridCell | null): boolean =>
      other?.row === cell.row && other.column === cell.column;
    return html`<td
      role="gridcell"
      class="${kind} ${same(held) ? "held" : ""}"
      data-cell="${cell.row}.${cell.column}"
      tabindex=${same(cursor) ? 0 : -1}
      style=${styled(this.coloured(value))}
      title=${Number.isFinite(value) && !Number.isInteger(value) ? String(value) : nothing}
      @pointerenter=${() => this.say(cell)}
      @focus=${() => this.focused(cell)}
    >${numberText(value, digits)}</td>`;
  }

  /** Colours can be read only once there is something to read them from. */
  private coloured(value: number): Record<string, string> {
    if (!this.hasUpdated || !Number.isFinite(value)) return {};
    const { ground } = this.inks.inks;
    const { rows, weights } = this;
    const scale = this.scale.get([rows, weights, ground], () => {
      const data = Float32Array.from(rows.flat());
      return weights ? sequentialScale(data, "blue", ground) : divergingScale(data, ground);
    });
    const step = rampStep(scale, value);
    return { background: rampColour(scale.ramp, step), color: rampInk(scale.ramp, step) };
  }

  override firstUpdated(): void {
    this.requestUpdate();
  }

  private focused(cell: GridCell): void {
    this.cursor = cell;
    this.say(cell);
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    if (isShortcut(event)) return;
    const [rows, columns] = shapeOf(this.rows);
    const to = moveInGrid(event.key, this.cursor, rows, columns);
    if (!to) return;
    event.preventDefault();
    this.renderRoot.querySelector<HTMLElement>(`[data-cell="${to.row}.${to.column}"]`)?.focus();
  };

  private say(detail: GridCell | null): void {
    this.dispatchEvent(
      new CustomEvent("headscope-worked-cell", { detail, bubbles: true, composed: true }),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-worked-grid": HeadscopeWorkedGrid;
  }
  interface HTMLElementEventMap {
    /** The cell of a result that is looked at; null for none. */
    "headscope-worked-cell": CustomEvent<GridCell | null>;
  }
}
