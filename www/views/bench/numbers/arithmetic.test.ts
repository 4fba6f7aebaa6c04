import { describe, expect, it } from "vitest";
import { NUMBER_PRESETS } from "../../../state/index.js";
import { arithmeticOf, shownOf, WORKED, type Arithmetic } from "./arithmetic.js";
import { WORKED_TWO } from "./testing/worked.js";

const INPUTS = NUMBER_PRESETS.heads;

/** What an arithmetic comes to, by plain sums: only a test may take them. */
function outcome(arithmetic: Arithmetic | null): number {
  switch (arithmetic?.kind) {
    case "products":
      return arithmetic.terms
        .map(([left, right]) => left * right)
        .reduce((sum, product) => sum + product, 0);
    case "quotient":
      return arithmetic.left / arithmetic.right;
    case "sum":
      return arithmetic.left + arithmetic.right;
    case "softmax":
      return arithmetic.total === 0 ? 0 : arithmetic.exponential / arithmetic.total;
    case "copy":
      return arithmetic.value;
    case undefined:
      return NaN;
  }
}

describe("the arithmetic of a cell", () => {
  it("comes to the very number that it stands for, in every matrix of every head", () => {
    for (const head of [0, 1]) {
      const shown = shownOf(WORKED_TWO, head);
      expect(Object.keys(shown)).toHaveLength(WORKED.length);
      for (const matrix of WORKED) {
        shown[matrix]?.forEach((values, row) =>
          values.forEach((value, column) => {
            const arithmetic = arithmeticOf(INPUTS, WORKED_TWO, head, { matrix, row, column });
            expect(arithmetic?.value).toBe(value);
            expect(outcome(arithmetic), `${matrix} ${row} ${column} of head ${head}`).toBeCloseTo(
              value,
              12,
            );
          }),
        );
      }
    }
  });
});
