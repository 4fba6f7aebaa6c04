import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tensor, Token } from "../data/index.js";
import {
  groupsOf,
  groupTokens,
  joinWeights,
  pickCells,
  pickRows,
  poolWeights,
  rowSums,
  sinkOf,
  type Groups,
} from "./index.js";

const piece = (text: string, word: number): Token => ({
  id: 0,
  text,
  word,
  special: false,
  role: null,
});
const end: Token = { id: 1, text: "</s>", word: -1, special: true, role: "end" };
const gap: Token = {
  id: 2,
  text: "[MASK]",
  word: -1,
  special: true,
  role: "mask",
  hiddenText: "cat",
  hiddenId: 9,
};
const tokens = [end, piece("Head", 0), piece("scope", 0), piece("runs", 1), gap, end];
const AS_IS = { byWord: false, ordinaryOnly: false, without: null };

const matrix = (rows: readonly (readonly number[])[]): Tensor => ({
  data: Float32Array.from(rows.flat()),
  shape: [rows.length, rows[0]?.length ?? 0],
  axes: ["query", "key"],
});

/** Thousandths: a sum of weights below f32's normal range is no share of anything. */
const weight = fc.nat({ max: 1000 }).map((thousandths) => thousandths / 1000);

/** Rows of weights: most add up to 1, some are all zero. */
const pattern = fc
  .record({ rows: fc.integer({ min: 1, max: 7 }), columns: fc.integer({ min: 1, max: 7 }) })
  .chain(({ rows, columns }) => {
    const row = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.array(weight, { minLength: columns, maxLength: columns }),
      },
      { weight: 1, arbitrary: fc.constant(new Array<number>(columns).fill(0)) },
    );
    return fc.array(row, { minLength: rows, maxLength: rows });
  })
  .map((rows) =>
    matrix(
      rows.map((row) => row.map((value) => value / (row.reduce((sum, one) => sum + one, 0) || 1))),
    ),
  );

/** Neighbours that stand together: a cut of a text into words. */
const cut = (count: number): fc.Arbitrary<Groups> =>
  fc.array(fc.boolean(), { minLength: count, maxLength: count }).map((starts) => {
    const groups: number[][] = [];
    starts.forEach((start, index) =>
      start || groups.length === 0 ? groups.push([index]) : groups.at(-1)?.push(index),
    );
    return groups;
  });

const alone = (count: number): number[][] => Array.from({ length: count }, (_, index) => [index]);
const sides = ({ shape }: Tensor): [number, number] => [shape[0] ?? 0, shape[1] ?? 0];
const withCuts = pattern.chain((weights) =>
  fc.record({
    weights: fc.constant(weights),
    rows: cut(sides(weights)[0]),
    columns: cut(sides(weights)[1]),
  }),
);

describe("groups of tokens", () => {
  it("are tokens, or words with special tokens by themselves", () => {
    expect(groupsOf(tokens, AS_IS)).toEqual(alone(6));
    expect(groupsOf(tokens, { ...AS_IS, byWord: true })).toEqual([[0], [1, 2], [3], [4], [5]]);
  });

  it("leave special tokens out, but not what the reader hid, and never all there is", () => {
    expect(groupsOf(tokens, { ...AS_IS, ordinaryOnly: true })).toEqual([[1], [2], [3], [4]]);
    expect(groupsOf([end], { ...AS_IS, ordinaryOnly: true })).toEqual([[0]]);
  });

  it("leave one more out, even out of a word", () => {
    expect(groupsOf(tokens, { byWord: true, ordinaryOnly: true, without: 1 })).toEqual([
      [2],
      [3],
      [4],
    ]);
  });

  it("are called by their pieces", () => {
    const named = groupTokens(tokens, groupsOf(tokens, { ...AS_IS, byWord: true }));
    expect(named.map(({ text }) => text)).toEqual(["</s>", "Headscope", "runs", "[MASK]", "</s>"]);
    expect([named[0], named[4]]).toEqual([end, end]);
  });
});

describe("weights between words", () => {
  it("are the mean over the query's pieces of the sum over the key's", () => {
    const weights = matrix([
      [0.5, 0.25, 0.25],
      [0, 0.5, 0.5],
      [1, 0, 0],
    ]);
    expect(joinWeights(weights, [[0], [1, 2]], [[0], [1, 2]])).toEqual(
      matrix([
        [0.5, 0.5],
        [0.5, 0.5],
      ]),
    );
  });

  it("add up, row for row, to what the pieces' rows add up to", () => {
    fc.assert(
      fc.property(withCuts, ({ weights, rows, columns }) => {
        const before = rowSums(weights);
        const after = rowSums(joinWeights(weights, rows, columns));
        rows.forEach((group, row) => {
          expect(after[row]).toBeCloseTo(
            group.reduce((sum, query) => sum + (before[query] ?? 0), 0) / group.length,
            5,
          );
        });
      }),
    );
  });

  it("are the very same tensor when every word is one token", () => {
    fc.assert(
      fc.property(pattern, (weights) => {
        const [rows, columns] = sides(weights);
        expect(joinWeights(weights, alone(rows), alone(columns))).toBe(weights);
        expect(pickCells(weights, alone(rows), alone(columns))).toBe(weights);
      }),
    );
  });

  it("are only cut out where tokens are left out: the numbers stay", () => {
    fc.assert(
      fc.property(withCuts, ({ weights, rows, columns }) => {
        const [someRows, someColumns] = [rows, columns].map((groups) =>
          groups.map(([first = 0]) => [first]),
        );
        if (!someRows || !someColumns) throw new Error("no groups");
        const cutOut = pickCells(weights, someRows, someColumns);
        expect(joinWeights(weights, someRows, someColumns)).toEqual(cutOut);
        someRows.forEach(([query = 0], row) => {
          someColumns.forEach(([key = 0], column) =>
            expect(cutOut.data[row * someColumns.length + column]).toBe(
              weights.data[query * sides(weights)[1] + key],
            ),
          );
        });
        expect(pickRows(weights, someRows)).toEqual(
          pickCells(weights, someRows, alone(sides(weights)[1])),
        );
      }),
    );
  });
});

describe("weights without the sink", () => {
  it("add up to 1 wherever something is left, and are 0 elsewhere", () => {
    fc.assert(
      fc.property(withCuts, fc.nat({ max: 6 }), ({ weights, rows, columns }, at) => {
        const [, width] = sides(weights);
        const sink = at % width;
        const kept = columns
          .map((group) => group.filter((key) => key !== sink))
          .filter(({ length }) => length > 0);
        const whole = rowSums(joinWeights(weights, rows, kept));
        rowSums(joinWeights(weights, rows, kept, sink)).forEach((sum, row) => {
          if (whole[row] === 0) expect(sum).toBe(0);
          else expect(sum).toBeCloseTo(1, 5);
        });
      }),
    );
  });
});

describe("a sink", () => {
  it.each([
    [[0.5, 0.25, 0.25], { key: 0, share: 0.5 }],
    [[0.25, 0, 0.75], { key: 2, share: 0.75 }],
    [[0.1, 0.8, 0.1], null],
    [[0.4, 0.3, 0.3], null],
  ])("of rows %j is the first or a special token with half of the weight: %j", (row, sink) => {
    const open = matrix([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(sinkOf(matrix([row, row]), open, [piece("a", 0), piece("b", 1), end])).toEqual(sink);
  });
});

describe("several tokens as one", () => {
  const weights = matrix([
    [0.5, 0.5, 0],
    [0, 0.25, 0.75],
  ]);

  it("sum or average rows of queries, or columns of keys", () => {
    expect(poolWeights(weights, "query", [0, 1], "sum")).toEqual([0.5, 0.75, 0.75]);
    expect(poolWeights(weights, "query", [0, 1], "mean")).toEqual([0.25, 0.375, 0.375]);
    expect(poolWeights(weights, "key", [1, 2], "sum")).toEqual([0.5, 1]);
    expect(poolWeights(weights, "key", [1, 2], "mean")).toEqual([0.25, 0.5]);
    expect(poolWeights(weights, "key", [], "mean")).toEqual([0, 0]);
  });
});
