import { nothing } from "lit";
import { property } from "lit/decorators.js";
import type { Cell, Palette, Tensor, Token } from "../../data/index.js";
import { formatValue } from "../../draw/format.js";
import {
  divergingScale,
  sequentialScale,
  sharedScale,
  type ColourScale,
} from "../../draw/scale.js";
import { valueAt } from "../../draw/strongest.js";
import { LABEL_SIZE, labelFont, type Inks } from "../../draw/theme.js";
import { formatNumber, message } from "../../i18n/index.js";
import { formatSigned } from "../difference/element.js";
import { measurer } from "../matrix/canvas.js";
import type { MatrixContent } from "../matrix/content.js";
import { MatrixFigure } from "../matrix/figure.js";
import { matrixStyles } from "../matrix/styles.js";
import { Memo } from "../shared/memo.js";
import { baseStyles } from "../shared/base-styles.js";
import { stageStyles } from "../shared/stage-styles.js";
import { PALETTE, TEXT, given, listOf, orNull, record, tensor } from "../shared/checked.js";

/** The most that the name of a row may take of a figure's width. */
const ROW_ROOM = 124;

/**
 * Numbers in rows and columns of any kind, such as depths and tokens, or layers and heads. Signed ones have a hue for
 * either sign, others are drawn from zero up; what is no number is hatched.
 *
 * @fires headscope-cell-hover - the number under the pointer or the keyboard, `query` being its row and `key` its column
 * @fires headscope-cell-lock - the number to hold, or null to let go
 */
export class HeadscopeNumbers extends MatrixFigure {
  static override styles = [baseStyles, stageStyles, matrixStyles];

  /** Shape `[row, column]`; NaN where there is none. */
  @given(orNull(tensor("row", "column"))) tensor: Tensor | null = null;
  @given(listOf(TEXT)) rowNames: readonly string[] = [];
  @given(listOf(TEXT)) columnNames: readonly string[] = [];
  /** What the rows are, what the columns are, and what the numbers are. */
  @given(record({ rows: TEXT, columns: TEXT, values: TEXT })) titles: {
    rows: string;
    columns: string;
    values: string;
  } = {
    rows: "",
    columns: "",
    values: "",
  };
  @property({ type: Boolean }) signed = false;
  @given(PALETTE) colours: Palette = "blue";
  /** Numbers whose pictures stand beside this one: all have one scale. */
  @given(orNull(tensor("row", "column"))) beside: Tensor | null = null;
  /** Whether the numbers count something, and read without decimals. */
  @property({ type: Boolean }) counts = false;

  private readonly scale = new Memo<ColourScale>();
  private readonly names = { rows: new Memo<Token[]>(), columns: new Memo<Token[]>() };

  protected override get matrix(): Tensor | null {
    return this.tensor;
  }

  /** No number forbids anything. */
  protected override get closing(): Tensor | null {
    return null;
  }

  protected override get corner(): { query: string; key: string } {
    return { query: this.titles.rows, key: this.titles.columns };
  }

  /** What rows are called is said in words of the page: there is no shorter way to tell one from the next. */
  protected override get room(): { query: number; key: number } {
    const { query, key } = super.room;
    return { query: Math.max(query, ROW_ROOM), key };
  }

  /** Short names of rows still leave what the rows are its room. */
  protected override labelWidths(
    inks: Inks,
    most: { query: number; key: number },
  ): { query: number; key: number } {
    const { query, key } = super.labelWidths(inks, most);
    const measure = measurer(labelFont(inks), LABEL_SIZE);
    const { rows, columns } = this.titles;
    return {
      query: Math.max(
        query,
        ...[`${rows} ↓`, `${columns} →`].map((words) =>
          Math.min(most.query, Math.ceil(measure(words))),
        ),
      ),
      key,
    };
  }

  protected override get help(): string {
    return `${message("figure.helpPositions")} ${message("region.help")}`;
  }

  protected override willUpdate(): void {
    this.queries = this.names.rows.get([this.rowNames], () => this.rowNames.map(nameOf));
    this.keys = this.names.columns.get([this.columnNames], () => this.columnNames.map(nameOf));
    super.willUpdate();
  }

  protected override describe(tensor: Tensor, { ground }: Inks): MatrixContent {
    const { signed, colours, titles, beside, counts } = this;
    return {
      scale: this.scale.get([tensor, ground, signed, colours, beside, counts], () => {
        const own = signed
          ? divergingScale(tensor.data, ground)
          : sequentialScale(tensor.data, colours, ground);
        const shared = beside ? sharedScale(own, beside.data) : own;
        return counts ? { ...shared, words: (value) => formatNumber(value) } : shared;
      }),
      name: message("figure.numbers", {
        title: titles.values,
        rows: formatNumber(this.rows),
        columns: formatNumber(this.columns),
      }),
      legend: titles.values,
      mass: null,
      signs: [],
      foot: nothing,
    };
  }

  protected override sentence(cell: Cell): string {
    return message("figure.numbersCell", this.words(cell));
  }

  protected override reading(cell: Cell): string {
    const value = this.tensor ? valueAt(this.tensor, cell) : NaN;
    if (!Number.isFinite(value)) return "–";
    if (this.counts) return formatNumber(value);
    return this.signed ? formatSigned(value) : formatValue(value);
  }
}

function nameOf(text: string, index: number): Token {
  return { id: index, text, word: index, special: false, role: null };
}
