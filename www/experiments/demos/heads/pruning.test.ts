// The sentence about losses at the marked share of the heads.
import { beforeAll, describe, expect, it } from "vitest";
import { FAKE_INFO, FAKE_WRITER } from "../../../../tests/support/fake-model.js";
import type { Stack } from "../../../data/index.js";
import { loadSentences } from "../../../i18n/index.js";
import { type Curve, verdictOf } from "./pruning.js";

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
