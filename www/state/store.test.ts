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
