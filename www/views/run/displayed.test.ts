import { describe, expect, it } from "vitest";
import { FAKE_INFO, FAKE_READER, FakeModel } from "../../../tests/support/fake-model.js";
import type { HeadRef, Tensor, Token } from "../../data/index.js";
import { DEFAULT_STATE, type Picked, type State } from "../../state/index.js";
import { tokensOf, type HeadFigures } from "./figures.js";
import {
  blockedPlaces,
  cellAt,
  cellsAt,
  type DisplayedPattern,
  displayPattern,
  isChanged,
  lensOf,
  placeIn,
  togetherOf,
} from "./displayed.js";

const HEAD: HeadRef = { stack: "encoder", layer: 0, head: 1 };

/** A head whose second and third token are one word, with weights of our own. */
async function figures(
  weights: readonly (readonly number[])[],
  head: HeadRef = HEAD,
): Promise<HeadFigures> {
  const run = await new FakeModel(FAKE_INFO).run({ text: "one two three" });
  const pieces = (tokens: Token[]): Token[] =>
    tokens.map((token, at) => (at === 2 ? { ...token, word: tokens[1]?.word ?? 0 } : token));
  const tensor: Tensor = {
    data: Float32Array.from(weights.flat()),
    shape: [4, 4],
    axes: ["query", "key"],
  };
  const open: Tensor = { ...tensor, data: new Float32Array(16) };
  const { queries, keys } = tokensOf(run, head.stack);
  return {
    run,
    head,
    stages: { raw: open, scores: open, masked: open, weights: tensor },
    mask: open,
    fullyMasked: [],
    patterns: [{ head: head.head, weights: tensor }],
    vectors: null,
    queries: pieces(queries),
    keys: pieces(keys),
  };
}

const WEIGHTS = [
  [0.7, 0.1, 0.1, 0.1],
  [0.6, 0.2, 0.1, 0.1],
  [0.8, 0.1, 0, 0.1],
  [1, 0, 0, 0],
];
const look = async (state: Partial<State>): Promise<DisplayedPattern> =>
  displayPattern(await figures(WEIGHTS), lensOf({ ...DEFAULT_STATE, ...state }));
const rounded = (values: Iterable<number>): number[] =>
  Array.from(values, (value) => Math.round(value * 1000) / 1000);

describe("a head as its picture shows it", () => {
  it("is the run's own as long as nothing else is asked for, the same object every time", async () => {
    const own = await figures(WEIGHTS);
    const displayed = displayPattern(own, lensOf(DEFAULT_STATE));
    expect([
      displayed.weights,
      displayed.queries,
      displayed.keys,
      displayed.patterns,
      displayed.whole?.mask,
    ]).toEqual([own.stages.weights, own.queries, own.keys, own.patterns, own.mask]);
    expect(displayed.weights).toBe(own.stages.weights);
    expect(displayed.queries).toBe(own.queries);
    expect(displayPattern(own, lensOf(DEFAULT_STATE))).toBe(displayed);
    expect([isChanged(displayed), displayed.hiddenShare]).toEqual([false, 0]);
  });

  it("joins pieces into words where weights are shown, and says where it cannot", async () => {
    const words = await look({ unit: "word" });
    expect(words.keys.map(({ text }) => text)).toEqual(["one", "twothree", "</s>"]);
    expect(rounded(words.weights.data.slice(3, 6))).toEqual([0.7, 0.2, 0.1]);
    const raw = await look({ unit: "word", stage: "raw" });
    expect([raw.keys.length, raw.lens.wordsWanted]).toEqual([4, true]);
    expect((await look({ unit: "word", picture: "positions" })).lens.wordsWanted).toBe(false);
  });

  it("crops every picture of pairs, and knows what goes to tokens that are hidden", async () => {
    for (const picture of ["heatmap", "lines", "dimensions", "mask"] as const) {
      const { whole, queries, hiddenShare } = await look({ specials: "hidden", picture });
      expect([queries.length, whole?.mask.shape, Math.round(hiddenShare * 1000)]).toEqual([
        3,
        [3, 3],
        100,
      ]);
    }
  });

  it("leaves the sink out of the weights alone, and knows which rows are empty without it", async () => {
    const displayed = await look({ sink: "out" });
    expect([
      displayed.sink?.key,
      displayed.without,
      displayed.keys.length,
      displayed.emptied,
    ]).toEqual([0, 0, 3, [3]]);
    expect(rounded(displayed.weights.data.slice(3, 6))).toEqual([0.5, 0.25, 0.25]);
    expect((await look({ sink: "out", stage: "masked" })).without).toBeNull();
  });
});

describe("cells of a picture", () => {
  it("stand for all cells of their tokens, and the strongest speaks for them", async () => {
    const displayed = await look({ unit: "word" });
    expect(cellsAt(displayed, { query: 1, key: 1 })).toHaveLength(4);
    expect(cellAt(displayed, { query: 1, key: 1 })).toEqual({ query: 1, key: 1 });
    for (const query of [0, 1, 2])
      for (const key of [0, 1, 2])
        expect(placeIn(displayed, cellAt(displayed, { query, key }))).toEqual({ query, key });
    expect(placeIn(displayed, null)).toBeNull();
  });

  it("are blocked when all of them are", async () => {
    const displayed = await look({ unit: "word" });
    const cells = cellsAt(displayed, { query: 0, key: 1 });
    expect(blockedPlaces(displayed, cells)).toEqual([{ query: 0, key: 1 }]);
    expect(blockedPlaces(displayed, cells.slice(1))).toEqual([]);
  });
});

describe("several tokens", () => {
  const picked: Picked = { side: "source", tokens: [0, 3], pool: "sum", looking: "from" };

  it("look together, from queries or to keys, in the sum or the mean", async () => {
    const displayed = await look({});
    const values = (change: Partial<Picked>): number[] =>
      rounded(
        togetherOf({ ...picked, ...change }, displayed, FAKE_READER)?.items.map(
          ({ value }) => value,
        ) ?? [],
      );
    expect(values({})).toEqual([1.7, 0.1, 0.1, 0.1]);
    expect(values({ pool: "mean" })).toEqual([0.85, 0.05, 0.05, 0.05]);
    expect(values({ looking: "to" })).toEqual([0.8, 0.7, 0.9, 1]);
    expect(rounded(togetherOf(picked, displayed, FAKE_READER)?.shares.map(Number) ?? [])).toEqual([
      1, 0.059, 0.059, 0.059,
    ]);
  });

  it("of one text shade the other one across", async () => {
    const cross = displayPattern(
      await figures(WEIGHTS, { ...HEAD, stack: "cross" }),
      lensOf(DEFAULT_STATE),
    );
    expect(togetherOf({ ...picked, side: "target" }, cross, FAKE_INFO)).toMatchObject({
      side: "source",
      looking: "from",
      bothWays: false,
    });
    expect(togetherOf({ ...picked, looking: "from" }, cross, FAKE_INFO)).toMatchObject({
      side: "target",
      looking: "to",
      most: 1,
    });
  });
});
