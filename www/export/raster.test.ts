import { describe, expect, it } from "vitest";
import { scaleOf } from "./raster.js";

describe("how many pixels a PNG has", () => {
  it.each([
    ["a usual picture three for each", 640, 480, 3],
    ["a larger one fewer", 2400, 1800, 1],
    ["one in between a whole number of them", 1500, 1400, 2],
  ])("%s", (_, width, height, expected) => {
    expect(scaleOf({ width, height })).toBe(expected);
  });

  it.each([
    ["a long strip", 70_000, 240],
    ["a large matrix", 9000, 9000],
  ])("never more than a canvas holds, along a side or in all: %s", (_, width, height) => {
    const scale = scaleOf({ width, height });
    expect(scale).toBeGreaterThan(0);
    expect(scale).toBeLessThan(1);
    expect(Math.max(width, height) * scale).toBeLessThanOrEqual(32_767);
    expect(width * height * scale * scale).toBeLessThanOrEqual(4096 * 4096 + 1);
  });
});
