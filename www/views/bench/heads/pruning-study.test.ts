import { describe, expect, it } from "vitest";
import { FAKE_INFO, FAKE_READER, FakeModel } from "../../../../tests/support/fake-model.js";
import type { HeadRef, HeldOutSentence, Stack } from "../../../data/index.js";
import type { Run, RunInput, RunOptions } from "../../../headscope.js";
import { hiddenPlaces, sentenceLoss } from "./held-out-loss.js";
import { countAt, MARKED_SHARE, PruningStudy, sufferings, type Curve } from "./pruning-study.js";

const VOCABULARY = 100;
const SENTENCES: HeldOutSentence[] = [
  { text: "one two", targets: ["un deux", "autre"] },
  { text: "three", targets: ["trois"] },
];
const COST: Record<Stack, number> = { encoder: 0.01, decoder: 0.02, cross: 0.05 };
const costOf = ({ stack, layer, head }: HeadRef): number => COST[stack] * (1 + layer * 8 + head);

/** The loss grows with every silent head, by what was planted for it. */
class Planted extends FakeModel {
  failures = 0;

  override async run(input: RunInput, options: RunOptions = {}): Promise<Run> {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error("planted");
    }
    const run = await super.run(input, options);
    const silent = (input.edits?.heads ?? []).flatMap(
      ({ stack = "encoder", layers = [], heads = [] }) =>
        layers.flatMap((layer) => heads.map((head) => ({ stack, layer, head }))),
    );
    const cost = silent.reduce((sum, head) => sum + costOf(head), 0);
    run.logits = ({ positions = [] } = {}) => {
      const data = Float32Array.from({ length: positions.length * VOCABULARY }, (_, index) =>
        index % VOCABULARY === VOCABULARY - 1 ? cost : 0,
      );
      return Promise.resolve({
        data,
        shape: [positions.length, VOCABULARY],
        axes: ["position", "vocabulary"],
      });
    };
    return run;
  }
}

const lossAt = (cost: number): number => Math.log(VOCABULARY - 1 + Math.exp(cost));

describe("a study of pruning", () => {
  it("takes the least important heads of each kind first, and shows what each step costs", async () => {
    const model = new Planted();
    const study = new PruningStudy(model, SENTENCES, () => undefined);
    await study.go();
    expect([study.finished, study.running, study.failure, study.done]).toEqual([
      true,
      false,
      null,
      study.all,
    ]);
    expect(study.curves.map(({ stack }) => stack)).toEqual(["encoder", "decoder", "cross"]);
    for (const { order, points, stack } of study.curves) {
      expect(order.map(costOf)).toEqual(order.map(costOf).toSorted((one, other) => one - other));
      expect(points.map(({ removed }) => removed)).toEqual(
        Array.from({ length: 25 }, (_, removed) => removed),
      );
      points.forEach(({ loss }, removed) =>
        expect(loss, `${stack} ${removed}`).toBeCloseTo(
          lossAt(order.slice(0, removed).reduce((sum, head) => sum + costOf(head), 0)),
          4,
        ),
      );
      expect(points.filter(({ bleu }) => bleu !== null).map(({ removed }) => removed)).toEqual([
        0, 5, 10, 14, 19, 24,
      ]);
    }
    expect(sufferings(study.curves, FAKE_INFO, "loss")?.map(({ stack }) => stack)).toEqual([
      "cross",
      "decoder",
      "encoder",
    ]);
    // Nothing is held: a study that forgot to let runs go would fill the memory.
    expect(model.held.size).toBe(0);
  });

  it("can be held up and goes on where it was, reading nothing twice", async () => {
    const model = new Planted();
    const study = new PruningStudy(model, SENTENCES, () => {
      if (study.done === 7 || study.done === 100) study.hold();
    });
    await study.go();
    expect([study.done, study.finished]).toEqual([7, false]);
    study.changed = () => undefined;
    const first = study.go();
    study.hold();
    await Promise.all([first, study.go()]);
    expect(study.finished).toBe(true);
    expect(model.inputs).toHaveLength(study.all);
  });

  it("stops where a sentence cannot be read, and tries it again", async () => {
    const model = new Planted();
    model.failures = 1;
    const study = new PruningStudy(model, SENTENCES, () => undefined);
    await study.go();
    expect([study.failure, study.running, study.done]).toEqual([new Error("planted"), false, 0]);
    await study.go();
    expect([study.failure, study.finished]).toEqual([null, true]);
  });

  it("says who suffers most, whoever that is, and nothing before all is known", () => {
    const curve = (stack: Stack, loss: number, bleu: number): Curve => ({
      stack,
      order: Array.from({ length: 10 }, (_, head) => ({ stack, layer: 0, head })),
      points: [
        { removed: 0, loss: 1, bleu: 50 },
        { removed: countAt(MARKED_SHARE, 10), loss, bleu },
      ],
    });
    const curves = [curve("encoder", 4, 10), curve("decoder", 2, 5), curve("cross", 3, 30)];
    expect(sufferings(curves, FAKE_INFO, "loss")?.[0]).toEqual({
      stack: "encoder",
      share: 0.6,
      before: 1,
      after: 4,
    });
    expect(sufferings(curves, FAKE_INFO, "bleu")?.map(({ stack }) => stack)).toEqual([
      "decoder",
      "encoder",
      "cross",
    ]);
    expect(sufferings(curves.slice(1), FAKE_INFO, "loss")).toBeNull();
  });
});

describe("the loss of a held-out sentence", () => {
  it("is taken at every token of the reference and at its end", async () => {
    const { sum, tokens } = await sentenceLoss(
      new Planted(),
      { text: "a b c", targets: ["x y"] },
      0,
      {},
    );
    expect(tokens).toBe(3);
    expect(sum).toBeCloseTo(3 * Math.log(VOCABULARY), 5);
  });

  it("is taken at hidden tokens of a model that fills gaps", async () => {
    const model = new Planted(FAKE_READER);
    const text = "a b c d e f g h i";
    const { tokens } = await sentenceLoss(model, { text }, 1, {});
    expect(model.inputs[0]?.hidden).toEqual([1, 8]);
    expect(tokens).toBe(2);
    // A short sentence is asked about one of its tokens.
    expect(hiddenPlaces(model.tokenize("a b"), 5)).toEqual([1]);
    expect(hiddenPlaces([], 5)).toEqual([]);
  });
});
