import { describe, expect, it } from "vitest";
import { directionOf, isolated } from "./direction.js";

describe("which way a text is read", () => {
  it("is that of its first letter, whatever signs and digits stand before it", () => {
    expect(["שלום", "كلب", "«كلب", "3 ילדים", "ܫܠܡܐ", "𞤀"].map(directionOf)).toEqual([
      "rtl",
      "rtl",
      "rtl",
      "rtl",
      "rtl",
      "rtl",
    ]);
    expect(["dog", "狗", "dog שלום", "", "…", "42", "٣", "␣"].map(directionOf)).toEqual([
      "ltr",
      "ltr",
      "ltr",
      "ltr",
      "ltr",
      "ltr",
      "ltr",
      "ltr",
    ]);
  });

  it("sets apart what is read from the right among other words, and nothing else", () => {
    expect(isolated("כלב!")).toBe("\u2068כלב!\u2069");
    expect([isolated("dog"), isolated("狗"), isolated("−0.5")]).toEqual(["dog", "狗", "−0.5"]);
  });
});
