import type { Cell, Tensor } from "../data/index.js";
import { LABEL_GAP, type ScrolledLayout, rowsInSight } from "./layout.js";
import { fitLabel, writeLabel, formatValue } from "./text.js";
import { LABEL_SIZE, type Brush, type Pen } from "./theme.js";

// The links of a bipartite view: per query the fewest that add up to a given share of its weight
// (the mass threshold of Hoover et al. 2020, "exBERT").

/** Links in columns, ordered by query, then by falling weight. */
export interface Links {
  queries: Uint32Array;
  keys: Uint32Array;
  weights: Float32Array;
}

/** The rounding error of sums of f32. */
const ROUNDING = 1e-6;

/** For every query the fewest links that add up to `percent` of its weights; `[query, key]`. */
export function keptLinks({ data, shape }: Tensor, percent: number): Links {
  const [rows = 0, columns = 0] = shape;
  const queries: number[] = [];
  const keys: number[] = [];
  const weights: number[] = [];
  for (let query = 0; query < rows; query++) {
    const row = data.subarray(query * columns, (query + 1) * columns);
    const order = Array.from(row.keys()).filter((key) => (row[key] ?? 0) > 0);
    order.sort((one, other) => (row[other] ?? 0) - (row[one] ?? 0) || one - other);
    const enough =
      percent >= 100
        ? Infinity
        : row.reduce((sum, weight) => sum + weight, 0) * (percent / 100 - ROUNDING);
    let held = 0;
    for (const key of order) {
      if (held >= enough) break;
      const weight = row[key] ?? 0;
      held += weight;
      queries.push(query);
      keys.push(key);
      weights.push(weight);
    }
  }
  return {
    queries: Uint32Array.from(queries),
    keys: Uint32Array.from(keys),
    weights: Float32Array.from(weights),
  };
}

/** A token on one side, whose links are emphasised. */
export interface Emphasis {
  side: keyof Cell;
  index: number;
}

/** Visits every link, or those of one token. */
export function eachLink(
  links: Links,
  of: Emphasis | null,
  visit: (query: number, key: number, weight: number) => void,
): void {
  const { queries, keys, weights } = links;
  const ends = of?.side === "key" ? keys : queries;
  for (let index = 0; index < weights.length; index++) {
    if (of && ends[index] !== of.index) continue;
    visit(queries[index] ?? 0, keys[index] ?? 0, weights[index] ?? 0);
  }
}

/** Queries left, keys right, and curves between them. */
export interface LinesLayout extends ScrolledLayout {
  rows: number;
  columns: number;
  /** The ends of the curves. */
  left: number;
  right: number;
}

export interface LinesRequest {
  rows: number;
  columns: number;
  width: number;
  /** The preferred height of the rows. */
  comfortableHeight: number;
  queryLabel: number;
  keyLabel: number;
}

/** The links of a head and their colour. */
export interface LinkSeries {
  links: Links;
  colour: string;
}

const HEAD = 44;
const FOOT = 6;
/** Rows shrink to this, then the window scrolls. */
const SMALLEST_PITCH = 17;
const LARGEST_PITCH = 28;
const LARGEST_WINDOW = 560;
const WIDEST_LINKS = 420;
const NARROWEST_LINKS = 60;
/** The greatest distance between the links of two heads. */
const LARGEST_SHIFT = 4;
/** The width of the mark between a label and its links. */
export const MARK = 6;
/** The distance at which a pointer is on a curve. */
const REACH = 6;

export function layoutLines(request: LinesRequest): LinesLayout {
  const { rows, columns, width, comfortableHeight, queryLabel, keyLabel } = request;
  const count = Math.max(rows, columns, 1);
  const pitch = Math.min(
    LARGEST_PITCH,
    Math.max(SMALLEST_PITCH, Math.floor(comfortableHeight / count)),
  );
  const labels = queryLabel + keyLabel + 2 * (LABEL_GAP + MARK);
  const links = Math.max(NARROWEST_LINKS, Math.min(WIDEST_LINKS, width - labels));
  const left = Math.round(
    Math.max(0, (width - labels - links) / 2) + queryLabel + LABEL_GAP + MARK,
  );
  return {
    width: Math.max(width, labels + links),
    height: HEAD + Math.min(count * pitch, Math.max(comfortableHeight, LARGEST_WINDOW)) + FOOT,
    contentHeight: HEAD + count * pitch + FOOT,
    top: HEAD,
    foot: FOOT,
    pitch,
    rows,
    columns,
    left,
    right: left + Math.floor(links),
  };
}

/** The middle of a row, in the window. */
export function middleOf({ top, pitch }: LinesLayout, scroll: number, row: number): number {
  return top + (row + 0.5) * pitch - scroll;
}

/** The vertical shift of the links of the `index`th of several heads. */
export function shiftOf({ pitch }: LinesLayout, index: number, count: number): number {
  return (index - (count - 1) / 2) * Math.min(LARGEST_SHIFT, (pitch - 6) / count);
}

/** The nearest link under a point of the window; null for none. */
export function linkAt(
  layout: LinesLayout,
  scroll: number,
  series: readonly LinkSeries[],
  of: Emphasis | null,
  x: number,
  y: number,
): Cell | null {
  const { left, right } = layout;
  if (x <= left || x >= right || y < layout.top || y >= layout.height - layout.foot) return null;
  const t = (x - left) / (right - left);
  const rise = t * t * (3 - 2 * t);
  let nearest: Cell | null = null;
  let least = REACH;
  series.forEach(({ links }, index) => {
    const shift = shiftOf(layout, index, series.length);
    eachLink(links, of, (query, key) => {
      const from = middleOf(layout, scroll, query);
      const distance = Math.abs(from + (middleOf(layout, scroll, key) - from) * rise + shift - y);
      if (distance >= least) return;
      least = distance;
      nearest = { query, key };
    });
  });
  return nearest;
}

/** Clips painting to the rows of a scrolled figure. */
export function clipRows(brush: Brush, { width, top, height, foot }: ScrolledLayout): void {
  brush.beginPath();
  brush.rect(0, top, width, height - top - foot);
  brush.clip();
}

export interface LinksScene {
  scroll: number;
  series: readonly LinkSeries[];
  /** The largest weight, which has the full width and opacity. */
  most: number;
  /** The token whose links are painted; null for all. */
  of: Emphasis | null;
  /** A factor of the opacity. */
  strength: number;
}

export interface LabelsScene {
  scroll: number;
  queries: readonly string[];
  keys: readonly string[];
  queryRoom: number;
  keyRoom: number;
  heads: { query: string; key: string };
  focused: Cell | null;
  locked: Cell | null;
  /** The tokens at the ends of emphasised links. */
  linked: { queries: ReadonlySet<number>; keys: ReadonlySet<number> };
  blocked: readonly Cell[];
  /** Queries for which every key is masked: struck through. */
  fullyMasked: readonly number[];
}

/** Links are painted in this many strokes by weight. */
const LEVELS = 16;
const THINNEST = 0.5;
const THICKEST = 4.5;
const FAINTEST = 0.08;
const DASHES = 24;

/** The width and opacity of a link whose weight is `share` of the largest. */
export function linkLook(share: number): { width: number; alpha: number } {
  return {
    width: THINNEST + (THICKEST - THINNEST) * share,
    alpha: FAINTEST + (1 - FAINTEST) * Math.sqrt(share),
  };
}

export function paintLinks(
  brush: Brush,
  layout: LinesLayout,
  { scroll, series, most, of, strength }: LinksScene,
): void {
  const { left, right, top, height, foot } = layout;
  const bottom = height - foot;
  const third = (right - left) / 3;
  brush.save();
  clipRows(brush, layout);
  series.forEach(({ links, colour }, index) => {
    const shift = shiftOf(layout, index, series.length);
    const levels: [number, number][][] = Array.from({ length: LEVELS }, () => []);
    eachLink(links, of, (query, key, weight) => {
      const from = middleOf(layout, scroll, query) + shift;
      const to = middleOf(layout, scroll, key) + shift;
      if (Math.max(from, to) < top - THICKEST || Math.min(from, to) > bottom + THICKEST) return;
      const level = most > 0 ? Math.min(LEVELS - 1, Math.floor((weight / most) * LEVELS)) : 0;
      levels[level]?.push([from, to]);
    });
    brush.strokeStyle = colour;
    levels.forEach((curves, level) => {
      if (curves.length === 0) return;
      const { width, alpha } = linkLook((level + 0.5) / LEVELS);
      brush.lineWidth = width;
      brush.globalAlpha = alpha * strength;
      brush.beginPath();
      for (const [from, to] of curves) {
        brush.moveTo(left, from);
        // Handles at the thirds make x linear in the parameter, which `linkAt` assumes.
        brush.bezierCurveTo(left + third, from, right - third, to, right, to);
      }
      brush.stroke();
    });
  });
  brush.restore();
}

export function paintLinesLabels(pen: Pen, layout: LinesLayout, scene: LabelsScene): void {
  const { brush, inks } = pen;
  const { left, right, top } = layout;
  brush.save();
  brush.direction = "ltr";
  pen.words(11, inks.muted, "right", "alphabetic");
  brush.fillText(scene.heads.query, left - MARK - 4, top - 10);
  brush.textAlign = "left";
  brush.fillText(scene.heads.key, right + MARK + 4, top - 10);
  clipRows(brush, layout);
  for (const side of ["query", "key"] as const) paintColumn(pen, layout, scene, side);
  for (const cell of scene.blocked) paintDashed(pen, layout, scene.scroll, cell);
  for (const side of ["query", "key"] as const) {
    const mark = (cell: Cell | null, colour: string): void => {
      if (!cell) return;
      const y = middleOf(layout, scene.scroll, cell[side]) - layout.pitch / 2 + 2;
      brush.fillStyle = colour;
      brush.fillRect(side === "query" ? left - MARK : right + MARK - 3, y, 3, layout.pitch - 4);
    };
    mark(scene.locked, inks.ink);
    mark(scene.focused, inks.accent);
  }
  brush.restore();
}

function paintColumn(pen: Pen, layout: LinesLayout, scene: LabelsScene, side: keyof Cell): void {
  const { brush, inks } = pen;
  const asks = side === "query";
  const [labels, linked, room, x] = asks
    ? [scene.queries, scene.linked.queries, scene.queryRoom, layout.left - LABEL_GAP]
    : [scene.keys, scene.linked.keys, scene.keyRoom, layout.right + LABEL_GAP];
  const size = Math.min(LABEL_SIZE, layout.pitch - 4);
  const { first, end } = rowsInSight(layout, scene.scroll, labels.length);
  for (let row = first; row < end; row++) {
    const strong = scene.focused?.[side] === row;
    const ink = strong || linked.has(row) ? inks.ink : inks.muted;
    pen.words(size, ink, asks ? "right" : "left", "middle", strong ? "bold" : "normal");
    const text = fitLabel(labels[row] ?? "", room, pen.measure);
    const y = middleOf(layout, scene.scroll, row);
    writeLabel(brush, text, x, y + 0.5);
    if (!asks || !scene.fullyMasked.includes(row)) continue;
    const width = pen.measure(text);
    brush.fillRect(x - width, Math.round(y), width, 1);
  }
}

/** Paints a blocked pair as a dashed curve. */
function paintDashed(pen: Pen, layout: LinesLayout, scroll: number, { query, key }: Cell): void {
  if (query >= layout.rows || key >= layout.columns) return;
  const { left, right } = layout;
  const [from, to] = [middleOf(layout, scroll, query), middleOf(layout, scroll, key)];
  const at = (t: number): [number, number] => [
    left + (right - left) * t,
    from + (to - from) * t * t * (3 - 2 * t),
  ];
  pen.line(pen.inks.accent, 1.5);
  pen.brush.beginPath();
  for (let dash = 0; dash < DASHES; dash++)
    pen.segment(...at(dash / DASHES), ...at((dash + 0.55) / DASHES));
  pen.brush.stroke();
}

/** The legend under a bipartite view in a file. */
export interface LinkLegend {
  title: string;
  most: number;
  /** The colour of each head, where there are several. */
  heads: readonly { words: string; colour: string }[];
}

export const LINK_LEGEND_HEIGHT = 28;
const SHARES = [0.1, 0.5, 1];
const TEXT_SIZE = 11;
const STROKE = 28;
const SWATCH = 10;
const GAP = { words: 6, next: 16 };

/** Paints three sample strokes with their weights, then the colour of each head. */
export function paintLinkLegend(pen: Pen, x: number, y: number, legend: LinkLegend): void {
  const { title, most, heads } = legend;
  const { brush, inks } = pen;
  const middle = y + LINK_LEGEND_HEIGHT / 4;
  let left = x;
  const write = (words: string): void => {
    brush.fillStyle = inks.muted;
    brush.fillText(words, left, middle);
    left += pen.measure(words) + GAP.next;
  };
  brush.save();
  pen.words(TEXT_SIZE, inks.muted);
  write(title);
  for (const share of SHARES) {
    const { width, alpha } = linkLook(share);
    brush.globalAlpha = alpha;
    pen.line(inks.ink, width);
    brush.beginPath();
    pen.segment(left, middle, left + STROKE, middle);
    brush.stroke();
    brush.globalAlpha = 1;
    left += STROKE + GAP.words;
    write(formatValue(most * share));
  }
  for (const { words, colour } of heads) {
    brush.fillStyle = colour;
    brush.fillRect(left, middle - SWATCH / 2, SWATCH, SWATCH);
    left += SWATCH + GAP.words;
    write(words);
  }
  brush.restore();
}
