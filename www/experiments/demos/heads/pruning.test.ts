// The order in which heads are ablated, and the sentence about losses at the marked share of them.
import { beforeAll, describe, expect, it } from "vitest";
import { FAKE_INFO, FAKE_WRITER } from "../../../../tests/support/fake-model.js";
import type { Stack } from "../../../data/index.js";
import { loadSentences } from "../../../i18n/index.js";
import type { Model } from "../../../headscope.js";
import { headsOf } from "../../../state/index.js";
import { writer } from "../testing/demo.js";
import { type Curve, pruning, verdictOf } from "./pruning.js";

beforeAll(() => loadSentences("experiments"));

/** A curve of a stack of 24 heads, with these losses by the number of removed heads. */
const curve = (stack: Stack, losses: Record<number, number>): Curve => ({
  stack,
  order: Array.from({ length: 24 }, (_, at) => ({ stack, layer: 0, head: at })),
  points: Object.entries(losses).map(([removed, loss]) => ({ removed: Number(removed), loss })),
});
const whole = (stack: Stack, before: number, after: number): Curve =>
  curve(
    stack,
    Object.fromEntries(
      Array.from({ length: 25 }, (_, at) => [at, at === 0 ? before : after] as const),
    ),
  );

/** A model whose loss is the sum of these costs of the ablated heads, by `layer.head`. */
function costly(costs: Record<string, number>): Model {
  const model = writer(2);
  const run = model.run.bind(model);
  model.run = async (input, options) => {
    const ablated = (input.edits?.heads ?? []).flatMap((edit) => headsOf(edit, model.info.stacks));
    const loss = ablated.reduce(
      (sum, { layer, head }) => sum + (costs[`${layer}.${head}`] ?? 0),
      0,
    );
    return Object.assign(await run(input, options), {
      probabilities: ({ ids }: { ids: readonly number[] }) =>
        Promise.resolve(ids.map(() => ({ probability: Math.exp(-loss), logProbability: -loss }))),
    });
  };
  return model;
}

it("heads are ablated one after the other, the least important first", async () => {
  const model = costly({ "0.0": 3, "0.1": 1, "1.0": 4, "1.1": 2 });
  const asking = {
    core: { ask: () => Promise.reject(new Error("no demo is asked")) },
    signal: new AbortController().signal,
    step: <Found>(_: string, part: () => Promise<Found>) => part(),
    show: () => undefined,
  };
  const [found] = (await pruning.ask({ sentences: 2 }, asking, { model })) as Curve[];
  expect(found?.order.map(({ layer, head }) => `${layer}.${head}`)).toEqual([
    "0.1",
    "1.1",
    "0.0",
    "1.0",
  ]);
  expect(found?.points.map(({ loss }) => loss)).toEqual([0, 1, 3, 6, 10]);
});

describe("the verdict on pruned heads", () => {
  it("waits until the loss at the marked share is known of every stack", () => {
    expect(verdictOf([], FAKE_WRITER)).toBeNull();
    expect(verdictOf([curve("decoder", { 0: 1, 1: 1.5 })], FAKE_WRITER)).toBeNull();
    const two = [whole("encoder", 1, 2), whole("decoder", 1, 3)];
    expect(verdictOf(two, FAKE_INFO)).toBeNull();
    expect(verdictOf([...two, whole("cross", 1, 2)], FAKE_INFO)).not.toBeNull();
  });

  it("has the losses before and after of a model's one stack", () => {
    const verdict = verdictOf([whole("decoder", 1.25, 2.5)], FAKE_WRITER);
    expect(verdict).toMatch(/1\.25.*2\.5/);
  });

  it("names the stack that lost most, or none where none lost", () => {
    const three = (encoder: number, decoder: number, cross: number): string =>
      verdictOf(
        [whole("encoder", 1, encoder), whole("decoder", 1, decoder), whole("cross", 1, cross)],
        FAKE_INFO,
      ) ?? "";
    const said = [three(2, 1.5, 3), three(3, 1.5, 2), three(1, 1, 1)];
    expect(new Set(said.map((one) => one.slice(-60))).size).toBe(3);
    expect(said[2]).toContain(three(0.5, 0.5, 0.5).slice(-30));
  });
});
