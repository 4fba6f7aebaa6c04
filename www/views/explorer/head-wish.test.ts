import { describe, expect, it, vi } from "vitest";
import type { HeadRef } from "../../data/index.js";
import type { ModelInfo } from "../../headscope.js";
import { DEFAULT_STATE, NO_EDITS, type State } from "../../state/index.js";
import type { Computation } from "../run/computation.js";
import type { FigureDesk } from "../run/figures.js";
import { HeadWish } from "./head-wish.js";
import type { Scene } from "./scene.js";

const SILENCED: State["edits"] = {
  ...NO_EDITS,
  heads: [{ stack: "encoder", layers: [0], heads: [0], gate: 0 }],
};

/** A page whose model computes on a GPU, and for each look whether a GPU was to paint the head. */
function page(architecture: ModelInfo["architecture"] = "encoder-decoder") {
  const state: { -readonly [Part in keyof State]: State[Part] } = {
    ...DEFAULT_STATE,
    picture: "heatmap",
    unit: "token",
    specials: "shown",
    sink: "kept",
  };
  const computation = {
    model: { info: { backend: "webgpu", architecture } },
    run: {},
    revision: 1,
    sourceRevision: 1,
    busy: false,
    stopped: false,
  };
  const wantHead = vi.fn<FigureDesk["wantHead"]>();
  const wish = new HeadWish(
    { state } as never,
    computation as unknown as Computation,
    { wantHead } as unknown as FigureDesk,
  );
  const look = (stack: HeadRef["stack"]): boolean | null => {
    wantHead.mockClear();
    wish.want({ shown: { stack, layer: 0, head: 0 }, beside: [] } as unknown as Scene);
    const [call] = wantHead.mock.calls;
    return call ? call[5] !== null : null;
  };
  const grows = (stack: HeadRef["stack"]): boolean | undefined => {
    look(stack);
    return wantHead.mock.calls[0]?.[5]?.grows;
  };
  const ready = (): Promise<unknown> =>
    vi.waitUntil(() => look("encoder") !== null, { timeout: 10_000 });
  return { state, computation, wish, look, grows, ready };
}

describe("a GPU paints a head", () => {
  it("once what paints is there", async () => {
    const { look, ready } = page();
    expect(look("encoder")).toBeNull();
    await ready();
    expect(look("encoder")).toBe(true);
    expect(look("cross")).toBe(true);
  });

  it("while its text is being written, as far as that is", async () => {
    const { state, computation, look, grows, ready } = page();
    await ready();
    const stacks = ["encoder", "decoder", "cross"] as const;
    computation.busy = true;
    expect(stacks.map(look)).toEqual([true, true, true]);
    expect(stacks.map(grows)).toEqual([false, true, true]);
    state.target = "Le chien";
    expect(stacks.map(grows)).toEqual([false, false, false]);
    state.target = null;
    computation.busy = false;
    expect(stacks.map(grows)).toEqual([false, false, false]);
    // The step under way ends after a stop.
    computation.stopped = true;
    expect(stacks.map(grows)).toEqual([false, true, true]);
  });

  it("of a writer's own text while it goes on", async () => {
    const { computation, look, ready } = page("decoder");
    await ready();
    computation.busy = true;
    expect(look("decoder")).toBe(true);
  });

  it("under edits, with the bench open, and of a run with edits until another comes", async () => {
    const { state, computation, look, ready } = page();
    await ready();
    state.edits = SILENCED;
    expect(look("encoder")).toBe(true);
    computation.sourceRevision = 2;
    expect(look("encoder")).toBe(true);
    state.bench = "masks";
    expect(look("encoder")).toBe(true);
    state.edits = NO_EDITS;
    expect(look("encoder")).toBe(true);
  });

  it("no more once all numbers were asked for", async () => {
    const { wish, look, ready } = page();
    await ready();
    wish.all = true;
    expect(look("encoder")).toBe(false);
  });
});
