import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packNumbers } from "./packed.js";
import { MOST_CELLS, packCells, unpackCells } from "./runs.js";

/** Bytes in base64url, as an attacker would write them. */
function packed(bytes: ArrayLike<number>): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

const row = (length: number): [number, number][] => Array.from({ length }, (_, key) => [0, key]);

describe("cells as run-lengths", () => {
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

  it("reach as far as places can be counted, and are refused beyond", () => {
    const far: [number, number][] = [
      [0, 30_000_000],
      [30_000_000, 3],
    ];
    expect(unpackCells(packCells(far) ?? "", 10)).toEqual(far);
    expect(packCells([[Number.MAX_SAFE_INTEGER - 1, 5]])).toBeUndefined();
  });

  it("say what was painted in a few letters", () => {
    const causal = Array.from({ length: 64 }, (_, query) =>
      Array.from({ length: 63 - query }, (__, key): [number, number] => [query, query + key + 1]),
    ).flat();
    expect(packCells(causal)?.length).toBeLessThan(30);
    expect(packCells(row(1000))?.length).toBeLessThan(12);
  });
});

describe("hostile run-lengths", () => {
  it("with more cells than allowed are refused before they are made", () => {
    expect(unpackCells(packCells(row(100)) ?? "", 99)).toBeUndefined();
    expect(unpackCells(packNumbers([1, 0, MOST_CELLS + 1]), MOST_CELLS)).toBeUndefined();
  });

  it("of a few letters that repeat a number for ever are left", () => {
    expect(unpackCells(packed([4, 5, 255, 255, 255, 255, 15]), Infinity)).toBeUndefined();
  });

  it.each([
    ["nothing", packNumbers([])],
    ["no width", packNumbers([0, 0, 1])],
    ["half a run", packNumbers([4, 1])],
    ["half a number", packed([16, 0, 129])],
    ["a repeat without its number", packed([16, 5])],
    ["a number below zero", packed([16, 22])],
    ["a run of nothing", packNumbers([4, 0, 0])],
    ["two runs that are one", packNumbers([4, 0, 0, 1, 1])],
    ["a number beyond counting", packed([16, 0, 255, 255, 255, 255, 255, 255, 255, 127])],
  ])("with %s are none", (_, text) => {
    expect(unpackCells(text, MOST_CELLS)).toBeUndefined();
  });

  it("that are cut short or no base64 are none, and none throws", () => {
    const whole = packCells(row(64).filter(([, key]) => key % 3 > 0)) ?? "";
    expect(unpackCells(whole.slice(0, -1), MOST_CELLS)).toBeUndefined();
    expect(unpackCells("****", MOST_CELLS)).toBeUndefined();
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }),
        (bytes) => void unpackCells(btoa(String.fromCharCode(...bytes)), MOST_CELLS),
      ),
    );
  });
});
