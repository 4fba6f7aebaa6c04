import { LARGEST_NUMBER, packNumbers, unpackNumbers } from "./packed.js";

/*
 * Cells of a mask as run-lengths, for masks that are painted rather than dotted:
 *
 *   numbers = width gap * length *      the grid's rows are laid end to end, `width` keys each
 *   gap, length                         of a run: that many free cells, then that many in a row
 *
 * All gaps stand before all lengths: those of a regular mask go up or down by one step, which `packed.ts` writes once.
 */

type Position = readonly [query: number, key: number];

/** More cells than in a whole mask of 1024 tokens; an address that says more wants to fill the memory. */
export const MOST_CELLS = 2 ** 20;

/** A width, and a gap and a length for every cell. */
const MOST_NUMBERS = 1 + 2 * MOST_CELLS;

/** Writes cells down, in the order of the grid; undefined when their places are beyond counting. */
export function packCells(cells: readonly Position[]): string | undefined {
  const width = cells.reduce((most, [, key]) => Math.max(most, key + 1), 1);
  const places = [...new Set(cells.map(([query, key]) => query * width + key))].sort(
    (a, b) => a - b,
  );
  if ((places.at(-1) ?? 0) > LARGEST_NUMBER || places.length > MOST_CELLS) return undefined;
  const gaps: number[] = [];
  const lengths: number[] = [];
  let free = 0;
  for (let from = 0; from < places.length; ) {
    let to = from + 1;
    while (places[to] === (places[from] ?? 0) + to - from) to += 1;
    gaps.push((places[from] ?? 0) - free);
    lengths.push(to - from);
    free = (places[to - 1] ?? 0) + 1;
    from = to;
  }
  return packNumbers([width, ...gaps, ...lengths]);
}

/** Reads at most `most` cells; undefined when the text does not say any, or says more. */
export function unpackCells(text: string, most: number): [number, number][] | undefined {
  const numbers = unpackNumbers(text, MOST_NUMBERS);
  const [width, ...runs] = numbers ?? [];
  if (width === undefined || width < 1 || runs.length % 2 !== 0) return undefined;
  const cells: [number, number][] = [];
  let place = 0;
  const count = runs.length / 2;
  for (let at = 0; at < count; at += 1) {
    const gap = runs[at] ?? 0;
    const length = runs[count + at] ?? 0;
    place += gap;
    // A run of nothing, or two that are one, are ways to say little at great length.
    if (length < 1 || (gap < 1 && at > 0)) return undefined;
    if (cells.length + length > most || !Number.isSafeInteger(place + length)) return undefined;
    for (const end = place + length; place < end; place += 1)
      cells.push([Math.floor(place / width), place % width]);
  }
  return cells;
}
