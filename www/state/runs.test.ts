import { deflateSync } from "fflate";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MOST_CELLS, packCells, unpackCells } from "./runs.js";

/** Deflated numbers, as an attacker would write them. */
function packed(bytes: ArrayLike<number>): string {
  return btoa(
    Array.from(deflateSync(Uint8Array.from(bytes)), (byte) => String.fromCharCode(byte)).join(""),
  )
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
      [0, 90_000_000],
      [90_000_000, 3],
    ];
    expect(unpackCells(packCells(far) ?? "", 10)).toEqual(far);
    expect(packCells([[Number.MAX_SAFE_INTEGER - 1, 5]])).toBeUndefined();
  });

  it("say what was painted in a few letters", () => {
    const causal = Array.from({ length: 64 }, (_, query) =>
      Array.from({ length: 63 - query }, (__, key): [number, number] => [query, query + key + 1]),
    ).flat();
    expect(packCells(causal)?.length).toBeLessThan(300);
    expect(packCells(row(1000))?.length).toBeLessThan(12);
  });
});

describe("hostile run-lengths", () => {
  it("with more cells than allowed are refused before they are made", () => {
    expect(unpackCells(packCells(row(100)) ?? "", 99)).toBeUndefined();
    expect(
      unpackCells(packed([1, 0, 255, 255, 255, 255, 255, 255, 15]), MOST_CELLS),
    ).toBeUndefined();
  });

  it("that inflate to a thousand times their size are left before they are whole", () => {
    expect(unpackCells(packed(new Uint8Array(32_000_000).fill(1)), Infinity)).toBeUndefined();
  });

  it.each([
    ["nothing", []],
    ["no width", [0, 0, 1]],
    ["half a run", [4, 1]],
    ["half a number", [4, 0, 129]],
    ["a run of nothing", [4, 0, 0]],
    ["two runs that are one", [4, 0, 1, 0, 1]],
    ["a number beyond counting", [4, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]],
  ])("with %s are none", (_, bytes) => {
    expect(unpackCells(packed(bytes), MOST_CELLS)).toBeUndefined();
  });

  it("that are cut short or no base64 are none, and none throws", () => {
    const whole = packCells(row(64).filter(([, key]) => key % 3 > 0)) ?? "";
    expect(unpackCells(whole.slice(0, -4), MOST_CELLS)).toBeUndefined();
    expect(unpackCells("****", MOST_CELLS)).toBeUndefined();
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }),
        (bytes) => void unpackCells(btoa(String.fromCharCode(...bytes)), MOST_CELLS),
      ),
    );
  });
});
