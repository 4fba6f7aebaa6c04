import { property } from "lit/decorators.js";
import type { Cell, Palette, Tensor } from "../data/index.js";
import { scaleOf } from "../draw/colours.js";
import { formatSigned } from "../draw/number-words.js";
import { formatValue, measurer } from "../draw/text.js";
import { type Inks, labelFont } from "../draw/theme.js";
import { formatNumber, message } from "../i18n/index.js";
import { type MatrixContent, MatrixFigure, numberAt } from "./matrix/figure.js";
import type { Lengths } from "./matrix/pair-figure.js";
import { given, listOf, orNull, PALETTE, tensor, wordToken } from "./shared/checked.js";
import { define } from "./shared/controllers.js";

const ROW_ROOM = 124;
/** The length of slanted labels above which two lines of the corner have room. */
const TWO_LINES = 16;
const VALUES = tensor("row", "column");

/**
 * Numbers in rows and columns of any kind, such as depths and tokens, or layers and heads: with a
 * diverging scale where they are signed, otherwise with a sequential one from zero. NaN is hatched.
 *
 * @fires headscope-cell-hover - the number under the pointer or the keyboard, `query` being its row
 *   and `key` its column
 * @fires headscope-cell-lock - the number to lock, or null to unlock
 */
export class HeadscopeNumbers extends MatrixFigure {
  /** The numbers, shape `[row, column]`; NaN where there is no number. */
  @given(orNull(VALUES)) tensor: Tensor | null = null;
  @given(listOf("text")) rowNames: readonly string[] = [];
  @given(listOf("text")) columnNames: readonly string[] = [];
  /** The titles of the rows, the columns and the numbers. */
  @given({ rows: "text", columns: "text", values: "text" })
  titles: { rows: string; columns: string; values: string } = { rows: "", columns: "", values: "" };
  @property({ type: Boolean }) signed = false;
  @given(PALETTE) colours: Palette = "blue";
  /** The numbers of figures beside this one: all share one scale. */
  @given(orNull(VALUES)) beside: Tensor | null = null;
  /** Whether the numbers are counts, written without decimals. */
  @property({ type: Boolean }) counts = false;

  protected override get matrix(): Tensor | null {
    return this.tensor;
  }

  protected override get maskOf(): Tensor | null {
    return null;
  }

  protected override get corner(): { query: string; key: string } {
    return { query: this.titles.rows, key: this.titles.columns };
  }

  protected override get room(): Lengths {
    const { query, key } = super.room;
    return { query: Math.max(query, ROW_ROOM), key };
  }

  /** The widths of labels, at least those of the titles of rows and columns in the corner. */
  protected override labelWidths(inks: Inks, most: Lengths): Lengths {
    const { query, key } = super.labelWidths(inks, most);
    const measure = measurer(labelFont(inks));
    const { rows, columns } = this.titles;
    const corner = Math.ceil(Math.max(measure(`${rows} ↓`), measure(`${columns} →`)));
    const left = Math.max(query, Math.min(most.query, corner));
    // Titles that have no room side by side are one above the other.
    const isTall = measure(`${rows} ↓   ${columns} →`) > left;
    return { query: left, key: isTall ? Math.max(key, TWO_LINES) : key };
  }

  protected override get keysHelp(): string {
    return message("figure.helpPositions");
  }

  protected override willUpdate(): void {
    this.queries = this.memo("rows", [this.rowNames], () => this.rowNames.map(wordToken));
    this.keys = this.memo("columns", [this.columnNames], () => this.columnNames.map(wordToken));
    super.willUpdate();
  }

  protected override describe({ data }: Tensor, { ground }: Inks): MatrixContent {
    const { signed, colours, titles, beside, counts } = this;
    const scale = this.memo("scale", [data, ground, signed, colours, beside, counts], () => {
      const shared = scaleOf(data, signed ? "signed" : colours, ground, beside?.data);
      return counts ? { ...shared, words: (value: number) => formatNumber(value) } : shared;
    });
    const rows = formatNumber(this.rows);
    const columns = formatNumber(this.columns);
    const name = message("figure.numbers", { title: titles.values, rows, columns });
    return { scale, name, legend: titles.values };
  }

  protected override sentence(cell: Cell): string {
    return message("figure.numbersCell", this.words(cell));
  }

  protected override reading(cell: Cell): string {
    const value = numberAt(this.tensor, cell);
    if (!Number.isFinite(value)) return "–";
    if (this.counts) return formatNumber(value);
    return this.signed ? formatSigned(value) : formatValue(value);
  }
}

define("headscope-numbers", HeadscopeNumbers);
