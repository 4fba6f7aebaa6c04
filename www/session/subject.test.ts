// What of the page can be saved: the head that was read, under the texts that it was read of.
import { describe, expect, it } from "vitest";
import { DEFAULT_STATE, type State } from "../state/index.js";
import type { Computation } from "./run/computation.js";
import { partShown, portionOfRun, provenanceOf, runLines, viewOf } from "./origin.js";
import { type ComparedSubject, type ExportSubject, subjectOf } from "./subject.js";

const RUN = { tokens: [{}, {}], targetTokens: [], targetText: "written" };
const FIGURES = { run: RUN, head: { stack: "encoder", layer: 0, head: 1 }, queries: [{}, {}] };
const SHOWN = {
  figures: FIGURES,
  displayed: {},
  chips: [{ label: "ablated" }, { label: "elsewhere", inactive: true }],
  shownImage: { isOwn: false },
  home: "https://example.org/",
};
const COMPUTED = {
  model: { info: { architecture: "encoder" }, notes: null },
  run: RUN,
  applied: null,
  busy: false,
  failure: null,
  stopped: false,
};
const subject = (state: Partial<State> = {}, shown: object = {}, computed: object = {}) =>
  subjectOf(
    { ...DEFAULT_STATE, text: "typed", ...state },
    { ...SHOWN, ...shown } as never,
    { ...COMPUTED, ...computed } as unknown as Computation,
  );

describe("the subject of an export", () => {
  it.each<[string, object, object]>([
    ["before a model", {}, { model: null }],
    ["before a run", {}, { run: null }],
    ["while a run is computed", {}, { busy: true }],
    ["after a stop", {}, { stopped: true }],
    ["after a failure", {}, { failure: new Error("no") }],
    ["before the pattern is there", { displayed: null }, {}],
    ["before the head is read", { figures: null }, {}],
    ["while the head is that of another run", { figures: { ...FIGURES, run: {} } }, {}],
    ["while a run has grown beyond the head", { figures: { ...FIGURES, queries: [{}] } }, {}],
  ])("is absent %s", (_, shown, computed) => {
    expect(subject({}, shown, computed)).toBeNull();
    expect(subject()).toMatchObject({ editWords: ["ablated"], state: { text: "typed" } });
  });

  it("has a target in a model that translates, one's own before the written one", () => {
    const info = { architecture: "encoder-decoder" };
    const target = (state: Partial<State>, of: object = info): unknown =>
      subject(state, {}, { model: { info: of, notes: null } })?.target;
    expect(target({})).toBe("written");
    expect(target({ target: "own" })).toBe("own");
    expect(target({ target: "own" }, { architecture: "decoder" })).toBeNull();
  });

  it("of an image has no text, and says whether the image is one's own", () => {
    const info = { architecture: "encoder", image: {} };
    const of = (isOwn: boolean): ExportSubject | null =>
      subject({}, { shownImage: { isOwn } }, { model: { info, notes: null } });
    expect(of(true)?.state.text).toBe("");
    const lines = [true, false].map((isOwn) => runLines(of(isOwn) ?? expect.fail())[1]);
    expect(new Set(lines).size).toBe(2);
    expect(lines[1]).toBe("Sample image");
  });

  it("is said by its model, its text, the target and who wrote it, and the edits", () => {
    const translated = { model: { info: { architecture: "encoder-decoder" }, notes: null } };
    const said = (state: Partial<State>, computed: object, shown: object = {}): string[] =>
      runLines(subject(state, shown, computed) ?? expect.fail());
    const unedited = { chips: [] };
    expect(said({}, {}, unedited)).toEqual(["Model: English → French", "Text: typed"]);
    expect(said({}, translated)[2]).toBe("Model output: written");
    expect(said({ target: "own" }, translated)[2]).toBe("Translation: own");
    const chips = [{ label: "one" }, { label: "two" }];
    expect(said({}, {}, { chips }).at(-1)).toBe("Edits: one; two");
  });

  it("has its run as its origin, with the masked tokens, and of two runs whose numbers they are", () => {
    const tokens = [{}, { maskedText: "cat" }];
    const run = { ...RUN, tokens };
    const masked = subject({}, { figures: { ...FIGURES, run } }, { run }) ?? expect.fail();
    expect(provenanceOf(masked, { quantity: "weights" })).toMatchObject({
      quantity: "weights",
      model: "en-fr",
      text: "typed",
      masked: [1],
      layer: null,
      compared: null,
      aligned: null,
    });
    const reading = { text: "other" };
    const compared = { reading } as ComparedSubject;
    const of = (which: "first" | "second"): object => portionOfRun(which, masked, compared, "raw");
    expect(of("first")).toEqual({ quantity: "raw", ...FIGURES.head });
    expect(of("second")).toMatchObject({
      quantity: "raw",
      text: "other",
      compared: { text: "typed", layer: 0, head: 1 },
    });
    const both = { ...masked, compared, state: { ...masked.state, aligned: "positions" } } as const;
    const origin = provenanceOf(both, { quantity: "difference" });
    expect([origin.compared, origin.aligned]).toEqual([reading, "positions"]);
  });
});

it("a part of a picture is named where the picture can be enlarged, or two runs stand side by side", () => {
  const region = { query: 0, key: 0, rows: 8, columns: 8 };
  const whole = { rows: 20, columns: 20 };
  const part = (picture: State["picture"], compared: object | null = null): unknown =>
    partShown({ state: { ...DEFAULT_STATE, picture, region }, compared } as ExportSubject, whole);
  expect(part("heatmap")).toEqual({ region, whole });
  expect(part("lines")).toBeNull();
  expect(part("lines", {})).toEqual({ region, whole });
});

it("a view names what differs from the run's own numbers, and is null where nothing does", () => {
  const keys = [{ text: "the" }, { text: "cat" }];
  const figures = { queries: keys, keys };
  const lens = { byWord: false, ordinaryOnly: false };
  const plain = { lens, without: null, queries: keys, keys, figures };
  expect(viewOf(plain as never)).toBeNull();
  const view = (more: object): unknown => viewOf({ ...plain, ...more } as never);
  expect(view({ without: 1 })).toEqual({
    unit: "token",
    specialTokens: "shown",
    renormalisedWithout: { index: 1, token: "cat" },
  });
  expect(view({ lens: { byWord: true, ordinaryOnly: true }, keys: keys.slice(1) })).toMatchObject({
    unit: "word",
    specialTokens: "hidden",
    renormalisedWithout: null,
  });
});
