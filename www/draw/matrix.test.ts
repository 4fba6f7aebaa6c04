import { describe, expect, it } from "vitest";
import { layoutMatrix, type MatrixLayout } from "./layout.js";
import { paintLabels, paintMarks, paintPlot, type AxesMarks, type PlotScene } from "./matrix.js";
import { recorder, type Recorder } from "./testing/recorder.js";

const layoutOf = (side: number): MatrixLayout =>
  layoutMatrix({
    rows: side,
    columns: side,
    width: 600,
    ratio: 1,
    comfortableHeight: 440,
    queryLabel: 50,
    keyLabel: 50,
    legendText: null,
    marginalText: null,
  });

describe("the axes of a matrix", () => {
  function paint(count: number, marks: Partial<AxesMarks>, fullyMasked: number[] = []): Recorder {
    const record = recorder();
    const named = (name: string): string[] =>
      Array.from({ length: count }, (_, at) => `${name}${at}`);
    const scene = {
      queries: named("q"),
      keys: named("k"),
      queryRoom: 100,
      keyRoom: 100,
      corner: { query: "query", key: "key" },
      fullyMasked,
    };
    paintLabels(record.pen, layoutOf(count), scene);
    paintMarks(record.pen, layoutOf(count), scene, { focused: null, locked: null, ...marks });
    return record;
  }
  const counted = (record: Recorder, ...calls: string[]): number[] =>
    calls.map((call) => record.done(call).length);

  it("set the pair in focus in full ink, and frame it and the one that is held", () => {
    const record = paint(3, { focused: { query: 1, key: 0 }, locked: { query: 2, key: 2 } });
    const strong = record.done("fillText").filter(({ fill }) => fill === "ink");
    expect(strong.map(({ args }) => args[0])).toEqual(["q1", "k0"]);
    expect(counted(record, "strokeRect", "fillRect")).toEqual([2, 0]);
  });

  it("strike through a query that may look at nothing", () => {
    expect(counted(paint(2, {}, [0]), "fillRect")).toEqual([1]);
  });

  it("thin out the labels of long texts but keep the ones in focus", () => {
    const record = paint(512, { focused: { query: 333, key: 77 } });
    const written = record.done("fillText").map(({ args }) => args[0]);
    expect(written.length).toBeLessThan(120);
    expect(written).toEqual(expect.arrayContaining(["q333", "k77"]));
  });

  it.each([
    ["nothing without a focus", 512, null, 0],
    ["its own query and key where each has its label", 3, { query: 1, key: 2 }, 2],
    ["both neighbours between two labels", 512, { query: 1, key: 1 }, 4],
  ])("take back %s", (_, count, focused, cleared) => {
    expect(counted(paint(count, { focused }), "clearRect")).toEqual([cleared]);
  });
});

describe("the plot of a matrix", () => {
  const layout = layoutOf(3);
  const { plot, cell } = layout;
  // Painters only hand the image on.
  const image = { width: 3, height: 3 } as ImageBitmap;
  const no = -Infinity;
  const paint = (changes: Partial<PlotScene>): Recorder => {
    const record = recorder();
    const data = Float32Array.from([0, no, no, 0, 0, no, 0, 0, 0]);
    paintPlot(record.pen, layout, { image, data, blocked: [], fullyMasked: [], ...changes });
    return record;
  };

  it("covers blocked cells, and leaves out those that do not fit the text", () => {
    const blocked = [
      { query: 2, key: 0 },
      { query: 2, key: 3 },
      { query: 9, key: 0 },
    ];
    const covered = paint({ blocked })
      .done("fillRect")
      .filter(({ fill }) => fill === "paper");
    expect(covered.map(({ args }) => args)).toEqual([[plot.x, plot.y + 2 * cell, cell, cell]]);
  });
});
