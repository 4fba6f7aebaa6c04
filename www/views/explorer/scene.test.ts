import { describe, expect, it, vi } from "vitest";
import { FakeModel } from "../../../tests/support/fake-model.js";
import { DEFAULT_STATE, NO_EDITS, toggleCell, toggleHead, type State } from "../../state/index.js";
import { Computation } from "../run/computation.js";
import { FigureDesk, type HeadFigures } from "../run/figures.js";
import { NO_HOVER, sceneOf } from "./scene.js";

const STATE: State = { ...DEFAULT_STATE, text: "one two three", layer: 0, head: 1 };
const HEAD = { stack: "cross", layer: 0, head: 1 } as const;

async function shown(state: State): Promise<{ computation: Computation; figures: HeadFigures }> {
  const model = new FakeModel();
  const computation = new Computation(() => Promise.resolve(model), { changed: () => undefined, restarted: () => undefined });
  await computation.load("models/fake");
  await computation.compute(state);
  const desk = new FigureDesk(() => undefined, () => undefined);
  const { run, revision, sourceRevision } = computation;
  if (run) desk.wantHead({ run, revision, sourceRevision }, HEAD, "heatmap");
  await vi.waitUntil(() => desk.head.value !== null);
  if (!desk.head.value) throw new Error("nothing was read");
  return { computation, figures: desk.head.value };
}

describe("the scene", () => {
  it("before there is a model shows where heads will be", () => {
    const computation = new Computation(() => Promise.reject(new Error("none")), { changed: () => undefined, restarted: () => undefined });
    const scene = sceneOf(STATE, computation, null, NO_HOVER);
    expect([scene.stacks, scene.chosen, scene.source.tokens]).toEqual([["encoder", "decoder", "cross"], null, []]);
  });

  it("looks at the hovered cell, else the locked one, else the strongest", async () => {
    const { computation, figures } = await shown(STATE);
    const focus = (locked: State["locked"], cell: State["locked"]): unknown =>
      sceneOf({ ...STATE, locked }, computation, figures, { cell, head: null }).focused;
    const [first, second] = [{ query: 1, key: 1 }, { query: 2, key: 0 }];
    expect(focus(first, second)).toEqual(second);
    expect(focus(first, null)).toEqual(first);
    const strongest = focus(null, null);
    expect(strongest).not.toBeNull();
    expect(focus({ query: 99, key: 0 }, null)).toEqual(strongest);
  });

  it("marks the looked-at pair in both texts and asks what comes after the query", async () => {
    const { computation, figures } = await shown(STATE);
    const scene = sceneOf({ ...STATE, locked: { query: 2, key: 1 } }, computation, figures, NO_HOVER);
    expect([scene.source.focused, scene.source.locked, scene.result.focused, scene.nextPosition]).toEqual([1, [1], 2, 2]);
    const encoder = sceneOf({ ...STATE, stack: "encoder" }, computation, figures, NO_HOVER);
    expect(encoder.nextPosition).toBeNull();
  });

  it("names the hovered head, and hatches what is blocked in the head that is drawn", async () => {
    const edits = toggleHead(toggleCell(NO_EDITS, HEAD, { query: 0, key: 0 }), HEAD);
    const { computation, figures } = await shown({ ...STATE, edits });
    const hovered = { ...HEAD, head: 3 };
    const scene = sceneOf({ ...STATE, edits }, computation, figures, { cell: null, head: hovered });
    expect([scene.chosen?.head, scene.shown?.head, scene.blocked, scene.silenced]).toEqual([1, 3, [{ query: 0, key: 0 }], [{ layer: 0, head: 1 }]]);
    expect(scene.chips.map(({ label }) => label)).toEqual(["Cross-attention 1.2: start may not look at one", "Cross-attention 1.2 silenced"]);
    const arrived = sceneOf({ ...STATE, edits }, computation, { ...figures, head: hovered }, { cell: null, head: hovered });
    expect(arrived.blocked).toEqual([]);
  });

  it("forgets the hovered head of another stack", async () => {
    const { computation, figures } = await shown(STATE);
    const scene = sceneOf(STATE, computation, figures, { cell: null, head: { stack: "encoder", layer: 2, head: 7 } });
    expect(scene.shown).toEqual(HEAD);
  });

  it("hands on the same objects as long as they say the same", async () => {
    const { computation, figures } = await shown(STATE);
    const before = sceneOf(STATE, computation, figures, NO_HOVER);
    const after = sceneOf(STATE, computation, figures, { cell: { query: 0, key: 0 }, head: null }, before);
    expect([after.blocked === before.blocked, after.silenced === before.silenced, after.chosen === before.chosen]).toEqual([true, true, true]);
    expect(after.focused).toEqual({ query: 0, key: 0 });
  });
});
