// Painters of a bipartite picture: its links, and above them what changes while the pointer moves.
import type { Cell } from "../data/index.js";
import { fitLabel } from "./labels.js";
import { LABEL_GAP } from "./layout.js";
import { eachLink, type Emphasis } from "./links.js";
import { MARK, middleOf, shiftOf, type LinesLayout, type LinkSeries } from "./lines.js";
import { rowsInSight } from "./scrolled.js";
import { writeLabel } from "./text.js";
import { LABEL_SIZE, labelFont, type Brush, type Inks } from "./theme.js";

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
const LARGEST_LABEL = 12.5;
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

/** Only the rows scroll: the head and the foot stay free. */
function clipRows(brush: Brush, { width, top, height, foot }: LinesLayout): void {
  brush.beginPath();
  brush.rect(0, top, width, height - top - foot);
  brush.clip();
}

export function paintLinesLabels(
  brush: Brush,
  layout: LinesLayout,
  scene: LabelsScene,
  inks: Inks,
): void {
  brush.save();
  brush.direction = "ltr";
  paintHeads(brush, layout, scene, inks);
  clipRows(brush, layout);
  brush.textBaseline = "middle";
  for (const side of ["query", "key"] as const) paintColumn(brush, layout, scene, side, inks);
  for (const cell of scene.blocked) paintDashed(brush, layout, scene.scroll, cell, inks.accent);
  const { focused, locked } = scene;
  for (const side of ["query", "key"] as const) {
    if (locked) paintMark(brush, layout, scene.scroll, side, locked[side], inks.ink);
    if (focused) paintMark(brush, layout, scene.scroll, side, focused[side], inks.accent);
  }
  brush.restore();
}

function paintHeads(
  brush: Brush,
  { left, right, top }: LinesLayout,
  { heads }: LabelsScene,
  inks: Inks,
): void {
  brush.font = labelFont(inks, "normal", 11);
  brush.fillStyle = inks.muted;
  brush.textBaseline = "alphabetic";
  brush.textAlign = "right";
  brush.fillText(heads.query, left - MARK - 4, top - 10);
  brush.textAlign = "left";
  brush.fillText(heads.key, right + MARK + 4, top - 10);
}

function paintColumn(
  brush: Brush,
  layout: LinesLayout,
  scene: LabelsScene,
  side: keyof Cell,
  inks: Inks,
): void {
  const asks = side === "query";
  const labels = asks ? scene.queries : scene.keys;
  const linked = asks ? scene.linked.queries : scene.linked.keys;
  const room = asks ? scene.queryRoom : scene.keyRoom;
  const x = asks ? layout.left - LABEL_GAP : layout.right + LABEL_GAP;
  const size = Math.min(LARGEST_LABEL, LABEL_SIZE, layout.pitch - 4);
  brush.textAlign = asks ? "right" : "left";
  const { first, end } = rowsInSight(layout, scene.scroll, labels.length);
  for (let row = first; row < end; row++) {
    const strong = scene.focused?.[side] === row;
    brush.font = labelFont(inks, strong ? "bold" : "normal", size);
    brush.fillStyle = strong || linked.has(row) ? inks.ink : inks.muted;
    const text = fitLabel(labels[row] ?? "", room, (part) => brush.measureText(part).width);
    const y = middleOf(layout, scene.scroll, row);
    writeLabel(brush, text, x, y + 0.5);
    if (!asks || !scene.fullyMasked.includes(row)) continue;
    const width = brush.measureText(text).width;
    brush.fillRect(x - width, Math.round(y), width, 1);
  }
}

/** A short upright bar between a label and its links. */
function paintMark(
  brush: Brush,
  layout: LinesLayout,
  scroll: number,
  side: keyof Cell,
  row: number,
  colour: string,
): void {
  const y = middleOf(layout, scroll, row) - layout.pitch / 2 + 2;
  brush.fillStyle = colour;
  brush.fillRect(
    side === "query" ? layout.left - MARK : layout.right + MARK - 3,
    y,
    3,
    layout.pitch - 4,
  );
}

/** A pair that may not look, as a broken curve. */
function paintDashed(
  brush: Brush,
  layout: LinesLayout,
  scroll: number,
  { query, key }: Cell,
  colour: string,
): void {
  if (query >= layout.rows || key >= layout.columns) return;
  const { left, right } = layout;
  const from = middleOf(layout, scroll, query);
  const to = middleOf(layout, scroll, key);
  const at = (t: number): [number, number] => [
    left + (right - left) * t,
    from + (to - from) * t * t * (3 - 2 * t),
  ];
  brush.strokeStyle = colour;
  brush.lineWidth = 1.5;
  brush.beginPath();
  for (let dash = 0; dash < DASHES; dash++) {
    brush.moveTo(...at(dash / DASHES));
    brush.lineTo(...at((dash + 0.55) / DASHES));
  }
  brush.stroke();
}
