import { describe, expect, it } from "vitest";
import { layoutMatrix, type MatrixLayout } from "./layout.js";
import {
  legendValues,
  massGiven,
  massReceived,
  paintBarsOf,
  paintGiven,
  paintLegend,
  paintMass,
} from "./legend.js";
import { divergingScale, sequentialScale } from "./colours.js";
import { testInks, recorder } from "./testing/recorder.js";

const data = Float32Array.from([0.5, 0.5, 0, 0.1, 0.2, 0.7]);

describe("the legend", () => {
  it("names the ends of the data shown, and zero between them", () => {
    expect(legendValues(sequentialScale(Float32Array.of(0.25, 0.5), "blue", "light"))).toEqual([
      0, 0.5,
    ]);
    expect(legendValues(divergingScale(Float32Array.of(-2, 6, -Infinity), "light"))).toEqual([
      -2, 0, 6,
    ]);
    expect(legendValues(divergingScale(Float32Array.of(1, 6), "light"))).toEqual([1, 6]);
    expect(legendValues(sequentialScale(Float32Array.of(0), "blue", "light"))).toEqual([0]);
  });

  it.each([true, false])("prints those values and what they are (upright: %s)", (upright) => {
    const { brush, done } = recorder();
    const place = { x: 10, y: 10, width: upright ? 10 : 200, height: upright ? 100 : 10, upright };
    paintLegend(brush, place, divergingScale(Float32Array.of(-2, 6), "light"), "scores", testInks);
    expect(done("fillText").map(({ args }) => args[0])).toEqual(["−2.000", "0", "6.000", "scores"]);
  });

  it("leaves out a zero that would run into the number of an end", () => {
    const { brush, done } = recorder();
    paintLegend(
      brush,
      { x: 10, y: 10, width: 100, height: 10, upright: false },
      divergingScale(Float32Array.of(-0.1, 6), "light"),
      "scores",
      testInks,
    );
    expect(done("fillText").map(({ args }) => args[0])).toEqual(["−0.100", "6.000", "scores"]);
  });

  it("shows only the part of the ramp that the data uses", () => {
    const { brush, done } = recorder();
    const scale = divergingScale(Float32Array.of(0, 6), "light");
    paintLegend(brush, { x: 0, y: 0, width: 10, height: 64, upright: true }, scale, "", testInks);
    const colours = done("fillRect").map(({ fill }) => String(fill));
    const warm = colours.filter((colour) => {
      const [red = 0, , blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
      return red > blue;
    });
    expect(warm).toEqual([]);
    expect(colours).toHaveLength(64);
  });
});

describe("mass received", () => {
  it("sums each key over all queries", () => {
    const mass = massReceived(data, 3);
    [0.6, 0.7, 0.7].forEach((sum, key) => expect(mass[key]).toBeCloseTo(sum, 6));
  });

  const layoutOf = (rows: number): MatrixLayout =>
    layoutMatrix({
      rows,
      columns: 3,
      width: 600,
      ratio: 1,
      comfortableHeight: 440,
      queryLabel: 50,
      keyLabel: 50,
      legendText: 40,
      marginalText: 80,
    });

  it("is drawn to scale", () => {
    const layout = layoutOf(2);
    const { brush, done } = recorder();
    paintMass(brush, layout, Float64Array.of(1, 0.5, 0), "mass received", testInks);
    const heights = done("fillRect").map(({ args }) => Number(args[3]));
    const full = layout.marginals?.height ?? 0;
    expect(heights).toEqual([full, full / 2, 1]);
    expect(done("fillText").map(({ args }) => args[0])).toEqual(["mass received"]);
  });

  it.each([1, 2, 3, 12])("keeps its words clear of the legend (%i rows)", (rows) => {
    const layout = layoutOf(rows);
    const { brush, done } = recorder();
    paintMass(brush, layout, Float64Array.of(1, 0.5, 0), "mass received", testInks);
    const [words] = done("fillText");
    const [x, y] = [Number(words?.args[1]), Number(words?.args[2])];
    const { legend } = layout;
    if (!legend) throw new Error("asked for one");
    // The title under the ramp is 14 px lower than it, and letters reach 6 px to either side of their middle.
    const ends = legend.y + legend.height + 14 + 6;
    expect(x + "mass received".length * 6 < legend.x || y - 6 >= ends).toBe(true);
    expect(y + 6).toBeLessThanOrEqual(layout.height);
  });
});

describe("mass given", () => {
  it("is told only where some row does not add up to 1", () => {
    expect(massGiven(data, 2)).toBeNull();
    expect(massGiven(Float32Array.from([0.5, 0.25, 0, 0, 0, 0]), 2)).toEqual(
      Float64Array.from([0.75, 0]),
    );
  });

  it("is drawn beside each row, the longest bar as long as there is room, an empty row without one", () => {
    const layout = layoutMatrix({
      rows: 2,
      columns: 3,
      width: 600,
      ratio: 1,
      comfortableHeight: 440,
      queryLabel: 50,
      keyLabel: 50,
      legendText: 40,
      marginalText: 80,
      rowMarginals: true,
    });
    const { brush, done } = recorder();
    paintGiven(brush, layout, Float64Array.of(1.5, 0), testInks);
    const bars = done("fillRect").map(({ args: [x, , width] }) => [x, width]);
    expect(bars).toEqual([
      [layout.rowMarginals?.x, layout.rowMarginals?.width],
      [layout.rowMarginals?.x, 0],
    ]);
  });
});

describe("the bars of a pair that is looked at", () => {
  const sums = { mass: Float64Array.of(1, 0.5, 0), given: Float64Array.of(1.5, 0.75) };

  const request = {
    rows: 2,
    columns: 3,
    width: 600,
    ratio: 1,
    comfortableHeight: 440,
    queryLabel: 50,
    keyLabel: 50,
    legendText: 40,
  };

  it("lie over those of its column and its row, in the accent colour", () => {
    const layout = layoutMatrix({ ...request, marginalText: 80, rowMarginals: true });
    const below = recorder();
    paintMass(below.brush, layout, sums.mass, "mass received", testInks);
    paintGiven(below.brush, layout, sums.given, testInks);
    const [, ofKey, , , ofQuery] = below.done("fillRect");
    const { brush, done } = recorder();
    paintBarsOf({ query: 1, key: 1 }, brush, layout, sums, testInks);
    expect(done("fillRect").map(({ args }) => args)).toEqual([ofKey?.args, ofQuery?.args]);
    expect(done("fillRect").map(({ fill }) => fill)).toEqual(["accent", "accent"]);
    expect([ofKey?.fill, ofQuery?.fill]).toEqual(["muted", "muted"]);
  });

  it("are not there where no sums are drawn", () => {
    const layout = layoutMatrix({ ...request, marginalText: null });
    const { brush, done } = recorder();
    paintBarsOf({ query: 1, key: 1 }, brush, layout, sums, testInks);
    paintBarsOf(
      { query: 1, key: 1 },
      brush,
      layoutMatrix({ ...request, marginalText: 80, rowMarginals: true }),
      { mass: null, given: null },
      testInks,
    );
    expect(done("fillRect")).toEqual([]);
  });
});
