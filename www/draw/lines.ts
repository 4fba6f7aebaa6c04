// Where the two columns of a bipartite picture lie, and the curves between them: queries left, keys right.
import type { Cell } from "../data/index.js";
import { LABEL_GAP } from "./layout.js";
import { eachLink, type Emphasis, type Links } from "./links.js";
import type { ScrolledLayout } from "./scrolled.js";

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
  /** The room that the page gives. */
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
