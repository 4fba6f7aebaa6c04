import { css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Memo } from "../../../elements/shared/controllers.js";
import { language, message } from "../../../i18n/index.js";
import { MOST_SIDE, shapeOf, type BroughtName, type Rows } from "../../../state/index.js";
import { PagePart } from "../../../ui/page-part.js";
import { partStyles } from "../../../ui/base-styles.js";
import "../../parts/embed-buttons.js";
import { MATRIX_FORMATS, saveMatrix } from "./files.js";
import { isLarge, largeMatrix, largePicture, type LargeMatrix } from "./large-picture.js";
import "./number-grid.js";
import type { GridChange } from "./number-grid.js";
import { symbols } from "./number-words.js";

/** What a reader wants of a matrix that was brought. */
export type BroughtChange =
  | { kind: "rows"; rows: Rows; words: readonly string[] | null }
  | { kind: "size"; axis: "rows" | "columns"; to: number }
  | { kind: "file"; file: File };

/** The maps, which would have the name of what they make. */
const MAPS: ReadonlySet<BroughtName> = new Set(["query", "key", "value", "output"]);

/** A matrix to type into, with its name, its size, and the ways in and out of files. Fires `headscope-brought`. */
@customElement("headscope-brought-matrix")
export class HeadscopeBroughtMatrix extends PagePart {
  static override styles = [
    partStyles,
    css`
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 0 12px;
      }

      h3 {
        font-size: 14px;
      }

      .tools {
        display: flex;
        flex-wrap: wrap;
        gap: 0 14px;
        color: var(--headscope-muted);
        font-size: 12px;
      }

      .tools .hint {
        max-width: 190px;
      }

      .tools span {
        display: inline-flex;
        align-items: baseline;
        gap: 4px;
      }

      .tools button {
        min-width: 24px;
      }

      headscope-numbers {
        display: block;
        width: min(420px, 86vw);
      }

      .over {
        outline: 2px dashed var(--headscope-accent);
        outline-offset: 4px;
      }
    `,
  ];

  @property() name: BroughtName = "x";
  /** What it is called in formulas. */
  @property() symbol = "";
  @property({ attribute: false }) rows: Rows = [];
  /** Names of its rows; null where rows are counted. */
  @property({ attribute: false }) words: readonly string[] | null = null;
  /** Whether the names are changed here. */
  @property({ type: Boolean }) renames = false;

  /** Whether a file is held over it. */
  @state() private over = false;
  private readonly pictured = new Memo<LargeMatrix>();

  override render(): TemplateResult {
    const { name, symbol, rows, words, renames } = this;
    const mask = name === "mask";
    const large = isLarge(rows);
    const title = message(`numbers.matrix.${name}`);
    return html`<section class=${this.over ? "over" : ""} aria-label="${symbol}: ${title}" @dragover=${this.offered} @dragleave=${() => (this.over = false)} @drop=${this.dropped}>
      <div class="head">
        <h3>${symbols(symbol)}</h3>
        <span class="small muted">${title} · ${shapeOf(rows).join(" × ")}</span>
      </div>
      ${
        large
          ? this.renderLarge()
          : html`<headscope-number-grid
        .rows=${rows}
        .words=${renames ? words : null}
        .names=${mask ? words : null}
        .label=${symbol}
        ?forbids=${mask}
        @headscope-grid-change=${(event: CustomEvent<GridChange>) => this.say({ kind: "rows", rows: event.detail.rows, words: event.detail.words })}
      ></headscope-number-grid>`
      }
      <div class="tools">${large || mask ? html`<span class="hint">${message(large ? "numbers.large.hint" : "numbers.mask.hint")}</span>` : this.renderSizes()}</div>
      <div class="tools">
        <button @click=${this.choose}>${message("numbers.open")}</button>
        ${MATRIX_FORMATS.map((format) => html`<button aria-label=${message("numbers.save", { name: symbol, format })} @click=${() => void saveMatrix(MAPS.has(name) ? `w_${name}` : name, rows, words, format)}>${format === "csv" ? "CSV" : ".npy"}</button>`)}
        <headscope-embed-buttons class="figure" .heading=${symbol}></headscope-embed-buttons>
        <input type="file" accept=".csv,.tsv,.txt,.npy" hidden aria-label=${message("numbers.openInto", { name: symbol })} @change=${this.picked} />
      </div>
    </section>`;
  }

  /** Too many numbers for a field each: a picture of them, in which each can be looked at. */
  private renderLarge(): TemplateResult {
    const { name, rows, words, symbol } = this;
    const columns = name === "mask" ? words : null;
    return largePicture(
      this.pictured.get([rows, words, columns, symbol, language()], () =>
        largeMatrix(rows, words, columns, symbol),
      ),
    );
  }

  private renderSizes(): TemplateResult {
    const [rows, columns] = shapeOf(this.rows);
    const stepper = (
      axis: "rows" | "columns",
      count: number,
    ): TemplateResult => html`<span>${message(`numbers.${axis}`)}
      <button aria-label=${message(`numbers.${axis}.less`, { name: this.symbol })} ?disabled=${count <= 1} @click=${() => this.say({ kind: "size", axis, to: count - 1 })}>−</button>
      <button aria-label=${message(`numbers.${axis}.more`, { name: this.symbol })} ?disabled=${count >= MOST_SIDE} @click=${() => this.say({ kind: "size", axis, to: count + 1 })}>+</button></span>`;
    return html`${stepper("rows", rows)}${stepper("columns", columns)}`;
  }

  private readonly choose = (): void =>
    this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();

  private readonly picked = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    const [file] = target.files ?? [];
    target.value = "";
    if (file) this.say({ kind: "file", file });
  };

  private readonly offered = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    // Elsewhere on the page a file would be taken for a model.
    event.stopPropagation();
    this.over = true;
  };

  private readonly dropped = (event: DragEvent): void => {
    this.over = false;
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    this.say({ kind: "file", file });
  };

  private say(detail: BroughtChange): void {
    this.dispatchEvent(
      new CustomEvent("headscope-brought", { detail, bubbles: true, composed: true }),
    );
  }
}
declare global {
  interface HTMLElementTagNameMap {
    "headscope-brought-matrix": HeadscopeBroughtMatrix;
  }
  interface HTMLElementEventMap {
    /** A matrix that was brought is to be changed. */
    "headscope-brought": CustomEvent<BroughtChange>;
  }
}
