/** Numbers of GGUF files, most of them in blocks, as f32. Layouts and formulas: ggml's quantised types. */

export interface BlockType {
  /** As safetensors files name it, if they have it. */
  dtype?: string;
  /** Numbers of a block. */
  numbers: number;
  bytes: number;
  /** Writes the numbers of the block that begins at byte `at`, from `to` on. */
  decode(from: Uint8Array, at: number, into: Float32Array, to: number): void;
}

const u8 = (from: Uint8Array, at: number): number => from[at] ?? 0;
const u16 = (from: Uint8Array, at: number): number => u8(from, at) | (u8(from, at + 1) << 8);
const u32 = (from: Uint8Array, at: number): number => u16(from, at) | (u16(from, at + 2) << 16);

/** Half precision, IEEE 754. */
function f16(from: Uint8Array, at: number): number {
  const bits = u16(from, at);
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const sign = bits >> 15 ? -1 : 1;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction);
}

const bits = new DataView(new ArrayBuffer(4));

/** The number of 32 bits. */
function f32(value: number): number {
  bits.setInt32(0, value);
  return bits.getFloat32(0);
}

/** Plain numbers. */
const plain = (
  dtype: string,
  bytes: number,
  number: (from: Uint8Array, at: number) => number,
): BlockType => ({
  dtype,
  numbers: 1,
  bytes,
  decode: (from, at, into, to) => {
    into[to] = number(from, at);
  },
});

/** Thirty-two numbers of 4 bits, two to a byte, those of 5 with a further bit each. */
function nibbles(hasMinimum: boolean, hasFifth: boolean): BlockType {
  const [fifth, offset] = [hasMinimum ? 4 : 2, hasFifth ? 16 : 8];
  const low = fifth + (hasFifth ? 4 : 0);
  return {
    numbers: 32,
    bytes: low + 16,
    decode: (from, at, into, to) => {
      const scale = f16(from, at);
      const least = hasMinimum ? f16(from, at + 2) : -offset * scale;
      const high = hasFifth ? u32(from, at + fifth) : 0;
      for (let i = 0; i < 16; i += 1) {
        const byte = u8(from, at + low + i);
        into[to + i] = scale * ((byte & 15) | (((high >>> i) & 1) << 4)) + least;
        into[to + i + 16] = scale * ((byte >> 4) | (((high >>> (i + 16)) & 1) << 4)) + least;
      }
    },
  };
}

/** 256 numbers of 4 or 5 bits in eight groups; scale and minimum of a group have 6 bits. */
function groups(hasFifth: boolean): BlockType {
  const low = hasFifth ? 48 : 16;
  return {
    numbers: 256,
    bytes: low + 128,
    decode: (from, at, into, to) => {
      const [scales, minima] = [f16(from, at), f16(from, at + 2)];
      for (let group = 0; group < 8; group += 1) {
        const part = at + 4 + (group % 4);
        const [a, b, c] = [u8(from, part), u8(from, part + 4), u8(from, part + 8)];
        const scale = scales * (group < 4 ? a & 63 : (c & 15) | ((a >> 6) << 4));
        const least = minima * (group < 4 ? b & 63 : (c >> 4) | ((b >> 6) << 4));
        for (let i = 0; i < 32; i += 1) {
          const byte = u8(from, at + low + 32 * (group >> 1) + i);
          const fifth = hasFifth ? ((u8(from, at + 16 + i) >> group) & 1) << 4 : 0;
          const value = (group % 2 ? byte >> 4 : byte & 15) | fifth;
          into[to + 32 * group + i] = scale * value - least;
        }
      }
    },
  };
}

const signed = (byte: number): number => (byte << 24) >> 24;

/** Thirty-two bytes and their scale. */
const BYTES: BlockType = {
  numbers: 32,
  bytes: 34,
  decode: (from, at, into, to) => {
    const scale = f16(from, at);
    for (let i = 0; i < 32; i += 1) into[to + i] = scale * signed(u8(from, at + 2 + i));
  },
};

/** 256 numbers of 6 bits in sixteen groups. */
const SIX_BITS: BlockType = {
  numbers: 256,
  bytes: 210,
  decode: (from, at, into, to) => {
    const scale = f16(from, at + 208);
    for (let i = 0; i < 256; i += 1) {
      // Each half has four rows of 32, of which two share the bytes of their lower bits.
      const [half, row, column] = [i >> 7, (i >> 5) & 3, i & 31];
      const byte = u8(from, at + 64 * half + 32 * (row % 2) + column);
      const high = (u8(from, at + 128 + 32 * half + column) >> (2 * row)) & 3;
      const value = ((row < 2 ? byte & 15 : byte >> 4) | (high << 4)) - 32;
      into[to + i] = scale * signed(u8(from, at + 192 + (i >> 4))) * value;
    }
  },
};

/** By ggml's number of the type. */
const TYPES: ReadonlyMap<number, BlockType> = new Map([
  [0, plain("F32", 4, (from, at) => f32(u32(from, at)))],
  [1, plain("F16", 2, f16)],
  [2, nibbles(false, false)],
  [3, nibbles(true, false)],
  [6, nibbles(false, true)],
  [7, nibbles(true, true)],
  [8, BYTES],
  [12, groups(false)],
  [13, groups(true)],
  [14, SIX_BITS],
  [30, plain("BF16", 2, (from, at) => f32(u16(from, at) << 16))],
]);

/** How a type is stored, if it is read here. */
export function blockType(type: number): BlockType | undefined {
  return TYPES.get(type);
}

/** The numbers of whole blocks. */
export function decodeBlocks(type: BlockType, bytes: Uint8Array): Float32Array<ArrayBuffer> {
  const count = bytes.byteLength / type.bytes;
  const numbers = new Float32Array(count * type.numbers);
  for (let i = 0; i < count; i += 1) type.decode(bytes, i * type.bytes, numbers, i * type.numbers);
  return numbers;
}
