import { describe, expect, it } from "vitest";
import { toggleHead } from "./edits.js";
import { DEFAULT_STATE, NO_EDITS } from "./state.js";
import { Store } from "./store.js";

const EDITED = toggleHead(NO_EDITS, { stack: "cross", layer: 0, head: 0 });

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

  it("undoes and redoes edits and leaves the text alone", () => {
    const store = new Store();
    store.update({ edits: EDITED });
    store.update({ text: "typed later" });
    store.undo();
    expect([store.state.edits, store.state.text, store.canUndo, store.canRedo]).toEqual([NO_EDITS, "typed later", false, true]);
    store.redo();
    expect(store.state.edits).toEqual(EDITED);
  });

  it("takes back a switch of the model with all that came with it, and not what was typed before", () => {
    const store = new Store();
    store.update({ text: "typed" });
    store.update({ model: "models/tiny-gpt", text: "a sample", layer: 0 });
    store.update({ theme: "dark" });
    store.undo();
    const { model, text, layer, theme } = store.state;
    expect([model, text, layer, theme]).toEqual([DEFAULT_STATE.model, "typed", DEFAULT_STATE.layer, "dark"]);
    store.redo();
    expect([store.state.model, store.state.text, store.state.layer]).toEqual(["models/tiny-gpt", "a sample", 0]);
  });

  it("remembers hidden tokens, and any change that is asked for as one step", () => {
    const store = new Store();
    store.update({ hidden: [3] });
    store.step({ text: "a sample", layer: 2, hidden: [] });
    store.undo();
    expect([store.state.text, store.state.layer, store.state.hidden]).toEqual([DEFAULT_STATE.text, DEFAULT_STATE.layer, [3]]);
    store.undo();
    expect([store.state.hidden, store.canUndo]).toEqual([[], false]);
  });

  it("does not count what only follows the text", () => {
    const store = new Store();
    store.adjust({ text: "typed", hidden: [4] });
    expect([store.state.hidden, store.canUndo]).toEqual([[4], false]);
  });

  it("does not count what changes nothing", () => {
    const store = new Store();
    store.update({ model: DEFAULT_STATE.model, edits: NO_EDITS });
    expect(store.canUndo).toBe(false);
  });

  it("forgets what was undone once something new is edited", () => {
    const store = new Store();
    store.update({ edits: EDITED });
    store.undo();
    store.update({ edits: toggleHead(NO_EDITS, { stack: "encoder", layer: 0, head: 0 }) });
    expect(store.canRedo).toBe(false);
  });

  it("does not undo into the State before a followed link", () => {
    const store = new Store();
    store.update({ edits: EDITED });
    store.replace({ ...DEFAULT_STATE, text: "from a link" });
    store.undo();
    expect([store.state.text, store.canUndo, store.canRedo]).toEqual(["from a link", false, false]);
  });

  it("has nothing to undo before the first edit", () => {
    const store = new Store();
    store.undo();
    store.redo();
    expect(store.state.edits).toBe(NO_EDITS);
  });
});
