import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { FAKE_WRITER, FakeModel, type FakeRun } from "../../../tests/support/fake-model.js";
import { asWhole, gpuRun, longRun, readPainted, wishOf } from "../../../tests/support/gpu-run.js";
import type { Cell, HeadRef, Stage, Tensor, Token } from "../../data/index.js";
import { cellPixels } from "../../draw/pixels.js";
import { massGiven, massReceived } from "../../draw/legend.js";
import type { Picked, State } from "../../state/index.js";
import { readHead, type PaintingWish } from "./figures.js";
import { lookedAt, type Looked } from "./looked.js";
import { cellAt, cellOf, strongestAt } from "./looked-cells.js";
import { togetherOf } from "./together.js";

const HEADS: readonly HeadRef[] = [
  { stack: "encoder", layer: 0, head: 1 },
  { stack: "decoder", layer: 1, head: 3 },
  { stack: "cross", layer: 1, head: 0 },
];

const VIEWS: [string, Stage, Partial<State>][] = [
  ["by word", "weights", { unit: "word" }],
  ["without special tokens", "weights", { specials: "hidden" }],
  ["without special tokens, at another stage", "masked", { specials: "hidden" }],
  ["without the sink", "weights", { sink: "out" }],
  [
    "by word, without special tokens and the sink",
    "weights",
    { unit: "word", specials: "hidden", sink: "out" },
  ],
  ["by word, of scores that have none", "scores", { unit: "word" }],
];

/** Words of two and three pieces on both sides. */
function inPieces(run: FakeRun): FakeRun {
  const joined = (tokens: Token[]): Token[] =>
    tokens.map((token, at) =>
      token.special ? token : { ...token, word: [0, 0, 1, 2, 2, 2, 3][at] ?? at },
    );
  run.tokens.splice(0, run.tokens.length, ...joined(run.tokens));
  run.targetTokens = joined(run.targetTokens);
  return run;
}

/** A head whose weights are known, of a text in pieces. */
function runWith(
  weights: readonly (readonly number[])[],
  special: readonly number[] = [],
): FakeRun {
  const run = gpuRun([], new FakeModel({ ...FAKE_WRITER }));
  const size = weights.length;
  const token = run.tokens[0];
  if (!token) throw new Error("no token");
  run.tokens.splice(
    0,
    run.tokens.length,
    ...weights.map((_, at) => ({
      ...token,
      special: special.includes(at),
      word: Math.floor(at / 2),
    })),
  );
  run.targetTokens = run.tokens;
  const matrix = (value: (query: number, key: number) => number): Tensor => ({
    data: Float32Array.from({ length: size * size }, (_, at) =>
      value(Math.floor(at / size), at % size),
    ),
    shape: [size, size],
    axes: ["query", "key"],
  });
  vi.spyOn(run, "attention").mockImplementation(({ rows }) => {
    const whole = matrix((query, key) => weights[query]?.[key] ?? NaN);
    return Promise.resolve(
      rows
        ? {
            ...whole,
            data: whole.data.slice(rows[0] * size, rows[1] * size),
            shape: [rows[1] - rows[0], size],
          }
        : whole,
    );
  });
  vi.spyOn(run, "mask").mockResolvedValue(matrix(() => 0));
  vi.spyOn(run, "fullyMasked").mockImplementation(() =>
    Promise.resolve(weights.flatMap((row, at) => (row.every((one) => one === 0) ? [at] : []))),
  );
  return run;
}

const WITH_SINK = [
  [0.7, 0.1, 0.1, 0.05, 0.02, 0.02, 0.01],
  [0.8, 0.05, 0.05, 0.04, 0.03, 0.02, 0.01],
  // Nothing is left of it without the sink; the next one has no weight at all.
  [1, 0, 0, 0, 0, 0, 0],
  [0, 0, 0, 0, 0, 0, 0],
  [0.6, 0.1, 0.02, 0.08, 0.2, 0, 0],
  [0.5, 0.1, 0.1, 0.1, 0.05, 0.11, 0.04],
  [0.55, 0.05, 0.1, 0.1, 0.06, 0.1, 0.04],
];

async function both(
  run: FakeRun,
  head: HeadRef,
  wish: PaintingWish,
): Promise<{ painted: Looked; whole: Looked }> {
  const figures = await readPainted(run, head, wish);
  const whole = await readHead(run, head, { beside: [], vectors: false });
  return { painted: lookedAt(figures, wish.lens), whole: lookedAt(whole, wish.lens) };
}

function expectRowsOf(painted: Tensor, whole: Tensor, rows: readonly number[], what: string): void {
  const [, columns = 0] = whole.shape;
  expect(painted.shape, what).toEqual(whole.shape);
  for (const row of rows) {
    const cut = ({ data }: Tensor): number[] => [...data.slice(row * columns, (row + 1) * columns)];
    expect(cut(painted), `${what}, row ${row}`).toEqual(cut(whole));
  }
}

const rowOf = (looked: Looked, cell: Cell | null): number =>
  looked.rows.findIndex((group) => cell !== null && group.includes(cell.query));

beforeAll(() => {
  vi.stubGlobal("devicePixelRatio", 1);
});
afterAll(() => vi.unstubAllGlobals());

const runs: [string, () => FakeRun, HeadRef][] = [
  ...HEADS.map((head): [string, () => FakeRun, HeadRef] => [
    head.stack,
    () => inPieces(gpuRun()),
    head,
  ]),
  ["a sink", () => runWith(WITH_SINK), { stack: "decoder", layer: 0, head: 0 }],
  [
    "a sink and special tokens",
    () => runWith(WITH_SINK, [0, 6]),
    { stack: "decoder", layer: 0, head: 0 },
  ],
];

describe.each(VIEWS)("a painted head %s", (_, stage, state) => {
  const wish = wishOf(stage, state);

  it.each(runs)("is shown as one that is read whole: %s", async (__, make, head) => {
    const { painted, whole } = await both(make(), head, wish);
    for (const field of [
      "rows",
      "columns",
      "queries",
      "keys",
      "without",
      "fullyMasked",
      "emptied",
    ] as const)
      expect(painted[field], field).toEqual(whole[field]);
    expect(painted.sink?.key).toBe(whole.sink?.key);
    expect(painted.hiddenShare).toBeCloseTo(whole.hiddenShare, 6);
    expect(painted.whole === null).toBe(whole.whole === null);
    expect(strongestAt(painted)).toEqual(strongestAt(whole));
    const row = rowOf(whole, strongestAt(whole));
    expectRowsOf(painted.weights, whole.weights, [row], "weights");
    if (painted.whole && whole.whole)
      expectRowsOf(painted.whole.stages[stage], whole.whole.stages[stage], [row], stage);
    if (painted.whole && whole.whole) expect(painted.whole.mask).toEqual(whole.whole.mask);
  });

  it.each(runs)("has the colours and the sums of all numbers: %s", async (__, make, head) => {
    const run = make();
    const { painted, whole } = await both(run, head, wish);
    const tensor = whole.whole?.stages[stage] ?? whole.weights;
    const cells = painted.figures.painted;
    const changed = vi.fn();
    if (!cells?.content({ ...asWhole, changed }).pixels)
      await vi.waitUntil(() => changed.mock.calls.length > 0);
    const content = cells?.content(asWhole);
    if (!content) throw new Error("nothing is painted");
    expect(content.pixels?.data).toEqual(cellPixels(tensor.data, content.scale));
    expect(cells?.blank.shape).toEqual(tensor.shape);
    if (stage !== "weights") return;
    expect([...(content.mass ?? [])].map((sum) => sum.toFixed(5))).toEqual(
      [...massReceived(tensor.data, tensor.shape[1] ?? 0)].map((sum) => sum.toFixed(5)),
    );
    const given = massGiven(tensor.data, tensor.shape[0] ?? 0);
    expect(content.given === null).toBe(given === null);
    if (given)
      expect([...(content.given ?? [])].map((sum) => sum.toFixed(5))).toEqual(
        [...given].map((sum) => sum.toFixed(5)),
      );
  });

  it.each(runs)(
    "knows the strongest pair of every token once it is settled: %s",
    async (__, make, head) => {
      for (const pixels of [256, 2]) {
        const { painted, whole } = await both(longRun(make(), pixels), head, wish);
        for (const [axis, tokens] of [
          ["query", whole.figures.queries],
          ["key", whole.figures.keys],
        ] as const) {
          for (const index of tokens.keys()) {
            await painted.figures.painted?.settle(axis, index);
            const [seen, wanted] = [cellOf(painted, axis, index), cellOf(whole, axis, index)];
            expect(seen === null, `${axis} ${index}`).toBe(wanted === null);
            // Of words that are alike another pair may speak.
            if (wanted && !isTied(whole, axis, index))
              expect(seen, `${axis} ${index}`).toEqual(wanted);
          }
        }
      }
    },
  );

  it.each(runs)(
    "says which pair speaks for a cell as soon as that is settled: %s",
    async (__, make, head) => {
      const { painted, whole } = await both(make(), head, wish);
      for (const query of whole.rows.keys()) {
        for (const key of whole.columns.keys()) {
          const place = { query, key };
          await painted.figures.painted?.settleAt(place);
          expect(painted.figures.painted?.settleAt(place)).toBeNull();
          expect(cellAt(painted, place), `${query} ${key}`).toEqual(cellAt(whole, place));
        }
      }
    },
  );

  it.each(runs)(
    "hands over a row of its picture when a token of it is looked at: %s",
    async (__, make, head) => {
      const run = make();
      const figures = await readPainted(run, head, wish);
      const whole = lookedAt(await readHead(run, head, { beside: [], vectors: false }), wish.lens);
      // A row that was looked at before is read with the head.
      const { weights } = lookedAt(figures, wish.lens);
      const row = whole.rows.findIndex((___, at) =>
        Number.isNaN(weights.data[at * whole.columns.length]),
      );
      const query = whole.rows[row]?.at(-1) ?? 0;
      const arrived = vi.fn((known: object) => lookedAt({ ...figures, ...known }, wish.lens));
      figures.painted.want(query, arrived);
      await vi.waitUntil(() => arrived.mock.calls.length > 0);
      const looked = arrived.mock.results[0]?.value as Looked;
      expectRowsOf(looked.weights, whole.weights, [row], "weights");
      if (looked.whole && whole.whole)
        expectRowsOf(looked.whole.stages[stage], whole.whole.stages[stage], [row], stage);
    },
  );

  it.each(runs)("adds up what tokens that were picked give and get: %s", async (__, make, head) => {
    const run = make();
    const { info } = new FakeModel(
      head.stack === "decoder" && run.tokens === run.targetTokens ? FAKE_WRITER : undefined,
    );
    const changed = vi.fn();
    const figures = await readPainted(run, head, wish, undefined, changed);
    const whole = lookedAt(await readHead(run, head, { beside: [], vectors: false }), wish.lens);
    for (const looking of ["from", "to"] as const) {
      for (const pool of ["sum", "mean"] as const) {
        const picked: Picked = {
          side: head.stack === "decoder" && info.architecture !== "decoder" ? "target" : "source",
          tokens: [1, 3],
          pool,
          looking,
        };
        const wanted = togetherOf(picked, whole, info);
        const painted = (): ReturnType<typeof togetherOf> =>
          togetherOf(picked, lookedAt(figures, wish.lens), info);
        await vi.waitUntil(() => painted()?.items.length !== 0);
        const seen = painted();
        expect({ ...seen, items: null, shares: null }, `${looking} ${pool}`).toEqual({
          ...wanted,
          items: null,
          shares: null,
        });
        const rounded = (values: readonly (number | null)[]): (string | null)[] =>
          values.map((value) => value?.toFixed(5) ?? null);
        expect(rounded(seen?.items.map(({ value }) => value) ?? []), `${looking} ${pool}`).toEqual(
          rounded(wanted?.items.map(({ value }) => value) ?? []),
        );
        expect(rounded(seen?.shares ?? [])).toEqual(rounded(wanted?.shares ?? []));
      }
    }
    expect(changed.mock.calls.length).toBeGreaterThan(0);
  });
});

/** Whether several weights of a row or a column of a picture are the largest but for rounding. */
function isTied({ rows, columns, weights }: Looked, axis: keyof Cell, index: number): boolean {
  const across = columns.length;
  const group = (axis === "query" ? rows : columns).findIndex((one) => one.includes(index));
  const values = [...weights.data]
    .filter((_, at) => (axis === "query" ? Math.floor(at / across) : at % across) === group)
    .sort((one, other) => other - one);
  return (values[0] ?? 0) - (values[1] ?? -1) < 1e-6;
}

describe("a text that is still being written", () => {
  const head: HeadRef = { stack: "decoder", layer: 1, head: 3 };

  it.each([
    ["by token", {}],
    ["by word", { unit: "word" }],
  ] as const)(
    "is painted as far as it was when it was asked for, however it grows: %s",
    async (_, state) => {
      const text = ["le", "chien", "mord", "un", "chat"];
      const run = gpuRun(text);
      const wish = wishOf("weights", state, true);
      const before = lookedAt(await readHead(run, head, { beside: [], vectors: false }), wish.lens);
      // As the engine writes on, whatever is answered next is longer; who asked does not know yet.
      const mask = run.mask.bind(run);
      vi.spyOn(run, "mask").mockImplementation((which) => {
        run.write([...text, "noir"]);
        return mask(which);
      });
      const figures = await readPainted(run, head, wish);
      const looked = lookedAt(figures, wish.lens);
      expect(looked.rows).toEqual(before.rows);
      expect(strongestAt(looked)).toEqual(strongestAt(before));
      expectRowsOf(looked.weights, before.weights, [rowOf(before, strongestAt(before))], "weights");
      const changed = vi.fn();
      const { painted } = figures;
      if (!painted.content({ ...asWhole, changed }).pixels)
        await vi.waitUntil(() => changed.mock.calls.length > 0);
      const { pixels, scale } = painted.content(asWhole);
      expect(pixels?.data).toEqual(cellPixels(before.weights.data, scale));
      expect(painted.blank.shape).toEqual(before.weights.shape);
    },
  );
});
