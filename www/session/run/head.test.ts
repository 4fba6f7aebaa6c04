import { describe, expect, it, vi } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FakeModel,
  FakeRun,
  FAKE_WRITER,
} from "../../../tests/support/fake-model.js";
import { type HeadRef, type Token, ROLES, type RoleScores } from "../../data/index.js";
import { matrixOf } from "../../elements/testing/mount.js";
import {
  DEFAULT_STATE,
  type Picked,
  type State,
  type HeadSort,
  type RoleFilter,
} from "../../state/index.js";
import {
  blockedPlaces,
  cellAt,
  cellOf,
  cellsAt,
  type DisplayedPattern,
  displayPattern,
  type HeadFigures,
  type HeadRequest,
  isChanged,
  placeIn,
  readHead,
  strongestAt,
  togetherOf,
} from "./head.js";
import { lensOf } from "./pair-pictures.js";
import { lensHint, stageHint } from "./head-words.js";
import { lensSummary } from "./export-words.js";
import { tokensOf } from "./selection.js";
import { readExpectation } from "./readings.js";
import { type KnownHeads, rankHeads, roleInQuestion, rolesByHead } from "./head-order.js";

const CROSS: HeadRef = { stack: "cross", layer: 0, head: 1 };
const ENCODER: HeadRef = { ...CROSS, stack: "encoder" };

function runOf(text: string, written: string[]): FakeRun {
  const model = new FakeModel();
  const run = new FakeRun(model, model.tokenize(text), { text });
  run.write(written);
  return run;
}

describe("what is read of a head", () => {
  it("has a label for every row and column, in every stage, and all that the picture shows beside it in one size", async () => {
    const run = runOf("one two three", ["un", "deux"]);
    const alone = await readHead(run, CROSS);
    expect(alone.queries.map(({ text }) => text)).toEqual(["<pad>", "un", "deux"]);
    expect(Object.values(alone.stages).map(({ shape }) => shape)).toEqual(Array(4).fill([3, 4]));
    expect([alone.vectors, alone.patterns.map(({ head }) => head)]).toEqual([null, [1]]);
    const more = await readHead(run, { ...CROSS, beside: [4, 6], vectors: true });
    expect([more.vectors?.query.shape, more.vectors?.key.shape]).toEqual([
      [3, 24],
      [4, 24],
    ]);
    expect(more.patterns.map(({ head, weights }) => [head, weights.shape])).toEqual(
      [1, 4, 6].map((head) => [head, [3, 4]]),
    );
  });

  it.each(["attention", "qkv"] as const)(
    "is cut to what all have when the run grows between two answers of %s",
    async (what) => {
      const run = runOf("one two", ["un"]);
      const read = run[what].bind(run) as (which: never) => Promise<never>;
      vi.spyOn(run, what).mockImplementation((which: unknown) => {
        const answer = read(which as never);
        run.write(["un", "deux", "trois"]);
        return answer;
      });
      const request: HeadRequest = { ...CROSS, stack: "decoder", vectors: true };
      const { stages, vectors, queries } = await readHead(run, request);
      expect([stages.raw.shape, stages.weights.shape, queries.length]).toEqual([[2, 2], [2, 2], 2]);
      expect([vectors?.query.shape, vectors?.key.shape]).toEqual(Array(2).fill([2, 24]));
      expect([...stages.masked.data].map((value) => value === -Infinity)).toEqual([
        false,
        true,
        false,
        false,
      ]);
    },
  );

  it("has as empty only rows without any weight: with −10⁹ in the place of −∞ a row that may look nowhere looks everywhere", async () => {
    const run = runOf("one two", ["un"]);
    vi.spyOn(run, "fullyMasked").mockResolvedValue([0, 1, 90]);
    const attention = run.attention.bind(run);
    vi.spyOn(run, "attention").mockImplementation(async (which) => {
      const { data, ...tensor } = await attention(which);
      return { ...tensor, data: data.map((_, at) => (at < (tensor.shape[1] ?? 0) ? 0 : 0.5)) };
    });
    expect((await readHead(run, ENCODER)).fullyMasked).toEqual([0]);
  });
});

/** A head whose second and third token are one word, with weights of our own. */
async function figures(head = ENCODER): Promise<HeadFigures> {
  const run = await new FakeModel(FAKE_INFO).run({ text: "one two three" });
  const pieces = (tokens: Token[]): Token[] =>
    tokens.map((token, at) => (at === 2 ? { ...token, word: tokens[1]?.word ?? 0 } : token));
  const rows = [
    [0.7, 0.1, 0.1, 0.1],
    [0.6, 0.2, 0.1, 0.1],
    [0.8, 0.1, 0, 0.1],
    [1, 0, 0, 0],
  ];
  const weights = matrixOf(4, rows.flat());
  const open = { ...weights, data: new Float32Array(16) };
  const { queries, keys } = tokensOf(run, head.stack);
  return {
    run,
    head,
    stages: { raw: open, scores: open, masked: open, weights },
    mask: open,
    fullyMasked: [],
    patterns: [{ head: head.head, weights }],
    vectors: null,
    queries: pieces(queries),
    keys: pieces(keys),
  };
}

const shown = async (state: Partial<State>): Promise<DisplayedPattern> =>
  displayPattern(await figures(), lensOf({ ...DEFAULT_STATE, ...state }));
const rounded = (values: Iterable<number>): number[] =>
  Array.from(values, (value) => Math.round(value * 1000) / 1000);

describe("a head as its picture shows it", () => {
  it("is the run's own as long as nothing else is asked for", async () => {
    const displayed = await shown({});
    const { stages, queries, keys, mask, patterns } = displayed.figures;
    expect(displayed).toMatchObject({ weights: stages.weights, queries, keys, patterns });
    expect([displayed.whole?.mask, displayed.whole?.stages.raw]).toEqual([mask, stages.raw]);
    expect([isChanged(displayed), displayed.hiddenShare]).toEqual([false, 0]);
    expect([lensHint(displayed), lensSummary(displayed)]).toEqual(["", []]);
  });

  it("joins pieces into words where weights are shown, and says where it cannot", async () => {
    const words = await shown({ unit: "word" });
    expect(words.keys.map(({ text }) => text)).toEqual(["one", "twothree", "</s>"]);
    expect(rounded(words.weights.data.slice(3, 6))).toEqual([0.7, 0.2, 0.1]);
    const raw = await shown({ unit: "word", stage: "raw" });
    expect(raw.keys).toHaveLength(4);
    expect(lensHint(raw)).toBe(
      "Shown per token: only attention weights can be aggregated by word.",
    );
    expect((await shown({ unit: "word", picture: "positions" })).lens.wordsWanted).toBe(false);
  });

  it.each(["heatmap", "lines", "dimensions", "mask"] as const)(
    "crops %s, and knows what goes to tokens that are hidden",
    async (picture) => {
      const { whole, queries, hiddenShare } = await shown({ specials: "hidden", picture });
      expect([queries.length, whole?.mask.shape]).toEqual([3, [3, 3]]);
      expect(hiddenShare).toBeCloseTo(0.1);
    },
  );

  it("leaves the sink out of the weights alone, and knows which rows are empty without it", async () => {
    const displayed = await shown({ sink: "out", specials: "hidden" });
    expect(displayed).toMatchObject({ sink: { key: 0 }, without: 0, emptied: [] });
    expect((await shown({ sink: "out" })).emptied).toEqual([3]);
    expect(rounded((await shown({ sink: "out" })).weights.data.slice(3, 6))).toEqual([
      0.5, 0.25, 0.25,
    ]);
    expect(lensHint(displayed)).toBe(
      "Renormalised without “one”: not the model’s own weights. Rows sum to less than 1: on average 36.1% goes to special tokens not displayed.",
    );
    expect(lensSummary(displayed)).toEqual([
      "special tokens not displayed",
      "renormalised without “one”",
    ]);
    expect((await shown({ sink: "out", stage: "masked" })).without).toBeNull();
  });
});

it("a stage is its formula, unless edits make it, and no row that may look nowhere is promised 1", () => {
  const usual = { headDim: 32, unusual: [], fullyMasked: [] };
  const empty = { ...usual, fullyMasked: [2] };
  const edited = "Values as set by your edits.";
  expect(stageHint("scores", usual)).toContain("√32");
  expect(stageHint("scores", { ...usual, unusual: ["scores"] })).toBe(edited);
  expect(stageHint("weights", usual)).toBe("After softmax: each row sums to 1.");
  expect(stageHint("weights", empty)).toContain("fully masked rows are 0");
  expect(stageHint("masked", empty)).toBe(stageHint("masked", usual));
  expect(stageHint("weights", { ...empty, unusual: ["weights"] })).toBe(edited);
});

describe("cells of a picture", () => {
  it("stand for all cells of their tokens, and the strongest speaks for them", async () => {
    const displayed = await shown({ unit: "word" });
    expect(cellsAt(displayed, { query: 1, key: 1 })).toHaveLength(4);
    expect(cellAt(displayed, { query: 1, key: 1 })).toEqual({ query: 1, key: 1 });
    for (const query of [0, 1, 2])
      for (const key of [0, 1, 2])
        expect(placeIn(displayed, cellAt(displayed, { query, key }))).toEqual({ query, key });
  });

  it("are found by a token of either axis, and as the strongest of a query or of all", async () => {
    const displayed = await shown({ specials: "hidden" });
    const of = (axis: "query" | "key", index: number): unknown => cellOf(displayed, axis, index);
    expect([of("query", 1), of("key", 1)]).toEqual([
      { query: 1, key: 0 },
      { query: 1, key: 1 },
    ]);
    // The special token at the end is not shown.
    expect([of("query", 3), of("key", 3)]).toEqual([null, null]);
    expect(strongestAt(displayed, 0)).toEqual({ query: 0, key: 0 });
    expect([strongestAt(displayed, null), strongestAt(displayed, 3)]).toEqual([
      { query: 2, key: 0 },
      { query: 2, key: 0 },
    ]);
  });

  it("are blocked when all of them are", async () => {
    const displayed = await shown({ unit: "word" });
    const cells = cellsAt(displayed, { query: 0, key: 1 });
    expect(blockedPlaces(displayed, cells)).toEqual([{ query: 0, key: 1 }]);
    expect(blockedPlaces(displayed, cells.slice(1))).toEqual([]);
  });
});

describe("several tokens", () => {
  const picked: Picked = { side: "source", tokens: [0, 3], pool: "sum", looking: "from" };

  it.each<[Partial<Picked>, number[]]>([
    [{}, [1.7, 0.1, 0.1, 0.1]],
    [{ pool: "mean" }, [0.85, 0.05, 0.05, 0.05]],
    [{ looking: "to" }, [0.8, 0.7, 0.9, 1]],
  ])("attend or are attended to together: %o", async (change, values) => {
    const together = togetherOf({ ...picked, ...change }, await shown({}), FAKE_READER);
    expect(rounded(together?.items.map(({ value }) => value) ?? [])).toEqual(values);
    const most = Math.max(...values);
    expect(rounded(together?.shares.map(Number) ?? [])).toEqual(
      rounded(values.map((value) => value / most)),
    );
  });

  it("of one text shade the other one across", async () => {
    const cross = displayPattern(await figures(CROSS), lensOf(DEFAULT_STATE));
    expect([
      togetherOf({ ...picked, side: "target" }, cross, FAKE_INFO),
      togetherOf(picked, cross, FAKE_INFO),
    ]).toMatchObject([
      { side: "source", looking: "from", bothWays: false },
      { side: "target", looking: "to", most: 1 },
    ]);
  });
});

describe("what a model expects", () => {
  it("after a token is about that token, and has no right answer", async () => {
    const run = await new FakeModel(FAKE_WRITER).run({ text: "one two" });
    const expectation = await readExpectation(run, { kind: "after", position: 1 });
    expect(expectation).toMatchObject({
      at: { text: "two" },
      predictions: [{ text: "word 1.0" }, {}, {}, {}, {}],
      truth: null,
    });
  });

  it("instead of a masked token knows what is masked, with its share among all entries", async () => {
    const run = await new FakeModel(FAKE_READER).run({ text: "one two", masked: [1] });
    const expectation = await readExpectation(run, { kind: "instead", position: 1 });
    expect(expectation).toMatchObject({ at: { text: "two", role: null }, truth: { id: 3 } });
    const { data } = await run.logits({ positions: [1] });
    const powers = [...data].map(Math.exp);
    expect(expectation?.truth?.probability).toBeCloseTo(
      (powers[3] ?? NaN) / powers.reduce((sum, power) => sum + power, 0),
      6,
    );
  });
});

const NO_SCORES = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores;
const scores = (some: Partial<RoleScores>): RoleScores => ({ ...NO_SCORES, ...some });
const at = (index: number): { layer: number; head: number } => ({
  layer: Math.floor(index / 2),
  head: index % 2,
});

const KNOWN: KnownHeads = {
  // The first head has a score that is just enough for its role.
  knownRoles: {
    basis: "heldOut",
    scores: [
      [scores({ previous: 0.5, self: 0.1 }), scores({ previous: 0.9 })],
      [scores({ self: 0.7 }), scores({ previous: 0.2 })],
    ],
  },
  measures: [2, 0.5, null, 1].map((entropy, index) => {
    const roles = scores({ previous: index / 10 });
    return { ...at(index), entropy, distance: 1, roles };
  }),
  divergences: [0.3, 0, 0.1, null].map((divergence, index) => ({ ...at(index), divergence })),
};
const FOREIGN: KnownHeads = {
  ...KNOWN,
  knownRoles: { basis: "here", scores: rolesByHead(KNOWN.measures ?? []) },
};

it.each<[RoleFilter | null, HeadSort, KnownHeads, string[] | null]>([
  [null, "place", KNOWN, null],
  // By held-out scores, with those on this text beside them; heads without a number end the list.
  [
    null,
    "previous",
    KNOWN,
    ["0.1 0.90 · 0.10", "0.0 0.50 · 0.00", "1.1 0.20 · 0.30", "1.0 – · 0.20"],
  ],
  [null, "entropy", KNOWN, ["0.1 0.50", "1.1 1.00", "0.0 2.00", "1.0 –"]],
  [null, "divergence", KNOWN, ["0.1 0.00", "1.0 0.10", "0.0 0.30", "1.1 –"]],
  ["previous", "entropy", KNOWN, ["0.1 0.50", "0.0 2.00"]],
  // Without held-out scores those on this text count; here none reaches the threshold.
  ["previous", "place", FOREIGN, []],
  ["previous", "place", { ...KNOWN, knownRoles: null }, null],
  [null, "previous", FOREIGN, ["1.1 0.30", "1.0 0.20", "0.1 0.10", "0.0 0.00"]],
])("heads filtered by %s and sorted by %s", (filter, sort, known, expected) => {
  const ranked = rankHeads({ layers: 2, heads: 2 }, filter, sort, known);
  expect(ranked?.map(({ layer, head, note }) => `${layer}.${head} ${note}`) ?? null).toEqual(
    expected,
  );
});

it("the role in question is that of the sort, or else of the filter", () => {
  expect(roleInQuestion("previous", "entropy")).toBeNull();
  expect(roleInQuestion("previous", "self")).toBe("self");
  expect(roleInQuestion("previous", "place")).toBe("previous");
});
