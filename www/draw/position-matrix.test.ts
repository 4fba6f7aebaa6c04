import { describe, expect, it } from "vitest";
import { layoutStrip, stripCellAt, columnOf, sampleColumns, wavePath } from "./position-matrix.js";

describe("the strip of positions", () => {
  it.each([
    [16, 192, 760, 2],
    [512, 768, 360, 3],
    [1, 6, 300, 1],
  ])(
    "%s × %s fits %s px at %s device pixels each, and finds its cells",
    (positions, dimensions, width, ratio) => {
      const layout = layoutStrip(positions, dimensions, width, ratio);
      const { plot, cell } = layout;
      expect(plot.x + plot.width).toBeLessThanOrEqual(width);
      expect(layout.height).toBeGreaterThan(plot.y + plot.height);
      const last = { position: positions - 1, dimension: dimensions - 1 };
      const middle = [
        plot.x + (last.dimension + 0.5) * cell.width,
        plot.y + (last.position + 0.5) * cell.height,
      ] as const;
      expect(stripCellAt(layout, ...middle)).toEqual(last);
      expect(stripCellAt(layout, plot.x + plot.width, plot.y)).toBeNull();
      expect(stripCellAt(layout, plot.x - 1, plot.y)).toBeNull();
    },
  );
});

describe("waves", () => {
  it("reads one column", () => {
    expect([...columnOf(Float32Array.of(1, 2, 3, 4, 5, 6), 3, 1)]).toEqual([2, 5]);
  });

  it("runs from edge to edge, with zero in the middle", () => {
    expect(wavePath(Float32Array.of(1, 0, -1), 100, 20)).toBe("M0.0 0.0L50.0 10.0L100.0 20.0");
  });

  it("draws a flat line for a column of zeros, and nothing for no positions", () => {
    expect(wavePath(Float32Array.of(0, 0), 100, 20)).toBe("M0.0 10.0L100.0 10.0");
    expect(wavePath(new Float32Array(0), 100, 20)).toBe("");
  });

  it("chooses different columns that exist", () => {
    expect(sampleColumns(192)).toEqual([0, 12, 24, 48, 96]);
    expect(sampleColumns(3)).toEqual([0, 1]);
    expect(sampleColumns(1)).toEqual([0]);
  });
});
