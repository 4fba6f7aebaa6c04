import { describe, expect, it } from "vitest";
import { paintLabels, paintMarks, type AxesMarks, type AxesScene } from "./axes.js";
import { layoutMatrix } from "./layout.js";
import { testInks } from "./testing/inks.js";
import { recorder, type Recorder } from "./testing/recorder.js";

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
