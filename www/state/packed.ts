/*
 * Whole numbers, the cells of painted masks and drawn patterns in as few letters as an address has for them. Numbers that
 * go up or down by the same step are one group:
 *
 *   group = step repeat?               step: 4·|step|, +2 where it goes down, +1 where it is taken more than once
 *   repeat                             how often more than twice
 *
 * Each is a varint (seven bits a byte, the lowest first), and the bytes are written in base64url.
 */

/** The largest number that can be packed: a group's first varint holds four times a step exactly. */
const LARGEST_NUMBER = 2 ** 50;

/** More cells than in a whole mask of 1024 tokens; an address with more would fill the memory. */
export const MOST_CELLS = 2 ** 20;

/** Writes whole numbers from zero to `LARGEST_NUMBER`. */
export function packNumbers(numbers: readonly number[]): string {
  const bytes: string[] = [];
  const push = (value: number): void => {
    // Not by bits: cells far apart need more than 32.
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128))
      bytes.push(String.fromCharCode(128 + (rest % 128)));
    bytes.push(String.fromCharCode(rest));
  };
  const stepAt = (at: number): number => (numbers[at] ?? 0) - (numbers[at - 1] ?? 0);
  for (let from = 0; from < numbers.length; ) {
    const step = stepAt(from);
    let to = from + 1;
    while (to < numbers.length && stepAt(to) === step) to += 1;
    const isRepeated = to - from > 1;
    push(4 * Math.abs(step) + (step < 0 ? 2 : 0) + (isRepeated ? 1 : 0));
    if (isRepeated) push(to - from - 2);
    from = to;
  }
  return btoa(bytes.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Reads at most `most` numbers; none when the text holds none, or more. */
function unpackNumbers(text: string, most: number): number[] {
  const varints = readVarints(text);
  const numbers: number[] = [];
  let number = 0;
  for (let at = 0; at < varints.length; at += 1) {
    const code = varints[at] ?? 0;
    const step = Math.floor(code / 4) * (code % 4 < 2 ? 1 : -1);
    let count = code % 2 === 1 ? (varints[++at] ?? Infinity) + 2 : 1;
    if (numbers.length + count > most) return [];
    for (; count > 0; count -= 1) {
      number += step;
      if (number < 0 || number > LARGEST_NUMBER) return [];
      numbers.push(number);
    }
  }
  return numbers;
}

function readVarints(text: string): number[] {
  let letters: string;
  try {
    letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return []; // Not base64: the caller names the field.
  }
  const varints: number[] = [];
  let value = 0;
  let unit = 1;
  for (const letter of letters) {
    const byte = letter.charCodeAt(0);
    value += (byte % 128) * unit;
    unit *= 128;
    if (!Number.isSafeInteger(value)) return [];
    if (byte >= 128) continue;
    varints.push(value);
    [value, unit] = [0, 1];
  }
  return unit === 1 ? varints : [];
}

/**
 * Writes cells as run-lengths over the rows of the grid laid end to end: the length of a row, the gap before each run,
 * then the length of each run, since all gaps or all lengths of a regular mask are one group. Undefined when the places
 * are too large to be counted.
 */
export function packCells(cells: readonly (readonly [number, number])[]): string | undefined {
  const width = cells.reduce((most, [, key]) => Math.max(most, key + 1), 1);
  const places = [...new Set(cells.map(([query, key]) => query * width + key))].sort(
    (one, other) => one - other,
  );
  if ((places.at(-1) ?? 0) > LARGEST_NUMBER || places.length > MOST_CELLS) return undefined;
  const gaps: number[] = [];
  const lengths: number[] = [];
  let free = 0;
  for (const place of places) {
    if (place === free && lengths.length > 0) lengths.push((lengths.pop() ?? 0) + 1);
    else {
      gaps.push(place - free);
      lengths.push(1);
    }
    free = place + 1;
  }
  return packNumbers([width, ...gaps, ...lengths]);
}

/** Reads at most `most` cells; undefined when the text holds none, or more. */
export function unpackCells(text: string, most: number): [number, number][] | undefined {
  const [width = 0, ...runs] = unpackNumbers(text, 1 + 2 * MOST_CELLS);
  if (width < 1 || runs.length % 2 !== 0) return undefined;
  const cells: [number, number][] = [];
  let place = 0;
  const count = runs.length / 2;
  for (let at = 0; at < count; at += 1) {
    const gap = runs[at] ?? 0;
    const length = runs[count + at] ?? 0;
    place += gap;
    // An empty run, or two that are one, would say little at great length.
    if (length < 1 || (gap < 1 && at > 0)) return undefined;
    if (cells.length + length > most || !Number.isSafeInteger(place + length)) return undefined;
    for (const end = place + length; place < end; place += 1)
      cells.push([Math.floor(place / width), place % width]);
  }
  return cells;
}

/** Writes the rows of a drawn pattern, which are whole numbers and equally long: their length, then row by row. */
export function packRows(rows: readonly (readonly number[])[]): string {
  return packNumbers([rows[0]?.length ?? 0, ...rows.flat()]);
}

/** Reads such rows with at most `most` numbers together; undefined when the text holds none, or more. */
export function unpackRows(text: string, most: number): number[][] | undefined {
  const [columns = 0, ...cells] = unpackNumbers(text, most + 1);
  if (columns < 1 || cells.length === 0 || cells.length % columns !== 0) return undefined;
  return Array.from({ length: cells.length / columns }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  );
}
