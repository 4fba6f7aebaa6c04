import { describe, expect, it } from "vitest";
import { barOutline } from "./bar-outline.js";

describe("an outline of bars", () => {
  it("stands on the ground and is as high as its share", () => {
    expect(barOutline([4, 1], 0, 2, 4)).toBe("M0,1V0h0.8V1zM1,1V0.75h0.8V1z");
  });

  it("draws some of them at their own place", () => {
    expect(barOutline([4, 1, 2], 1, 2, 4)).toBe("M1,1V0.75h0.8V1z");
    expect(barOutline([4, 1, 2], 3, 3, 4)).toBe("");
  });

  it("leaves no gaps between bars without a pixel each", () => {
    expect(
      barOutline(
        Array.from({ length: 61 }, () => 1),
        0,
        1,
        1,
      ),
    ).toBe("M0,1V0h1V1z");
  });

  it("draws nothing for what is no height", () => {
    expect(barOutline([NaN, -1, 0, Infinity], 0, 4, 2)).toBe(
      "M0,1V1h0.8V1zM1,1V1h0.8V1zM2,1V1h0.8V1zM3,1V0h0.8V1z",
    );
    expect(barOutline([0], 0, 1, 0)).toBe("M0,1V1h0.8V1z");
  });
});
