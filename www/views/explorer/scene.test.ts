import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
} from "../../../tests/support/fake-model.js";
import type { HeadRef, ModelInfo } from "../../data/index.js";
import { DEFAULT_STATE, NO_EDITS, type State, toggleCell, toggleHead } from "../../state/index.js";
import { Computation } from "../run/computation.js";
import { FigureDesk, type HeadFigures } from "../run/figures.js";
import { Shelf } from "../run/model-pool.js";
import { EDIT_LABELS, NO_HOVER, saysSame, sceneOf } from "./scene.js";

const STATE: State = { ...DEFAULT_STATE, text: "one two three", layer: 0, head: 1 };
const HEAD = { stack: "cross", layer: 0, head: 1 } as const;

async function shown(
  state: State,
  info?: ModelInfo,
  head: HeadRef = HEAD,
): Promise<{ computation: Computation; figures: HeadFigures }> {
  const model = new FakeModel(info);
  const computation = new Computation(new Shelf(() => Promise.resolve(model)));
  await computation.use("models/en-fr", state);
  const desk = new FigureDesk(() => undefined);
  const { run, revision, sourceRevision } = computation;
  if (run) desk.wantHead({ run, revision, sourceRevision }, head, "heatmap");
  await vi.waitUntil(() => desk.head.value !== null);
  if (!desk.head.value) throw new Error("nothing was read");
  return { computation, figures: desk.head.value };
}

beforeAll(() => EDIT_LABELS.come());

describe("the scene", () => {
  it("before there is a model shows where heads will be", () => {
    const computation = new Computation(new Shelf(() => Promise.reject(new Error("none"))));
    const scene = sceneOf(STATE, computation, null, NO_HOVER);
    expect([scene.stacks, scene.chosen, scene.source.tokens]).toEqual([
      ["encoder", "decoder", "cross"],
      null,
      [],
    ]);
    const stacks = (["models/tiny-gpt", "models/tiny-bert", "opened/mine"] as const).map(
      (model) => sceneOf({ ...STATE, model }, computation, null, NO_HOVER).stacks,
    );
    expect(stacks).toEqual([["decoder"], ["encoder"], []]);
  });

  it("looks at the hovered cell, else the locked one, else the strongest", async () => {
    const { computation, figures } = await shown(STATE);
    const focus = (locked: State["locked"], cell: State["locked"]): unknown =>
      sceneOf({ ...STATE, locked }, computation, figures, { cell, head: null }).focused;
    const [first, second] = [
      { query: 1, key: 1 },
      { query: 2, key: 0 },
    ];
    expect(focus(first, second)).toEqual(second);
    expect(focus(first, null)).toEqual(first);
    const strongest = focus(null, null);
    expect(strongest).not.toBeNull();
    expect(focus({ query: 99, key: 0 }, null)).toEqual(strongest);
  });

  it("marks the looked-at pair in both texts and asks what comes after the query", async () => {
    const { computation, figures } = await shown(STATE);
    const scene = sceneOf(
      { ...STATE, locked: { query: 2, key: 1 } },
      computation,
      figures,
      NO_HOVER,
    );
    expect([scene.source.focused, scene.source.locked, scene.result.focused, scene.place]).toEqual([
      1,
      [1],
      2,
      { kind: "after", position: 2 },
    ]);
    const encoder = sceneOf({ ...STATE, stack: "encoder" }, computation, figures, NO_HOVER);
    expect(encoder.place).toBeNull();
  });

  it("of a model that writes asks what comes after any token, in its one stack, whatever was chosen in another model", async () => {
    const state: State = { ...STATE, locked: { query: 1, key: 0 } };
    const { computation, figures } = await shown(state, FAKE_WRITER, { ...HEAD, stack: "decoder" });
    const scene = sceneOf(state, computation, figures, NO_HOVER);
    expect([scene.architecture, scene.stacks, scene.chosen?.stack, scene.place]).toEqual([
      "decoder",
      ["decoder"],
      "decoder",
      { kind: "after", position: 1 },
    ]);
  });

  it("of a model that fills gaps asks about the hidden token that is looked at, or else the one hidden last", async () => {
    const state: State = { ...STATE, hidden: [2, 0], stack: "encoder" };
    const { computation, figures } = await shown(state, FAKE_READER, { ...HEAD, stack: "encoder" });
    const place = (query: number, key: number): unknown =>
      sceneOf(state, computation, figures, { cell: { query, key }, head: null }).place;
    expect(place(2, 1)).toEqual({ kind: "instead", position: 2 });
    expect(place(1, 2)).toEqual({ kind: "instead", position: 2 });
    expect(place(1, 1)).toEqual({ kind: "instead", position: 0 });
    const whole = await shown({ ...state, hidden: [] }, FAKE_READER, { ...HEAD, stack: "encoder" });
    expect(
      sceneOf({ ...state, hidden: [] }, whole.computation, whole.figures, NO_HOVER).place,
    ).toBeNull();
  });

  it("says which edits are for another model", async () => {
    const edits = toggleHead(NO_EDITS, HEAD, FAKE_INFO.stacks);
    const { computation, figures } = await shown({ ...STATE, edits }, FAKE_WRITER, {
      ...HEAD,
      stack: "decoder",
    });
    const scene = sceneOf({ ...STATE, edits }, computation, figures, NO_HOVER);
    expect(scene.chips).toEqual([
      {
        id: "heads:0",
        label: "Cross-attention 1.2 silenced (not in this model)",
        inactive: true,
        note: "edit/not-in-model",
      },
    ]);
  });

  it("names the hovered head, and hatches what is blocked in the head that is drawn", async () => {
    const edits = toggleHead(
      toggleCell(NO_EDITS, HEAD, { query: 0, key: 0 }),
      HEAD,
      FAKE_INFO.stacks,
    );
    const { computation, figures } = await shown({ ...STATE, edits });
    const hovered = { ...HEAD, head: 3 };
    const scene = sceneOf({ ...STATE, edits }, computation, figures, { cell: null, head: hovered });
    expect([scene.chosen?.head, scene.shown?.head, scene.blocked, scene.silenced]).toEqual([
      1,
      3,
      [{ query: 0, key: 0 }],
      [{ layer: 0, head: 1 }],
    ]);
    expect(scene.chips.map(({ label }) => label)).toEqual([
      "Cross-attention 1.2: start may not look at one",
      "Cross-attention 1.2 silenced",
    ]);
    const arrived = sceneOf(
      { ...STATE, edits },
      computation,
      { ...figures, head: hovered },
      { cell: null, head: hovered },
    );
    expect(arrived.blocked).toEqual([]);
  });

  it("forgets the hovered head of another stack", async () => {
    const { computation, figures } = await shown(STATE);
    const scene = sceneOf(STATE, computation, figures, {
      cell: null,
      head: { stack: "encoder", layer: 2, head: 7 },
    });
    expect(scene.shown).toEqual(HEAD);
  });

  it("hands on the same objects as long as they say the same", async () => {
    const { computation, figures } = await shown(STATE);
    const before = sceneOf(STATE, computation, figures, NO_HOVER);
    const after = sceneOf(
      STATE,
      computation,
      figures,
      { cell: { query: 0, key: 0 }, head: null },
      before,
    );
    expect([
      after.blocked === before.blocked,
      after.silenced === before.silenced,
      after.chosen === before.chosen,
    ]).toEqual([true, true, true]);
    expect(after.focused).toEqual({ query: 0, key: 0 });
  });
});

describe("saying the same", () => {
  it("is what equal JSON means, for lists and plain fields", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        (one, other) => saysSame(one, other) === (JSON.stringify(one) === JSON.stringify(other)),
      ),
    );
    fc.assert(fc.property(fc.jsonValue(), (value) => saysSame(value, structuredClone(value))));
  });

  it("does not look into what is the very same thing", () => {
    const tokens = new Proxy([], {
      get: () => expect.unreachable(),
      ownKeys: () => expect.unreachable(),
    });
    expect(saysSame({ tokens, focused: 1 }, { tokens, focused: 1 })).toBe(true);
    expect(saysSame({ tokens, focused: 1 }, { tokens, focused: 2 })).toBe(false);
  });

  it("tells lists from fields, and nothing from everything else", () => {
    expect([
      saysSame([], {}),
      saysSame(null, {}),
      saysSame(null, null),
      saysSame([1], [1, 2]),
    ]).toEqual([false, false, true, false]);
  });
});
