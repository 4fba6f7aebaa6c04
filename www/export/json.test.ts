import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { json } from "./json.js";
import { exhibitOf } from "./testing/exhibit.js";

interface Read {
  data: unknown[];
  shape: number[];
  [field: string]: unknown;
}
const read = (...given: Parameters<typeof exhibitOf>): Read =>
  JSON.parse([...json(exhibitOf(...given))].join("")) as Read;

describe("json", () => {
  it("says where the numbers come from, and counts layers and heads in both ways", () => {
    const tensor = { data: Float32Array.of(1, 2), shape: [1, 2], axes: ["query", "key"] };
    const file = read(tensor, [["le"], ["the", '"']], { edits: { heads: [{ gate: 0 }] } });
    expect(file).toMatchObject({
      format: "headscope-tensor",
      headscope: "1.2.3",
      model: "en-fr",
      text: "She gave him",
      quantity: "weights",
      stack: "cross",
      layer: { index: 1, number: 2 },
      head: { index: 2, number: 3 },
      edits: { heads: [{ gate: 0 }] },
      axes: ["query", "key"],
      shape: [1, 2],
      labels: { query: ["le"], key: ["the", '"'] },
      data: [[1, 2]],
    });
  });

  it("leaves out the names of what is only counted", () => {
    expect(
      read({ data: Float32Array.of(1), shape: [1, 1], axes: ["position", "head_dim"] }, [
        ["a"],
        null,
      ]).labels,
    ).toEqual({ position: ["a"] });
  });

  it("nests as the shape says and reads back exactly, infinities as their names", () => {
    const shapes = fc.tuple(
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
    );
    fc.assert(
      fc.property(
        shapes,
        fc.array(fc.float(), { minLength: 27, maxLength: 27 }),
        (shape, numbers) => {
          const data = Float32Array.from(numbers.slice(0, shape[0] * shape[1] * shape[2]));
          const file = read({ data, shape: [...shape], axes: ["a", "b", "c"] }, []);
          expect(file.data).toHaveLength(shape[0]);
          for (const inner of file.data as unknown[][]) expect(inner).toHaveLength(shape[1]);
          expect(
            (file.data.flat(2) as (number | string)[]).map((value) => Math.fround(Number(value))),
          ).toEqual(Array.from(data));
        },
      ),
    );
    expect(
      read({ data: Float32Array.of(-Infinity, NaN), shape: [2], axes: ["a"] }, []).data,
    ).toEqual(["-Infinity", "NaN"]);
  });
});
