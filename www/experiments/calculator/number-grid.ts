import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Cell } from "../../data/index.js";
import { rampColour, rampStep, scaleOf, type ColourScale } from "../../draw/colours.js";
import { rampInk } from "../../draw/inks.js";
import { emit } from "../../elements/events.js";
import type { HeadscopeNumbers } from "../../elements/numbers.js";
import "../../elements/numbers.js";
import { InkController, Memo } from "../../elements/shared/controllers.js";
import { isShortcut, moveInGrid, type Place } from "../../elements/shared/grid-navigation.js";
import { setProperties, styled } from "../../elements/shared/templates.js";
import { numberIn, readTable, Unreadable } from "../../export/read-matrix.js";
import { language, message } from "../../i18n/index.js";
import { LONGEST_WORD, shapeOf, type Rows } from "../../state/index.js";
import { laidOver, MOST_SIDE } from "../../state/matrix-changes.js";
import { PagePart } from "../../ui/page-part.js";
import { placeNames, tensorOf } from "../../kit/figure-data.js";
import { keepRegion } from "../../kit/save-figure.js";
import type { Refusal } from "../../session/run/failures.js";
import { renderCoded, Fields } from "../../kit/form.js";
import { cellRefusal, numberText, refusalOf, typedText, type Digits } from "./matrix-text.js";
import styles from "./number-grid.css?inline";

/** The change of a grid; a pasted block may change its shape. */
export interface GridChange {
  rows: Rows;
  words: readonly string[] | null;
}

const NAMES = -1;

export function isLarge(rows: Rows): boolean {
  return Math.max(...shapeOf(rows)) > MOST_SIDE;
}

/** The id of a cell, or of a row's name. */
const idOf = ({ row, column }: Place): string => `${row}.${column}`;

function placeOf(target: EventTarget | null): Place | null {
  const id = target instanceof HTMLElement ? target.id : "";
  const [row, column] = id.split(".").map(Number);
  return row === undefined || column === undefined ? null : { row, column };
}

/**
 * A matrix of numbers: editable, or results in their colours; one that is too large to read is a
 * picture. Tab reaches one cell, arrows the others. A text that is no number stays, with the
 * reason; a table from a spreadsheet is pasted from the focused cell on.
 *
 * Fires `headscope-grid-change`, and for results `headscope-grid-cell` with the cell under the
 * pointer or the keyboard, or null.
 */
@customElement("headscope-number-grid")
export class HeadscopeNumberGrid extends PagePart {
  static override styles = unsafeCSS(styles);

  @property({ attribute: false }) rows: Rows = [];
  @property({ attribute: false }) rowNames: readonly string[] | null = null;
  @property({ attribute: false }) columnNames: readonly string[] | null = null;
  @property() label = "";
  /**
   * The editable values; in a mask also -∞, where Delete and a double click mask a cell or allow
   * it. Results are not editable.
   */
  @property() edits: "nothing" | "numbers" | "mask" = "nothing";
  @property({ type: Boolean }) renames = false;
  /**
   * Whether the scale starts at zero, for weights; other results have a scale on both sides of
   * zero.
   */
  @property({ type: Boolean }) weights = false;
  @property({ type: Number }) digits: Digits = 3;
  @property({ attribute: false }) highlighted: Place | null = null;

  /** The reason why the last pasted text was refused. */
  @state() private problem: Refusal | null = null;
  @state() private cursor: Place = { row: 0, column: 0 };
  private readonly fields = new Fields(this);
  private readonly inks = new InkController(this);
  private readonly scale = new Memo<ColourScale>();
  private readonly picture = new Memo<Partial<HeadscopeNumbers>>();

  override willUpdate(): void {
    const [rows, columns] = shapeOf(this.rows);
    const { row, column } = this.cursor;
    const within = (at: number, count: number): number => Math.max(0, Math.min(at, count - 1));
    if (row >= rows || column >= columns)
      this.cursor = { row: within(row, rows), column: within(column, columns) };
  }

  override firstUpdated(): void {
    // The theme colours can be read only after the first rendering.
    if (this.edits === "nothing") this.requestUpdate();
  }

  override render(): TemplateResult {
    const { rows, rowNames, columnNames, label, problem, renames } = this;
    if (isLarge(rows)) return this.renderPicture();
    const typed = this.edits !== "nothing";
    const name = (text: string, row: number): TemplateResult =>
      renames
        ? html`<input
            dir="auto"
            id=${idOf({ row, column: NAMES })}
            tabindex="-1"
            aria-label=${message("numbers.word", { row: row + 1 })}
            maxlength=${LONGEST_WORD}
            .value=${text}
            @change=${({ target }: Event) =>
              this.change(rows, rowNames?.with(row, (target as HTMLInputElement).value))}
          />`
        : html`<bdi>${text}</bdi>`;
    const cell = (value: number, place: Place): TemplateResult =>
      typed ? this.renderField(value, place) : this.renderResult(value, place);
    return html`<div class="scroll">
        <table
          role=${typed ? nothing : "grid"}
          class=${typed ? "typed" : nothing}
          aria-label=${label}
          @focusin=${this.focused}
          @dblclick=${({ target }: Event) => this.toggle(placeOf(target))}
          @keydown=${this.pressed}
          @paste=${this.pasted}
          @pointerleave=${() => this.point(null)}
        >
          ${
            columnNames
              ? html`<thead>
                  <tr>
                    <td role="presentation"></td>
                    ${columnNames.map((column) => html`<th scope="col"><bdi>${column}</bdi></th>`)}
                  </tr>
                </thead>`
              : nothing
          }
          <tbody>
            ${rows.map(
              (values, row) =>
                html`<tr>
                  ${
                    rowNames
                      ? html`<th scope="row">${name(rowNames[row] ?? "", row)}</th>`
                      : nothing
                  }${values.map((value, column) => cell(value, { row, column }))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${this.fields.troubles()}
      <p class="problem small" role="status">${problem ? renderCoded(problem) : nothing}</p>`;
  }

  private renderPicture(): TemplateResult {
    const { rows, rowNames, columnNames, label } = this;
    const picture = this.picture.get([rows, rowNames, columnNames, label, language()], () => {
      const [down, across] = shapeOf(rows);
      return {
        tensor: tensorOf(rows.flat(), across, ["row", "column"]),
        titles: {
          rows: message("numbers.rows"),
          columns: message("numbers.columns"),
          values: label,
        },
        rowNames: rowNames ?? placeNames(down),
        columnNames: columnNames ?? placeNames(across),
      };
    });
    const point = ({ detail }: CustomEvent<Cell | null>): void =>
      this.point(detail && { row: detail.query, column: detail.key });
    return html`<headscope-numbers
      ${setProperties(picture)}
      compact
      .signed=${!this.weights}
      .comfortableHeight=${440}
      @headscope-cell-hover=${point}
      @headscope-region-change=${keepRegion}
    ></headscope-numbers>`;
  }

  private renderField(value: number, place: Place): TemplateResult {
    const at = { name: this.label, row: place.row + 1, column: place.column + 1 };
    const field = this.fields.render({
      control: "text",
      id: idOf(place),
      label: message("numbers.cell", at),
      text: typedText(value),
      passed: idOf(place) !== idOf(this.cursor),
      enter: (typed) => this.enter(typed, value, place),
    });
    return html`<td class=${value === -Infinity ? "forbidden" : ""}>${field}</td>`;
  }

  private renderResult(value: number, place: Place): TemplateResult {
    const { cursor, highlighted, rows, weights } = this;
    const id = idOf(place);
    const whole = Number.isInteger(value);
    const fraction = Number.isFinite(value) && !whole;
    const kind = whole ? "whole" : fraction ? "" : value === -Infinity ? "forbidden" : "broken";
    const isHighlighted = highlighted !== null && id === idOf(highlighted);
    let colours: Record<string, string> = {};
    if (this.hasUpdated && Number.isFinite(value)) {
      const { ground } = this.inks.inks;
      const scale = this.scale.get([rows, weights, ground], () => {
        const data = Float32Array.from(rows.flat());
        return scaleOf(data, weights ? "blue" : "signed", ground);
      });
      const step = rampStep(scale, value);
      colours = { background: rampColour(scale.ramp, step), color: rampInk(scale.ramp, step) };
    }
    return html`<td
      class="${kind} ${isHighlighted ? "highlighted" : ""}"
      id=${id}
      tabindex=${id === idOf(cursor) ? 0 : -1}
      style=${styled(colours)}
      title=${fraction ? String(value) : nothing}
      @pointerenter=${() => this.point(place)}
    >
      ${numberText(value, this.digits)}
    </td>`;
  }

  private enter(typed: string, before: number, place: Place): Refusal | null {
    const value = numberIn(typed);
    const ofMask = this.edits === "mask";
    this.problem = null;
    if (value === undefined || (value === -Infinity && !ofMask))
      return cellRefusal(typed.slice(0, LONGEST_WORD), ofMask);
    if (value !== before) this.change(laidOver(this.rows, [[value]], place));
    return null;
  }

  private toggle(place: Place | null): void {
    if (!place || this.edits !== "mask") return;
    const value = this.rows[place.row]?.[place.column] === -Infinity ? 0 : -Infinity;
    this.change(laidOver(this.rows, [[value]], place));
  }

  private readonly focused = ({ target }: Event): void => {
    const place = placeOf(target);
    if (place && place.column !== NAMES) this.cursor = place;
    if (target instanceof HTMLInputElement) target.select();
    else this.point(place);
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const { target, key } = event;
    const place = placeOf(target);
    if (isShortcut(event) || !place) return;
    if (key === "Delete" && this.edits === "mask" && place.column !== NAMES) {
      event.preventDefault();
      this.toggle(place);
      return;
    }
    if (target instanceof HTMLInputElement && !leaves(key, target)) return;
    const [rows, columns] = shapeOf(this.rows);
    const first = this.renames ? 1 : 0;
    const from = { row: place.row, column: place.column + first };
    const to = moveInGrid(key === "Enter" ? "ArrowDown" : key, from, rows, columns + first);
    if (!to) return;
    event.preventDefault();
    const next = idOf({ row: to.row, column: to.column - first });
    this.renderRoot.querySelector<HTMLElement>(`[id="${next}"]`)?.focus();
  };

  private readonly pasted = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    // A single number is pasted into the text of its cell, as in any field.
    const place = placeOf(event.target);
    if (this.edits === "nothing" || !place || !/[\t\n;]/.test(text.trim())) return;
    event.preventDefault();
    const { row } = place;
    const column = Math.max(0, place.column);
    try {
      const { rows, labels } = readTable(text, MOST_SIDE);
      if (this.edits !== "mask" && rows.some((one) => one.includes(-Infinity)))
        throw new Unreadable("notANumber", "−∞");
      const cells = rows.flatMap((cells, down) =>
        cells.map((_, along) => idOf({ row: row + down, column: column + along })),
      );
      this.fields.restore(...cells);
      this.problem = null;
      const names = this.renames && labels ? this.rowNames : null;
      const words = names?.map((name, index) => labels?.[index - row] ?? name);
      this.change(laidOver(this.rows, rows, { row, column }), words);
    } catch (thrown) {
      if (!(thrown instanceof Unreadable)) throw thrown;
      this.problem = refusalOf(thrown, MOST_SIDE);
    }
  };

  private change(rows: Rows, words: readonly string[] | null = null): void {
    emit(this, "headscope-grid-change", { rows, words });
  }

  private point(place: Place | null): void {
    if (this.edits === "nothing") emit(this, "headscope-grid-cell", place);
  }
}

/**
 * Whether a key leads out of a cell: up and down always, sideways if the caret is at the end or all
 * is selected.
 */
function leaves(key: string, { selectionStart, selectionEnd, value }: HTMLInputElement): boolean {
  const all = selectionStart === 0 && selectionEnd === value.length;
  if (key === "ArrowLeft") return all || (selectionStart === 0 && selectionEnd === 0);
  if (key === "ArrowRight") return all || selectionStart === value.length;
  return all || (key !== "Home" && key !== "End");
}

declare global {
  interface HTMLElementEventMap {
    "headscope-grid-change": CustomEvent<GridChange>;
    /** The result cell under the pointer or the keyboard; null for none. */
    "headscope-grid-cell": CustomEvent<Place | null>;
  }
}
