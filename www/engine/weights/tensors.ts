/** Tensors of any file as one safetensors file. */

import type { WeightFile } from "../protocol.js";

/** A tensor as a safetensors file has it: `dtype` in its spelling, numbers row-major and little-endian. */
export interface StoredTensor {
  name: string;
  dtype: string;
  shape: number[];
  /** What bytes are: blocks of this name, rows of them. */
  blocks?: string;
  /** Bytes of the numbers in `dtype`. */
  size: number;
  /** Bytes from `start` to `end` of them. */
  read(start: number, end: number): Uint8Array;
}

/** A file that is made while it is read; nothing of it is held but its header. */
export function asSafetensors(name: string, tensors: readonly StoredTensor[]): WeightFile {
  let end = 0;
  const placed = tensors.map((tensor) => ({ tensor, start: end, end: (end += tensor.size) }));
  const entries = placed.map(({ tensor, ...place }) => {
    const { dtype, shape } = tensor;
    return [tensor.name, { dtype, shape, data_offsets: [place.start, place.end] }] as const;
  });
  const named = tensors.filter(({ blocks }) => blocks !== undefined);
  const blocks = Object.fromEntries(named.map((tensor) => [tensor.name, tensor.blocks]));
  const all = { __metadata__: blocks, ...Object.fromEntries(entries) };
  const json = new TextEncoder().encode(JSON.stringify(all));
  const header = new Uint8Array(8 + json.length);
  new DataView(header.buffer).setBigUint64(0, BigInt(json.length), true);
  header.set(json, 8);
  return {
    name,
    size: header.length + end,
    // The core reads the header, and parts of one tensor.
    read: (from, to) => {
      if (to <= header.length) return header.slice(from, to);
      const at = from - header.length;
      const found = placed.find((place) => place.start <= at && at < place.end);
      if (found === undefined) return new Uint8Array();
      return found.tensor.read(at - found.start, to - header.length - found.start);
    },
  };
}
