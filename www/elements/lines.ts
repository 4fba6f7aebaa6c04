import { css, html, nothing, svg, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Cell, HeadPattern, Tensor } from "../data/index.js";
import {
  extentOf,
  headHue,
  rampColour,
  RAMP_STEPS,
  sequentialRamp,
  type Ground,
} from "../draw/colours.js";
import { cellOfToken, rowAt, valueAt, type Rect } from "../draw/layout.js";
import {
  eachLink,
  keptLinks,
  layoutLines,
  LINK_LEGEND_HEIGHT,
  linkAt,
  linkLook,
  paintLinesLabels,
  paintLinkLegend,
  paintLinks,
  type Emphasis,
  type LinesLayout,
  type Links,
  type LinkSeries,
} from "../draw/lines.js";
import { formatValue } from "../draw/text.js";
import type { Inks, Pen } from "../draw/theme.js";
import { formatNumber, message } from "../i18n/index.js";
import { emit } from "./events.js";
import { labelWidths } from "./matrix/pair-figure.js";
import {
  ScrolledFigure,
  type PrintedLegend,
  type Room,
  type View,
} from "./matrix/scrolled-figure.js";
import { numbersTable } from "./matrix/table.js";
import { matrixStyles } from "./shared/base-styles.js";
import { COUNT, given, listOf, MATRIX, NUMBER, record } from "./shared/checked.js";
import { define } from "./shared/controllers.js";
import type { Point } from "./shared/figure.js";
import { moveInGrid } from "./shared/grid-navigation.js";
import { styled } from "./shared/templates.js";

const linesStyles = css`
  .controls {
    gap: 4px 32px;
    margin-bottom: 4px;
  }

  .mass,
  .heads,
  .weights,
  .weights span {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
  }

  .mass {
    gap: 4px 12px;
  }

  input {
    width: 148px;
    margin: 0;
    accent-color: var(--_accent);
    cursor: pointer;
  }

  .heads,
  .weights {
    gap: 4px 14px;
  }

  .heads button,
  .own {
    display: inline-flex;
    gap: 5px;
    align-items: center;
    min-height: 24px;
    color: var(--_muted);
  }

  .heads button:hover,
  .heads button[aria-pressed="true"],
  .own {
    color: var(--_ink);
  }

  .own {
    font-weight: 600;
  }

  .heads i {
    width: 11px;
    height: 11px;
    border: 1.5px solid var(--_muted);
    border-radius: 50%;
  }

  .heads i[style*="background"] {
    border-color: transparent;
  }

  .weights span {
    gap: 6px;
  }

  .weights svg {
    color: var(--_bar);
  }

  @media (pointer: coarse) {
    .heads button,
    .own,
    input {
      min-width: 32px;
      min-height: 40px;
    }
  }
`;

/** The opacity of the other links while those of one token stand out. */
const BEHIND = 0.3;
/** The step of the ramp for the links of a single head. */
const ALONE = Math.round(RAMP_STEPS * 0.68);

/**
 * One head's attention, or several heads', as lines from the queries on the left to the keys on the right.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to lock, or null to unlock
 * @fires headscope-cell-toggle - the pair to block or to allow again
 * @fires headscope-mass-change - the percentage of each query's weight that the links add up to
 * @fires headscope-beside-toggle - a head to draw beside the first one, or to remove
 */
export class HeadscopeLines extends ScrolledFigure<LinesLayout> {
  static override styles = [matrixStyles, linesStyles];

  /** The selected head, then those drawn beside it, all of one size. */
  @given(listOf(record({ head: COUNT, weights: MATRIX }))) patterns: readonly HeadPattern[] = [];
  /** The number of heads to choose from. */
  @property({ type: Number }) heads = 0;
  /** The links drawn are the fewest per query that add up to this percentage of its weight. */
  @given(NUMBER) mass = 90;

  /** The column in which the pointer or the keyboard is. */
  @state() private side: keyof Cell = "query";

  protected readonly shape = [];
  protected readonly printWidth = 640;

  protected override get matrix(): Tensor | null {
    return this.patterns[0]?.weights ?? null;
  }

  private get links(): Links[] {
    const { patterns, mass } = this;
    return this.memo("links", [patterns, mass], () =>
      patterns.map(({ weights }) => keptLinks(weights, mass)),
    );
  }

  private get count(): number {
    return this.links.reduce((sum, { weights }) => sum + weights.length, 0);
  }

  /** The number of weights above 0, and the largest weight. */
  private get weighing(): { all: number; most: number } {
    const { patterns } = this;
    return this.memo("weighing", [patterns], () => {
      const all = patterns.map(({ weights: { data } }) =>
        data.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0),
      );
      return {
        all: all.reduce((sum, count) => sum + count, 0),
        most: Math.max(0, ...patterns.map(({ weights }) => extentOf(weights.data).max)),
      };
    });
  }

  private colourOf(head: number, ground: Ground): string {
    return this.patterns.length > 1
      ? headHue(head, Math.max(this.heads, head + 1), ground)
      : rampColour(sequentialRamp("blue", ground), ALONE);
  }

  private series({ ground }: Inks): LinkSeries[] {
    const { patterns, links, heads } = this;
    return this.memo("series", [links, ground, heads], () =>
      links.map((kept, index) => ({
        links: kept,
        colour: this.colourOf(patterns[index]?.head ?? 0, ground),
      })),
    );
  }

  protected override get name(): string {
    return message("figure.lines", {
      queries: formatNumber(this.rows),
      keys: formatNumber(this.columns),
      links: formatNumber(this.count),
    });
  }

  protected override get help(): string {
    return message("figure.helpLines");
  }

  protected override place(inks: Inks, { width, comfortableHeight, labels }: Room): LinesLayout {
    const { query: queryLabel, key: keyLabel } = labelWidths(this.labels, labels, inks);
    const { rows, columns } = this;
    return layoutLines({ rows, columns, width, comfortableHeight, queryLabel, keyLabel });
  }

  /** In the query column a token means its strongest link; in the key column its link with the locked query, if any. */
  protected override cellAt({ x, y }: Point, layout: LinesLayout): Cell | null {
    const { matrix, offset } = this;
    if (!matrix) return null;
    if (x > layout.left && x < layout.right)
      return linkAt(layout, offset, this.series(this.inks), null, x, y);
    const side = x >= layout.right ? "key" : "query";
    const row = rowAt(layout, offset, y, side === "key" ? this.columns : this.rows);
    const locked = this.inside(this.locked);
    if (row === null) return null;
    return side === "key" && locked
      ? { query: locked.query, key: row }
      : cellOfToken(matrix, side, row);
  }

  protected override point(at: Point | null): void {
    this.side = at && this.layout && at.x >= this.layout.right ? "key" : "query";
  }

  /** Up and down move within a column, left and right between the columns. */
  override step(key: string): Cell | null {
    const to = this.stepTo(key);
    if (to) this.reveal(to);
    return to;
  }

  private stepTo(key: string): Cell | null {
    const { cursor, matrix } = this;
    if (!matrix) return null;
    if (key === "ArrowLeft" || key === "ArrowRight") {
      this.side = key === "ArrowLeft" ? "query" : "key";
      return cursor;
    }
    const ends: Record<string, string> = { Home: "PageUp", End: "PageDown" };
    const from = { row: cursor[this.side], column: 0 };
    const count = this.side === "key" ? this.columns : this.rows;
    const to = moveInGrid(ends[key] ?? key, from, count, 1);
    if (!to) return null;
    if (this.side === "key") return { ...cursor, key: to.row };
    return cellOfToken(matrix, "query", to.row) ?? { ...cursor, query: to.row };
  }

  protected override rowOf(cell: Cell): number {
    return cell[this.side];
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
    const reason = this.isBlocked(cell)
      ? message("figure.blockedCell")
      : this.emptiness(cell.query);
    return [...numbers, ...(reason === null ? [] : [reason])].join(" · ");
  }

  protected override still(inks: Inks): readonly unknown[] {
    return [this.series(inks), this.shown === null];
  }

  protected override paintStill({ brush, inks }: Pen, layout: LinesLayout, view: View): void {
    const strength = view.focused ? BEHIND : 1;
    const { most } = this.weighing;
    const series = this.series(inks);
    paintLinks(brush, layout, { scroll: view.scroll, series, most, of: null, strength });
  }

  protected override paintMoving(
    pen: Pen,
    layout: LinesLayout,
    { scroll, focused, labels }: View,
  ): void {
    const of: Emphasis | null = focused && { side: this.side, index: focused[this.side] };
    const series = this.series(pen.inks);
    const linked = { queries: new Set<number>(), keys: new Set<number>() };
    if (of) {
      const { most } = this.weighing;
      paintLinks(pen.brush, layout, { scroll, series, most, of, strength: 1 });
      for (const { links } of series)
        eachLink(links, of, (query, key) => {
          linked.queries.add(query);
          linked.keys.add(key);
        });
    }
    paintLinesLabels(pen, layout, {
      ...this.labels,
      scroll,
      linked,
      queryRoom: labels.query,
      keyRoom: labels.key,
      heads: { query: message("figure.query"), key: message("figure.key") },
      focused,
      locked: this.inside(this.locked),
      blocked: this.blocked,
      fullyMasked: this.emptyRows,
    });
  }

  protected override printLegend({ ground }: Inks): PrintedLegend {
    const { patterns, weightsTitle: title } = this;
    const { most } = this.weighing;
    const several = patterns.map(({ head }) => ({
      words: message("lines.head", { head: head + 1 }),
      colour: this.colourOf(head, ground),
    }));
    const heads = patterns.length < 2 ? [] : several;
    return {
      height: LINK_LEGEND_HEIGHT,
      paint: (pen, x, y) => paintLinkLegend(pen, x, y, { title, most, heads }),
    };
  }

  protected override renderPicture(): TemplateResult {
    return html`<div class="controls wrap" part="controls">
        <label class="mass">
          <span>${message("lines.mass", { mass: this.mass })}</span>
          <input type="range" min="1" max="100" .value=${String(this.mass)} aria-valuetext="${this.mass}%" @input=${this.changeMass} />
        </label>
        ${this.heads > 1 ? this.renderHeads() : nothing}
      </div>
      ${super.renderPicture()}`;
  }

  /** The heads of the layer; buttons draw them beside the first pattern's head. */
  private renderHeads(): TemplateResult {
    const ground = this.hasUpdated ? this.inks.ground : "light";
    const shown = this.patterns.map(({ head }) => head);
    const title = message("lines.heads");
    return html`<div class="heads" role="group" aria-label=${title}>
      <span class="title" aria-hidden="true">${title}</span>
      ${Array.from({ length: this.heads }, (_, head) => {
        const name = message("grid.head", { head: head + 1 });
        const drawn = shown.includes(head);
        const hue = drawn ? { background: this.colourOf(head, ground) } : {};
        const swatch = html`<i style=${styled(hue)}></i>`;
        if (head === shown[0])
          return html`<span class="own" aria-label=${name} role="img">${swatch}${head + 1}</span>`;
        const hint = shown.length > 1 || drawn ? name : message("lines.add", { head: head + 1 });
        return html`<button aria-pressed=${drawn} aria-label=${name} title=${hint} @click=${() => emit(this, "headscope-beside-toggle", head)}>${swatch}${head + 1}</button>`;
      })}
    </div>`;
  }

  /** Three sample strokes with their weights, and the number of links. */
  protected override renderFoot(): TemplateResult {
    const { most, all } = this.weighing;
    const sample = (share: number): TemplateResult => {
      const { width, alpha } = linkLook(share);
      const stroke = svg`<path d="M0 4H28" stroke="currentColor" stroke-width=${width} opacity=${alpha} />`;
      return html`<span><svg width="28" height="8" aria-hidden="true">${stroke}</svg>${formatValue(most * share)}</span>`;
    };
    return html`<span class="weights" part="legend">${this.weightsTitle} ${[0.1, 0.5, 1].map(sample)}</span>
      <span>${message("lines.links", { links: this.count, all })}</span>`;
  }

  protected override renderTable(): TemplateResult {
    const { patterns, labels, shown } = this;
    const table = ({ head, weights: { data } }: HeadPattern): TemplateResult => {
      const caption = message("lines.table", { head: head + 1 });
      return numbersTable({ caption, data, ...labels, query: shown?.query ?? 0 });
    };
    return html`${patterns.map(table)}`;
  }

  private readonly changeMass = ({ target }: Event): void => {
    if (target instanceof HTMLInputElement)
      emit(this, "headscope-mass-change", Number(target.value));
  };
}

define("headscope-lines", HeadscopeLines);
