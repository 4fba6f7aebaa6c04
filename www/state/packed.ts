import { deflateSync, Inflate } from "fflate";

/*
 * Whole numbers in as few letters as an address has for them: every number is a varint (seven bits a byte, the lowest
 * first). The bytes are deflated and written in base64url.
 */

/** So much is inflated before the size is looked at again: it grows at most a thousandfold. */
const SLICE_BYTES = 1024;

/** Writes whole numbers from zero down. */
export function packNumbers(numbers: Iterable<number>): string {
  const bytes: number[] = [];
  for (const value of numbers) pushNumber(bytes, value);
  return toText(deflateSync(Uint8Array.from(bytes), { level: 9 }));
}

/** Reads them; undefined when the text does not say any, or unfolds to more than so many bytes. */
export function unpackNumbers(text: string, mostBytes: number): number[] | undefined {
  const bytes = fromText(text);
  const plain = bytes && inflate(bytes, mostBytes);
  return plain && readNumbers(plain);
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

/** Undefined for what is not deflated, is cut short, or would be larger than that. */
function inflate(bytes: Uint8Array, most: number): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let length = 0;
  let whole = false as boolean;
  try {
    const stream = new Inflate((part, last) => {
      parts.push(part.slice());
      length += part.length;
      whole = last;
    });
    for (let at = 0; at < bytes.length && length <= most; at += SLICE_BYTES) {
      stream.push(bytes.slice(at, at + SLICE_BYTES), at + SLICE_BYTES >= bytes.length);
    }
  } catch {
    return undefined; // Not deflated: the caller names the field.
  }
  return whole && length <= most ? join(parts, length) : undefined;
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
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    );
  } catch {
    return undefined; // Not base64: the caller names the field.
  }
}
