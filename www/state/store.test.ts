import { describe, expect, it } from "vitest";
import { toggleHead } from "./head-edits.js";
import { DEFAULT_STATE, NO_EDITS, type State } from "./index.js";
import { Store } from "./store.js";

/** A store whose clock a test winds on. */
function timed(state: Partial<State> = {}): { store: Store; wait: (millis: number) => void } {
  let now = 0;
  return {
    store: new Store({ ...DEFAULT_STATE, ...state }, () => now),
    wait: (millis) => void (now += millis),
  };
}

const SIZES = { encoder: { layers: 3, heads: 8 }, cross: { layers: 3, heads: 8 } };
const EDITED = toggleHead(NO_EDITS, { stack: "cross", layer: 0, head: 0 }, SIZES);

describe("the part of a picture that is shown", () => {
  const region = { query: 4, key: 4, rows: 10, columns: 10 };
  const store = (more: Partial<State> = {}): Store =>
    new Store({ ...DEFAULT_STATE, region, ...more });
  const after = (patch: Partial<State>, more: Partial<State> = {}): State["region"] => {
    const changed = store(more);
    changed.update(patch);
    return changed.state.region;
  };

  it("does not outlive the rows and columns that it counts", () => {
    for (const patch of [
      { stack: "encoder" },
      { model: "models/tiny-gpt" },
      { unit: "word" },
      { specials: "hidden" },
      { compare: "original" },
    ] as const)
      expect(after(patch)).toBeNull();
    expect(after({ stage: "raw" }, { unit: "word" })).toBeNull();
    expect(after({ picture: "mask" }, { unit: "word" })).toBeNull();
  });

  it("stays with everything else, and is whatever it is set to", () => {
    for (const patch of [
      { stage: "raw" },
      { picture: "mask" },
      { head: 2 },
      { text: "Another." },
      { locked: null },
    ] as const)
      expect(after(patch)).toBe(region);
    expect(after({ stack: "encoder", region: { ...region, query: 0 } })).toEqual({
      ...region,
      query: 0,
    });
  });
});

describe("the store", () => {
  it("tells listeners what was and what is", () => {
    const store = new Store();
    const heard: [string, string][] = [];
    const stop = store.listen((now, before) => heard.push([before.text, now.text]));
    store.update({ text: "one" });
    stop();
    store.update({ text: "two" });
    expect(heard).toEqual([[DEFAULT_STATE.text, "one"]]);
  });

  it("undoes and redoes what was done, the last first, and says what", () => {
    const { store, wait } = timed();
    store.update({ edits: EDITED });
    wait(5000);
    store.update({ text: "typed later" });
    expect([store.undoes, store.redoes]).toEqual(["text", null]);
    store.undo();
    expect([store.state.edits, store.state.text, store.undoes, store.redoes]).toEqual([
      EDITED,
      DEFAULT_STATE.text,
      "heads",
      "text",
    ]);
    store.undo();
    expect([store.state.edits, store.undoes, store.redoes]).toEqual([NO_EDITS, null, "heads"]);
    store.redo();
    store.redo();
    expect([store.state.edits, store.state.text, store.redoes]).toEqual([
      EDITED,
      "typed later",
      null,
    ]);
  });

  it("takes typing from pause to pause for one step, with the hidden tokens that moved along", () => {
    const { store, wait } = timed({ hidden: [2] });
    for (const text of ["T", "Th", "The"]) {
      store.update({ text, hidden: [] });
      wait(300);
    }
    wait(2000);
    store.update({ text: "The dog" });
    store.undo();
    expect([store.state.text, store.state.hidden]).toEqual(["The", []]);
    store.undo();
    expect([store.state.text, store.state.hidden, store.undoes]).toEqual([
      DEFAULT_STATE.text,
      [2],
      null,
    ]);
    store.redo();
    expect(store.state.text).toBe("The");
  });

  it("does not run typing together with what was undone, a sample, or another field", () => {
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
    const seen: [string, string | null][] = [];
    while (store.undoes !== null) {
      store.undo();
      seen.push([store.state.text, store.state.target]);
    }
    expect(seen).toEqual([
      ["a sample!", "une"],
      ["a sample!", null],
      ["a sample", null],
      ["two", null],
      ["one", null],
      [DEFAULT_STATE.text, null],
    ]);
  });

  it("takes a step of the tour for one step, whatever it shows, and leaving for another", () => {
    const store = new Store();
    store.step({ tour: "row", model: "models/tiny-bert", text: "shown" });
    store.step({ tour: "match", layer: 2 });
    store.step({ tour: null });
    const undone: unknown[] = [];
    for (let kind = store.undoes; kind !== null; kind = store.undoes) {
      store.undo();
      undone.push([kind, store.state.tour, store.state.text]);
    }
    expect(undone).toEqual([
      ["tour", "match", "shown"],
      ["tour", "row", "shown"],
      ["tour", null, DEFAULT_STATE.text],
    ]);
  });

  it("names the edits that were made", () => {
    const store = new Store();
    store.update({ edits: { ...NO_EDITS, masks: [{ block: [[0, 0]] }] } });
    expect(store.undoes).toBe("masks");
    store.update({ edits: { ...store.state.edits, heads: EDITED.heads } });
    expect(store.undoes).toBe("heads");
    store.update({ edits: NO_EDITS });
    expect(store.undoes).toBe("edits");
  });

  it("does not turn a GPU on or off again with what is undone", () => {
    const store = new Store({ ...DEFAULT_STATE, backend: "webgpu" });
    store.step({ ...DEFAULT_STATE, tour: "row", text: "shown", backend: "webgpu" });
    store.update({ backend: "cpu" });
    store.undo();
    expect([store.state.text, store.state.backend]).toEqual([DEFAULT_STATE.text, "cpu"]);
    store.update({ backend: "webgpu" });
    store.redo();
    expect([store.state.text, store.state.backend]).toEqual(["shown", "webgpu"]);
  });

  it("takes back a move of a laboratory's slider as one step, on the bench where it was made", () => {
    const { store } = timed({ bench: "positions", labs: "places(open-yes)" });
    for (const [labs, goesOn] of [
      ["a", false],
      ["b", true],
      ["c", true],
      ["d", false],
    ] as const)
      store.set(labs, goesOn);
    expect(store.undoes).toBe("labs");
    store.undo();
    expect(store.state.labs).toBe("c");
    // Somebody else's step lies between, and so does a bench that was closed.
    store.update({ edits: EDITED });
    store.set("e", true);
    store.update({ bench: null, labs: null });
    expect([store.undoes, store.redoes]).toEqual(["labs", null]);
    store.undo();
    expect([store.state.labs, store.state.bench, store.state.edits]).toEqual([
      "c",
      "positions",
      EDITED,
    ]);
    store.undo();
    store.undo();
    expect([store.state.labs, store.state.edits, store.undoes]).toEqual([
      "places(open-yes)",
      NO_EDITS,
      null,
    ]);
    store.redo();
    expect(store.state.labs).toBe("c");
    store.set("f", true);
    expect([store.redoes, store.state.labs]).toEqual([null, "f"]);
  });

  it("does not count where one looks", () => {
    const store = new Store();
    store.update({
      layer: 2,
      head: 1,
      picture: "mask",
      theme: "dark",
      locked: { query: 0, key: 0 },
    });
    expect(store.undoes).toBeNull();
  });

  it("takes back a switch of the model with all that came with it, and not what was typed before", () => {
    const store = new Store();
    store.update({ text: "typed" });
    store.update({ model: "models/tiny-gpt", text: "a sample", layer: 0 });
    store.update({ theme: "dark" });
    store.undo();
    const { model, text, layer, theme } = store.state;
    expect([model, text, layer, theme]).toEqual([
      DEFAULT_STATE.model,
      "typed",
      DEFAULT_STATE.layer,
      "dark",
    ]);
    store.redo();
    expect([store.state.model, store.state.text, store.state.layer]).toEqual([
      "models/tiny-gpt",
      "a sample",
      0,
    ]);
  });

  it("remembers hidden tokens, and any change that is asked for as one step", () => {
    const store = new Store();
    store.update({ hidden: [3] });
    store.step({ text: "a sample", layer: 2, hidden: [] });
    store.undo();
    expect([store.state.text, store.state.layer, store.state.hidden]).toEqual([
      DEFAULT_STATE.text,
      DEFAULT_STATE.layer,
      [3],
    ]);
    store.undo();
    expect([store.state.hidden, store.undoes]).toEqual([[], null]);
  });

  it("does not count what changes nothing", () => {
    const store = new Store();
    store.update({ model: DEFAULT_STATE.model, edits: NO_EDITS });
    expect(store.undoes).toBeNull();
  });

  it("forgets what was undone once something new is edited", () => {
    const store = new Store();
    store.update({ edits: EDITED });
    store.undo();
    store.update({ edits: toggleHead(NO_EDITS, { stack: "encoder", layer: 0, head: 0 }, SIZES) });
    expect(store.redoes).toBeNull();
  });

  it("does not undo into the State before a followed link", () => {
    const store = new Store();
    store.update({ edits: EDITED });
    store.replace({ ...DEFAULT_STATE, text: "from a link" });
    store.undo();
    expect([store.state.text, store.undoes, store.redoes]).toEqual(["from a link", null, null]);
  });

  it("has nothing to undo before the first edit", () => {
    const store = new Store();
    store.undo();
    store.redo();
    expect(store.state.edits).toBe(NO_EDITS);
  });
});
