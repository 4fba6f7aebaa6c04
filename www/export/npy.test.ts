import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { npy, npyText } from "./npy.js";

/** Reads the format by its own description, without the writer's help. */
function read(file: Uint8Array): { dict: string; start: number; values: number[] } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  expect(Array.from(file.subarray(0, 8))).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
  const start = 10 + view.getUint16(8, true);
  const dict = new TextDecoder("ascii").decode(file.subarray(10, start));
  const values = Array.from({ length: (file.length - start) / 4 }, (_, index) =>
    view.getFloat32(start + 4 * index, true),
  );
  return { dict, start, values };
}

const tensor = (
  shape: number[],
  data: Iterable<number>,
): { data: Float32Array; shape: number[]; axes: string[] } => ({
  data: Float32Array.from(data),
  shape,
  axes: shape.map((_, index) => `axis ${index}`),
});

describe("npy", () => {
  it("writes a dictionary with exactly three keys, padded so that the numbers start aligned", () => {
    const { dict, start } = read(npy(tensor([2, 3], [1, 2, 3, 4, 5, 6])));
    expect(dict).toMatch(/^\{'descr': '<f4', 'fortran_order': False, 'shape': \(2, 3\), \} *\n$/);
    expect(start % 64).toBe(0);
  });

  it("writes shapes as Python's tuples", () => {
    expect(read(npy(tensor([3], [1, 2, 3]))).dict).toContain("'shape': (3,)");
    expect(read(npy(tensor([4, 1, 2], new Array<number>(8).fill(0)))).dict).toContain(
      "'shape': (4, 1, 2)",
    );
    expect(read(npy(tensor([0, 5], []))).dict).toContain("'shape': (0, 5)");
  });

  it("keeps every number to the bit", () => {
    fc.assert(
      fc.property(fc.float32Array(), (data) => {
        expect(read(npy(tensor([data.length], data))).values).toEqual(Array.from(data));
      }),
    );
    expect(read(npy(tensor([3], [-Infinity, -0, NaN]))).values).toEqual([-Infinity, -0, NaN]);
  });

  it("writes a text as an array without axes, a character beyond 16 bits as one", () => {
    const file = npyText("a😀");
    const view = new DataView(file.buffer);
    const start = 10 + view.getUint16(8, true);
    expect(new TextDecoder("ascii").decode(file.subarray(10, start))).toMatch(
      /^\{'descr': '<U2', 'fortran_order': False, 'shape': \(\), \} *\n$/,
    );
    expect([
      file.length - start,
      view.getUint32(start, true),
      view.getUint32(start + 4, true),
    ]).toEqual([8, 0x61, 0x1f600]);
  });
});
