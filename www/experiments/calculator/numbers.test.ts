import { describe, expect, it } from "vitest";
import { NUMBER_PRESETS } from "../../state/matrix-changes.js";
import { arithmeticOf, shownOf, WORKED, type Arithmetic } from "./arithmetic.js";
import { matrixFile, readMatrix } from "./matrix-text.js";
import { WORKED_TWO } from "./testing/worked.js";

/** The result of an arithmetic by plain sums, which only a test computes. */
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
