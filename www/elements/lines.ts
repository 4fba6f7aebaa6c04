import { html, nothing, type TemplateResult, svg, css } from "lit";
import { property, state } from "lit/decorators.js";
import type { Cell, HeadPattern, Tensor } from "../data/index.js";
import {
  headHue,
  rampColour,
  RAMP_STEPS,
  sequentialRamp,
  type Ground,
  extentOf,
} from "../draw/colours.js";
import { type Rect, rowAt, cellOfToken, valueAt } from "../draw/layout.js";
import {
  eachLink,
  keptLinks,
  type Emphasis,
  type Links,
  layoutLines,
  linkAt,
  type LinesLayout,
  type LinkSeries,
  LINK_LEGEND_HEIGHT,
  paintLinkLegend,
  paintLinesLabels,
  paintLinks,
  linkLook,
} from "../draw/lines.js";
import { formatValue } from "../draw/text.js";
import type { Brush, Inks } from "../draw/theme.js";
import { formatNumber, message } from "../i18n/index.js";
import { emit } from "./events.js";
import {
  ScrolledFigure,
  type Point,
  type PrintedLegend,
  type Room,
  type View,
} from "./matrix/scrolled-figure.js";
import { numbersTable } from "./matrix/table.js";
import { COUNT, MATRIX, NUMBER, given, listOf, record } from "./shared/checked.js";
import { Memo, define } from "./shared/controllers.js";
import { matrixStyles, baseStyles, stageStyles } from "./shared/base-styles.js";
import { moveInGrid } from "./shared/grid-navigation.js";
import { styled } from "./shared/templates.js";

const linesStyles = css`
  .controls {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 32px;
    align-items: center;
    margin-bottom: 4px;
    color: var(--_muted);
    font-size: 12.5px;
  }

  .mass {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 4px 12px;
    align-items: center;
  }

  input {
    width: 148px;
    margin: 0;
    accent-color: var(--_accent);
    cursor: pointer;
  }

  .heads {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 4px 14px;
    align-items: center;
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
  .heads button[aria-pressed="true"] {
    color: var(--_ink);
  }

  .own {
    color: var(--_ink);
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

  .weights,
  .weights span {
    display: inline-flex;
    gap: 6px;
    align-items: center;
  }

  .weights {
    gap: 14px;
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

/** Links of other tokens step back while one token's stand out. */
const BEHIND = 0.3;
/** The step of the ramp that a single head is drawn in: indigo, well above the ground. */
const ALONE = Math.round(RAMP_STEPS * 0.68);

/**
 * One head's attention, or several heads', as lines from the queries on the left to the keys on the right.
 *
 * @fires headscope-cell-hover - the pair under the pointer or the keyboard, or null
 * @fires headscope-cell-lock - the pair to hold, or null to let go
 * @fires headscope-cell-toggle - the pair to block or to allow again
 * @fires headscope-mass-change - the percentage of each query's weight that the links should hold
 * @fires headscope-beside-toggle - a head to be drawn beside the first one, or not any more
 */
export class HeadscopeLines extends ScrolledFigure<LinesLayout> {
  static override styles = [baseStyles, stageStyles, matrixStyles, linesStyles];

  /** The head that is looked at, then those drawn beside it. All of one size. */
  @given(listOf(record({ head: COUNT, weights: MATRIX }))) patterns: readonly HeadPattern[] = [];
  /** How many heads there are to choose from. */
  @property({ type: Number }) heads = 0;
  /** Per query the fewest links are drawn that hold this percentage of its weight. */
  @given(NUMBER) mass = 90;

  /** Which column the pointer or the keyboard is in. */
  @state() private side: keyof Cell = "query";

  private readonly kept = new Memo<Links[]>();
  private readonly extent = new Memo<number>();
  private readonly whole = new Memo<number>();
  private readonly coloured = new Memo<LinkSeries[]>();
  protected readonly shape = [];

  protected override get matrix(): Tensor | null {
    return this.patterns[0]?.weights ?? null;
  }

  private get links(): Links[] {
    const { patterns, mass } = this;
    return this.kept.get([patterns, mass], () =>
      patterns.map(({ weights }) => keptLinks(weights, mass)),
    );
  }

  private get count(): number {
    return this.links.reduce((sum, { weights }) => sum + weights.length, 0);
  }

  /** How many pairs weigh anything at all. */
  private get all(): number {
    const { patterns } = this;
    const weighing = (data: Float32Array): number =>
      data.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0);
    return this.whole.get([patterns], () =>
      patterns.reduce((sum, { weights }) => sum + weighing(weights.data), 0),
    );
  }

  /** The largest weight that is shown. */
  private get most(): number {
    const { patterns } = this;
    return this.extent.get([patterns], () =>
      Math.max(0, ...patterns.map(({ weights }) => extentOf(weights.data).max)),
    );
  }

  private colourOf(head: number, ground: Ground): string {
    return this.patterns.length > 1
      ? headHue(head, Math.max(this.heads, head + 1), ground)
      : rampColour(sequentialRamp("blue", ground), ALONE);
  }

  private series({ ground }: Inks): LinkSeries[] {
    const { patterns, links, heads } = this;
    return this.coloured.get([links, ground, heads], () =>
      links.map((kept, index) => ({
        links: kept,
        colour: this.colourOf(patterns[index]?.head ?? 0, ground),
      })),
    );
  }

  protected override get name(): string {
    const { rows, columns, count } = this;
    return message("figure.lines", {
      queries: formatNumber(rows),
      keys: formatNumber(columns),
      links: formatNumber(count),
    });
  }

  protected override get help(): string {
    return message("figure.helpLines");
  }

  protected override place(
    inks: Inks,
    { width, comfortableHeight, labels: most }: Room,
  ): LinesLayout {
    const labels = this.labelWidths(inks, most);
    const { rows, columns } = this;
    return layoutLines({
      rows,
      columns,
      width,
      comfortableHeight,
      queryLabel: labels.query,
      keyLabel: labels.key,
    });
  }

  /** In the query column a token stands for its strongest link; in the key column for its link with the query that is held. */
  protected override cellAt({ x, y }: Point, layout: LinesLayout): Cell | null {
    const { matrix } = this;
    if (!matrix) return null;
    if (x > layout.left && x < layout.right)
      return linkAt(layout, this.offset, this.series(this.look.inks), null, x, y);
    const side = x >= layout.right ? "key" : "query";
    const row = rowAt(layout, this.offset, y, side === "key" ? this.columns : this.rows);
    if (row === null) return null;
    const held = this.inside(this.locked);
    return side === "key" && held
      ? { query: held.query, key: row }
      : cellOfToken(matrix, side, row);
  }

  protected override point(at: Point | null): void {
    this.side = at && this.layout && at.x >= this.layout.right ? "key" : "query";
  }

  /** Up and down move in a column, left and right from one column to the other. */
  override step(key: string): Cell | null {
    const { cursor, matrix } = this;
    if (!matrix) return null;
    if (key === "ArrowLeft" || key === "ArrowRight") {
      this.side = key === "ArrowLeft" ? "query" : "key";
      return this.seen(cursor);
    }
    const ends: Record<string, string> = { Home: "PageUp", End: "PageDown" };
    const to = moveInGrid(
      ends[key] ?? key,
      { row: cursor[this.side], column: 0 },
      this.side === "key" ? this.columns : this.rows,
      1,
    );
    if (!to) return null;
    return this.seen(
      this.side === "key"
        ? { ...cursor, key: to.row }
        : (cellOfToken(matrix, "query", to.row) ?? { ...cursor, query: to.row }),
    );
  }

  private seen(cell: Cell): Cell {
    this.reveal(cell);
    return cell;
  }

  protected override rowOf(cell: Cell): number {
    return cell[this.side];
  }

  protected override rectOf(cell: Cell, { top, pitch, left, right }: LinesLayout): Rect {
    return {
      x: this.side === "key" ? right : left,
      y: top + cell[this.side] * pitch,
      width: 0,
      height: pitch,
    };
  }

  protected override reading(cell: Cell): string {
    const { patterns } = this;
    const numbers = patterns.map(({ head, weights }) => {
      const value = formatValue(valueAt(weights, cell));
      return patterns.length > 1 ? `${message("lines.head", { head: head + 1 })} ${value}` : value;
    });
    if (this.isBlocked(cell)) numbers.push(message("figure.blockedCell"));
    else numbers.push(...[this.emptiness(cell.query)].filter((reason) => reason !== null));
    return numbers.join(" · ");
  }

  protected override still(inks: Inks): readonly unknown[] {
    return [this.series(inks), this.shown === null];
  }

  protected override paintStill(
    brush: Brush,
    layout: LinesLayout,
    inks: Inks,
    { scroll, focused }: View,
  ): void {
    const strength = focused ? BEHIND : 1;
    paintLinks(brush, layout, {
      scroll,
      series: this.series(inks),
      most: this.most,
      of: null,
      strength,
    });
  }

  protected override paintMoving(
    brush: Brush,
    layout: LinesLayout,
    inks: Inks,
    { scroll, focused, labels }: View,
  ): void {
    const { rows, columns } = this;
    const emphasis: Emphasis | null = focused && { side: this.side, index: focused[this.side] };
    const series = this.series(inks);
    const linked = { queries: new Set<number>(), keys: new Set<number>() };
    if (emphasis) {
      paintLinks(brush, layout, { scroll, series, most: this.most, of: emphasis, strength: 1 });
      for (const { links } of series) {
        eachLink(links, emphasis, (query, key) => {
          linked.queries.add(query);
          linked.keys.add(key);
        });
      }
    }
    const scene = {
      ...this.labels,
      scroll,
      linked,
      queryRoom: labels.query,
      keyRoom: labels.key,
      heads: { query: message("figure.query"), key: message("figure.key") },
      focused,
      locked: this.inside(this.locked),
      blocked: this.blocked.filter(({ query, key }) => query < rows && key < columns),
      fullyMasked: this.emptyRows,
    };
    paintLinesLabels(brush, layout, scene, inks);
  }

  protected readonly printWidth = 640;

  protected override printLegend(inks: Inks): PrintedLegend {
    const { patterns, most } = this;
    const heads =
      patterns.length < 2
        ? []
        : patterns.map(({ head }) => ({
            words: message("lines.head", { head: head + 1 }),
            colour: this.colourOf(head, inks.ground),
          }));
    return {
      height: LINK_LEGEND_HEIGHT,
      paint: (brush, x, y) =>
        paintLinkLegend(brush, x, y, { title: this.weightsTitle, most, heads }, inks),
    };
  }

  protected override renderPicture(): TemplateResult {
    return html`<div class="controls" part="controls">
        <label class="mass">
          <span>${message("lines.mass", { mass: this.mass })}</span>
          <input type="range" min="1" max="100" .value=${String(this.mass)} aria-valuetext="${this.mass}%" @input=${this.changeMass} />
        </label>
        ${this.heads > 1 ? this.renderHeads() : nothing}
      </div>
      ${super.renderPicture()}`;
  }

  private renderHeads(): TemplateResult {
    const ground = this.hasUpdated ? this.look.inks.ground : "light";
    const shown = this.patterns.map(({ head }) => head);
    return headChoice(
      this.heads,
      shown,
      (head) => this.colourOf(head, ground),
      (head) => emit(this, "headscope-beside-toggle", head),
    );
  }

  protected override renderFoot(): TemplateResult {
    return html`${linkLegend(this.most, this.weightsTitle)}<span>${message("lines.links", { links: this.count, all: this.all })}</span>`;
  }

  protected override renderTable(): TemplateResult {
    const { patterns, labels, shown } = this;
    const caption = (head: number): string => message("lines.table", { head: head + 1 });
    return html`${patterns.map(({ head, weights }) => numbersTable({ caption: caption(head), data: weights.data, ...labels, query: shown?.query ?? 0 }))}`;
  }

  private readonly changeMass = (event: Event): void => {
    if (event.target instanceof HTMLInputElement)
      emit(this, "headscope-mass-change", Number(event.target.value));
  };
}

/** The heads of a layer: the first of `shown` is looked at, each other one is drawn beside it or not. Every hue has its number. */
export function headChoice(
  count: number,
  shown: readonly number[],
  colourOf: (head: number) => string,
  toggle: (head: number) => void,
): TemplateResult {
  const heads = Array.from({ length: count }, (_, head) => head);
  const several = shown.length > 1;
  return html`<div class="heads" role="group" aria-label=${message("lines.heads")}>
    <span class="title" aria-hidden="true">${message("lines.heads")}</span>
    ${heads.map((head) => {
      const name = message("grid.head", { head: head + 1 });
      const drawn = shown.includes(head);
      const swatch = html`<i style=${styled(drawn ? { background: colourOf(head) } : {})}></i>`;
      if (head === shown[0])
        return html`<span class="own" aria-label=${name} role="img">${swatch}${head + 1}</span>`;
      return html`<button aria-pressed=${drawn} aria-label=${name} title=${several || drawn ? name : message("lines.add", { head: head + 1 })} @click=${() => toggle(head)}>
        ${swatch}${head + 1}
      </button>`;
    })}
  </div>`;
}

/** Three strokes as they are drawn, with the weights that they stand for. */
export function linkLegend(most: number, title: string): TemplateResult {
  const sample = (share: number): TemplateResult => {
    const { width, alpha } = linkLook(share);
    return html`<svg width="28" height="8" aria-hidden="true">${svg`<path d="M0 4H28" stroke="currentColor" stroke-width=${width} opacity=${alpha} />`}</svg
      >${formatValue(most * share)}`;
  };
  return html`<span class="weights" part="legend">${title} ${[0.1, 0.5, 1].map((share) => html`<span>${sample(share)}</span>`)}</span>`;
}

define("headscope-lines", HeadscopeLines);
