import type { Cell, Tensor } from "../data/index.js";
import { LABEL_GAP, type ScrolledLayout, rowsInSight } from "./layout.js";
import { fitLabel, writeLabel, formatValue } from "./text.js";
import { LABEL_SIZE, type Brush, type Pen } from "./theme.js";

// The links of a bipartite picture: per query the fewest that hold a given part of its weight
// (the mass threshold of Hoover et al. 2020, "exBERT").

/** Links in three columns, query after query, within each query the heaviest first. */
export interface Links {
  queries: Uint32Array;
  keys: Uint32Array;
  weights: Float32Array;
}

/** What sums of f32 may miss of the mass that was asked for. */
const ROUNDING = 1e-6;

/** Keeps, for every query of `[query, key]` weights, the fewest links that hold `percent` of what the query gives. */
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

/** One token on one side of the picture: its links stand out. */
export interface Emphasis {
  side: keyof Cell;
  index: number;
}

/** Calls `visit` with every link, or those of one token. */
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

// Where the two columns of a bipartite picture lie, and the curves between them: queries left, keys right.

export interface LinesLayout extends ScrolledLayout {
  rows: number;
  columns: number;
  /** Where curves leave the queries and reach the keys. */
  left: number;
  right: number;
}

export interface LinesRequest {
  rows: number;
  columns: number;
  width: number;
  /** The height that the rows should keep to while their labels stay legible. */
  comfortableHeight: number;
  queryLabel: number;
  keyLabel: number;
}

/** One head's links in the colour that tells it from others. */
export interface LinkSeries {
  links: Links;
  colour: string;
}

const HEAD = 44;
const FOOT = 6;
/** Long texts shrink their rows to this, then the window scrolls. */
const SMALLEST_PITCH = 17;
const LARGEST_PITCH = 28;
/** The window grows to this before it scrolls. */
const LARGEST_WINDOW = 560;
const WIDEST_LINKS = 420;
const NARROWEST_LINKS = 60;
/** Several heads' links of one pair run side by side, so far apart at most. */
const LARGEST_SHIFT = 4;
/** What a label needs beside its own width: the mark of a pair. */
export const MARK = 6;
/** A pointer this near to a curve is on it. */
const REACH = 6;

export function layoutLines({
  rows,
  columns,
  width,
  comfortableHeight,
  queryLabel,
  keyLabel,
}: LinesRequest): LinesLayout {
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

/** How far the `index`th of several heads' links are shifted, so that none hides another. */
export function shiftOf({ pitch }: LinesLayout, index: number, count: number): number {
  return (index - (count - 1) / 2) * Math.min(LARGEST_SHIFT, (pitch - 6) / count);
}

/** The link under a point of the window, the nearest of several, or null. */
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

/** Only the rows of a scrolled figure are painted from here on: its head and its foot stay free. */
export function clipRows(brush: Brush, { width, top, height, foot }: ScrolledLayout): void {
  brush.beginPath();
  brush.rect(0, top, width, height - top - foot);
  brush.clip();
}

// Painters of a bipartite picture: its links, and above them what changes while the pointer moves.

export interface LinksScene {
  scroll: number;
  series: readonly LinkSeries[];
  /** The largest weight of all that is shown: the one with the full width and opacity. */
  most: number;
  /** One token's links alone, or all of them. */
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
  /** Whose links stand out: the tokens at their other ends are written in ink. */
  linked: { queries: ReadonlySet<number>; keys: ReadonlySet<number> };
  /** Pairs that the reader blocked. */
  blocked: readonly Cell[];
  /** Queries that may look at nothing: struck through. */
  fullyMasked: readonly number[];
}

/** Links of nearly the same weight are one stroke. */
const LEVELS = 16;
const THINNEST = 0.5;
const THICKEST = 4.5;
const FAINTEST = 0.08;
const DASHES = 24;

/** How wide and how opaque a link is whose weight is `share` of the largest. */
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
        // With its handles at the thirds, a curve advances evenly from left to right.
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
    /** A short upright bar between a label and its links. */
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

/** A pair that may not look, as a broken curve. */
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

// What the lines of a bipartite picture mean, painted in a line under one that leaves the page.

export interface LinkLegend {
  /** What the numbers are. */
  title: string;
  /** The weight of the strongest link. */
  most: number;
  /** Each head with its hue, where there are several. */
  heads: readonly { words: string; colour: string }[];
}

export const LINK_LEGEND_HEIGHT = 28;
const SHARES = [0.1, 0.5, 1];
const TEXT_SIZE = 11;
const STROKE = 28;
const SWATCH = 10;
const GAP = { words: 6, next: 16 };

/** Three strokes with the weights that they stand for, then the hue of each head. */
export function paintLinkLegend(
  pen: Pen,
  x: number,
  y: number,
  { title, most, heads }: LinkLegend,
): void {
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
