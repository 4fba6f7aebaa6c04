/*
 * The cells of a painted mask in few letters: rows of the grid with equal cells are one group. Groups are written as
 * `rows:keys;rows:keys`, both as ranges such as `0-3,7`; the largest are those of a mask that no range describes.
 */

/** More cells than in a whole mask of 1024 tokens; an address with more would fill the memory. */
export const MOST_CELLS = 2 ** 20;

type Range = [first: number, last: number];

export function packCells(cells: readonly (readonly [number, number])[]): string {
  const keysOf = new Map<number, number[]>();
  for (const [query, key] of cells) keysOf.set(query, [...(keysOf.get(query) ?? []), key]);
  const rowsOf = new Map<string, number[]>();
  for (const [query, keys] of keysOf) {
    const written = writeRanges(keys);
    rowsOf.set(written, [...(rowsOf.get(written) ?? []), query]);
  }
  return [...rowsOf].map(([keys, rows]) => `${writeRanges(rows)}:${keys}`).join(";");
}

/** Reads at most `most` cells, row by row; undefined when the text holds none, or more. */
export function unpackCells(text: string, most: number): [number, number][] | undefined {
  const cells: [number, number][] = [];
  for (const group of text.split(";")) {
    const [rows, keys] = group.split(":").map(readRanges);
    if (!rows || !keys || cells.length + rows.length * keys.length > most) return undefined;
    for (const row of rows) for (const key of keys) cells.push([row, key]);
  }
  return cells.sort(([row, key], [other, otherKey]) => row - other || key - otherKey);
}

function writeRanges(numbers: readonly number[]): string {
  const ranges: Range[] = [];
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join();
}

function readRanges(text: string): number[] | undefined {
  const numbers: number[] = [];
  for (const range of text.split(",")) {
    const [, from = "", to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (from === "" || last < first || numbers.length + last - first >= MOST_CELLS)
      return undefined;
    for (let number = first; number <= last; number += 1) numbers.push(number);
  }
  return numbers;
}
