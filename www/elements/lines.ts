// The bipartite view of attention. Per query, the figure draws the fewest links that add up to a
// given share of the weight (the mass threshold of Hoover et al. 2020, "exBERT").
import { html, nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { property, state } from "lit/decorators.js";
import {
  type Cell,
  type HeadPattern,
  type PairNumbers,
  rowOf,
  type Tensor,
} from "../data/index.js";
import { extentOf, rampColour, rampOf, RAMP_STEPS } from "../draw/colours.js";
import { headHue } from "../draw/inks.js";
import type { Ground } from "../draw/colours.js";
import { cellOfToken, LABEL_GAP, valueAt, type Rect } from "../draw/layout.js";
import { fitLabel, formatValue, writeLabel } from "../draw/text.js";
import type { Brush, Inks, Pen } from "../draw/theme.js";
import { formatNumber, message } from "../i18n/index.js";
import { emit } from "./events.js";
import { labelWidths, pairStyles, type Lengths } from "./matrix/pair-figure.js";
import { layoutRows, MARK, ScrolledFigure } from "./matrix/scrolled-figure.js";
import type { PrintedLegend, Room, View } from "./matrix/scrolled-figure.js";
import { numbersTable } from "./matrix/table.js";
import { given, listOf, MATRIX, orNull, PAIR_NUMBERS } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import type { Point } from "./shared/figure.js";
import { moveInGrid } from "./shared/grid-navigation.js";
import { styled } from "./shared/templates.js";
import styles from "./lines.css?inline";

/** A pair with its number, which is negative where a key moves a logit down. */
type Link = Cell & { weight: number };

interface Series {
  links: readonly Link[];
  colour: string;
}

const ROUNDING = 1e-6;

/**
 * For every query the fewest links that add up to `percent` of its weights `[query, key]`, by
 * falling weight; negative numbers count by their size.
 */
export function linksOfMass(weights: Tensor, percent: number): Link[] {
  return Array.from({ length: weights.shape[0] ?? 0 }, (_, query) => {
    const row = rowOf(weights, query);
    const all = row.reduce((total, weight) => total + Math.abs(weight), 0);
    const enough = percent >= 100 ? Infinity : all * (percent / 100 - ROUNDING);
    let sum = 0;
    return Array.from(row, (weight, key) => ({ query, key, weight }))
      .filter(({ weight }) => weight !== 0)
      .sort((one, other) => sizeOf(other) - sizeOf(one) || one.key - other.key)
      .filter((link) => {
        sum += sizeOf(link);
        return sum - sizeOf(link) < enough;
      });
  }).flat();
}

const sizeOf = ({ weight }: Link): number => Math.abs(weight);

type LinesLayout = ReturnType<typeof layoutLines>;
type LinesView = View<LinesLayout>;
/** Above the rows are the choices of heads and weights. */
const AROUND = { choices: 112, top: 44, foot: 6 };
/** The height of a row; rows shrink to the least height, then the window scrolls. */
const PITCH = { least: 17, most: 28 };
const LINKS = { narrowest: 60, widest: 420 };

export function layoutLines(
  { rows, columns }: { rows: number; columns: number },
  { width, ...room }: Omit<Room, "labels" | "ratio">,
  label: Lengths,
) {
  const count = Math.max(rows, columns, 1);
  const beside = LABEL_GAP + MARK;
  const labels = label.query + label.key + 2 * beside;
  const links = Math.max(LINKS.narrowest, Math.min(LINKS.widest, width - labels));
  const left = Math.round(Math.max(0, (width - labels - links) / 2) + label.query + beside);
  const right = left + Math.floor(links);
  return {
    ...layoutRows(count, PITCH, room, AROUND),
    width: Math.max(width, labels + links),
    rows,
    columns,
    /** The ends of the curves, and the ends of the labels beside them. */
    left,
    right,
    labels: { query: left - LABEL_GAP, key: right + LABEL_GAP },
  };
}

const LARGEST_SHIFT = 4;
const REACH = 6;

function shiftOf({ pitch }: LinesLayout, index: number, count: number): number {
  return (index - (count - 1) / 2) * Math.min(LARGEST_SHIFT, (pitch - 6) / count);
}

/** The share of the way from query to key that a curve has risen at a share of the width. */
const riseAt = (t: number): number => t * t * (3 - 2 * t);

export function linkAt(
  view: LinesView,
  series: readonly Pick<Series, "links">[],
  { x, y }: Point,
): Cell | null {
  const { left, right, top, height, foot } = view.layout;
  if (x <= left || x >= right || y < top || y >= height - foot) return null;
  const rise = riseAt((x - left) / (right - left));
  let nearest: Cell | null = null;
  let least = REACH;
  series.forEach(({ links }, index) => {
    const shift = shiftOf(view.layout, index, series.length);
    for (const { query, key } of links) {
      const from = view.middle(query);
      const distance = Math.abs(from + (view.middle(key) - from) * rise + shift - y);
      if (distance >= least) continue;
      least = distance;
      nearest = { query, key };
    }
  });
  return nearest;
}

/** The number of strokes, by weight, in which links are painted. */
const LEVELS = 16;
const STROKE = { thinnest: 0.5, thickest: 4.5, faintest: 0.08 };
const DASHES = [10, 8];
/** The dashes of negative numbers. */
const NEGATIVE = [3, 3];

function linkStyle(share: number): { width: number; alpha: number } {
  return {
    width: STROKE.thinnest + (STROKE.thickest - STROKE.thinnest) * share,
    alpha: STROKE.faintest + (1 - STROKE.faintest) * Math.sqrt(share),
  };
}

const LEGEND = { height: 28, text: 11, stroke: 28, swatch: 10, afterSign: 6, afterWords: 16 };
const SHARES = [0.1, 0.5, 1];
/** The opacity of the other links while those of one token stand out. */
const BEHIND = 0.3;
const ALONE = Math.round(RAMP_STEPS * 0.68);
const SIDES = ["query", "key"] as const;

/**
 * The attention of one head or of several heads, as lines from the queries on the left to the keys
 * on the right. The events of cells are those of the heatmap.
 *
 * @fires headscope-mass-change - the percentage of each query's weight that the links add up to
 * @fires headscope-beside-toggle - a head to draw beside the first one, or to remove
 */
export class HeadscopeLines extends ScrolledFigure<LinesLayout> {
  static override styles = [pairStyles, unsafeCSS(styles)];
  protected static override readonly sentences = ["pictures"] as const;
  /** The selected head, then those drawn beside it, all of one size. */
  @given(listOf({ head: "count", weights: MATRIX })) patterns: readonly HeadPattern[] = [];
  /** The numbers: weights, or what each key adds, of which effects have a sign. */
  @given(PAIR_NUMBERS) stage: PairNumbers = "weights";
  /** The number of heads to choose from. */
  @property({ type: Number }) heads = 0;
  /** The percentage of each query's weight that the links add up to. */
  @given("number") mass = 90;
  /** The weights of a figure beside this one: both share one scale. */
  @given(orNull(MATRIX)) scaledWith: Tensor | null = null;
  @state() private side: keyof Cell = "query";
  protected readonly shape = [];
  protected readonly printWidth = 640;

  protected override get matrix(): Tensor | null {
    return this.patterns[0]?.weights ?? null;
  }

  protected override get weightsTitle(): string {
    const { stage } = this;
    return stage === "weights" ? super.weightsTitle : message(`stage.${stage}`);
  }

  private get links(): Link[][] {
    const { patterns, mass } = this;
    const links = (): Link[][] => patterns.map(({ weights }) => linksOfMass(weights, mass));
    return this.memo("links", [patterns, mass], links);
  }

  /** The number of links. A long text has a million, which are not listed to be counted. */
  private get count(): number {
    return this.links.reduce((sum, { length }) => sum + length, 0);
  }

  /** The number of pairs with a number, and the largest and the most negative number. */
  private get weighing(): { all: number; most: number; isSigned: boolean } {
    const { patterns, scaledWith: beside } = this;
    return this.memo("weighing", [patterns, beside], () => {
      const numbers = patterns.map(({ weights }) => weights.data);
      const all = numbers.reduce((sum, data) => sum + data.filter((one) => one !== 0).length, 0);
      const scaled = beside ? [...numbers, beside.data] : numbers;
      const extents = scaled.map((data) => extentOf(data));
      const most = Math.max(0, ...extents.map(({ min, max }) => Math.max(-min, max)));
      return { all, most, isSigned: extents.some(({ min }) => min < 0) };
    });
  }

  private colourOf(head: number, ground: Ground): string {
    return this.patterns.length > 1
      ? headHue(head, Math.max(this.heads, head + 1), ground)
      : rampColour(rampOf("blue", ground), ALONE);
  }

  private series({ ground }: Inks): Series[] {
    const { patterns, links, heads } = this;
    const colour = (index: number): string => this.colourOf(patterns[index]?.head ?? 0, ground);
    return this.memo("series", [links, ground, heads], () =>
      links.map((own, index) => ({ links: own, colour: colour(index) })),
    );
  }

  protected override get name(): string {
    const links = formatNumber(this.count);
    return message("figure.lines", { ...this.sizes, links });
  }

  protected override get keysHelp(): string {
    return message("figure.helpLines");
  }

  protected override place(inks: Inks, room: Room): LinesLayout {
    return layoutLines(this, room, labelWidths(this.labels, room.labels, inks));
  }

  /**
   * The cell at a point. A token in the query column stands for its strongest link; in the key
   * column for its link with the locked query, if any.
   */
  protected override cellAt(at: Point, view: LinesView): Cell | null {
    const { matrix } = this;
    const { left, right } = view.layout;
    if (at.x > left && at.x < right) return linkAt(view, this.series(this.inks), at);
    const side = at.x >= right ? "key" : "query";
    const row = view.rowAt(at.y, side === "key" ? this.columns : this.rows);
    if (row === null || !matrix) return null;
    const locked = this.inside(this.locked);
    return side === "key" && locked ? { ...locked, key: row } : cellOfToken(matrix, side, row);
  }

  protected override point(at: Point | null, { right }: LinesLayout): void {
    this.side = at && at.x >= right ? "key" : "query";
  }

  /** Up and down move within a column, left and right between the columns. */
  override step(key: string): Cell | null {
    const { cursor, matrix } = this;
    if (key === "ArrowLeft" || key === "ArrowRight") {
      this.side = key === "ArrowLeft" ? "query" : "key";
      this.reveal(cursor);
      return cursor;
    }
    const { side } = this;
    const ends: Record<string, string> = { Home: "PageUp", End: "PageDown" };
    const count = side === "key" ? this.columns : this.rows;
    const to = moveInGrid(ends[key] ?? key, { row: cursor[side], column: 0 }, count, 1);
    if (!to || !matrix) return null;
    const strongest = side === "query" ? cellOfToken(matrix, "query", to.row) : null;
    const cell = strongest ?? { ...cursor, [side]: to.row };
    this.reveal(cell);
    return cell;
  }

  protected override rectOf(cell: Cell, { top, pitch, left, right }: LinesLayout): Rect {
    const x = this.side === "key" ? right : left;
    return { x, y: top + cell[this.side] * pitch, width: 0, height: pitch };
  }

  protected override reading(cell: Cell): string {
    const { patterns } = this;
    const numbers = patterns.map(({ head, weights }) => {
      const value = formatValue(valueAt(weights, cell));
      return patterns.length > 1 ? `${message("lines.head", { head: head + 1 })} ${value}` : value;
    });
    return [...numbers, this.reasonOf(cell) ?? []].flat().join(" · ");
  }

  protected override still(inks: Inks): readonly unknown[] {
    return [this.series(inks), this.shown === null, this.weighing];
  }

  protected override paintStill(pen: Pen, view: LinesView): void {
    this.paintLinks(pen, view, view.focused ? BEHIND : 1, this.series(pen.inks));
  }

  protected override paintMoving(pen: Pen, view: LinesView): void {
    const { brush, inks } = pen;
    const { focused, layout } = view;
    const { left, right, top } = layout;
    const { side } = this;
    const at = focused?.[side] ?? -1;
    const series = this.series(inks).map(({ links, colour }) => {
      return { links: links.filter((link) => link[side] === at), colour };
    });
    if (focused) this.paintLinks(pen, view, 1, series);
    const linked = series.flatMap(({ links }) => links);
    brush.save();
    pen.words(11, inks.muted, "right", "alphabetic");
    brush.fillText(message("figure.query"), left - MARK - 4, top - 10);
    brush.textAlign = "left";
    brush.fillText(message("figure.key"), right + MARK + 4, top - 10);
    view.clip(pen);
    for (const column of SIDES)
      this.paintColumn(pen, view, column, new Set(linked.map((link) => link[column])));
    brush.save();
    pen.line(inks.accent, 1.5);
    brush.setLineDash(DASHES);
    for (const { query, key } of (this.blocked ?? []).filter((cell) => this.inside(cell))) {
      brush.beginPath();
      curveTo(brush, layout, view.middle(query), view.middle(key));
      brush.stroke();
    }
    brush.restore();
    const locked = this.inside(this.locked);
    for (const column of SIDES) {
      const x = column === "query" ? left - MARK : right + MARK - 3;
      if (locked) view.mark(pen, locked[column], x, inks.ink);
      if (focused) view.mark(pen, focused[column], x, inks.accent);
    }
    brush.restore();
  }

  /** Paints links, the positive ones in solid strokes, the negative ones in dashed ones. */
  private paintLinks(pen: Pen, view: LinesView, factor: number, series: readonly Series[]): void {
    const { brush } = pen;
    brush.save();
    view.clip(pen);
    series.forEach(({ links, colour }, index) => {
      const shift = shiftOf(view.layout, index, series.length);
      brush.strokeStyle = colour;
      const isPositive = ({ weight }: Link): boolean => weight > 0;
      this.paintStrokes(brush, view, factor, { links: links.filter(isPositive), shift });
      const negative = links.filter((link) => !isPositive(link));
      if (negative.length === 0) return;
      brush.setLineDash(NEGATIVE);
      this.paintStrokes(brush, view, factor, { links: negative, shift });
      brush.setLineDash([]);
    });
    brush.restore();
  }

  /** Paints links in a few strokes, by the size of their numbers. */
  private paintStrokes(
    brush: Brush,
    view: LinesView,
    factor: number,
    { links, shift }: { links: readonly Link[]; shift: number },
  ): void {
    const { most } = this.weighing;
    const { top, height, foot } = view.layout;
    const levels: [number, number][][] = Array.from({ length: LEVELS }, () => []);
    for (const link of links) {
      const from = view.middle(link.query) + shift;
      const to = view.middle(link.key) + shift;
      if (Math.max(from, to) < top - STROKE.thickest) continue;
      if (Math.min(from, to) > height - foot + STROKE.thickest) continue;
      const level = most > 0 ? Math.floor((sizeOf(link) / most) * LEVELS) : 0;
      levels[Math.min(LEVELS - 1, level)]?.push([from, to]);
    }
    levels.forEach((curves, level) => {
      if (curves.length === 0) return;
      const { width, alpha } = linkStyle((level + 0.5) / LEVELS);
      brush.lineWidth = width;
      brush.globalAlpha = alpha * factor;
      brush.beginPath();
      for (const [from, to] of curves) curveTo(brush, view.layout, from, to);
      brush.stroke();
    });
  }

  private paintColumn(pen: Pen, view: LinesView, side: keyof Cell, linked: Set<number>): void {
    const { brush } = pen;
    const labels = this.labels[side];
    const x = view.layout.labels[side];
    const align = side === "query" ? "right" : "left";
    for (const row of view.rows(labels.length)) {
      const strong = view.focused?.[side] === row;
      view.words(pen, strong, strong || linked.has(row), align);
      const text = fitLabel(labels[row] ?? "", view.room[side], pen.measure);
      const y = view.middle(row);
      writeLabel(brush, text, x, y + 0.5);
      if (side === "key" || !this.emptyRows.includes(row)) continue;
      const width = pen.measure(text);
      brush.fillRect(x - width, Math.round(y), width, 1);
    }
  }

  /** The sample strokes of the legend: shares of the largest number, with their sign. */
  private get samples(): readonly number[] {
    return this.weighing.isSigned ? [...SHARES, -1] : SHARES;
  }

  protected override printLegend({ ground }: Inks): PrintedLegend {
    const { most } = this.weighing;
    const paint = (pen: Pen, x: number, y: number): void => {
      const { brush, inks } = pen;
      const middle = y + LEGEND.height / 4;
      let left = x;
      const write = (words: string): void => {
        brush.fillStyle = inks.muted;
        brush.fillText(words, left, middle);
        left += pen.measure(words) + LEGEND.afterWords;
      };
      brush.save();
      pen.words(LEGEND.text, inks.muted);
      write(this.weightsTitle);
      for (const share of this.samples) {
        const { width, alpha } = linkStyle(Math.abs(share));
        brush.globalAlpha = alpha;
        pen.line(inks.ink, width);
        if (share < 0) brush.setLineDash(NEGATIVE);
        pen.segments([left, middle, left + LEGEND.stroke, middle]);
        if (share < 0) brush.setLineDash([]);
        brush.globalAlpha = 1;
        left += LEGEND.stroke + LEGEND.afterSign;
        write(formatValue(most * share));
      }
      for (const { head } of this.patterns.length > 1 ? this.patterns : []) {
        const { swatch: width } = LEGEND;
        const area = { x: left, y: middle - width / 2, width, height: width };
        pen.fill(area, this.colourOf(head, ground));
        left += width + LEGEND.afterSign;
        write(message("lines.head", { head: head + 1 }));
      }
      brush.restore();
    };
    return { height: LEGEND.height, paint };
  }

  protected override renderPicture(): TemplateResult {
    const change = ({ target }: Event): void =>
      emit(this, "headscope-mass-change", Number((target as HTMLInputElement).value));
    return html`<div class="controls inline" part="controls">
        <label class="inline">
          <span>${message("lines.mass", { mass: this.mass })}</span>
          <input
            type="range"
            min="1"
            max="100"
            .value=${String(this.mass)}
            aria-valuetext="${this.mass}%"
            @input=${change}
          />
        </label>
        ${(this.plain ? this.patterns.length : this.heads) > 1 ? this.renderHeads() : nothing}
      </div>
      ${super.renderPicture()}`;
  }

  private renderHeads(): TemplateResult {
    const ground = this.hasUpdated ? this.inks.ground : "light";
    const shown = this.patterns.map(({ head }) => head);
    const listed = this.plain ? shown : Array.from({ length: this.heads }, (_, head) => head);
    const title = message("lines.heads");
    return html`<div class="heads" role="group" aria-label=${title}>
      <span class="title" aria-hidden="true">${title}</span>
      ${listed.map((head) => {
        const name = message("grid.head", { head: head + 1 });
        const drawn = shown.includes(head);
        const hue = drawn ? { background: this.colourOf(head, ground) } : {};
        const swatch = html`<i style=${styled(hue)}></i>`;
        if (head === shown[0] || this.plain)
          return html`<span
            class=${head === shown[0] ? "own strong" : "own"}
            aria-label=${name}
            role="img"
            >${swatch}${head + 1}</span
          >`;
        const hint = shown.length > 1 || drawn ? name : message("lines.add", { head: head + 1 });
        return html`<button
          aria-pressed=${drawn}
          aria-label=${name}
          title=${hint}
          @click=${() => emit(this, "headscope-beside-toggle", head)}
        >
          ${swatch}${head + 1}
        </button>`;
      })}
    </div>`;
  }

  protected override renderFoot(): TemplateResult {
    const { most, all } = this.weighing;
    const sample = (share: number): TemplateResult => {
      const { width, alpha } = linkStyle(Math.abs(share));
      const stroke = svg`<path
        d="M0 4H28"
        stroke="currentColor"
        stroke-width=${width}
        stroke-dasharray=${share < 0 ? NEGATIVE.join(" ") : nothing}
        opacity=${alpha}
      />`;
      return html`<span
        ><svg width="28" height="8" aria-hidden="true">${stroke}</svg
        >${formatValue(most * share)}</span
      >`;
    };
    return html`<span class="weights" part="legend"
        >${this.weightsTitle} ${this.samples.map(sample)}</span
      >
      <span>${message("lines.links", { links: this.count, all })}</span>`;
  }

  protected override renderTable(): TemplateResult {
    const { patterns, labels, shown } = this;
    return html`${patterns.map(({ head, weights: { data } }) => {
      const own = message("lines.head", { head: head + 1 });
      const caption =
        this.stage === "weights"
          ? message("lines.table", { head: head + 1 })
          : `${this.weightsTitle} · ${own}`;
      return numbersTable(caption, data, labels, { row: shown?.query ?? 0 });
    })}`;
  }
}

function curveTo(brush: Brush, { left, right }: LinesLayout, from: number, to: number): void {
  const third = (right - left) / 3;
  brush.moveTo(left, from);
  // Handles at the thirds make x linear in the parameter, which `linkAt` assumes.
  brush.bezierCurveTo(left + third, from, right - third, to, right, to);
}

define("headscope-lines", HeadscopeLines);
