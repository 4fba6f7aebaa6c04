/**
 * The numbers of a figure as Python sends them: compressed, 16 bits for each weight, with the exact
 * weight beside those that would be shown with another digit. `python/src/headscope/numbers.py`
 * writes what is read here.
 */

/** A number's form: 16 of its bits, or all 32. */
export const ENCODINGS = ["short", "float32"] as const;

/** What must be known of the bytes to read them. */
export interface Packing {
  encoding: (typeof ENCODINGS)[number];
  /** The number of weights. */
  count: number;
  /** The number of weights that are sent exactly beside their 16 bits. */
  exact: number;
}

/** The bytes of a weight. */
const BYTES = { short: 2, float32: 4 };
/**
 * A short form is the bits 13 to 28 of a float32, ten of them of the mantissa, less the exponent of
 * 2⁻⁶³: so it reaches from there to 2, and 0 stands for zero.
 */
const SHIFT = 13;
const LEAST_EXPONENT = 64 << 10;

/** Inflates bytes in the format of zlib. */
export async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The bytes of a text in base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64.trim()), (character) => character.charCodeAt(0));
}

/**
 * Reads the weights of all heads.
 *
 * @throws TypeError if there are more or fewer bytes than `packing` asks for.
 */
export async function unpacked(
  bytes: Uint8Array<ArrayBuffer>,
  { encoding, count, exact }: Packing,
): Promise<Float32Array> {
  const plain = await inflated(bytes);
  const width = BYTES[encoding];
  const expected = count * width + exact * 8;
  if (plain.length !== expected)
    throw new TypeError(`${expected} bytes of numbers expected, ${plain.length} found`);
  const bits = new Uint32Array(count);
  // The bytes of one place are together, the highest first: so they compress better.
  for (let place = 0; place < width; place += 1) {
    const plane = plain.subarray(place * count, (place + 1) * count);
    for (let at = 0; at < count; at += 1) bits[at] = ((bits[at] ?? 0) << 8) | (plane[at] ?? 0);
  }
  if (encoding === "short")
    for (let at = 0; at < count; at += 1) {
      const short = bits[at] ?? 0;
      if (short !== 0) bits[at] = (short + LEAST_EXPONENT) << SHIFT;
    }
  const weights = new Float32Array(bits.buffer);
  const beside = new DataView(plain.buffer, plain.byteOffset + count * width);
  for (let at = 0; at < exact; at += 1)
    weights[beside.getUint32(at * 4, true)] = beside.getFloat32((exact + at) * 4, true);
  return weights;
}
