import { expect, it, describe } from "vitest";
import type { Step } from "../data/index.js";
import { layoutSteps, scrollToStep, STEP_GAP, stepCellAt, type StepShape } from "./steps.js";

describe("steps of a block", () => {
  const shapes = (rows: number, keys: number): StepShape[] => [
    { step: "input", rows, columns: 128 },
    { step: "key", rows: keys, columns: 128 },
    { step: "weights", rows, columns: keys },
    { step: "ff-hidden", rows, columns: 3072 },
  ];

  describe("the strip of steps", () => {
    it.each([1, 12, 512])(
      "places %i tokens side by side, none over another, and finds every corner again",
      (rows) => {
        const layout = layoutSteps(shapes(rows, rows), 96, false);
        layout.boxes.forEach(({ step, plot, columns, room, from }, index) => {
          const before = layout.boxes[index - 1];
          if (before)
            expect([plot.x, from]).toEqual([
              before.plot.x + before.room,
              before.plot.x + before.plot.width,
            ]);
          expect(room).toBeGreaterThanOrEqual(plot.width + STEP_GAP);
          expect(stepCellAt(layout, plot.x, plot.y)).toEqual({ step, row: 0, column: 0 });
          expect(
            stepCellAt(layout, plot.x + plot.width - 0.01, plot.y + plot.height - 0.01),
          ).toEqual({ step, row: rows - 1, column: columns - 1 });
          expect(plot.y + plot.height).toBeLessThanOrEqual(layout.height);
          expect(plot.x + plot.width).toBeLessThanOrEqual(layout.width);
        });
        expect(stepCellAt(layout, 0, 0)).toBeNull();
      },
    );

    it("scrolls no further than it must: a matrix in sight stays, one that is wider than the window shows the cell", () => {
      const layout = layoutSteps(shapes(5, 7), 96, false);
      const to = (step: Step, column: number, from: number): number =>
        scrollToStep(layout, step, column, from, 700);
      expect(to("input", 127, 0)).toBe(0);
      const wide = layout.boxes[3];
      const left = to("ff-hidden", 3000, 0);
      const at = (wide?.plot.x ?? 0) + 3000 * (wide?.cellWidth ?? 0) - left;
      expect(at).toBeGreaterThan(96);
      expect(at).toBeLessThan(700);
      expect(to("ff-hidden", 3001, left)).toBe(left);
    });
  });
});
