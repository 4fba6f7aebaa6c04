// The characters for which a WOFF2 file (https://www.w3.org/TR/WOFF2/) has glyphs. The ranges that
// a style sheet states for the file are wider.
import { brotliDecompressSync } from "node:zlib";

const HEADER_BYTES = 48;
/** Indices in the format's list of known tags. */
const CMAP = 0;
const GLYF = 10;
const LOCA = 11;
const NAMED = 63;
/** The version number of untransformed `glyf` and `loca` tables. */
const UNTRANSFORMED = 3;

/** The code points of a font's characters in ascending order. */
export function charactersOf(file: Buffer): number[] {
  return [...new Set(codesOf(cmapOf(file)))].sort((a, b) => a - b);
}

/** The table from characters to glyphs, cut from the compressed stream of all tables. */
function cmapOf(file: Buffer): Buffer {
  if (file.toString("latin1", 0, 4) !== "wOF2") throw new Error("no WOFF2 file");
  let at = HEADER_BYTES;
  const number = (): number => {
    let value = 0;
    for (;;) {
      const byte = file.readUInt8(at++);
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  let start = 0;
  let cmap: [start: number, end: number] | undefined;
  for (let table = 0; table < file.readUInt16BE(12); table++) {
    const flags = file.readUInt8(at++);
    const tag = flags & NAMED;
    const version = flags >> 6;
    if (tag === NAMED) at += 4;
    let length = number();
    if (tag === GLYF || tag === LOCA ? version !== UNTRANSFORMED : version !== 0) length = number();
    if (tag === CMAP) cmap = [start, start + length];
    start += length;
  }
  if (!cmap) throw new Error("a font without characters");
  return brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20))).subarray(...cmap);
}

/** The code points of every subtable in the two formats of web fonts. */
function* codesOf(cmap: Buffer): Generator<number> {
  for (let record = 0; record < cmap.readUInt16BE(2); record++) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + record * 8));
    const format = table.readUInt16BE(0);
    if (format === 4) yield* segmentsOf(table);
    else if (format === 12) yield* groupsOf(table);
  }
}

function* segmentsOf(table: Buffer): Generator<number> {
  const bytes = table.readUInt16BE(6);
  for (let at = 0; at < bytes; at += 2) {
    const last = table.readUInt16BE(14 + at);
    const first = table.readUInt16BE(16 + bytes + at);
    if (first === 0xffff) continue;
    const delta = table.readUInt16BE(16 + 2 * bytes + at);
    const offsetAt = 16 + 3 * bytes + at;
    const offset = table.readUInt16BE(offsetAt);
    for (let code = first; code <= last; code++) {
      const glyph =
        offset === 0 ? code + delta : table.readUInt16BE(offsetAt + offset + 2 * (code - first));
      if ((glyph & 0xffff) !== 0) yield code;
    }
  }
}

function* groupsOf(table: Buffer): Generator<number> {
  for (let group = 0; group < table.readUInt32BE(12); group++) {
    const last = table.readUInt32BE(20 + group * 12);
    for (let code = table.readUInt32BE(16 + group * 12); code <= last; code++) yield code;
  }
}
