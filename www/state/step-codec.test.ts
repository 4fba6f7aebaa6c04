import { describe, expect, it } from "vitest";
import { decodeStepCell, encodeStepCell, STEPS } from "./step-codec.js";

describe("a number of the steps in the address", () => {
  it("is read back, whichever step it is in", () => {
    for (const step of STEPS)
      expect(decodeStepCell(encodeStepCell({ step, row: 3, column: 511 }))).toEqual({
        step,
        row: 3,
        column: 511,
      });
    expect(encodeStepCell({ step: "ff-hidden", row: 0, column: 1 })).toBe("ff-hidden.1-2");
  });

  it.each([
    "",
    "context",
    "context.0-1",
    "context.1-",
    "dream.1-1",
    "context.1-1-1",
    "context.1.5-2",
    "toString.1-1",
  ])("is not read from %j", (text) => {
    expect(decodeStepCell(text)).toBeUndefined();
  });
});
