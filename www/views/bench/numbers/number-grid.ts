import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { isShortcut, moveInGrid } from "../../../elements/shared/grid-navigation.js";
import { numberIn, readTable, Unreadable } from "../../../export/read-matrix.js";
import { message } from "../../../i18n/index.js";
import { laidOver, LONGEST_WORD, MOST_SIDE, shapeOf, type Rows } from "../../../state/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import { typedText } from "./number-words.js";
import { cellTrouble, renderTrouble, troubleOf, type Trouble } from "./trouble.js";

/** What changed in a grid; its shape may have, when a block was pasted. */
export interface GridChange {
  rows: Rows;
  words: readonly string[] | null;
}

interface Place {
  row: number;
  column: number;
}

/** Names of rows stand before the first column. */
const WORD_COLUMN = -1;

/**
 * A matrix to type into. Tab reaches one cell, arrows the others; what is no number stays as it was typed, and is said
 * why; a table from a spreadsheet is pasted from the cell on. Fires `headscope-grid-change`.
 */
@customElement("headscope-number-grid")
export class HeadscopeNumberGrid extends PagePart {
  static override styles = [
    partStyles,
    css`
  .scroll {
    max-width: 100%;
    overflow-x: auto;
  }

  table {
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }

  td,
  th {
    padding: 0;
  }

  thead td {
    padding: 0 4px 2px;
    color: var(--headscope-muted);
    font-size: 12px;
    text-align: center;
  }

  thead td,
  .name {
    max-width: 72px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .name {
    padding-right: 6px;
    color: var(--headscope-muted);
    font-weight: 400;
    font-size: 12px;
    text-align: right;
  }

  tbody td {
    border: 1px solid var(--headscope-line);
  }

  input {
    display: block;
    width: 44px;
    height: 30px;
    padding: 0 4px;
    border: 0;
    border-radius: 0;
    background: none;
    color: var(--headscope-ink);
    font: inherit;
    font-variant-numeric: inherit;
    text-align: center;
  }

  input.word {
    width: 72px;
    color: var(--headscope-muted);
    font-weight: 400;
    text-align: right;
  }

  input:focus-visible {
    outline-offset: -2px;
  }

  .forbidden {
    background: repeating-linear-gradient(45deg, var(--headscope-line) 0 1.5px, transparent 1.5px 6px);
  }

  [aria-invalid] {
    color: var(--headscope-accent);
    box-shadow: inset 0 -2px var(--headscope-accent);
  }

  .problem {
    max-width: 320px;
    color: var(--headscope-accent);
  }

  .problem:empty {
    display: none;
  }

  @media (pointer: coarse) {
    input {
      height: 40px;
      min-width: 44px;
    }
  }
`,
  ];

  @property({ attribute: false }) rows: Rows = [];
  /** Names of the rows that can be changed; null for none. */
  @property({ attribute: false }) words: readonly string[] | null = null;
  /** What rows and columns are called where both are words; null where they are counted. */
  @property({ attribute: false }) names: readonly string[] | null = null;
  /** What the matrix is called, for those who hear it. */
  @property() label = "";
  /** Whether -∞ may stand in it; then Delete and a double click forbid a cell or allow it. */
  @property({ type: Boolean }) forbids = false;

  /** What was typed that is no number, by its place. */
  @state() private wrong: ReadonlyMap<string, string> = new Map();
  @state() private problem: Trouble | null = null;
  @state() private cursor: Place = { row: 0, column: 0 };

  override willUpdate(changed: PropertyValues<this>): void {
    const [rows, columns] = shapeOf(this.rows);
    const { row, column } = this.cursor;
    if (row >= rows || column >= columns)
      this.cursor = {
        row: Math.max(0, Math.min(row, rows - 1)),
        column: Math.min(column, columns - 1),
      };
    const before = changed.get("rows");
    if (before)
      this.keepWrong(
        (place) => this.rows[place.row]?.[place.column] === before[place.row]?.[place.column],
      );
  }

  override render(): TemplateResult {
    const { rows, label, problem } = this;
    return html`<div class="scroll">
        <table aria-label=${label} @keydown=${this.pressed} @paste=${this.pasted}>
          ${this.renderHead()}
          <tbody>
            ${rows.map((row, index) => html`<tr>${this.renderRowName(index)}${row.map((_, column) => this.renderCell(index, column))}</tr>`)}
          </tbody>
        </table>
      </div>
      <p id="problem" class="problem small" role="status">${renderTrouble(problem)}</p>`;
  }

  private renderHead(): TemplateResult | typeof nothing {
    const { names } = this;
    return names
      ? html`<thead aria-hidden="true"><tr><td></td>${names.map((name) => html`<td><bdi>${name}</bdi></td>`)}</tr></thead>`
      : nothing;
  }

  private renderRowName(row: number): TemplateResult | typeof nothing {
    const { words, names } = this;
    if (words) return this.renderWord(words[row] ?? "", row);
    return names ? html`<th scope="row" class="name"><bdi>${names[row]}</bdi></th>` : nothing;
  }

  private renderWord(word: string, row: number): TemplateResult {
    const label = message("numbers.word", { row: row + 1 });
    return html`<th scope="row"><input class="word" dir="auto" data-place=${placeName({ row, column: WORD_COLUMN })} tabindex="-1" aria-label=${label} maxlength=${LONGEST_WORD} .value=${word} @change=${(event: Event) => this.named(event, row)} @focus=${this.focused} /></th>`;
  }

  private renderCell(row: number, column: number): TemplateResult {
    const place = placeName({ row, column });
    const wrong = this.wrong.get(place);
    const value = this.rows[row]?.[column] ?? 0;
    const stop = this.cursor.row === row && this.cursor.column === column;
    return html`<td class=${value === -Infinity ? "forbidden" : ""}><input
      data-place=${place}
      tabindex=${stop ? 0 : -1}
      inputmode="text"
      autocomplete="off"
      spellcheck="false"
      aria-label=${message("numbers.cell", { name: this.label, row: row + 1, column: column + 1 })}
      aria-invalid=${wrong === undefined ? nothing : "true"}
      aria-describedby=${wrong === undefined ? nothing : "problem"}
      .value=${wrong ?? typedText(value)}
      @change=${(event: Event) => this.typed(event, { row, column })}
      @dblclick=${() => this.toggle({ row, column })}
      @focus=${this.focused}
    /></td>`;
  }

  /** Numbers that come from elsewhere, as by undo or a paste, take the place of what was typed; all else stays as it was typed. */
  private keepWrong(stays: (place: Place) => boolean): void {
    this.setWrong(new Map([...this.wrong].filter(([name]) => stays(placeNamed(name)))));
  }

  /** What is said is why the last of them is no number. */
  private setWrong(wrong: ReadonlyMap<string, string>): void {
    this.wrong = wrong;
    const last = [...wrong.values()].at(-1);
    this.problem =
      last === undefined ? null : cellTrouble(last.slice(0, LONGEST_WORD), this.forbids);
  }

  private typed({ target }: Event, { row, column }: Place): void {
    if (!(target instanceof HTMLInputElement)) return;
    const value = numberIn(target.value);
    const wrong = new Map(this.wrong);
    const place = placeName({ row, column });
    wrong.delete(place);
    if (value === undefined || (value === -Infinity && !this.forbids)) {
      this.setWrong(wrong.set(place, target.value));
      return;
    }
    this.setWrong(wrong);
    target.value = typedText(value);
    if (value !== this.rows[row]?.[column])
      this.say({ rows: laidOver(this.rows, [[value]], { row, column }), words: null });
  }

  private named({ target }: Event, row: number): void {
    const { words } = this;
    if (target instanceof HTMLInputElement && words)
      this.say({
        rows: this.rows,
        words: words.map((word, index) => (index === row ? target.value : word)),
      });
  }

  private toggle({ row, column }: Place): void {
    if (this.forbids)
      this.say({
        rows: laidOver(this.rows, [[this.rows[row]?.[column] === -Infinity ? 0 : -Infinity]], {
          row,
          column,
        }),
        words: null,
      });
  }

  private readonly focused = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    const place = placeOf(target);
    if (place.column !== WORD_COLUMN) this.cursor = place;
    target.select();
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const { target } = event;
    if (!(target instanceof HTMLInputElement) || isShortcut(event)) return;
    const place = placeOf(target);
    if (event.key === "Escape" && this.wrong.has(placeName(place))) {
      event.stopPropagation();
      this.keepWrong(({ row, column }) => row !== place.row || column !== place.column);
      return;
    }
    if (event.key === "Delete" && this.forbids && place.column !== WORD_COLUMN) {
      event.preventDefault();
      this.toggle(place);
      return;
    }
    // Within what is being typed, an arrow moves the caret; at its end it leaves the cell.
    if (!leaves(event.key, target)) return;
    const [rows, columns] = shapeOf(this.rows);
    const first = this.words ? 1 : 0;
    const to = moveInGrid(
      event.key === "Enter" ? "ArrowDown" : event.key,
      { row: place.row, column: place.column + first },
      rows,
      columns + first,
    );
    if (!to) return;
    event.preventDefault();
    this.renderRoot
      .querySelector<HTMLInputElement>(
        `[data-place="${placeName({ row: to.row, column: to.column - first })}"]`,
      )
      ?.focus();
  };

  private readonly pasted = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const { target } = event;
    // One number is pasted into the text of its cell, as anywhere.
    if (!(target instanceof HTMLInputElement) || !/[\t\n;]/.test(text.trim())) return;
    event.preventDefault();
    const { row, column } = placeOf(target);
    try {
      const read = readTable(text, MOST_SIDE);
      if (!this.forbids && read.rows.some((one) => one.includes(-Infinity)))
        throw new Unreadable("notANumber", "−∞");
      const words = this.words?.map((word, index) => read.labels?.[index - row] ?? word) ?? null;
      const [height, width] = shapeOf(read.rows);
      const left = Math.max(0, column);
      this.keepWrong(
        (place) =>
          place.row < row ||
          place.row >= row + height ||
          place.column < left ||
          place.column >= left + width,
      );
      this.say({
        rows: laidOver(this.rows, read.rows, { row, column: left }),
        words: read.labels ? words : null,
      });
    } catch (thrown) {
      if (!(thrown instanceof Unreadable)) throw thrown;
      this.problem = troubleOf(thrown, MOST_SIDE);
    }
  };

  private say(detail: GridChange): void {
    this.dispatchEvent(
      new CustomEvent("headscope-grid-change", { detail, bubbles: true, composed: true }),
    );
  }
}

function placeName({ row, column }: Place): string {
  return `${row}.${column}`;
}

function placeNamed(name: string): Place {
  const [row = 0, column = 0] = name.split(".").map(Number);
  return { row, column };
}

function placeOf(input: HTMLInputElement): Place {
  return placeNamed(input.dataset.place ?? "");
}

/** Whether a key leads out of a cell: up and down always, sideways where the caret cannot go on, or all is selected. */
function leaves(key: string, { selectionStart, selectionEnd, value }: HTMLInputElement): boolean {
  const all = selectionStart === 0 && selectionEnd === value.length;
  if (key === "ArrowLeft" || key === "Home")
    return all || (selectionStart === 0 && selectionEnd === 0 && key === "ArrowLeft");
  if (key === "ArrowRight" || key === "End")
    return all || (selectionStart === value.length && key === "ArrowRight");
  return true;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-number-grid": HeadscopeNumberGrid;
  }
  interface HTMLElementEventMap {
    /** A matrix on the workbench was changed. */
    "headscope-grid-change": CustomEvent<GridChange>;
  }
}
