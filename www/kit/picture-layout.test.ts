// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { PAPER_INKS } from "../export/sheet.js";
import "../elements/steps/element.js";
import { HeadscopeStrip } from "../elements/steps/strip.js";
import { BOUNDS, LAYOUTS, pointsOn, sheetLayout } from "./picture-layout.js";

describe("a layout", () => {
  it("of the screen leaves a picture its own size", () => {
    expect(sheetLayout(LAYOUTS.own)).toMatchObject({ width: null, title: true, caption: true });
    expect(pointsOn(LAYOUTS.own, 600)).toBeNull();
  });

  it.each(["column", "page", "slide"] as const)(
    "of a %s has labels of the size that it says",
    (of) => {
      const layout = LAYOUTS[of];
      const { width, margin } = sheetLayout(layout);
      expect(pointsOn(layout, (width ?? NaN) + 2 * margin)).toBeCloseTo(
        layout.print?.points ?? NaN,
      );
      const { millimetres = NaN, points = NaN } = layout.print ?? {};
      expect(millimetres).toBeGreaterThan(BOUNDS.millimetres.least);
      expect(points).toBeGreaterThan(BOUNDS.points.least);
    },
  );

  it("puts the matrices of a block into rows of its width", () => {
    const strip = new HeadscopeStrip();
    const tensor = (columns: number) => ({
      data: new Float32Array(4 * columns),
      shape: [4, columns],
      axes: ["row", "column"],
    });
    strip.steps = (["input", "query", "key", "weights"] as const).map((step) => ({
      step,
      tensor: tensor(step === "weights" ? 4 : 192),
    }));
    const room = sheetLayout(LAYOUTS.column);
    const own = strip.print(PAPER_INKS);
    const rows = strip.print(PAPER_INKS, room);
    expect(own?.width).toBeGreaterThan(room.width ?? NaN);
    expect(rows?.width).toBeLessThanOrEqual(Math.ceil(room.width ?? NaN));
    expect(rows?.height).toBeGreaterThan(3 * (own?.height ?? NaN));
  });
});
