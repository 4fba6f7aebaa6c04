import { describe, expect, it } from "vitest";
import type { ProjectionAsked } from "../../../data/index.js";
import type { Lab } from "../../../engine/index.js";
import { measure } from "./stopwatch.js";

const SIZE = { words: 4, modelDim: 3, width: 6, nHeads: 2 };

/** A laboratory and a clock: every question takes 3 ms on its way, every projection so long, and a question what else the machine does meanwhile. */
function made(
  micros: Record<ProjectionAsked["way"], number>,
  hiccup: (question: number) => number = () => 0,
): { lab: Pick<Lab, "ask">; now: () => number; asked: ProjectionAsked[] } {
  let clock = 0;
  const asked: ProjectionAsked[] = [];
  const ask = (_: string, question: ProjectionAsked): Promise<unknown> => {
    asked.push(question);
    clock += hiccup(asked.length) + 3 + (question.repeats * micros[question.way]) / 1000;
    return Promise.resolve({
      operations: { multiplications: 72, additions: 48, divisions: 0, exponentials: 0 },
      check: 1,
    });
  };
  return { lab: { ask: ask as unknown as Lab["ask"] }, now: () => clock, asked };
}

describe("the watch", () => {
  it("takes the way to the engine off, and repeats until the work is long enough", async () => {
    const { lab, now } = made({ wide: 10, split: 14 });
    const { ways, repeats, rounds, overlap } = await measure(lab, SIZE, now);
    expect(ways.wide.micros).toBeCloseTo(10, 9);
    expect(ways.split.micros).toBeCloseTo(14, 9);
    expect(repeats).toBe(4096);
    expect(rounds).toBe(9);
    expect(overlap).toBe(false);
    expect(ways.wide.operations).toEqual(ways.split.operations);
  });

  it.each([2, 7])(
    "is not misled by a machine that does something else during question %d",
    async (at) => {
      const { lab, now } = made({ wide: 10, split: 14 }, (question) => (question === at ? 60 : 0));
      const { ways, repeats } = await measure(lab, SIZE, now);
      expect(repeats).toBeGreaterThanOrEqual(4096);
      expect(ways.wide.micros).toBeCloseTo(10, 9);
      expect(ways.split.micros).toBeCloseTo(14, 9);
    },
  );

  it("ends on a clock that stands still, and asks for no more than the engine takes", async () => {
    const { lab, asked } = made({ wide: 0, split: 0 });
    const { ways } = await measure(
      lab,
      { words: 64, modelDim: 512, width: 512, nHeads: 8 },
      () => 0,
    );
    expect(ways.wide.micros).toBe(0);
    expect(Math.max(...asked.map(({ repeats }) => repeats))).toBe(64);
  });
});
