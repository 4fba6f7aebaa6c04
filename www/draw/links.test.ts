import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tensor } from "../data/index.js";
import { eachLink, keptLinks } from "./links.js";

const weights = (columns: number, ...values: number[]): Tensor => ({
  data: Float32Array.from(values),
  shape: [values.length / columns, columns],
  axes: ["query", "key"],
});

function pairs(tensor: Tensor, percent: number): [number, number][] {
  const found: [number, number][] = [];
  eachLink(keptLinks(tensor, percent), null, (query, key) => found.push([query, key]));
  return found;
}

describe("the links that are kept", () => {
  const rows = weights(3, 0.5, 0.1, 0.4, 0, 0.95, 0.05);

  it("are the fewest of each query that hold the mass, the heaviest first", () => {
    expect(pairs(rows, 50)).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(pairs(rows, 90)).toEqual([
      [0, 0],
      [0, 2],
      [1, 1],
    ]);
    expect(pairs(rows, 91)).toEqual([
      [0, 0],
      [0, 2],
      [0, 1],
      [1, 1],
    ]);
  });

  it("are all that weigh anything at 100 percent, and none of a query that may look nowhere", () => {
    expect(pairs(rows, 100)).toEqual([
      [0, 0],
      [0, 2],
      [0, 1],
      [1, 1],
      [1, 2],
    ]);
    expect(pairs(weights(2, 0, 0, 1e-30, 1), 100)).toEqual([
      [1, 1],
      [1, 0],
    ]);
    expect(pairs(weights(2, 0, 0), 10)).toEqual([]);
  });

  it("hold the mass and would not without their lightest, whatever the weights", () => {
    const row = fc.array(fc.float({ min: 0, max: 1, noNaN: true }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(row, fc.integer({ min: 1, max: 99 }), (values, percent) => {
        const all = values.reduce((sum, value) => sum + value, 0);
        const kept: number[] = [];
        eachLink(keptLinks(weights(values.length, ...values), percent), null, (_, __, weight) =>
          kept.push(weight),
        );
        const held = kept.reduce((sum, value) => sum + value, 0);
        const wanted = (all * percent) / 100;
        expect(held).toBeGreaterThanOrEqual(wanted - all * 1e-5);
        if (kept.length > 0)
          expect(held - (kept.at(-1) ?? 0)).toBeLessThanOrEqual(wanted + all * 1e-5);
      }),
    );
  });

  it("can be asked for by one token, on either side", () => {
    const links = keptLinks(rows, 100);
    const of = (side: "query" | "key", index: number): number[] => {
      const found: number[] = [];
      eachLink(links, { side, index }, (query, key) => found.push(query * 10 + key));
      return found;
    };
    expect(of("query", 1)).toEqual([11, 12]);
    expect(of("key", 2)).toEqual([2, 12]);
  });
});
