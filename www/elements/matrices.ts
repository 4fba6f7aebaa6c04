import { html } from "lit";
import { property } from "lit/decorators.js";
import {
  isForbidden,
  type Cell,
  isJoined,
  type PairNumbers,
  type Palette,
  type Stage,
  type Tensor,
  type Token,
} from "../data/index.js";
import {
  type ColourScale,
  type Ground,
  rampColour,
  scaleOf,
  uniformScale,
} from "../draw/colours.js";
import { valueAt } from "../draw/layout.js";
import type { Sign } from "../draw/legend.js";
import { formatValue, measurer } from "../draw/text.js";
import { type Inks, labelFont } from "../draw/theme.js";
import { formatNumber, language, message } from "../i18n/index.js";
import { poolWeights, rowSums } from "../reduce/index.js";
import { type Companion, MatrixFigure, type MatrixContent } from "./matrix/figure.js";
import { renderSigns, type Lengths } from "./matrix/pair-figure.js";
import { given, listOf, MATRIX, orNull, PAIR_NUMBERS, PALETTE } from "./shared/checked.js";
import { tensor, wordToken } from "./shared/checked.js";
import { define } from "./shared/controllers.js";

/** The rounding error that a row sum of 1 may have. */
const ROUNDING = 1e-3;

const isWhole = (sum: number): boolean => Math.abs(sum - 1) < ROUNDING;

function sumsOf(weights: Tensor): NonNullable<MatrixContent["sums"]> {
  const query = rowSums(weights);
  const key = poolWeights(weights, "query", [...query.keys()], "sum");
  return { query: query.every(isWhole) ? null : query, key };
}

/** What the figures beside a heatmap of a stage must know of it, to be laid out like it. */
export function companionOf(
  { stages, queries, keys }: { stages: Record<Stage, Tensor>; queries: Token[]; keys: Token[] },
  stage: Stage,
): Companion {
  const sums = stage === "weights";
  const rows = sums && !rowSums(stages.weights).every(isWhole);
  return { queries, keys, legend: message(`stage.${stage}`), sums: { query: rows, key: sums } };
}

const numberAt = (matrix: Tensor | null, cell: Cell): number =>
  matrix ? valueAt(matrix, cell) : NaN;

/**
 * One head's attention: queries down, keys across.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to lock, or null to unlock
 * @fires headscope-cell-toggle - the pair to block or to allow again
 * @fires headscope-cells-paint - the pairs of one stroke, and whether they are to be opened or
 *   blocked
 * @fires headscope-cells-stroke - the pairs of a stroke so far, or null when it is given up
 */
export class HeadscopeHeatmap extends MatrixFigure {
  /**
   * The numbers, shape `[query, key]`; -Infinity, or another value that is no score, marks a masked
   * cell.
   */
  @given(orNull(MATRIX)) tensor: Tensor | null = null;
  /** The additive mask of the same cells, if known: it decides whether a stroke blocks or opens. */
  @given(orNull(MATRIX)) mask: Tensor | null = null;
  /** Dropout, 1 where it removed a weight, 0 elsewhere: such cells of the weights are hatched. */
  @given(orNull(MATRIX)) dropped: Tensor | null = null;
  /**
   * The numbers: a stage of the head, what each key adds, or heads that are joined. Weights, norms
   * and joined heads have a sequential scale from zero, all others a diverging one.
   */
  @given(PAIR_NUMBERS) stage: PairNumbers = "weights";
  /** A tensor shown beside this one: both share one scale. */
  @given(orNull(MATRIX)) beside: Tensor | null = null;
  /** The colour map of the weights. */
  @given(PALETTE) colours: Palette = "blue";

  /** The numbers to paint, with NaN for dropped weights: a dropped weight is not a weight of 0. */
  protected override get matrix(): Tensor | null {
    const { tensor, droppedWeights } = this;
    if (!tensor || !droppedWeights) return tensor;
    return this.memo("matrix", [tensor, droppedWeights], () => ({
      ...tensor,
      data: tensor.data.map((weight, at) => (droppedWeights.data[at] === 1 ? NaN : weight)),
    }));
  }

  private get droppedWeights(): Tensor | null {
    const { tensor, dropped, stage } = this;
    return stage === "weights" && dropped?.data.length === tensor?.data.length ? dropped : null;
  }

  protected override get blank(): string {
    return this.droppedWeights ? message("figure.droppedCell") : super.blank;
  }

  protected override get maskOf(): Tensor | null {
    return this.mask;
  }

  protected override describe(matrix: Tensor, { ground }: Inks): MatrixContent {
    const { stage, colours, beside, without, droppedWeights } = this;
    const { data } = this.tensor ?? matrix;
    const weights = stage === "weights";
    const isSigned = !weights && stage !== "norms" && !isJoined(stage);
    // A large tensor is read once, not at every move of the pointer.
    const scale = this.memo("scale", [data, isSigned, colours, ground, beside], () =>
      scaleOf(data, isSigned ? "signed" : colours, ground, beside?.data),
    );
    const title =
      without === ""
        ? message(`stage.${stage}`)
        : message("lens.weightsWithout", { token: without });
    const dropped: Sign = { kind: "forbidden", words: message("figure.droppedCell") };
    const masked: Sign = { kind: "forbidden", words: message("figure.maskedCell") };
    return {
      scale,
      name: message("figure.heatmap", { stage: title, ...this.sizes }),
      legend: weights ? this.weightsTitle : title,
      ...(weights && { sums: this.memo("sums", [data], () => sumsOf(this.tensor ?? matrix)) }),
      signs: [
        ...(droppedWeights ? [dropped] : []),
        ...(scale.extent.masked > 0 ? [masked] : []),
        ...this.blockedSign(),
      ],
      ...(droppedWeights && { foot: renderSigns([dropped]) }),
    };
  }

  protected override isClosed(cell: Cell): boolean {
    const { tensor, mask } = this;
    return super.isClosed(cell) || [tensor, mask].some((one) => isForbidden(numberAt(one, cell)));
  }

  protected override reading(cell: Cell): string {
    const value = numberAt(this.tensor, cell);
    const isDropped = numberAt(this.droppedWeights, cell) === 1 && !this.isBlocked(cell);
    const masked = isForbidden(value) ? message("figure.maskedCell") : null;
    const reason = isDropped ? message("figure.droppedCell") : (this.reasonOf(cell) ?? masked);
    return reason === null ? formatValue(value) : `${formatValue(value)} · ${reason}`;
  }
}

/**
 * The difference of two patterns, cell by cell: one hue where the first is larger, the other where
 * the second is. A cell that only one of the patterns has is hatched. The events are those of the
 * heatmap.
 */
export class HeadscopeDifference extends MatrixFigure {
  /**
   * The difference, shape `[query, key]`, the first pattern less the second; NaN where one of them
   * lacks the pair, infinite where one of them masks it.
   */
  @given(orNull(MATRIX)) tensor: Tensor | null = null;
  /** Whether a sign before a token tells which of two texts has it. */
  @property({ type: Boolean }) signed = false;
  /**
   * The range of the numbers of both patterns: the colour scale reaches to a hundredth of it at
   * least, so that a difference of rounding looks like none.
   */
  @given("number") range = 0;

  protected override get matrix(): Tensor | null {
    return this.tensor;
  }

  protected override describe({ data }: Tensor, { ground }: Inks): MatrixContent {
    const signs = this.memo("signs", [data, language()], () => differenceSigns(data));
    const least = this.range * LEAST_SHARE;
    return {
      scale: this.memo("scale", [data, ground, least], () => differenceScale(data, ground, least)),
      name: message("figure.difference", this.sizes),
      legend: message("pairs.difference"),
      signs,
      ...(this.signed && { foot: html`<span part="legend">${message("pairs.signs")}</span>` }),
    };
  }

  protected override reading(cell: Cell): string {
    const value = numberAt(this.tensor, cell);
    return Number.isNaN(value) ? message("pairs.noCounterpart") : formatSigned(value);
  }
}

/** What is hatched in a difference: a pair of one pattern alone, or one that one pattern masks. */
function differenceSigns(data: Float32Array): Sign[] {
  const hatched = [
    [data.some(Number.isNaN), "pairs.noCounterpart"],
    [data.some((value) => Math.abs(value) === Infinity), "pairs.maskedInOne"],
  ] as const;
  return hatched.flatMap(([is, words]) =>
    is ? [{ kind: "forbidden", words: message(words) }] : [],
  );
}

/** The share of the range of two patterns that the scale of their difference reaches at least. */
const LEAST_SHARE = 0.01;

/** A scale about zero whose legend names its own ends, which may lie beyond the numbers. */
function differenceScale(data: Float32Array, ground: Ground, least: number): ColourScale {
  const scale = scaleOf(data, "signed", ground, null, least);
  const { extent, low, high } = scale;
  return high > least ? scale : { ...scale, extent: { ...extent, min: low, max: high } };
}

export function formatSigned(value: number): string {
  return value > 0 ? `+${formatValue(value)}` : formatValue(value);
}

/**
 * A mask: filled where a key is visible to a query, hatched where it is masked. The events are
 * those of the heatmap.
 */
export class HeadscopeMask extends MatrixFigure {
  /** The additive mask, shape `[query, key]`: 0 where allowed, -Infinity or -1e9 where masked. */
  @given(orNull(MATRIX)) mask: Tensor | null = null;

  protected override get matrix(): Tensor | null {
    return this.mask;
  }

  protected override describe({ data }: Tensor, { ground }: Inks): MatrixContent {
    const scale = this.memo("scale", [data, ground], () => uniformScale(data, ground));
    const signs: Sign[] = [
      { kind: "allowed", words: message("figure.allowed"), colour: rampColour(scale.ramp, 0) },
      { kind: "forbidden", words: message("figure.forbidden") },
      ...this.blockedSign(),
    ];
    const allowed = formatNumber(data.length - scale.extent.masked);
    const name = message("figure.mask", { ...this.sizes, allowed });
    return { scale, name, signs, foot: renderSigns(signs) };
  }

  protected override isClosed(cell: Cell): boolean {
    return super.isClosed(cell) || isForbidden(numberAt(this.mask, cell));
  }

  protected override reading(cell: Cell): string {
    if (this.isBlocked(cell)) return message("figure.blockedCell");
    const isMasked = isForbidden(numberAt(this.mask, cell));
    return message(isMasked ? "figure.forbidden" : "figure.allowed");
  }
}

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

define("headscope-heatmap", HeadscopeHeatmap);
define("headscope-difference", HeadscopeDifference);
define("headscope-mask", HeadscopeMask);
define("headscope-numbers", HeadscopeNumbers);
