import { describe, expect, it, vi } from "vitest";
import { FAKE_WRITER, FakeModel } from "../../../tests/support/fake-model.js";
import { HeadscopeError } from "../../headscope.js";
import { DEFAULT_STATE, Store, type State } from "../../state/index.js";
import { Computation } from "../run/computation.js";
import { FigureDesk } from "../run/figures.js";
import { Shelf } from "../run/shelf.js";
import { Pointing } from "./pointing.js";
import { NO_HOVER, sceneOf } from "./scene.js";

const STATE: State = { ...DEFAULT_STATE, model: "models/tiny-gpt", text: "one two three", stack: "decoder", layer: 0, head: 1 };
/** What a causal mask closes. */
const AHEAD = { query: 0, key: 2 };

async function pointed(): Promise<{ model: FakeModel; store: Store; computation: Computation; desk: FigureDesk; click: () => void }> {
  const model = new FakeModel(FAKE_WRITER);
  const store = new Store();
  store.update(STATE);
  const computation = new Computation(new Shelf(() => Promise.resolve(model)), { changed: () => undefined, restarted: () => undefined });
  await computation.use(STATE.model, STATE);
  const desk = new FigureDesk(() => undefined);
  const { run, revision, sourceRevision } = computation;
  const head = sceneOf(STATE, computation, null, NO_HOVER).chosen;
  if (run && head) desk.wantHead({ run, revision, sourceRevision }, head, "heatmap");
  await vi.waitUntil(() => desk.head.value !== null);
  const scene = sceneOf(STATE, computation, desk.head.value, NO_HOVER);
  const pointing = new Pointing(store, computation, { scene: () => scene, ofTokens: () => false, changed: () => undefined });
  return { model, store, computation, desk, click: () => pointing.toggleCell(new CustomEvent("headscope-cell-toggle", { detail: AHEAD })) };
}

describe("a click on a cell that the model itself masks", () => {
  it("opens it, also while something else of the run is still being read", async () => {
    const { store, desk, click } = await pointed();
    desk.spectrum.want("never", () => new Promise(() => undefined));
    expect(desk.loading).toBe(true);
    click();
    expect(store.state.edits.masks).toMatchObject([{ stack: "decoder", layers: [0], heads: [1], allow: [[0, 2]] }]);
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
    model.failing = new HeadscopeError({ code: "input/malformed", message: "no", doing: "", expected: "", got: "" });
    await computation.compute(STATE);
    expect(computation.failure).not.toBeNull();
    blocks();
  });
});
