import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitLabel, labelStep, labelled } from "./labels.js";

const measure = (text: string): number => text.length * 10;

describe("fitLabel", () => {
  it("leaves what fits and shortens what does not", () => {
    expect(fitLabel("cat", 30, measure)).toBe("cat");
    expect(fitLabel("elephant", 40, measure)).toBe("ele…");
    expect(fitLabel("elephant", 5, measure)).toBe("…");
  });

  it("never cuts through a character", () => {
    expect(fitLabel("👩‍👩‍👧b", 60, measure)).toBe("…");
    expect(fitLabel("a👍🏽bcdef", 60, measure)).toBe("a👍🏽…");
  });

  it("never exceeds its room once there is room for a dot", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 10, max: 200 }), (text, room) => {
        expect(measure(fitLabel(text, room, measure))).toBeLessThanOrEqual(room);
      }),
    );
  });
});

describe("thinning", () => {
  it("shows every label while cells are large, then every second, fifth, tenth", () => {
    expect([20, 11, 6, 3, 1.2, 0.3].map((cell) => labelStep(cell, 11))).toEqual([
      1, 1, 2, 5, 10, 50,
    ]);
  });

  it("keeps the label in focus and makes room around it", () => {
    expect(labelled(12, 5)).toEqual([0, 5, 10]);
    expect(labelled(12, 5, [7])).toEqual([0, 7]);
    expect(labelled(12, 1, [7])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});
