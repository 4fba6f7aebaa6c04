import { describe, expect, it } from "vitest";
import { largeWords, placeWords, powerWords, readingWords, tickWords } from "./large.js";

describe("numbers of any size", () => {
  it("are written in few signs", () => {
    expect([999_999, 1e6, 16_777_216, 1e10].map(largeWords)).toEqual([
      "999,999",
      "1 × 10⁶",
      "1.68 × 10⁷",
      "1 × 10¹⁰",
    ]);
    expect([powerWords(1e10), powerWords(0.01)]).toEqual(["10¹⁰", "10⁻²"]);
    expect([0, 0.25, 99.5, 512, 1234.56, -2e7, NaN, Infinity].map(readingWords)).toEqual([
      "0",
      "0.250",
      "99.500",
      "512",
      "1,234.6",
      "−2 × 10⁷",
      "–",
      "∞",
    ]);
    expect([64, 0.5, 100_000].map(placeWords)).toEqual(["64", "0.500", "100,000"]);
  });

  it("have at an axis as many decimals as its steps", () => {
    expect(tickWords([0, 0.5, 1])).toEqual(["0", "0.5", "1"]);
    expect(tickWords([0, 0.02, 0.04])).toEqual(["0", "0.02", "0.04"]);
    expect(tickWords([0, 200_000, 400_000])).toEqual(["0", "200,000", "400,000"]);
    expect(tickWords([0, 0.00002, 0.00004])).toEqual(["0", "2.0 × 10⁻⁵", "4.0 × 10⁻⁵"]);
  });
});
