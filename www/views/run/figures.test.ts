import { describe, expect, it, vi } from "vitest";
import { FakeModel, FakeRun } from "../../../tests/support/fake-model.js";
import type { HeadRef } from "../../data/index.js";
import { FigureDesk, ofStack, readHead, type Moment } from "./figures.js";

const CROSS: HeadRef = { stack: "cross", layer: 0, head: 1 };

function runOf(text: string, written: string[]): FakeRun {
  const model = new FakeModel();
  const run = new FakeRun(model, model.tokenize(text), { text });
  run.write(written);
  return run;
}

const momentOf = (run: FakeRun, revision = 1): Moment => ({ run, revision, sourceRevision: 1 });

function newDesk(): FigureDesk {
  const desk: FigureDesk = new FigureDesk(() => {
    if (desk.failure !== null) throw new Error("not read", { cause: desk.failure });
  });
  return desk;
}

describe("what is read of a head", () => {
  it("has a label for every row and column, in every stage", async () => {
    const desk = newDesk();
    desk.wantHead(momentOf(runOf("one two three", ["un", "deux"])), CROSS, "heatmap");
    await vi.waitUntil(() => !desk.loading);
    const figures = desk.head.value;
    expect(figures?.queries.map(({ text }) => text)).toEqual(["<pad>", "un", "deux"]);
    expect(figures?.keys).toHaveLength(4);
    expect(Object.values(figures?.stages ?? {}).map(({ shape }) => shape)).toEqual(
      Array.from({ length: 4 }, () => [3, 4]),
    );
    expect(desk.positions.value).toBeNull();
  });

  it("is cut to what all stages have when the run grows meanwhile", async () => {
    const run = runOf("one two", ["un"]);
    const attention = run.attention.bind(run);
    vi.spyOn(run, "attention").mockImplementation((which) => {
      const answer = attention(which);
      if (which.stage === "raw") run.write(["un", "deux"]);
      return answer;
    });
    const desk = newDesk();
    desk.wantHead(momentOf(run), { ...CROSS, stack: "decoder" }, "heatmap");
    await vi.waitUntil(() => !desk.loading);
    const { stages, queries, keys } = desk.head.value ?? {};
    expect([stages?.raw.shape, stages?.weights.shape, queries?.length, keys?.length]).toEqual([
      [2, 2],
      [2, 2],
      2,
      2,
    ]);
    expect([...(stages?.masked.data ?? [])].map((value) => value === -Infinity)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it("has as empty only rows without any weight: with −10⁹ in the place of −∞ a row that may look nowhere looks everywhere", async () => {
    const run = runOf("one two", ["un"]);
    vi.spyOn(run, "fullyMasked").mockResolvedValue([0, 1, 90]);
    const attention = run.attention.bind(run);
    vi.spyOn(run, "attention").mockImplementation(async (which) => {
      const { data, ...tensor } = await attention(which);
      return { ...tensor, data: data.map((_, at) => (at < (tensor.shape[1] ?? 0) ? 0 : 0.5)) };
    });
    expect(
      (await readHead(run, { ...CROSS, stack: "encoder" }, { beside: [], vectors: false }))
        .fullyMasked,
    ).toEqual([0]);
  });

  it("is not read again while the source alone decides it", async () => {
    const run = runOf("one two", ["un"]);
    const read = vi.spyOn(run, "fullyMasked");
    const desk = newDesk();
    for (const revision of [1, 2, 3]) {
      desk.wantHead(momentOf(run, revision), { ...CROSS, stack: "encoder" }, "heatmap");
      await vi.waitUntil(() => !desk.loading);
    }
    expect(read).toHaveBeenCalledTimes(1);
    desk.wantHead(momentOf(run, 4), CROSS, "positions");
    await vi.waitUntil(() => !desk.loading);
    expect(read).toHaveBeenCalledTimes(2);
    expect(desk.positions.value?.answer.shape).toEqual([2, 192]);
  });
});

describe("what a picture alone needs", () => {
  it("is read with it, all of one size, and not before", async () => {
    const run = runOf("one two three", ["un", "deux"]);
    const [vectors, patterns] = [vi.spyOn(run, "qkv"), vi.spyOn(run, "attention")];
    const desk = newDesk();
    desk.wantHead(momentOf(run), CROSS, "heatmap", [4]);
    await vi.waitUntil(() => !desk.loading);
    expect([
      vectors.mock.calls.length,
      desk.head.value?.vectors,
      desk.head.value?.patterns.map(({ head }) => head),
    ]).toEqual([0, null, [1]]);
    desk.wantHead(momentOf(run), CROSS, "dimensions", [4]);
    await vi.waitUntil(() => !desk.loading);
    expect([desk.head.value?.vectors?.query.shape, desk.head.value?.vectors?.key.shape]).toEqual([
      [3, 24],
      [4, 24],
    ]);
    patterns.mockClear();
    desk.wantHead(momentOf(run), CROSS, "lines", [4, 6]);
    await vi.waitUntil(() => !desk.loading);
    expect(desk.head.value?.patterns.map(({ head, weights }) => [head, weights.shape])).toEqual([
      [1, [3, 4]],
      [4, [3, 4]],
      [6, [3, 4]],
    ]);
    expect(desk.head.value?.patterns[0]?.weights).toBe(desk.head.value?.stages.weights);
    expect(desk.head.value?.vectors).toBeNull();
  });

  it("is cut with the rest when the run grows meanwhile", async () => {
    const run = runOf("one two", ["un"]);
    const read = run.qkv.bind(run);
    vi.spyOn(run, "qkv").mockImplementation((which) => {
      run.write(["un", "deux", "trois"]);
      return read(which);
    });
    const desk = newDesk();
    desk.wantHead(momentOf(run), { ...CROSS, stack: "decoder" }, "dimensions");
    await vi.waitUntil(() => !desk.loading);
    const { stages, vectors } = desk.head.value ?? {};
    expect([stages?.raw.shape, vectors?.query.shape, vectors?.key.shape]).toEqual([
      [2, 2],
      [2, 24],
      [2, 24],
    ]);
  });
});

describe("what is foreseen of the next run", () => {
  /** The run, and a list of what is asked of it about one head. */
  function overheard(run: FakeRun): { run: FakeRun; asked: object[] } {
    const asked: object[] = [];
    const ofHead: readonly unknown[] = ["attention", "mask", "fullyMasked", "qkv"];
    const get = (target: FakeRun, what: string | symbol): unknown => {
      const value: unknown = Reflect.get(target, what, target);
      if (typeof value !== "function") return value;
      return (which: object): unknown => {
        if (ofHead.includes(what)) asked.push({ what, ...which });
        return value.call(target, which) as unknown;
      };
    };
    return { run: new Proxy(run, { get }), asked };
  }

  it("is all that the picture asks of a head, and nothing before there is one", async () => {
    const desk = newDesk();
    expect(desk.foreseen).toEqual([]);
    for (const [picture, beside] of [
      ["heatmap", [2]],
      ["lines", [2, 3]],
      ["dimensions", []],
    ] as const) {
      const { run, asked } = overheard(runOf("one two", ["un"]));
      desk.wantHead(momentOf(run), CROSS, picture, beside);
      await vi.waitUntil(() => !desk.loading);
      expect(desk.foreseen).toHaveLength(asked.length);
      // A stage that is left out is the weights.
      expect(desk.foreseen).toEqual(
        expect.arrayContaining(asked.map((one) => expect.objectContaining(one) as unknown)),
      );
    }
  });

  it("waits for the first word where the text is still to be written", async () => {
    const run = runOf("one two", []);
    const read = vi.spyOn(run, "attention");
    const desk = newDesk();
    run.targetTokens = [];
    desk.wantHead(momentOf(run), CROSS, "heatmap");
    expect([read.mock.calls.length, desk.loading]).toEqual([0, false]);
    run.write(["un"]);
    desk.wantHead(momentOf(run, 2), CROSS, "heatmap");
    await vi.waitUntil(() => !desk.loading);
    expect(desk.head.value?.queries).toHaveLength(2);
  });
});

describe("what belongs to a whole stack", () => {
  const want = (desk: FigureDesk, moment: Moment, head: HeadRef): void => {
    desk.wantHead(moment, head, "positions");
    desk.wantAround(moment, head, "positions");
  };

  it("is never taken for another stack's", async () => {
    const desk = newDesk();
    const run = runOf("one two", ["un"]);
    want(desk, momentOf(run), { ...CROSS, stack: "encoder" });
    await vi.waitUntil(() => !desk.loading);
    want(desk, momentOf(run), CROSS);
    for (const { value } of [desk.thumbnails, desk.positions]) {
      expect([
        ofStack(value, "encoder"),
        ofStack(value, "cross"),
        ofStack(value, undefined),
      ]).toEqual([value?.answer, null, null]);
    }
    await vi.waitUntil(() => !desk.loading);
    expect([desk.thumbnails.value?.stack, desk.positions.value?.stack]).toEqual([
      "cross",
      "decoder",
    ]);
  });

  it("is let go with the rest when there is no run", async () => {
    const desk = newDesk();
    const moment = momentOf(runOf("one two", ["un"]));
    want(desk, moment, CROSS);
    await vi.waitUntil(() => !desk.loading);
    desk.clear();
    expect([desk.head.value, desk.thumbnails.value, desk.positions.value]).toEqual([
      null,
      null,
      null,
    ]);
    want(desk, moment, CROSS);
    await vi.waitUntil(() => !desk.loading);
    expect(desk.head.value?.queries).toHaveLength(2);
  });
});

describe("what the model expects", () => {
  const AFTER = { kind: "after", position: 2 } as const;

  it("is asked of the run whose pictures are shown, never of a newer one", async () => {
    const desk = newDesk();
    const [older, newer] = [runOf("one two three four", ["un", "deux"]), runOf("one", [])];
    desk.wantHead(momentOf(older), CROSS, "heatmap");
    await vi.waitUntil(() => !desk.loading);
    const predictions = vi.spyOn(newer, "predictions");
    desk.wantExpectation(momentOf(newer, 2), AFTER);
    expect(predictions).not.toHaveBeenCalled();
    desk.wantExpectation(momentOf(older), AFTER);
    await vi.waitUntil(() => !desk.loading);
    expect(desk.expectation.value).toMatchObject({
      at: { text: "deux" },
      predictions: [{ text: "word 2.0" }, {}, {}, {}, {}],
      truth: null,
    });
    desk.wantExpectation(momentOf(older), null);
    expect(desk.expectation.value).toBeNull();
  });
});
