import { html, nothing } from "lit";
import { property } from "lit/decorators.js";
import { type Cell, type Tensor, isForbidden, type Palette, type Token } from "../data/index.js";
import {
  divergingScale,
  type ColourScale,
  rampColour,
  uniformScale,
  sequentialScale,
  sharedScale,
} from "../draw/colours.js";
import { valueAt } from "../draw/layout.js";
import type { Sign } from "../draw/legend.js";
import { formatValue } from "../draw/text.js";
import { type Inks, LABEL_SIZE, labelFont } from "../draw/theme.js";
import { formatNumber, message } from "../i18n/index.js";
import { measurer } from "./matrix/canvas.js";
import type { MatrixContent } from "./matrix/content.js";
import { MatrixFigure } from "./matrix/figure.js";
import type { Lengths } from "./matrix/pair-figure.js";
import { MATRIX, given, orNull, PALETTE, TEXT, listOf, record, tensor } from "./shared/checked.js";
import { Memo, define } from "./shared/controllers.js";
import { matrixStyles, baseStyles, stageStyles } from "./shared/base-styles.js";
import { styled } from "./shared/templates.js";

/**
 * What one pattern has more than another, cell by cell: one hue where the first is larger, the other where the second
 * is. A cell that only one of them has is hatched.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to hold, or null to let go
 * @fires headscope-cell-toggle - the pair to block or to allow again
 */
export class HeadscopeDifference extends MatrixFigure {
  static override styles = [baseStyles, stageStyles, matrixStyles];

  /** Shape `[query, key]`, the first less the second; NaN where one of them has no number. */
  @given(orNull(MATRIX)) tensor: Tensor | null = null;

  /** Whether a sign before a token says which of the two texts alone has it. */
  @property({ type: Boolean }) signed = false;

  private readonly scale = new Memo<ColourScale>();
  private readonly gaps = new Memo<boolean>();

  protected override get matrix(): Tensor | null {
    return this.tensor;
  }

  /** Cells of two patterns are nobody's to paint. */
  protected override get closing(): Tensor | null {
    return this.tensor;
  }

  protected override describe(tensor: Tensor, { ground }: Inks): MatrixContent {
    const gaps = this.gaps.get([tensor], () =>
      tensor.data.some((value) => !Number.isFinite(value)),
    );
    return {
      scale: this.scale.get([tensor, ground], () => divergingScale(tensor.data, ground)),
      name: message("figure.difference", {
        queries: formatNumber(this.rows),
        keys: formatNumber(this.columns),
      }),
      legend: message("pairs.difference"),
      mass: null,
      signs: gaps ? [{ kind: "forbidden", words: message("pairs.noCounterpart") }] : [],
      foot: this.signed ? html`<span part="legend">${message("pairs.signs")}</span>` : nothing,
    };
  }

  protected override reading(cell: Cell): string {
    const value = this.tensor ? valueAt(this.tensor, cell) : NaN;
    return Number.isFinite(value) ? formatSigned(value) : message("pairs.noCounterpart");
  }
}

/** A difference says its sign, whichever it is. */
export function formatSigned(value: number): string {
  return value > 0 ? `+${formatValue(value)}` : formatValue(value);
}

/**
 * Who may look at whom: filled where a query may look at a key, hatched where not.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to hold, or null to let go
 * @fires headscope-cell-toggle - the pair to block or to allow again
 * @fires headscope-cells-paint - the pairs of one stroke, and whether they are to be opened or blocked
 */
export class HeadscopeMask extends MatrixFigure {
  static override styles = [baseStyles, stageStyles, matrixStyles];

  /** Additive, shape `[query, key]`: 0 where allowed, -Infinity or -1e9 where not. */
  @given(orNull(MATRIX)) mask: Tensor | null = null;

  private readonly scale = new Memo<ColourScale>();

  protected override get matrix(): Tensor | null {
    return this.mask;
  }

  protected override get closing(): Tensor | null {
    return this.mask;
  }

  protected override describe(mask: Tensor, { ground }: Inks): MatrixContent {
    const scale = this.scale.get([mask, ground], () => uniformScale(mask.data, ground));
    const signs: Sign[] = [
      { kind: "allowed", words: message("figure.allowed"), colour: rampColour(scale.ramp, 0) },
      { kind: "forbidden", words: message("figure.forbidden") },
      ...this.blockedSign(),
    ];
    return {
      scale,
      name: message("figure.mask", {
        queries: formatNumber(this.rows),
        keys: formatNumber(this.columns),
        allowed: formatNumber(mask.data.length - scale.extent.masked),
      }),
      legend: null,
      mass: null,
      signs,
      foot: html`${signs.map(({ kind, words, colour }) => html`<span class="sign" part="legend"><i class=${kind} style=${styled(colour ? { background: colour } : {})}></i>${words}</span>`)}`,
    };
  }

  protected override reading(cell: Cell): string {
    if (this.isBlocked(cell)) return message("figure.blockedCell");
    const value = this.mask ? valueAt(this.mask, cell) : NaN;
    return message(isForbidden(value) ? "figure.forbidden" : "figure.allowed");
  }
}

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
  @given(record({ rows: TEXT, columns: TEXT, values: TEXT }))
  titles: { rows: string; columns: string; values: string } = { rows: "", columns: "", values: "" };
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
  protected override get room(): Lengths {
    const { query, key } = super.room;
    return { query: Math.max(query, ROW_ROOM), key };
  }

  /** Short names of rows still leave what the rows are its room. */
  protected override labelWidths(inks: Inks, most: Lengths): Lengths {
    const { query, key } = super.labelWidths(inks, most);
    const measure = measurer(labelFont(inks), LABEL_SIZE);
    const { rows, columns } = this.titles;
    const corner = [`${rows} ↓`, `${columns} →`].map((words) => Math.ceil(measure(words)));
    return { query: Math.max(query, Math.min(most.query, Math.max(...corner))), key };
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

define("headscope-difference", HeadscopeDifference);
define("headscope-mask", HeadscopeMask);
define("headscope-numbers", HeadscopeNumbers);
