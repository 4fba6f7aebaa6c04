import { describe, expect, it } from "vitest";
import { toggleHead } from "./head-edits.js";
import { DEFAULT_STATE, NO_EDITS, type State } from "./index.js";
import { Store } from "./store.js";

/** A store whose clock a test sets forward. */
function timed(state: Partial<State> = {}): { store: Store; wait: (millis: number) => void } {
  let now = 0;
  return {
    store: new Store({ ...DEFAULT_STATE, ...state }, () => now),
    wait: (millis) => void (now += millis),
  };
}

/** Undoes everything; returns what each step undid, with these fields after the step. */
function undone(store: Store, ...fields: (keyof State)[]): unknown[][] {
  const all: unknown[][] = [];
  for (let kind = store.undoes; kind !== null; kind = store.undoes) {
    store.undo();
    all.push([kind, ...fields.map((field) => store.state[field])]);
  }
  return all;
}

const SIZES = { encoder: { layers: 3, heads: 8 }, cross: { layers: 3, heads: 8 } };
const EDITED = toggleHead(NO_EDITS, { stack: "cross", layer: 0, head: 0 }, SIZES);
const { text: TEXT, model: MODEL } = DEFAULT_STATE;

describe("the visible part of a picture", () => {
  const region = { query: 4, key: 4, rows: 10, columns: 10 };
  const moved = { ...region, query: 0 };

  it.each<[patch: Partial<State>, after: State["region"], before?: Partial<State>]>([
    [{ stack: "encoder" }, null],
    [{ model: "models/tiny-gpt" }, null],
    [{ specials: "hidden" }, null],
    [{ picture: "mask" }, null, { unit: "word" }],
    [{ stage: "raw" }, region],
    [{ head: 2 }, region],
    [{ text: "Another." }, region],
    [{ locked: null }, region],
    [{ stack: "encoder", region: moved }, moved],
  ])("after %j is %j", (patch, after, before = {}) => {
    const store = new Store({ ...DEFAULT_STATE, region, ...before });
    store.update(patch);
    expect(store.state.region).toEqual(after);
  });
});

describe("the store", () => {
  it("undoes and redoes the last step first, and names it", () => {
    const { store, wait } = timed();
    store.update({ edits: EDITED });
    wait(5000);
    store.update({ text: "typed later" });
    store.undo();
    expect([store.state.text, store.undoes, store.redoes]).toEqual([TEXT, "heads", "text"]);
    store.undo();
    expect([store.state.edits, store.undoes, store.redoes]).toEqual([NO_EDITS, null, "heads"]);
    store.redo();
    store.redo();
    expect(store.state).toMatchObject({ edits: EDITED, text: "typed later" });
    expect(store.redoes).toBeNull();
    store.undo();
    store.update({ edits: NO_EDITS });
    expect(store.redoes).toBeNull();
  });

  it("keeps the last hundred steps", () => {
    const { store } = timed();
    for (let head = 0; head < 120; head += 1)
      store.step({ edits: { ...NO_EDITS, heads: [{ heads: [head], gate: 0 }] } });
    expect(undone(store)).toHaveLength(100);
    expect(store.state.edits.heads).toEqual([{ heads: [19], gate: 0 }]);
  });

  it("joins typing from pause to pause, with the masked tokens that it moves", () => {
    const { store, wait } = timed({ masked: [2] });
    for (const text of ["T", "Th", "The"]) {
      store.update({ text, masked: [] });
      wait(300);
    }
    wait(2000);
    store.update({ text: "The dog" });
    expect(undone(store, "text", "masked")).toEqual([
      ["text", "The", []],
      ["text", TEXT, [2]],
    ]);
    store.redo();
    expect(store.state.text).toBe("The");
  });

  it("does not join typing with a redone step, a sample or another field", () => {
    const { store } = timed();
    store.update({ text: "one" });
    store.undo();
    store.redo();
    store.update({ text: "two" });
    store.step({ text: "a sample", layer: 2 });
    store.update({ text: "a sample!" });
    store.update({ target: "un" });
    store.update({ target: "une" });
    store.update({ target: null });
    expect(undone(store, "text", "target").map(([, ...fields]) => fields)).toEqual([
      ["a sample!", "une"],
      ["a sample!", null],
      ["a sample", null],
      ["two", null],
      ["one", null],
      [TEXT, null],
    ]);
  });

  it("undoes a step of the tour as one, and names the list of an edit", () => {
    const store = new Store();
    store.step({ tour: "row", model: "models/tiny-bert", text: "shown" });
    store.step({ tour: "match", layer: 2 });
    expect(undone(store, "tour", "text", "model")).toEqual([
      ["tour", "row", "shown", "models/tiny-bert"],
      ["tour", null, TEXT, MODEL],
    ]);
    store.update({ edits: { ...NO_EDITS, masks: [{ block: [[0, 0]] }] } });
    store.update({ edits: { ...store.state.edits, heads: EDITED.heads } });
    store.update({ edits: NO_EDITS });
    expect(undone(store).flat()).toEqual(["edits", "heads", "masks"]);
  });

  it("does not turn a GPU on or off with an undo or a redo", () => {
    const store = new Store({ ...DEFAULT_STATE, backend: "webgpu" });
    store.step({ ...DEFAULT_STATE, tour: "row", text: "shown", backend: "webgpu" });
    store.update({ backend: "cpu" });
    store.undo();
    expect(store.state).toMatchObject({ text: TEXT, backend: "cpu" });
    store.update({ backend: "webgpu" });
    store.redo();
    expect(store.state).toMatchObject({ text: "shown", backend: "webgpu" });
  });

  it("undoes moves of a slider as one step while the pointer is down, and else from pause to pause", () => {
    const { store, wait } = timed();
    const gate = (to: number, held: boolean): void =>
      store.slide({ edits: { ...NO_EDITS, heads: [{ gate: to }] } }, held);
    gate(0.9, false);
    wait(5000);
    gate(0.5, true);
    wait(5000);
    gate(0.4, false);
    wait(500);
    gate(0.3, false);
    expect(undone(store, "edits").map(([, edits]) => edits)).toEqual([
      { ...NO_EDITS, heads: [{ gate: 0.5 }] },
      NO_EDITS,
    ]);
  });

  it("undoes a move of a demo's slider as one step, on its experiment", () => {
    const { store } = timed({ experiment: "positions", demos: "places(open-yes)" });
    for (const demos of "abcd") store.set(demos, demos === "b" || demos === "c");
    store.undo();
    expect([store.state.demos, store.redoes]).toEqual(["c", "demos"]);
    // Another step lies between, and the experiments is closed.
    store.update({ edits: EDITED });
    store.set("e", true);
    store.update({ experiment: null, demos: null });
    expect([store.undoes, store.redoes]).toEqual(["demos", null]);
    expect(undone(store, "demos", "experiment", "edits")).toEqual([
      ["demos", "c", "positions", EDITED],
      ["heads", "c", "positions", NO_EDITS],
      ["demos", "places(open-yes)", "positions", NO_EDITS],
    ]);
  });

  it.each<Partial<State>>([
    { layer: 2, head: 1, picture: "mask", theme: "dark", locked: { query: 0, key: 0 } },
    { model: MODEL, edits: NO_EDITS },
  ])("has nothing to undo after %j", (patch) => {
    const store = new Store();
    store.update(patch);
    store.undo();
    expect([store.undoes, store.redoes]).toEqual([null, null]);
  });

  it("does not undo into the State before a followed link", () => {
    const store = new Store();
    store.update({ edits: EDITED });
    store.replace({ ...DEFAULT_STATE, text: "from a link" });
    store.undo();
    expect([store.state.text, store.undoes, store.redoes]).toEqual(["from a link", null, null]);
  });
});
