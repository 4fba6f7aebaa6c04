import { describe, expect, it } from "vitest";
import { layoutMatrix } from "./layout.js";
import { paintPlot, type PlotScene } from "./plot.js";
import { rowRuns } from "./runs.js";
import { testInks } from "./testing/inks.js";
import { recorder } from "./testing/recorder.js";

const layout = layoutMatrix({
  rows: 3,
  columns: 3,
  width: 600,
  ratio: 1,
  comfortableHeight: 440,
  queryLabel: 50,
  keyLabel: 50,
  legendText: null,
  marginalText: null,
});
const { plot, cell } = layout;
// Painters only hand the image on.
const image = { width: 3, height: 3 } as ImageBitmap;
const no = -Infinity;
const causal = Float32Array.from([0, no, no, 0, 0, no, 0, 0, 0]);
const scene = (changes: Partial<PlotScene> = {}): PlotScene => ({
  image,
  data: causal,
  blocked: [],
  fullyMasked: [],
  ...changes,
});

describe("rowRuns", () => {
  it("joins neighbours within a row and nothing else", () => {
    expect(rowRuns(layout, ({ query, key }) => key > query)).toEqual([
      { x: plot.x + cell, y: plot.y, width: 2 * cell, height: cell },
      { x: plot.x + 2 * cell, y: plot.y + cell, width: cell, height: cell },
    ]);
    expect(rowRuns(layout, () => true)).toHaveLength(3);
    expect(rowRuns(layout, () => false)).toEqual([]);
  });
});

describe("paintPlot", () => {
  it("draws the image over exactly the plot", () => {
    const { brush, done } = recorder();
    paintPlot(brush, layout, scene(), testInks);
    expect(done("drawImage").map(({ args }) => args)).toEqual([
      [image, plot.x, plot.y, plot.width, plot.height],
    ]);
  });

  it("hatches masked cells, and no others", () => {
    const { brush, done } = recorder();
    paintPlot(brush, layout, scene(), testInks);
    const areas = done("rect").map(({ args }) => args);
    expect(areas).toEqual([
      [plot.x + cell, plot.y, 2 * cell, cell],
      [plot.x + 2 * cell, plot.y + cell, cell, cell],
    ]);
  });

  it("hatches the whole of a row that may look at nothing, also where its weights are 0", () => {
    const { brush, done } = recorder();
    paintPlot(brush, layout, scene({ data: new Float32Array(9), fullyMasked: [1] }), testInks);
    expect(done("rect").map(({ args }) => args)).toEqual([[plot.x, plot.y + cell, 3 * cell, cell]]);
  });

  it("covers blocked cells, and leaves out those that do not fit the text", () => {
    const { brush, done } = recorder();
    const blocked = [
      { query: 2, key: 0 },
      { query: 2, key: 3 },
      { query: 9, key: 0 },
    ];
    paintPlot(brush, layout, scene({ blocked }), testInks);
    const covered = done("fillRect").filter(({ fill }) => fill === "paper");
    expect(covered.map(({ args }) => args)).toEqual([[plot.x, plot.y + 2 * cell, cell, cell]]);
  });
});
