import { describe, expect, it } from "vitest";
import type { ProjectionAsked } from "../../../data/index.js";
import type { Lab } from "../../../engine/index.js";
import { NUMBER_PRESETS } from "../../../state/index.js";
import { arithmeticOf, shownOf, WORKED, type Arithmetic } from "./arithmetic.js";
import { matrixFile, readMatrix } from "./matrix-text.js";
import { measure } from "../../demos/numbers/workbench.js";
import { WORKED_TWO } from "./testing/worked.js";

/** What an arithmetic comes to, by plain sums: only a test may take them. */
function outcome({ sign, pairs, copyOf, value }: Arithmetic): number {
  if (copyOf !== undefined) return value;
  return pairs
    .map(([left, right]) => ({ "·": left * right, "÷": left / right, "+": left + right })[sign])
    .reduce((sum, one) => sum + one, 0);
}

it("the arithmetic of a cell comes to the very number, in every matrix of every head", () => {
  for (const head of [0, 1]) {
    const answered = { inputs: NUMBER_PRESETS.heads, worked: WORKED_TWO, head };
    const shown = shownOf(WORKED_TWO, head);
    expect(Object.keys(shown)).toHaveLength(WORKED.length);
    for (const matrix of WORKED)
      shown[matrix]?.forEach((values, row) =>
        values.forEach((value, column) => {
          const arithmetic = arithmeticOf(answered, { matrix, row, column });
          const about = `${matrix} ${row} ${column} of head ${head}`;
          expect(arithmetic?.value).toBe(value);
          expect(arithmetic && outcome(arithmetic), about).toBeCloseTo(value, 12);
        }),
      );
  }
});

describe("a matrix in a file", () => {
  it.each(["csv", "npy"] as const)(
    "can be saved as %s and read again, to the last bit",
    async (format) => {
      const rows = [
        [1, -Infinity, 0.1 + 0.2],
        [1e-300, -2, 1 / 3],
      ];
      const words = ["1984", 'a, "b"'];
      const file = new File([matrixFile(rows, words, format)], `m.${format}`);
      expect(await readMatrix(file)).toEqual({ rows, labels: format === "csv" ? words : null });
    },
  );

  it("is not read where it is far too large", async () => {
    await expect(readMatrix(new File([new Uint8Array(2 << 20)], "m.csv"))).rejects.toMatchObject({
      reason: "tooLarge",
    });
  });
});

const SIZE = { words: 4, modelDim: 3, width: 6, nHeads: 2 };

/** A laboratory and a clock: a question takes 3 ms on its way and so many for each projection; question `busyAt` waits for other work. */
function made(
  micros: Record<ProjectionAsked["way"], number>,
  busyAt = 0,
): { lab: Pick<Lab, "ask">; now: () => number; asked: ProjectionAsked[] } {
  let clock = 0;
  const asked: ProjectionAsked[] = [];
  const ask = (_: string, question: ProjectionAsked): Promise<unknown> => {
    asked.push(question);
    const other = asked.length === busyAt ? 60 : 0;
    clock += other + 3 + (question.repeats * micros[question.way]) / 1000;
    const operations = { multiplications: 72, additions: 48, divisions: 0, exponentials: 0 };
    return Promise.resolve({ operations, check: 1 });
  };
  return { lab: { ask: ask as unknown as Lab["ask"] }, now: () => clock, asked };
}

describe("the time of two projections", () => {
  it.each([0, 2, 7])(
    "is that of the work alone, repeated until it is long enough, though question %d waits for other work",
    async (busyAt) => {
      const { lab, now } = made({ wide: 10, split: 14 }, busyAt);
      const { ways, repeats, overlap } = await measure(lab, SIZE, now);
      expect(ways.wide.micros).toBeCloseTo(10, 9);
      expect(ways.split.micros).toBeCloseTo(14, 9);
      expect(repeats).toBeGreaterThanOrEqual(4096);
      expect(overlap).toBe(false);
      expect(ways.wide.operations).toEqual(ways.split.operations);
    },
  );

  it("ends on a clock that stands still, and asks for no more than the engine takes", async () => {
    const { lab, asked } = made({ wide: 0, split: 0 });
    const paper = { words: 64, modelDim: 512, width: 512, nHeads: 8 };
    expect((await measure(lab, paper, () => 0)).ways.wide.micros).toBe(0);
    expect(Math.max(...asked.map(({ repeats }) => repeats))).toBe(64);
  });
});
