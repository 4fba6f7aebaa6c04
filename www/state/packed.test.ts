import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MOST_CELLS, packCells, packNumbers, packRows, unpackCells, unpackRows } from "./packed.js";

/** Bytes in base64url, as an attacker would write them. */
function packed(bytes: ArrayLike<number>): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

const row = (length: number): [number, number][] => Array.from({ length }, (_, key) => [0, key]);

describe("packed cells", () => {
  it("come back in the order of the grid, each once", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 })), { maxLength: 200 }),
        (cells) => {
          const expected = [...new Map(cells.map((cell) => [String(cell), cell])).values()].sort(
            ([q, k], [r, l]) => q - r || k - l,
          );
          expect(unpackCells(packCells(cells) ?? "", MOST_CELLS)).toEqual(expected);
        },
      ),
    );
  });

  it("reach as far as places can be counted, and say a painted mask in a few letters", () => {
    const far: [number, number][] = [
      [0, 30_000_000],
      [30_000_000, 3],
    ];
    expect(unpackCells(packCells(far) ?? "", 10)).toEqual(far);
    expect(packCells([[Number.MAX_SAFE_INTEGER - 1, 5]])).toBeUndefined();
    const causal = Array.from({ length: 64 }, (_, query) =>
      Array.from({ length: 63 - query }, (__, key): [number, number] => [query, query + key + 1]),
    ).flat();
    expect(packCells(causal)?.length).toBeLessThan(30);
  });

  it.each([
    ["more cells than allowed", packCells(row(100)), 99],
    ["a run beyond any mask", packNumbers([1, 0, MOST_CELLS + 1])],
    ["a number that is repeated for ever", packed([4, 5, 255, 255, 255, 255, 15]), Infinity],
    ["nothing", packNumbers([])],
    ["no width", packNumbers([0, 0, 1])],
    ["half a run", packNumbers([4, 1])],
    ["a number below zero", packed([16, 22])],
    ["a run of nothing", packNumbers([4, 0, 0])],
    ["two runs that are one", packNumbers([4, 0, 0, 1, 1])],
    ["a number beyond counting", packed([16, 0, 255, 255, 255, 255, 255, 255, 255, 127])],
    ["a cut", packCells(row(64).filter(([, key]) => key % 3 > 0))?.slice(0, -1)],
    ["no base64", "****"],
  ])("with %s are none", (_, text = "", most = MOST_CELLS) => {
    expect(unpackCells(text, most)).toBeUndefined();
  });
});

it("packed rows come back, and are none where they are not equally long", () => {
  const rows = [
    [1, 2, 3],
    [1000, 0, 7],
  ];
  expect(unpackRows(packRows(rows), 6)).toEqual(rows);
  expect(unpackRows(packRows(rows), 5)).toBeUndefined();
  for (const numbers of [[], [3], [0, 1], [2, 1, 1, 1]])
    expect(unpackRows(packNumbers(numbers), 10)).toBeUndefined();
});
