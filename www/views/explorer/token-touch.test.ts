import { describe, expect, it, vi } from "vitest";
import type { ModelInfo } from "../../data/index.js";
import { FAKE_INFO, FAKE_READER, FakeModel } from "../../../tests/support/fake-model.js";
import { DEFAULT_STATE, type State } from "../../state/index.js";
import { Computation } from "../run/computation.js";
import { FigureDesk } from "../run/figures.js";
import { Shelf } from "../run/model-pool.js";
import { NO_HOVER, type Scene, sceneOf } from "./scene.js";
import { touchOf } from "./token-touch.js";

async function shown(
  info: ModelInfo,
  more: Partial<State>,
): Promise<{ state: State; scene: Scene; computation: Computation }> {
  const state: State = { ...DEFAULT_STATE, text: "one two three", layer: 0, head: 1, ...more };
  const computation = new Computation(new Shelf(() => Promise.resolve(new FakeModel(info))));
  await computation.use(state.model, state);
  const desk = new FigureDesk(() => undefined);
  const { run, revision, sourceRevision } = computation;
  const head = sceneOf(state, computation, null, NO_HOVER).chosen;
  if (run && head) desk.wantHead({ run, revision, sourceRevision }, head, "heatmap");
  await vi.waitUntil(() => desk.head.value !== null);
  return { state, scene: sceneOf(state, computation, desk.head.value, NO_HOVER), computation };
}

describe("a token that is touched", () => {
  it("stands for the strongest pair of its row; a second click lets go", async () => {
    const { state, scene, computation } = await shown(FAKE_INFO, { stack: "encoder" });
    const hover = touchOf({ side: "source", index: 1, action: "hover" }, state, scene, computation);
    const lock = touchOf({ side: "source", index: 1, action: "lock" }, state, scene, computation);
    if (!("hover" in hover) || !("patch" in lock)) throw new Error("not what was asked for");
    expect(hover.hover?.query).toBe(1);
    expect(lock.patch).toEqual({ locked: hover.hover });
    const locked = { ...scene, locked: hover.hover };
    expect(
      touchOf({ side: "source", index: 1, action: "lock" }, state, locked, computation),
    ).toEqual({ patch: { locked: null } });
  });

  it("is picked in addition to others, beginning with the one that is held, and given back by another touch", async () => {
    const { state, scene, computation } = await shown(FAKE_INFO, { stack: "encoder" });
    const pick = (
      index: number,
      now: State = state,
      then: Scene = scene,
    ): State["picked"] | undefined => {
      const touch = touchOf({ side: "source", index, action: "pick" }, now, then, computation);
      return "patch" in touch ? touch.patch.picked : undefined;
    };
    expect(pick(1)?.tokens).toEqual([1]);
    const held = { ...scene, locked: { query: 2, key: 0 } };
    expect(pick(1, state, held)?.tokens).toEqual([2, 1]);
    expect(pick(2, state, held)?.tokens).toEqual([2]);
    const picked: State = { ...state, picked: pick(1) ?? null };
    expect(pick(1, picked)).toBeNull();
    expect(
      touchOf({ side: "source", index: 2, action: "lock" }, picked, scene, computation),
    ).toMatchObject({ patch: { picked: null, locked: { query: 2 } } });
    expect(
      touchOf({ side: "source", index: null, action: "lock" }, picked, scene, computation),
    ).toEqual({ patch: { picked: null, locked: null } });
  });

  it("stands for its whole word where words are looked at: another piece of it gives it back", async () => {
    const { state, scene, computation } = await shown(FAKE_INFO, { stack: "encoder" });
    if (!scene.looked) throw new Error("nothing is shown");
    const byWord: Scene = { ...scene, looked: { ...scene.looked, rows: [[0], [1, 2]] } };
    const pick = (
      index: number,
      tokens: number[],
      then = byWord,
    ): readonly number[] | undefined => {
      const picked: State["picked"] =
        tokens.length === 0 ? null : { side: "source", tokens, pool: "sum", looking: "from" };
      const touch = touchOf(
        { side: "source", index, action: "pick" },
        { ...state, picked },
        then,
        computation,
      );
      return "patch" in touch ? touch.patch.picked?.tokens : undefined;
    };
    expect([pick(2, []), pick(2, [0]), pick(2, [0, 1]), pick(2, [1, 2]), pick(0, [1])]).toEqual([
      [2],
      [0, 2],
      [0],
      undefined,
      [1, 0],
    ]);
    expect(pick(2, [], { ...byWord, locked: { query: 1, key: 0 } })).toEqual([2]);
    // Tokens without a row, such as special ones that are left out, stand for themselves.
    expect(pick(4, [3])).toEqual([3, 4]);
  });

  it("is hidden by a click in a model that fills gaps, and given back by the next; special tokens are not", async () => {
    const { state, scene, computation } = await shown(FAKE_READER, { hidden: [0] });
    const click = (index: number): unknown =>
      touchOf({ side: "source", index, action: "lock" }, state, scene, computation);
    expect(click(2)).toEqual({ patch: { hidden: [0, 2] } });
    expect(click(0)).toEqual({ patch: { hidden: [] } });
    expect(click(3)).toMatchObject({ patch: { locked: { query: 3 } } });
    expect(
      touchOf({ side: "source", index: 2, action: "hover" }, state, scene, computation),
    ).toMatchObject({ hover: { query: 2 } });
  });
});
