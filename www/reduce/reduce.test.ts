import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tensor, Token } from "../data/index.js";
import { groupsOf, groupTokens, joinCells, poolWeights, rowSums } from "./index.js";
import { sinkOf, wordsOf, type Groups } from "./index.js";

const piece = (text: string, word: number): Token => ({
  id: 0,
  text,
  word,
  special: false,
  role: null,
});
const end: Token = { id: 1, text: "</s>", word: -1, special: true, role: "end" };
const mask: Token = {
  id: 2,
  text: "[MASK]",
  word: -1,
  special: true,
  role: "mask",
  maskedText: "cat",
  maskedId: 9,
};
const tokens = [end, piece("Head", 0), piece("scope", 0), piece("runs", 1), mask, end];

const matrix = (...rows: readonly (readonly number[])[]): Tensor => ({
  data: Float32Array.from(rows.flat()),
  shape: [rows.length, rows[0]?.length ?? 0],
  axes: ["query", "key"],
});
const sides = ({ shape }: Tensor): [number, number] => [shape[0] ?? 0, shape[1] ?? 0];
const alone = (count: number): number[][] => Array.from({ length: count }, (_, index) => [index]);

/**
 * Rows of weights: most add up to 1, some are all zero. Thousandths, as tiny weights are no share
 * of anything.
 */
const pattern = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 }))
  .chain(([rows, columns]) => {
    const weight = fc.nat({ max: 1000 }).map((thousandths) => thousandths / 1000);
    const row = fc.array(weight, { minLength: columns, maxLength: columns });
    const empty = fc.constant(new Array<number>(columns).fill(0));
    const either = fc.oneof({ weight: 5, arbitrary: row }, { weight: 1, arbitrary: empty });
    return fc.array(either, { minLength: rows, maxLength: rows });
  })
  .map((rows) =>
    matrix(...rows.map((row) => row.map((value) => value / (row.reduce((a, b) => a + b, 0) || 1)))),
  );

/** Neighbours in groups, as in words. */
const cut = (count: number): fc.Arbitrary<Groups> =>
  fc.array(fc.boolean(), { minLength: count, maxLength: count }).map((starts) => {
    const groups: number[][] = [];
    starts.forEach((start, index) =>
      start || groups.length === 0 ? groups.push([index]) : groups.at(-1)?.push(index),
    );
    return groups;
  });
const withGroups = pattern.chain((weights) =>
  fc.record({
    weights: fc.constant(weights),
    rows: cut(sides(weights)[0]),
    columns: cut(sides(weights)[1]),
  }),
);

it("wordsOf joins subwords, and leaves special tokens and those without a word alone", () => {
  expect(wordsOf(tokens).map(({ indices }) => indices)).toEqual([[0], [1, 2], [3], [4], [5]]);
  expect(wordsOf([piece("a", -1), piece("b", -1)])).toHaveLength(2);
});

it.each([
  [{}, tokens, alone(6)],
  [{ byWord: true }, tokens, [[0], [1, 2], [3], [4], [5]]],
  // A masked token is the user's; special tokens stay where nothing else would be left.
  [{ ordinaryOnly: true }, tokens, [[1], [2], [3], [4]]],
  [{ ordinaryOnly: true }, [end], [[0]]],
  [{ byWord: true, ordinaryOnly: true, without: 1 }, tokens, [[2], [3], [4]]],
])("groupsOf with %j", (grouping, given, groups) => {
  const defaults = { byWord: false, ordinaryOnly: false, without: null };
  expect(groupsOf(given, { ...defaults, ...grouping })).toEqual(groups);
});

it("groupTokens names a word by its pieces", () => {
  const named = groupTokens(tokens, [[0], [1, 2], [3], [4], [5]]);
  expect(named.map(({ text }) => text)).toEqual(["</s>", "Headscope", "runs", "[MASK]", "</s>"]);
  expect([named[0], named[4]]).toEqual([end, end]);
});

describe("joinCells", () => {
  it("takes the mean over a word's queries of the sum over a word's keys", () => {
    const weights = matrix([0.5, 0.25, 0.25], [0, 0.5, 0.5], [1, 0, 0]);
    const words = [[0], [1, 2]];
    expect(joinCells(weights, words, words)).toEqual(matrix([0.5, 0.5], [0.5, 0.5]));
  });

  it("keeps the mean row sums, and without a key gives rows of sum 1 wherever a weight is left", () => {
    fc.assert(
      fc.property(withGroups, fc.nat({ max: 6 }), ({ weights, rows, columns }, at) => {
        const before = rowSums(weights);
        rowSums(joinCells(weights, rows, columns)).forEach((sum, row) => {
          const group = rows[row] ?? [];
          const mean = group.reduce((all, query) => all + (before[query] ?? 0), 0) / group.length;
          expect(sum).toBeCloseTo(mean, 5);
        });
        const sink = at % sides(weights)[1];
        const others = columns
          .map((group) => group.filter((key) => key !== sink))
          .filter(({ length }) => length > 0);
        const left = rowSums(joinCells(weights, rows, others));
        rowSums(joinCells(weights, rows, others, sink)).forEach((sum, row) =>
          expect(sum).toBeCloseTo(left[row] === 0 ? 0 : 1, 5),
        );
      }),
    );
  });

  it("only cuts out where every group is one token: the same tensor, or the same numbers", () => {
    fc.assert(
      fc.property(withGroups, ({ weights, rows, columns }) => {
        const [height, width] = sides(weights);
        expect(joinCells(weights, alone(height), alone(width))).toBe(weights);
        const first = (groups: Groups): Groups => groups.map(([one = 0]) => [one]);
        const someRows = first(rows);
        const someColumns = first(columns);
        const cells = joinCells(weights, someRows, someColumns);
        const at = someRows.flatMap(([row = 0]) =>
          someColumns.map(([column = 0]) => weights.data[row * width + column]),
        );
        expect([...cells.data]).toEqual(at);
        expect(joinCells(weights, someRows)).toEqual(joinCells(weights, someRows, alone(width)));
      }),
    );
  });
});

it.each([
  [[0.5, 0.25, 0.25], { key: 0, share: 0.5 }],
  [[0.25, 0, 0.75], { key: 2, share: 0.75 }],
  [[0.1, 0.8, 0.1], null],
  [[0.4, 0.3, 0.3], null],
])("sinkOf rows %j is the first or a special token with half of the weight: %j", (row, sink) => {
  const open = matrix([0, 0, 0], [0, 0, 0]);
  const keys = [piece("a", 0), piece("b", 1), end];
  expect(sinkOf(matrix(row, row), open, keys)).toEqual(sink);
  // Queries with a single allowed key do not count.
  const causal = matrix([0, -Infinity, -Infinity], [0, 0, 0]);
  expect(sinkOf(matrix([1, 0, 0], row), causal, keys)).toEqual(sink);
});

it.each([
  ["query", [0, 1], "sum", [0.5, 0.75, 0.75]],
  ["query", [0, 1], "mean", [0.25, 0.375, 0.375]],
  ["key", [1, 2], "sum", [0.5, 1]],
  ["key", [1, 2], "mean", [0.25, 0.5]],
  ["key", [], "mean", [0, 0]],
] as const)("poolWeights of the %s rows or columns %j by %s", (axis, places, pool, numbers) => {
  const weights = matrix([0.5, 0.5, 0], [0, 0.25, 0.75]);
  expect(poolWeights(weights, axis, places, pool)).toEqual(numbers);
});
