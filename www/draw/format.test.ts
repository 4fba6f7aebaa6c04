import { describe, expect, it } from "vitest";
import { formatValue } from "./format.js";

describe("formatValue", () => {
  it.each([
    [0.7744, "0.774"],
    [33.30849, "33.308"],
    [-6.8, "−6.800"],
    [0, "0"],
    [-0, "0"],
    [0.000012, "1.2 × 10⁻⁵"],
    [-3e-12, "−3.0 × 10⁻¹²"],
    [0.0005, "0.001"],
    [-Infinity, "−∞"],
  ])("%s reads %s", (value, text) => {
    expect(formatValue(value)).toBe(text);
  });
});
