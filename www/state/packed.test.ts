import fc from "fast-check";
import { expect, it } from "vitest";
import { MOST_CELLS, packCells, unpackCells } from "./json.js";

it("packed cells come back in the order of the grid, each once", () => {
  const cell = fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 }));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 200 }), (cells) => {
      const once = new Map(cells.map((one) => [String(one), one])).values();
      const expected = [...once].sort(([q, k], [r, l]) => q - r || k - l);
      expect(unpackCells(packCells(cells), MOST_CELLS)).toEqual(expected);
    }),
  );
});

it("a rectangle and a diagonal are short", () => {
  const all = Array.from({ length: 64 }, (_, at): [number, number] => [at >> 3, at % 8]);
  expect(packCells(all)).toBe("0-7:0-7");
  expect(packCells([0, 1, 2].map((at) => [at, at]))).toBe("0:0;1:1;2:2");
});

it.each(["", "0", "0:", ":0", "0:0;", "1-0:0", "0:0-9999999", "0-2000:0-2000", "x:1", "0:-1"])(
  "%j has no cells",
  (text) => {
    expect(unpackCells(text, MOST_CELLS)).toBeUndefined();
  },
);
