import { describe, expect, it, vi } from "vitest";
import { FakeModel, FakeRun } from "../../../tests/support/fake-model.js";
import type { HeadRef } from "../../data/index.js";
import { type HeadRequest, questionsOf, readHead } from "./figures.js";

const CROSS: HeadRef = { stack: "cross", layer: 0, head: 1 };
const DECODER: HeadRef = { ...CROSS, stack: "decoder" };

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
    expect(more.patterns[0]?.weights).toBe(more.stages.weights);
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
      const { stages, vectors, queries } = await readHead(run, { ...DECODER, vectors: true });
      expect([stages.raw.shape, stages.weights.shape, queries.length]).toEqual([[2, 2], [2, 2], 2]);
      expect([vectors?.query.shape, vectors?.key.shape]).toEqual([
        [2, 24],
        [2, 24],
      ]);
      expect(Array.from(stages.masked.data, (value) => value === -Infinity)).toEqual([
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
    const { fullyMasked } = await readHead(run, { ...CROSS, stack: "encoder" });
    expect(fullyMasked).toEqual([0]);
  });

  it.each<Partial<HeadRequest>>([{}, { beside: [2, 3] }, { vectors: true }])(
    "is foreseen, question by question: %o",
    async (more) => {
      const asked: object[] = [];
      const run = new Proxy(runOf("one two", ["un"]), {
        get(target, what: string): unknown {
          const value: unknown = Reflect.get(target, what, target);
          if (typeof value !== "function") return value;
          return (which: object): unknown => {
            asked.push({ what, ...which });
            return value.call(target, which) as unknown;
          };
        },
      });
      await readHead(run, { ...CROSS, ...more });
      const foreseen = questionsOf({ ...CROSS, ...more });
      expect(foreseen).toHaveLength(asked.length);
      // A stage that is left out is the weights.
      expect(foreseen).toEqual(
        expect.arrayContaining(asked.map((one) => expect.objectContaining(one) as unknown)),
      );
    },
  );
});
