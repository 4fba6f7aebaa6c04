import { beforeAll, describe, expect, it } from "vitest";
import type { AttentionCost } from "../../../data/index.js";
import { loadSentences } from "../../../i18n/index.js";
import { COST_WORDS, lengthsFor, linesOf, listedLengths, memoryWords } from "./cost-figures.js";

const site = (cells: number): AttentionCost["full"] => ({
  cells,
  multiplyAdds: 10 * cells,
  weightBytes: 4 * cells,
  vectorBytes: 7,
});
const COST: AttentionCost = {
  tokens: 10,
  heads: 2,
  masked: site(60),
  exact: true,
  full: site(200),
  layers: [
    { kind: "recurrent", operations: 11, sequential: 10, path: 10 },
    { kind: "convolutional", operations: 33, sequential: 1, path: 3 },
  ],
};

beforeAll(() => loadSentences("bench"));

describe("the lengths that are counted", () => {
  it("have the present one and those that are marked among them, in order and once", () => {
    expect(lengthsFor(11).filter((n) => n < 60)).toEqual([10, 11, 20, 50]);
    expect(lengthsFor(1000).filter((n) => n === 1000)).toHaveLength(1);
    expect(lengthsFor(0)[0]).toBe(10);
    expect(listedLengths(4096)).toEqual([1000, 4096, 10_000, 100_000]);
    expect(listedLengths(0)).toEqual([1000, 4096, 10_000, 100_000]);
  });
});

describe("the lines of a quantity", () => {
  it("are pairs of one head, and operations and bytes of the layer", () => {
    const lines = (quantity: Parameters<typeof linesOf>[1]): [string, number][] =>
      linesOf([COST], quantity).map(({ name, points }) => [name, points[0]?.y ?? NaN]);
    expect(lines("pairs")).toEqual([
      ["every pair", 100],
      ["with the rules", 30],
    ]);
    expect(lines("operations")).toEqual([
      ["every pair", 2000],
      ["with the rules", 600],
      ["recurrent, n · d²", 11],
      ["convolutional", 33],
    ]);
    expect(lines("memory")).toEqual([
      ["every pair", 800],
      ["with the rules", 240],
      ["Q, K, V, context", 7],
    ]);
  });
});

describe("large numbers", () => {
  it("are written in few signs", () => {
    expect([4096 ** 2 * 4, 1000, 0, 3 * 1024 ** 5].map(memoryWords)).toEqual([
      "64 MiB",
      "1,000 B",
      "0 B",
      "3,072 TiB",
    ]);
    expect([1000, 1e10, 16_777_216].map(COST_WORDS.pairs.y)).toEqual(["10³", "10¹⁰", "1.68 × 10⁷"]);
  });
});
