// Readers of what the page saves, written from the formats' own descriptions.

/** The rows of a table as RFC 4180 has them, behind a byte order mark. */
export function csvRows(text: string): string[][] {
  const fields = text.replace(/^\uFEFF/, "").matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g);
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
  const start = 10 + bytes.readUInt16LE(8);
  const header = bytes.subarray(10, start).toString("latin1");
  const [, sizes = ""] = /^\{'descr': '<f4', 'fortran_order': False, 'shape': \(([\d, ]*)\), \} *\n$/.exec(header) ?? [];
  if (bytes.subarray(0, 8).toString("latin1") !== "\x93NUMPY\x01\x00" || sizes === "") throw new Error(`no .npy header: ${header}`);
  const shape = sizes.split(",").filter((size) => size.trim() !== "").map(Number);
  const data = Float32Array.from({ length: (bytes.length - start) / 4 }, (_, index) => bytes.readFloatLE(start + 4 * index));
  return { shape, data };
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
