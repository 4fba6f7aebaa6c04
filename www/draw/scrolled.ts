// A figure with a row for each token that is taller than its window: a painter is told how far it
// is scrolled and paints only the rows in sight. With a window as high as the whole, it paints everything.

export interface ScrolledLayout {
  width: number;
  /** Of the window, head and foot included. */
  height: number;
  /** Of the whole figure. */
  contentHeight: number;
  /** Where the rows begin, below a head that does not scroll. */
  top: number;
  /** Room under the rows for what does not scroll. */
  foot: number;
  /** From one row to the next. */
  pitch: number;
}

/** Rows that are in sight, at least in part: from `first` up to, but without, `end`. */
export function rowsInSight(
  { height, top, foot, pitch }: ScrolledLayout,
  scroll: number,
  count: number,
): { first: number; end: number } {
  const first = Math.max(0, Math.floor(scroll / pitch));
  return {
    first: Math.min(first, count),
    end: Math.min(count, Math.ceil((scroll + height - top - foot) / pitch)),
  };
}

/** The row under a height of the window, or null on the head, the foot or below the last row. */
export function rowAt(
  { height, top, foot, pitch }: ScrolledLayout,
  scroll: number,
  y: number,
  count: number,
): number | null {
  if (y < top || y >= height - foot) return null;
  const row = Math.floor((y - top + scroll) / pitch);
  return row < count ? row : null;
}

/** How far to scroll so that a row is in sight: as little as possible. */
export function scrollToRow(
  { height, top, foot, pitch }: ScrolledLayout,
  scroll: number,
  row: number,
): number {
  const room = height - top - foot;
  return Math.max(Math.min(scroll, row * pitch), (row + 1) * pitch - room);
}
