// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { FAKE_WRITER, FakeModel, failed } from "../../../tests/support/fake-model.js";
import { wishOf } from "../../../tests/support/gpu-run.js";
import type { Tensor } from "../../data/index.js";
import { cellOfToken } from "../../draw/strongest.js";
import { DEFAULT_STATE, type State, Store } from "../../state/index.js";
import { Computation } from "../run/computation.js";
import { FigureDesk, type HeadFigures, readHead } from "../run/figures.js";
import { lookedAt } from "../run/looked.js";
import { Shelf } from "../run/model-pool.js";
import type { RowByRow } from "../run/row-by-row.js";
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

async function pointed(
  painted: (figures: HeadFigures) => HeadFigures = (figures) => figures,
): Promise<Pointed> {
  const model = new FakeModel(FAKE_WRITER);
  const store = new Store();
  store.update(STATE);
  const computation = new Computation(new Shelf(() => Promise.resolve(model)));
  await computation.use(STATE.model, STATE);
  const desk = new FigureDesk(() => undefined);
  const { run, revision, sourceRevision } = computation;
  const head = sceneOf(STATE, computation, null, NO_HOVER).chosen;
  const by = {
    readPaintedHead: async (): Promise<HeadFigures | null> =>
      run && head && painted(await readHead(run, head, { beside: [], vectors: false })),
  };
  if (run && head)
    desk.wantHead({ run, revision, sourceRevision }, head, "heatmap", [], false, {
      by,
      ...wishOf("weights"),
    });
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

describe("a cell of words that a GPU paints", () => {
  it("is held by the pair that speaks for it, once that is known", async () => {
    let settle: (isKnown: boolean) => void = () => undefined;
    let settled = new Promise<boolean>((resolve) => (settle = resolve));
    let pair = { query: 1, key: 0 };
    const byRow: Pick<RowByRow, "look" | "pairAt" | "settleAt" | "strongest"> = {
      look: (shown, lens) => ({
        ...lookedAt({ ...shown, painted: undefined } as unknown as HeadFigures, lens),
        figures: shown,
      }),
      pairAt: (place) => place && pair,
      settleAt: ({ query }) => (query === 1 ? settled : null),
      strongest: null,
    };
    const { pointing, store } = await pointed((figures) => ({
      ...figures,
      painted: byRow as RowByRow,
    }));
    const lock = (query: number): void =>
      pointing.lockCell(new CustomEvent("headscope-cell-lock", { detail: { query, key: 0 } }));
    lock(1);
    expect(store.state.locked).toBeNull();
    pair = { query: 2, key: 1 };
    settle(true);
    await settled;
    await Promise.resolve();
    expect(store.state.locked).toEqual({ query: 2, key: 1 });
    pair = { query: 0, key: 0 };
    lock(0);
    expect(store.state.locked).toEqual({ query: 0, key: 0 });
    // Not what was let go meanwhile, nor what could not be read.
    const other = { query: 1, key: 1 };
    for (const [later, isKnown, held] of [
      [
        () => pointing.lockCell(new CustomEvent("headscope-cell-lock", { detail: null })),
        true,
        null,
      ],
      [() => pointing.release(), true, null],
      [() => undefined, false, null],
      [() => undefined, true, other],
    ] as const) {
      store.update({ locked: null });
      settled = new Promise((resolve) => (settle = resolve));
      lock(1);
      later();
      pair = other;
      settle(isKnown);
      await settled;
      await Promise.resolve();
      expect(store.state.locked).toEqual(held);
    }
  });
});

describe("a token of a head that a GPU paints", () => {
  /** Tells nothing of weights until it is settled, then all. */
  function undecided(): { painted: (figures: HeadFigures) => HeadFigures; settle: () => void } {
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    const painted = (figures: HeadFigures): HeadFigures => {
      const { weights } = figures.stages;
      let known: Tensor = { ...weights, data: new Float32Array(weights.data.length) };
      const byRow: Pick<RowByRow, "cellOf" | "pairAt" | "strongest" | "look" | "settle"> = {
        cellOf: (axis, index) => cellOfToken(known, axis, index),
        pairAt: (place) => place,
        strongest: null,
        look: (shown, lens) => ({ ...lookedAt(figures, lens), figures: shown }),
        settle: () => settled.then(() => void (known = weights)),
      };
      return { ...figures, painted: byRow as RowByRow };
    };
    return { painted, settle: () => settle() };
  }

  const touch = { side: "source", index: 2 } as const;
  /** Without a GPU. */
  const strongest = async (): Promise<unknown> => {
    const { pointing } = await pointed();
    pointing.touchToken({ ...touch, action: "hover" });
    return pointing.hover.cell;
  };

  it("is looked at where it seems strongest, and then where it is", async () => {
    const { painted, settle } = undecided();
    const { pointing } = await pointed(painted);
    pointing.touchToken({ ...touch, action: "hover" });
    expect(pointing.hover.cell).toEqual({ query: 2, key: 0 });
    settle();
    const own = await strongest();
    expect(own).not.toEqual({ query: 2, key: 0 });
    expect(pointing.hover.cell).toEqual(own);
  });

  it("is held where it is strongest, once that is known", async () => {
    const { painted, settle } = undecided();
    const { pointing, store } = await pointed(painted);
    pointing.touchToken({ ...touch, action: "lock" });
    expect(store.state.locked).toBeNull();
    settle();
    const own = await strongest();
    expect(store.state.locked).toEqual(own);
  });

  it("is left alone if the pointer went on meanwhile", async () => {
    const { painted, settle } = undecided();
    const { pointing } = await pointed(painted);
    pointing.touchToken({ ...touch, action: "hover" });
    pointing.touchToken({ ...touch, index: null, action: "hover" });
    settle();
    await strongest();
    expect(pointing.hover.cell).toBeNull();
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
