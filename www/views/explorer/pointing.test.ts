// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { FAKE_WRITER, FakeModel, failed } from "../../../tests/support/fake-model.js";
import { DEFAULT_STATE, type State, Store } from "../../state/index.js";
import { Computation } from "../run/computation.js";
import { FigureDesk } from "../run/figures.js";
import { Shelf } from "../run/model-pool.js";
import { Pointing, shortcutOf } from "./pointing.js";
import { NO_HOVER, sceneOf } from "./scene.js";

const STATE: State = {
  ...DEFAULT_STATE,
  model: "models/tiny-gpt",
  text: "one two three",
  stack: "decoder",
  layer: 0,
  head: 1,
};
/** What a causal mask closes. */
const AHEAD = { query: 0, key: 2 };

interface Pointed {
  model: FakeModel;
  store: Store;
  computation: Computation;
  desk: FigureDesk;
  pointing: Pointing;
  click: () => void;
}

async function pointed(): Promise<Pointed> {
  const model = new FakeModel(FAKE_WRITER);
  const store = new Store();
  store.update(STATE);
  const computation = new Computation(new Shelf(() => Promise.resolve(model)));
  await computation.use(STATE.model, STATE);
  const desk = new FigureDesk(() => undefined);
  const { run, revision, sourceRevision } = computation;
  const head = sceneOf(STATE, computation, null, NO_HOVER).chosen;
  if (run && head) desk.wantHead({ run, revision, sourceRevision }, head, "heatmap");
  await vi.waitUntil(() => desk.head.value !== null);
  const scene = sceneOf(STATE, computation, desk.head.value, NO_HOVER);
  const pointing = new Pointing(store, computation, {
    scene: () => scene,
    ofTokens: () => false,
    changed: () => undefined,
  });
  return {
    model,
    store,
    computation,
    desk,
    pointing,
    click: () => pointing.toggleCell(new CustomEvent("headscope-cell-toggle", { detail: AHEAD })),
  };
}

describe("a click on a cell that the model itself masks", () => {
  it("opens it, also while something else of the run is still being read", async () => {
    const { store, desk, click } = await pointed();
    desk.spectrum.want("never", () => new Promise(() => undefined));
    expect(desk.loading).toBe(true);
    click();
    expect(store.state.edits.masks).toMatchObject([
      { stack: "decoder", layers: [0], heads: [1], allow: [[0, 2]] },
    ]);
  });

  it("does not go by the mask of a run under other edits, whether the next one is coming, was stopped or failed", async () => {
    const { model, store, computation, click } = await pointed();
    const blocks = (): void => {
      click();
      expect(store.state.edits.masks).toMatchObject([{ block: [[0, 2]] }]);
      store.update({ edits: STATE.edits });
    };
    const next = computation.compute({ ...STATE, text: "one two three four" });
    expect(computation.busy).toBe(true);
    blocks();
    computation.stop();
    blocks();
    await next;
    model.failing = failed("input/malformed", { message: "no" });
    await computation.compute(STATE);
    expect(computation.failure).not.toBeNull();
    blocks();
  });
});

/** Presses a key on an element and gives back what the page made of it. */
function press(
  key: string,
  options: KeyboardEventInit = {},
  on: Element = document.createElement("button"),
): string | undefined {
  document.body.append(on);
  let shortcut: string | undefined;
  const listen = (event: KeyboardEvent): void => {
    shortcut = shortcutOf(event);
  };
  document.addEventListener("keydown", listen);
  on.dispatchEvent(
    new KeyboardEvent("keydown", {
      key,
      bubbles: true,
      composed: true,
      cancelable: true,
      ...options,
    }),
  );
  document.removeEventListener("keydown", listen);
  return shortcut;
}

describe("keys", () => {
  it("ask for what the list of keys says", () => {
    expect(["[", "]", ",", ".", "Escape", "s", "?", "a"].map((key) => press(key))).toEqual([
      "layer-before",
      "layer-after",
      "head-before",
      "head-after",
      "release",
      "silence",
      "show-keys",
      undefined,
    ]);
  });

  it("undo and redo as the system has them", () => {
    expect(press("z", { ctrlKey: true })).toBe("undo");
    expect(press("z", { metaKey: true })).toBe("undo");
    expect(press("Z", { metaKey: true, shiftKey: true })).toBe("redo");
    expect(press("y", { ctrlKey: true })).toBe("redo");
    expect(press("[", { ctrlKey: true })).toBeUndefined();
    expect(press("[", { altKey: true })).toBeUndefined();
  });

  it("are left to fields and dialogs", () => {
    expect(press("z", { ctrlKey: true }, document.createElement("textarea"))).toBeUndefined();
    const search = Object.assign(document.createElement("input"), { type: "search" });
    expect([press("z", { ctrlKey: true }, search), press("s", {}, search)]).toEqual([
      undefined,
      undefined,
    ]);
    const radio = Object.assign(document.createElement("input"), { type: "radio" });
    expect(press("z", { ctrlKey: true }, radio)).toBe("undo");
    expect(press("[", {}, document.createElement("select"))).toBeUndefined();
    const dialog = document.createElement("dialog");
    const close = dialog.appendChild(document.createElement("button"));
    document.body.append(dialog);
    let shortcut: unknown = "not asked";
    document.addEventListener("keydown", (event) => (shortcut = shortcutOf(event)), { once: true });
    close.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true }),
    );
    expect(shortcut).toBeUndefined();
  });
});
