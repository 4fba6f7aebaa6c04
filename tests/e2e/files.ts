// Readers of what the page saves, written from the formats' own descriptions.

/** What a table says above itself, where its numbers come from. */
export function csvRecord(text: string): Record<string, unknown> {
  return Object.fromEntries(
    [...text.matchAll(/^\uFEFF?# (\w+): (.*)\r$/gm)].map(
      ([, name = "", value = ""]): [string, unknown] => [name, JSON.parse(value)],
    ),
  );
}

/** The rows of a table as RFC 4180 has them, behind a byte order mark and what it says above itself. */
export function csvRows(text: string): string[][] {
  const fields = text
    .replace(/^\uFEFF(#.*\r\n)*/, "")
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g);
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end] of fields) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n") rows.push([]);
  }
  rows.pop();
  return rows;
}

/** A .npy file of version 1.0 with little-endian single precision. */
export function npyFile(bytes: Buffer): { shape: number[]; data: Float32Array } {
  const { shape, start, end } = npyBlock(bytes, 0, "f4");
  return {
    shape,
    data: Float32Array.from({ length: (end - start) / 4 }, (_, index) =>
      bytes.readFloatLE(start + 4 * index),
    ),
  };
}

/** The text that follows the numbers in such a file: where they come from. */
export function npyRecord(bytes: Buffer): Record<string, unknown> {
  const { start, end } = npyBlock(bytes, npyBlock(bytes, 0, "f4").end, "U\\d+");
  if (end !== bytes.length) throw new Error("more than numbers and a text");
  const points = Array.from({ length: (end - start) / 4 }, (_, index) =>
    bytes.readUInt32LE(start + 4 * index),
  );
  return JSON.parse(String.fromCodePoint(...points)) as Record<string, unknown>;
}

/** One array of a file: its sizes, and from where to where its numbers or characters of four bytes stand. */
function npyBlock(
  bytes: Buffer,
  at: number,
  type: string,
): { shape: number[]; start: number; end: number } {
  const start = at + 10 + bytes.readUInt16LE(at + 8);
  const header = bytes.subarray(at + 10, start).toString("latin1");
  const [, kind = "", sizes] =
    new RegExp(
      `^\\{'descr': '<(${type})', 'fortran_order': False, 'shape': \\(([\\d, ]*)\\), \\} *\\n$`,
    ).exec(header) ?? [];
  if (bytes.subarray(at, at + 8).toString("latin1") !== "\x93NUMPY\x01\x00" || sizes === undefined)
    throw new Error(`no .npy header: ${header}`);
  const shape = sizes
    .split(",")
    .filter((size) => size.trim() !== "")
    .map(Number);
  const count = shape.reduce((product, size) => product * size, 1);
  return {
    shape,
    start,
    end: start + 4 * count * (kind.startsWith("U") ? Number(kind.slice(1)) : 1),
  };
}

/** What a PNG says of itself in its iTXt chunks, and how wide it is. */
export function pngTexts(bytes: Buffer): { width: number; texts: Record<string, string> } {
  if (bytes.subarray(0, 8).toString("latin1") !== "\x89PNG\r\n\x1a\n") throw new Error("no PNG");
  const texts: Record<string, string> = {};
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12) {
    if (bytes.subarray(at + 4, at + 8).toString("latin1") !== "iTXt") continue;
    const content = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
    const end = content.indexOf(0);
    texts[content.subarray(0, end).toString("latin1")] = content.subarray(end + 5).toString("utf8");
  }
  return { width: bytes.readUInt32BE(16), texts };
}
