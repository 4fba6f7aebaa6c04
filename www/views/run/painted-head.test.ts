// @isolate: the module under test holds what the page showed last.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { FAKE_WRITER, FakeModel, type FakeRun } from "../../../tests/support/fake-model.js";
import {
  around,
  asWhole,
  gpuRun,
  longRun,
  never,
  paintedOf,
  readPainted as read,
  scaleOf,
  wishOf,
} from "../../../tests/support/gpu-run.js";
import type { HeadRef, Painted, Tensor } from "../../data/index.js";
import { cellPixels } from "../../draw/pixels.js";
import { cellOfToken, valueAt } from "../../draw/strongest.js";
import { sinkOf } from "../../reduce/index.js";
import type { Run } from "../../headscope.js";
import { DEFAULT_STATE, NO_EDITS, STAGES, type State } from "../../state/index.js";
import { readHead } from "./figures.js";
import { canBePainted, readPaintedHead } from "./painted-head.js";
import type { RowByRow } from "./row-by-row.js";
import { strongestCell } from "./selection.js";

type Asked = Parameters<Run["painted"]>[0];

const HEADS: readonly HeadRef[] = [
  { stack: "encoder", layer: 0, head: 1 },
  { stack: "encoder", layer: 2, head: 6 },
  { stack: "decoder", layer: 1, head: 3 },
  { stack: "cross", layer: 1, head: 0 },
];

/** A run of one head with these weights. */
function runWith(
  weights: number[][],
  { causal = false }: { causal?: boolean | "strictly" } = {},
): FakeRun {
  const run = gpuRun([], new FakeModel({ ...FAKE_WRITER }));
  run.tokens.splice(weights.length);
  const size = weights.length;
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
  vi.spyOn(run, "mask").mockResolvedValue(
    matrix((query, key) =>
      causal && (causal === "strictly" && query === 0 ? true : key > query) ? -Infinity : 0,
    ),
  );
  return run;
}

async function ofWhole(run: FakeRun, head: HeadRef): Promise<{ weights: Tensor; mask: Tensor }> {
  return { weights: await run.attention(head), mask: await run.mask(head) };
}

beforeAll(() => {
  vi.stubGlobal("devicePixelRatio", 1);
});
afterAll(() => vi.unstubAllGlobals());

describe("a head of which only rows are read", () => {
  it.each(HEADS)(
    "has the strongest cell of all numbers, and its row: $stack $layer.$head",
    async (head) => {
      const run = gpuRun();
      const { queries, keys, stages, painted } = await read(run, head);
      const { weights } = await ofWhole(run, head);
      expect(painted.strongest).toEqual(strongestCell(weights, queries, keys));
      const { query } = painted.strongest ?? { query: NaN };
      for (const stage of STAGES) {
        const whole = await run.attention({ ...head, stage });
        const columns = keys.length;
        expect(stages[stage].shape).toEqual(whole.shape);
        expect(stages[stage].data.slice(query * columns, (query + 1) * columns), stage).toEqual(
          whole.data.slice(query * columns, (query + 1) * columns),
        );
      }
      expect(stages.raw.data.some(Number.isNaN)).toBe(true);
    },
  );

  it.each(HEADS)(
    "knows of every token which weight is the strongest but for a colour: $stack $layer.$head",
    async (head) => {
      const run = gpuRun();
      const { painted, queries, keys } = await read(run, head);
      const { weights } = await ofWhole(run, head);
      const largest = Math.max(...weights.data);
      for (const [axis, tokens] of [
        ["key", keys],
        ["query", queries],
      ] as const) {
        for (const index of tokens.keys()) {
          const [seen, strongest] = [
            painted.cellOf(axis, index),
            cellOfToken(weights, axis, index),
          ];
          if (!seen || !strongest) throw new Error("no cell");
          expect(seen[axis]).toBe(index);
          expect(
            valueAt(weights, strongest) - valueAt(weights, seen),
            `${axis} ${index}`,
          ).toBeLessThanOrEqual(largest / 255);
        }
        expect(painted.cellOf(axis, tokens.length)).toBeNull();
      }
    },
  );

  it.each(HEADS)(
    "finds the strongest weight of every token, as of all numbers: $stack $layer.$head",
    async (head) => {
      const run = gpuRun();
      const { painted, queries, keys } = await read(run, head);
      const { weights } = await ofWhole(run, head);
      for (const [axis, tokens] of [
        ["key", keys],
        ["query", queries],
      ] as const) {
        for (const index of tokens.keys()) {
          await painted.settle(axis, index);
          expect(painted.cellOf(axis, index), `${axis} ${index}`).toEqual(
            cellOfToken(weights, axis, index),
          );
        }
      }
    },
  );

  it.each(HEADS)(
    "finds them in more cells than it sees pixels: $stack $layer.$head",
    async (head) => {
      for (const pixels of [1, 2, 3, 5]) {
        const run = longRun(gpuRun(), pixels);
        const { painted, queries, keys } = await read(run, head);
        const { weights } = await ofWhole(run, head);
        expect(painted.strongest, String(pixels)).toEqual(strongestCell(weights, queries, keys));
        for (const [axis, tokens] of [
          ["key", keys],
          ["query", queries],
        ] as const) {
          for (const index of tokens.keys()) {
            await painted.settle(axis, index);
            expect(painted.cellOf(axis, index), `${axis} ${index}`).toEqual(
              cellOfToken(weights, axis, index),
            );
          }
        }
      }
    },
  );

  it("looks closely where the few rows that it may read do not say which weight is the strongest", async () => {
    const size = 40;
    // A special token between the others takes nearly all, and shares its pixels with its neighbours.
    const weights = Array.from({ length: size }, (_, query) =>
      Array.from({ length: size }, (__, key) =>
        key === 20 ? 0.9 : query === 33 && key === 5 ? 0.08 : 0.001,
      ),
    );
    const run = longRun(runWith(weights), 8);
    const token = run.tokens[0];
    if (!token) throw new Error("no token");
    run.tokens.splice(
      0,
      run.tokens.length,
      ...weights.map((_, at) => ({ ...token, special: at === 20 })),
    );
    const looks: number[] = [];
    const paint = run.painted.bind(run);
    run.painted = (asked) => {
      looks.push(asked.most);
      return paint(asked);
    };
    const { painted } = await read(run, { stack: "encoder", layer: 0, head: 0 });
    expect(painted.strongest).toEqual({ query: 33, key: 5 });
    expect(looks).toEqual([256, 1024]);
  });

  it("tells weights of one colour apart as soon as they are read, and reads no others for it", async () => {
    const close = [
      [0.9, 0.0501, 0.0499],
      [0.94, 0.03, 0.03],
      [0.9, 0.0496, 0.0504],
    ];
    const run = runWith(close);
    const { painted } = await read(run, { stack: "encoder", layer: 0, head: 0 });
    const attention = vi.spyOn(run, "attention").mockClear();
    await painted.settle("key", 1);
    expect(painted.cellOf("key", 1)).toEqual({ query: 0, key: 1 });
    expect(attention.mock.calls.map(([{ rows }]) => rows?.[0])).toEqual(
      expect.not.arrayContaining([1]),
    );
    await painted.settle("query", 0);
    expect(painted.cellOf("query", 0)).toEqual({ query: 0, key: 0 });
    await painted.settle("key", 2);
    expect(painted.cellOf("key", 2)).toEqual({ query: 2, key: 2 });
  });

  it("has as empty only rows without any weight, as one that is read whole", async () => {
    const run = gpuRun();
    const head: HeadRef = { stack: "encoder", layer: 0, head: 1 };
    vi.spyOn(run, "fullyMasked").mockResolvedValue([0, 1, 90]);
    const attention = run.attention.bind(run);
    const columns = (await attention(head)).shape[1] ?? 0;
    const emptied = (tensor: Tensor): Tensor => ({
      ...tensor,
      data: tensor.data.map((value, at) => (at < columns ? 0 : value)),
    });
    const painted = run.painted.bind(run);
    run.painted = async (asked) => {
      const answer = await painted(asked);
      return (
        answer && {
          ...answer,
          marginals: {
            ...answer.marginals,
            queries: answer.marginals.queries.map((sum, query) => (query === 0 ? 0 : sum)),
          },
        }
      );
    };
    vi.spyOn(run, "attention").mockImplementation(async (which) =>
      which.rows ? attention(which) : emptied(await attention(which)),
    );
    expect((await read(run, head)).fullyMasked).toEqual([0]);
    expect((await readHead(run, head, { beside: [], vectors: false })).fullyMasked).toEqual([0]);
  });

  it("asks of no pattern but rows", async () => {
    const run = gpuRun();
    const attention = vi.spyOn(run, "attention");
    run.painted = async (asked) => paintedOf(gpuRun(), asked);
    run.marginals = (which) => gpuRun().marginals(which);
    await read(run, { stack: "cross", layer: 0, head: 1 });
    expect(attention.mock.calls.length).toBeGreaterThan(0);
    for (const [{ rows }] of attention.mock.calls)
      expect((rows?.[1] ?? NaN) - (rows?.[0] ?? NaN)).toBe(1);
  });

  it("reads another row once, and hands it over", async () => {
    const run = gpuRun();
    const head: HeadRef = { stack: "cross", layer: 0, head: 1 };
    const { painted, keys } = await read(run, head);
    const query = painted.strongest?.query === 2 ? 3 : 2;
    const attention = vi.spyOn(run, "attention");
    const arrived = vi.fn<Parameters<RowByRow["want"]>[1]>();
    painted.want(query, arrived);
    painted.want(query, arrived);
    await vi.waitUntil(() => arrived.mock.calls.length > 0);
    expect([arrived.mock.calls.length, attention.mock.calls.length]).toEqual([1, STAGES.length]);
    const whole = await run.attention(head);
    const row = [query * keys.length, (query + 1) * keys.length] as const;
    const [known] = arrived.mock.calls[0] ?? [];
    expect(known?.stages.weights.data.slice(...row)).toEqual(whole.data.slice(...row));
    expect(known?.patterns[0]?.weights).toBe(known?.stages.weights);
  });
});

describe("the sink of a head by its sums", () => {
  const head: HeadRef = { stack: "encoder", layer: 0, head: 0 };

  it.each([
    [
      "the first token",
      [
        [0.8, 0.1, 0.1],
        [0.6, 0.2, 0.2],
        [0.7, 0.2, 0.1],
      ],
      false,
    ],
    [
      "none",
      [
        [0.4, 0.3, 0.3],
        [0.1, 0.8, 0.1],
        [0.2, 0.7, 0.1],
      ],
      false,
    ],
    [
      "rows that have no choice left out",
      [
        [1, 0, 0],
        [0.6, 0.4, 0],
        [0.5, 0.25, 0.25],
      ],
      true,
    ],
    [
      "nothing where only they look at it",
      [
        [1, 0, 0],
        [0.3, 0.7, 0],
        [0.3, 0.2, 0.5],
      ],
      true,
    ],
    [
      "rows that have no choice and give less",
      [
        [0.5, 0, 0],
        [0.55, 0.45, 0],
        [0.5, 0.25, 0.25],
      ],
      true,
    ],
    [
      "rows in which all is forbidden, and therefore all alike",
      [[1, 1, 1].map((one) => one / 3), [0.52, 0.48, 0], [0.49, 0.31, 0.2]],
      "strictly",
    ],
  ] as const satisfies [string, number[][], boolean | "strictly"][])(
    "is that of all numbers: %s",
    async (_, weights, causal) => {
      const run = runWith(weights, { causal });
      const figures = await read(run, head);
      const all = await ofWhole(run, head);
      const expected = sinkOf(all.weights, all.mask, figures.keys);
      const { sink } = figures.painted.look(figures, {
        byWord: false,
        wordsWanted: false,
        ordinaryOnly: false,
        weightsOnly: true,
        withoutSink: false,
      });
      expect(sink?.key).toBe(expected?.key);
      expect(sink?.share ?? 0).toBeCloseTo(expected?.share ?? 0, 5);
    },
  );
});

describe("its picture", () => {
  const head: HeadRef = { stack: "encoder", layer: 1, head: 2 };

  it.each(STAGES)("has the scale and the pixels of all numbers: %s", async (stage) => {
    const run = gpuRun();
    const { painted } = await read(run, head, wishOf(stage));
    const whole = await run.attention({ ...head, stage });
    const changed = vi.fn();
    const content = painted.content({ ...asWhole, changed });
    expect(content.scale).toEqual(scaleOf(stage, whole));
    expect(content.mass === null).toBe(stage !== "weights");
    if (!content.pixels) await vi.waitUntil(() => changed.mock.calls.length > 0);
    const { pixels } = painted.content(asWhole);
    expect(pixels?.data).toEqual(cellPixels(whole.data, content.scale));
  });

  it("comes with the numbers from the second head on, and is asked for anew of another part", async () => {
    const run = gpuRun();
    const first = await read(run, head);
    const changed = vi.fn();
    if (!first.painted.content({ ...asWhole, changed }).pixels)
      await vi.waitUntil(() => changed.mock.calls.length > 0);
    const { painted } = await read(run, { ...head, head: 5 });
    expect(painted.content(asWhole).pixels).not.toBeNull();
    const region = { query: 1, key: 2, rows: 3, columns: 2 };
    const again = vi.fn();
    expect(painted.content({ ...asWhole, region, changed: again }).pixels).toBeNull();
    await vi.waitUntil(() => again.mock.calls.length > 0);
    expect(painted.content({ ...asWhole, region }).pixels).toMatchObject({ rows: 3, columns: 2 });
  });

  it("is the last that was asked for, however the answers come", async () => {
    const run = gpuRun();
    const { painted } = await read(run, head, wishOf("raw"));
    const answers: (() => void)[] = [];
    run.painted = (asked) =>
      new Promise((resolve) => answers.push(() => resolve(paintedOf(run, asked))));
    const regions = [1, 2].map((query) => ({ query, key: 0, rows: 2, columns: 2 }));
    const changed = vi.fn();
    for (const region of regions) painted.content({ ...asWhole, region, changed });
    for (const answer of answers.toReversed()) answer();
    await vi.waitUntil(() => changed.mock.calls.length > 0);
    await Promise.resolve();
    expect([answers.length, changed.mock.calls.length]).toEqual([2, 1]);
    expect(painted.content({ ...asWhole, region: regions[1] ?? null }).pixels).not.toBeNull();
  });
});

describe("a head has to be read whole", () => {
  const head: HeadRef = { stack: "decoder", layer: 1, head: 2 };
  /** A GPU that gives its ranks, which need no colours, and answers otherwise to all that is asked later. */
  const later: Record<string, (run: FakeRun, asked: Asked) => Promise<Painted | null>> = {
    "answers nothing": () => Promise.resolve(null),
    fails: () => Promise.reject(new Error("lost")),
    "has grown": (run, asked) => {
      run.write(["le", "chien", "mord", "un", "chat", "noir"]);
      return paintedOf(run, asked);
    },
  };

  it("where nothing is painted", async () => {
    const run = gpuRun();
    run.painted = () => Promise.resolve(null);
    expect(await readPaintedHead(run, head, wishOf("weights"), around(run, head))).toBeNull();
  });

  it("where a run grows between two answers", async () => {
    const run = gpuRun();
    const mask = run.mask.bind(run);
    vi.spyOn(run, "mask").mockImplementation((which) => {
      run.write(["le", "chien", "mord", "un", "chat", "noir"]);
      return mask(which);
    });
    expect(await readPaintedHead(run, head, wishOf("weights"), around(run, head))).toBeNull();
  });

  it("where it fails at once", async () => {
    const run = gpuRun();
    run.painted = () => Promise.reject(new Error("lost"));
    await expect(readPaintedHead(run, head, wishOf("weights"), around(run, head))).rejects.toThrow(
      "lost",
    );
  });

  it.each(Object.entries(later))(
    "where a run %s when a part of its picture is asked for, and it is asked once",
    async (_, answer) => {
      const run = gpuRun();
      const lost = vi.fn();
      const { painted } = await read(run, head, wishOf("weights"), lost);
      const asked = vi.fn((which: Asked) => answer(run, which));
      run.painted = asked;
      const part = {
        ...asWhole,
        region: { query: 0, key: 0, rows: 2, columns: 2 },
        changed: never,
      };
      expect(painted.content(part).pixels).toBeNull();
      await vi.waitUntil(() => lost.mock.calls.length > 0);
      expect(painted.content(part).pixels).toBeNull();
      expect([lost.mock.calls.length, asked.mock.calls.length]).toEqual([1, 1]);
    },
  );

  it("where a row cannot be read any more", async () => {
    const run = gpuRun();
    const lost = vi.fn();
    const { painted } = await read(run, head, wishOf("weights"), lost);
    vi.spyOn(run, "attention").mockRejectedValue(new Error("lost"));
    painted.want(painted.strongest?.query === 1 ? 2 : 1, never);
    await vi.waitUntil(() => lost.mock.calls.length > 0);
    expect(lost).toHaveBeenCalledTimes(1);
  });

  it("but not where only a row became longer: it is cut", async () => {
    const run = gpuRun();
    const { painted, keys, queries } = await read(run, head);
    run.write(["le", "chien", "mord", "un", "chat", "noir"]);
    const query = painted.strongest?.query === queries.length - 1 ? 1 : queries.length - 1;
    const arrived = vi.fn<Parameters<RowByRow["want"]>[1]>();
    painted.want(query, arrived);
    await vi.waitUntil(() => arrived.mock.calls.length > 0);
    const [known] = arrived.mock.calls[0] ?? [];
    const whole = await run.attention(head);
    expect(known?.stages.weights.shape).toEqual([queries.length, keys.length]);
    expect(
      known?.stages.weights.data.slice(query * keys.length, (query + 1) * keys.length),
    ).toEqual(whole.data.slice(query * (keys.length + 1), query * (keys.length + 1) + keys.length));
  });
});

describe("the page shows no more of a head than its heatmap", () => {
  const plain: State = {
    ...DEFAULT_STATE,
    picture: "heatmap",
    unit: "token",
    specials: "shown",
    sink: "kept",
  };

  it("unless another picture or another run is looked at", () => {
    expect(canBePainted(plain)).toBe(true);
    const others: Partial<State>[] = [
      { picture: "lines" },
      { compare: "original" },
      { bench: "numbers" },
    ];
    expect(others.filter((other) => canBePainted({ ...plain, ...other }))).toEqual([]);
  });

  it("however its weights are looked at", () => {
    const others: Partial<State>[] = [
      { unit: "word" },
      { specials: "hidden" },
      { sink: "out" },
      { picked: { side: "source", tokens: [1, 2], pool: "sum", looking: "from" } },
    ];
    expect(others.filter((other) => !canBePainted({ ...plain, ...other }))).toEqual([]);
  });

  it("whatever is edited, unless that drops weights by chance", () => {
    const edited = (edits: Partial<State["edits"]>): State => ({
      ...plain,
      bench: "masks",
      edits: { ...NO_EDITS, ...edits },
    });
    const scope = { stack: "encoder" as const, layers: [0] };
    const kept: Partial<State["edits"]>[] = [
      { masks: [{ ...scope, block: [[0, 1]] }] },
      { heads: [{ ...scope, heads: [0], pattern: "uniform" }] },
      { attention: [{ ...scope, kind: "cosine" }] },
      { positions: [{ scheme: "alibi" }] },
    ];
    expect(kept.map((edits) => canBePainted(edited(edits)))).toEqual(kept.map(() => true));
    expect(
      canBePainted(edited({ attention: [{ ...scope, dropout: { rate: 0.5, seed: 1 } }] })),
    ).toBe(false);
  });
});
