import { html } from "lit";
import { property } from "lit/decorators.js";
import { type Cell, type Tensor, isForbidden, type Palette, type Token } from "../data/index.js";
import {
  divergingScale,
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
import { MatrixFigure, type MatrixContent } from "./matrix/figure.js";
import { renderSigns } from "./matrix/pair-figure.js";
import type { Lengths } from "./matrix/pair-figure.js";
import { MATRIX, given, orNull, PALETTE, TEXT, listOf, record, tensor } from "./shared/checked.js";
import { define } from "./shared/controllers.js";

/**
 * The difference of two patterns, cell by cell: one hue where the first is larger, the other where the second is. A cell
 * that only one of them has is hatched. It fires the events of the heatmap.
 */
export class HeadscopeDifference extends MatrixFigure {
  /** Shape `[query, key]`, the first less the second; NaN where one of them has no number. */
  @given(orNull(MATRIX)) tensor: Tensor | null = null;

  /** Whether a sign before a token tells which of two texts has it. */
  @property({ type: Boolean }) signed = false;

  protected override get matrix(): Tensor | null {
    return this.tensor;
  }

  protected override describe({ data }: Tensor, { ground }: Inks): MatrixContent {
    const { rows, columns } = this;
    const gaps = this.memo("gaps", [data], () => data.some((value) => !Number.isFinite(value)));
    const counts = { queries: formatNumber(rows), keys: formatNumber(columns) };
    return {
      scale: this.memo("scale", [data, ground], () => divergingScale(data, ground)),
      name: message("figure.difference", counts),
      legend: message("pairs.difference"),
      ...(gaps && { signs: [{ kind: "forbidden", words: message("pairs.noCounterpart") }] }),
      ...(this.signed && { foot: html`<span part="legend">${message("pairs.signs")}</span>` }),
    };
  }

  protected override reading(cell: Cell): string {
    const value = this.tensor ? valueAt(this.tensor, cell) : NaN;
    return Number.isFinite(value) ? formatSigned(value) : message("pairs.noCounterpart");
  }
}

/** A number with its sign, also where it is positive. */
export function formatSigned(value: number): string {
  return value > 0 ? `+${formatValue(value)}` : formatValue(value);
}

/** A mask: filled where a query may attend to a key, hatched where not. It fires the events of the heatmap. */
export class HeadscopeMask extends MatrixFigure {
  /** Additive, shape `[query, key]`: 0 where allowed, -Infinity or -1e9 where not. */
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
    return {
      scale,
      name: message("figure.mask", {
        queries: formatNumber(this.rows),
        keys: formatNumber(this.columns),
        allowed: formatNumber(data.length - scale.extent.masked),
      }),
      signs,
      foot: renderSigns(signs),
    };
  }

  protected override reading(cell: Cell): string {
    if (this.isBlocked(cell)) return message("figure.blockedCell");
    const value = this.mask ? valueAt(this.mask, cell) : NaN;
    return message(isForbidden(value) ? "figure.forbidden" : "figure.allowed");
  }
}

/** The least room for the names of rows, in CSS pixels. */
const ROW_ROOM = 124;

const VALUES = tensor("row", "column");

/**
 * Numbers in rows and columns of any kind, such as depths and tokens, or layers and heads: with a diverging scale where
 * they are signed, otherwise with a sequential one from zero. NaN is hatched.
 *
 * @fires headscope-cell-hover - the number under the pointer or the keyboard, `query` being its row and `key` its column
 * @fires headscope-cell-lock - the number to lock, or null to unlock
 */
export class HeadscopeNumbers extends MatrixFigure {
  /** Shape `[row, column]`; NaN where there is no number. */
  @given(orNull(VALUES)) tensor: Tensor | null = null;
  @given(listOf(TEXT)) rowNames: readonly string[] = [];
  @given(listOf(TEXT)) columnNames: readonly string[] = [];
  /** What the rows, the columns and the numbers are. */
  @given(record({ rows: TEXT, columns: TEXT, values: TEXT }))
  titles: { rows: string; columns: string; values: string } = { rows: "", columns: "", values: "" };
  @property({ type: Boolean }) signed = false;
  @given(PALETTE) colours: Palette = "blue";
  /** Numbers of figures beside this one: all have one scale. */
  @given(orNull(VALUES)) beside: Tensor | null = null;
  /** Whether the numbers are counts, written without decimals. */
  @property({ type: Boolean }) counts = false;

  protected override get matrix(): Tensor | null {
    return this.tensor;
  }

  protected override get closing(): Tensor | null {
    return null;
  }

  protected override get corner(): { query: string; key: string } {
    return { query: this.titles.rows, key: this.titles.columns };
  }

  protected override get room(): Lengths {
    const { query, key } = super.room;
    return { query: Math.max(query, ROW_ROOM), key };
  }

  /** At least as wide as the titles of rows and columns in the corner. */
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
    this.queries = this.memo("rows", [this.rowNames], () => this.rowNames.map(tokenOf));
    this.keys = this.memo("columns", [this.columnNames], () => this.columnNames.map(tokenOf));
    super.willUpdate();
  }

  protected override describe({ data }: Tensor, { ground }: Inks): MatrixContent {
    const { signed, colours, titles, beside, counts } = this;
    return {
      scale: this.memo("scale", [data, ground, signed, colours, beside, counts], () => {
        const own = signed ? divergingScale(data, ground) : sequentialScale(data, colours, ground);
        const shared = beside ? sharedScale(own, beside.data) : own;
        return counts ? { ...shared, words: (value) => formatNumber(value) } : shared;
      }),
      name: message("figure.numbers", {
        title: titles.values,
        rows: formatNumber(this.rows),
        columns: formatNumber(this.columns),
      }),
      legend: titles.values,
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

function tokenOf(text: string, index: number): Token {
  return { id: index, text, word: index, special: false, role: null };
}

define("headscope-difference", HeadscopeDifference);
define("headscope-mask", HeadscopeMask);
define("headscope-numbers", HeadscopeNumbers);
