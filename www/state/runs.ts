import { deflateSync, Inflate } from "fflate";

/*
 * Cells of a mask as run-lengths, for masks that are painted rather than dotted:
 *
 *   bytes = width run *                 the grid's rows are laid end to end, `width` keys each
 *   run   = gap length                  that many free cells, then that many in a row
 *
 * Every number is a varint (seven bits a byte, the lowest first). The bytes are deflated and written in base64url.
 */

type Position = readonly [query: number, key: number];

/** More cells than in a whole mask of 1024 tokens; an address that says more wants to fill the memory. */
export const MOST_CELLS = 2 ** 20;

/** What so many cells can take before they are deflated: a gap and a length for every second one. */
const MOST_BYTES = 2 * MOST_CELLS;

/** So much is inflated before the size is looked at again: it grows at most a thousandfold. */
const SLICE_BYTES = 1024;

/** Writes cells down, in the order of the grid; undefined when their places are beyond counting. */
export function packCells(cells: readonly Position[]): string | undefined {
  const width = cells.reduce((most, [, key]) => Math.max(most, key + 1), 1);
  const places = [...new Set(cells.map(([query, key]) => query * width + key))].sort((a, b) => a - b);
  if (!Number.isSafeInteger(places.at(-1) ?? 0) || places.length > MOST_CELLS) return undefined;
  const bytes: number[] = [];
  pushNumber(bytes, width);
  let free = 0;
  for (let from = 0; from < places.length; ) {
    let to = from + 1;
    while (places[to] === (places[from] ?? 0) + to - from) to += 1;
    pushNumber(bytes, (places[from] ?? 0) - free);
    pushNumber(bytes, to - from);
    free = (places[to - 1] ?? 0) + 1;
    from = to;
  }
  return toText(deflateSync(Uint8Array.from(bytes), { level: 9 }));
}

/** Reads at most `most` cells; undefined when the text does not say any, or says more. */
export function unpackCells(text: string, most: number): [number, number][] | undefined {
  const bytes = fromText(text);
  const plain = bytes && inflate(bytes);
  const numbers = plain && readNumbers(plain);
  const [width, ...runs] = numbers ?? [];
  if (width === undefined || width < 1 || runs.length % 2 !== 0) return undefined;
  const cells: [number, number][] = [];
  let place = 0;
  for (let at = 0; at < runs.length; at += 2) {
    const gap = runs[at] ?? 0;
    const length = runs[at + 1] ?? 0;
    place += gap;
    // A run of nothing, or two that are one, are ways to say little at great length.
    if (length < 1 || (gap < 1 && at > 0)) return undefined;
    if (cells.length + length > most || !Number.isSafeInteger(place + length)) return undefined;
    for (const end = place + length; place < end; place += 1) cells.push([Math.floor(place / width), place % width]);
  }
  return cells;
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  // Not by bits: places of far cells need more than 32.
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  bytes.push(rest);
}

function readNumbers(bytes: Uint8Array): number[] | undefined {
  const numbers: number[] = [];
  let value = 0;
  let unit = 1;
  for (const byte of bytes) {
    value += (byte % 128) * unit;
    unit *= 128;
    if (!Number.isSafeInteger(value)) return undefined;
    if (byte >= 128) continue;
    numbers.push(value);
    value = 0;
    unit = 1;
  }
  return unit === 1 ? numbers : undefined;
}

/** Undefined for what is not deflated, is cut short, or would be larger than any mask. */
function inflate(bytes: Uint8Array): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let length = 0;
  let whole = false as boolean;
  try {
    const stream = new Inflate((part, last) => {
      parts.push(part.slice());
      length += part.length;
      whole = last;
    });
    for (let at = 0; at < bytes.length && length <= MOST_BYTES; at += SLICE_BYTES) {
      stream.push(bytes.slice(at, at + SLICE_BYTES), at + SLICE_BYTES >= bytes.length);
    }
  } catch {
    return undefined; // Not deflated: the caller names the field.
  }
  return whole && length <= MOST_BYTES ? join(parts, length) : undefined;
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function toText(bytes: Uint8Array): string {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromText(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined; // Not base64: the caller names the field.
  }
}
