import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortest } from "./decimal.js";

describe("shortest", () => {
  it("reads back as the same number, whatever it is", () => {
    fc.assert(
      fc.property(fc.float(), (value) => Object.is(Math.fround(Number(shortest(value))), value)),
      { numRuns: 2000 },
    );
  });

  it("spends no digit that single precision does not have", () => {
    expect(
      [0.1, 1 / 3, 16777216, 1.1754943508222875e-38, 3.4028234663852886e38].map((value) =>
        shortest(Math.fround(value)),
      ),
    ).toEqual(["0.1", "0.33333334", "16777216", "1.1754944e-38", "3.4028235e+38"]);
  });

  it("names what is no ordinary number", () => {
    expect([-0, -Infinity, Infinity, NaN].map(shortest)).toEqual([
      "-0",
      "-Infinity",
      "Infinity",
      "NaN",
    ]);
  });
});
