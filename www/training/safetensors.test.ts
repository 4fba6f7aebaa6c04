// The file of a model's parameters, as other readers of safetensors expect it.
import { expect, it } from "vitest";
import { safetensorsOf, tensorsOf } from "./safetensors.js";

it.each(["a", "ab", "abc", "abcdefgh"])(
  "the numbers of %s begin at a multiple of 8, behind a header of that length",
  (name) => {
    const tensors = new Map([
      [name, { shape: [2, 1], values: Float32Array.of(1.5, -2) }],
      ["other", { shape: [1], values: Float32Array.of(3) }],
    ]);
    const file = safetensorsOf(tensors);
    const view = new DataView(file.buffer, file.byteOffset);
    const length = Number(view.getBigUint64(0, true));
    expect(length % 8).toBe(0);
    const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length))) as object;
    expect(header).toEqual({
      __metadata__: { format: "pt" },
      [name]: { dtype: "F32", shape: [2, 1], data_offsets: [0, 8] },
      other: { dtype: "F32", shape: [1], data_offsets: [8, 12] },
    });
    const numbers = [0, 4, 8].map((at) => view.getFloat32(8 + length + at, true));
    expect([numbers, file.length]).toEqual([[1.5, -2, 3], 8 + length + 12]);
    expect(tensorsOf(file)).toEqual(tensors);
  },
);
