import { describe, expect, it } from "vitest";
import { layoutMatrix } from "./layout.js";
import {
  paintLabels,
  paintMarks,
  type AxesMarks,
  type AxesScene,
  paintPlot,
  type PlotScene,
  rowRuns,
} from "./matrix.js";
import { testInks, recorder, type Recorder } from "./testing/recorder.js";

const scene = (changes: Partial<AxesScene> = {}): AxesScene => ({
  queries: ["le", "chat"],
  keys: ["the", "cat", "end"],
  queryRoom: 100,
  keyRoom: 100,
  corner: { query: "query", key: "key" },
  fullyMasked: [],
  ...changes,
});

function paint(given: AxesScene, marks: Partial<AxesMarks> = {}, width = 600): Recorder {
  const record = recorder();
  const layout = layoutMatrix({
    rows: given.queries.length,
    columns: given.keys.length,
    width,
    ratio: 1,
    comfortableHeight: 440,
    queryLabel: 50,
    keyLabel: 50,
    legendText: null,
    marginalText: null,
  });
  paintLabels(record.brush, layout, given, testInks);
  paintMarks(record.brush, layout, given, { focused: null, locked: null, ...marks }, testInks);
  return record;
}

const texts = (record: Recorder): unknown[] => record.done("fillText").map(({ args }) => args[0]);

describe("the axes", () => {
  it("labels every query and key, and says which axis is which", () => {
    const written = texts(paint(scene())).join(" ");
    for (const word of ["query", "key", "le", "chat", "the", "cat", "end"])
      expect(written).toContain(word);
  });

  it("sets the pair in focus in full ink and frames its cell", () => {
    const record = paint(scene(), { focused: { query: 1, key: 0 } });
    const strong = record.done("fillText").filter(({ fill }) => fill === "ink");
    expect(strong.map(({ args }) => args[0])).toEqual(["chat", "the"]);
    expect(record.done("strokeRect")).toHaveLength(1);
  });

  it("frames a locked cell beside the one in focus", () => {
    const record = paint(scene(), { focused: { query: 0, key: 0 }, locked: { query: 1, key: 2 } });
    expect(record.done("strokeRect")).toHaveLength(2);
  });

  it("strikes through a query that may look at nothing", () => {
    expect(paint(scene({ fullyMasked: [0] })).done("fillRect")).toHaveLength(1);
  });

  it("thins out the labels of long texts but keeps the ones in focus", () => {
    const many = Array.from({ length: 512 }, (_, index) => `w${index}`);
    const written = texts(
      paint(scene({ queries: many, keys: many }), { focused: { query: 333, key: 77 } }),
    );
    expect(written.length).toBeLessThan(120);
    expect(written).toContain("w333");
    expect(written).toContain("w77");
  });

  it("takes back a plain label before the same is written in full ink, and neighbours that have no room beside it", () => {
    const cleared = (marks: Partial<AxesMarks>, count: number): number => {
      const words = Array.from({ length: count }, (_, index) => `w${index}`);
      return paint(scene({ queries: words, keys: words }), marks).done("clearRect").length;
    };
    expect(cleared({ focused: null }, 512)).toBe(0);
    // Where each has its label: its own query and key.
    expect(cleared({ focused: { query: 1, key: 2 } }, 3)).toBe(2);
    // Between two labels that are there: both.
    const between = cleared({ focused: { query: 1, key: 1 } }, 512);
    expect(between).toBe(4);
  });
});

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
const plotScene = (changes: Partial<PlotScene> = {}): PlotScene => ({
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
    paintPlot(brush, layout, plotScene(), testInks);
    expect(done("drawImage").map(({ args }) => args)).toEqual([
      [image, plot.x, plot.y, plot.width, plot.height],
    ]);
  });

  it("hatches masked cells, and no others", () => {
    const { brush, done } = recorder();
    paintPlot(brush, layout, plotScene(), testInks);
    const areas = done("rect").map(({ args }) => args);
    expect(areas).toEqual([
      [plot.x + cell, plot.y, 2 * cell, cell],
      [plot.x + 2 * cell, plot.y + cell, cell, cell],
    ]);
  });

  it("hatches the whole of a row that may look at nothing, also where its weights are 0", () => {
    const { brush, done } = recorder();
    paintPlot(brush, layout, plotScene({ data: new Float32Array(9), fullyMasked: [1] }), testInks);
    expect(done("rect").map(({ args }) => args)).toEqual([[plot.x, plot.y + cell, 3 * cell, cell]]);
  });

  it("covers blocked cells, and leaves out those that do not fit the text", () => {
    const { brush, done } = recorder();
    const blocked = [
      { query: 2, key: 0 },
      { query: 2, key: 3 },
      { query: 9, key: 0 },
    ];
    paintPlot(brush, layout, plotScene({ blocked }), testInks);
    const covered = done("fillRect").filter(({ fill }) => fill === "paper");
    expect(covered.map(({ args }) => args)).toEqual([[plot.x, plot.y + 2 * cell, cell, cell]]);
  });
});
