import { describe, expect, it } from "vitest";
import { paintAxes, type AxesScene } from "./axes.js";
import { layoutMatrix } from "./layout.js";
import { testInks } from "./testing/inks.js";
import { recorder, type Recorder } from "./testing/recorder.js";

const scene = (changes: Partial<AxesScene> = {}): AxesScene => ({
  queries: ["le", "chat"],
  keys: ["the", "cat", "end"],
  queryRoom: 100,
  keyRoom: 100,
  corner: { query: "query", key: "key" },
  focused: null,
  locked: null,
  fullyMasked: [],
  ...changes,
});

function paint(given: AxesScene, width = 600): Recorder {
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
  paintAxes(record.brush, layout, given, testInks);
  return record;
}

const texts = (record: Recorder): unknown[] => record.done("fillText").map(({ args }) => args[0]);

describe("paintAxes", () => {
  it("labels every query and key, and says which axis is which", () => {
    const written = texts(paint(scene())).join(" ");
    for (const word of ["query", "key", "le", "chat", "the", "cat", "end"]) expect(written).toContain(word);
  });

  it("sets the pair in focus in full ink and frames its cell", () => {
    const record = paint(scene({ focused: { query: 1, key: 0 } }));
    const strong = record.done("fillText").filter(({ fill }) => fill === "ink");
    expect(strong.map(({ args }) => args[0])).toEqual(["chat", "the"]);
    expect(record.done("strokeRect")).toHaveLength(1);
  });

  it("frames a locked cell beside the one in focus", () => {
    const record = paint(scene({ focused: { query: 0, key: 0 }, locked: { query: 1, key: 2 } }));
    expect(record.done("strokeRect")).toHaveLength(2);
  });

  it("strikes through a query that may look at nothing", () => {
    expect(paint(scene({ fullyMasked: [0] })).done("fillRect")).toHaveLength(1);
  });

  it("thins out the labels of long texts but keeps the ones in focus", () => {
    const many = Array.from({ length: 512 }, (_, index) => `w${index}`);
    const written = texts(paint(scene({ queries: many, keys: many, focused: { query: 333, key: 77 } })));
    expect(written.length).toBeLessThan(120);
    expect(written).toContain("w333");
    expect(written).toContain("w77");
  });
});
