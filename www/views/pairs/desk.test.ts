import { describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel, failed } from "../../../tests/support/fake-model.js";
import { DEFAULT_STATE, NO_EDITS, toggleHead, type State } from "../../state/index.js";
import { NO_HOVER, sceneOf } from "../explorer/scene.js";
import { Computation } from "../run/computation.js";
import { Shelf } from "../run/model-pool.js";
import { PairDesk } from "./desk.js";

const EDITS = toggleHead(NO_EDITS, { stack: "cross", layer: 0, head: 0 }, FAKE_INFO.stacks);
const OTHER = { text: "one two", compare: "other", otherText: "three" } as const;
const CRASH = failed("engine/crashed", { message: "crashed" });
const stateWith = (more: Partial<State>): State => ({ ...DEFAULT_STATE, ...more });

/** A desk beside a first run that was computed, and then failed for a longer text. */
async function failedAfter(
  state: State,
): Promise<{ desk: PairDesk; first: Computation; update: (next: State) => Promise<void> }> {
  const model = new FakeModel();
  const shelf = new Shelf(() => Promise.resolve(model));
  const first = new Computation(shelf);
  const desk = new PairDesk(shelf, () => undefined);
  const update = async (next: State): Promise<void> => {
    desk.update(next, sceneOf(next, first, null, NO_HOVER), first);
    await vi.waitUntil(() => !desk.other.busy);
  };
  await first.use("models/en-fr", state);
  await update(state);
  model.failing = CRASH;
  await first.compute({ ...state, text: "one two four" });
  model.failing = null;
  return { desk, first, update };
}

describe("the second run while the first one failed", () => {
  it("is computed for another text that is typed meanwhile", async () => {
    const { desk, first, update } = await failedAfter(stateWith(OTHER));
    expect([first.failure, desk.other.run?.targetText]).toEqual([CRASH, "THREE"]);
    await update(stateWith({ ...OTHER, text: "one two four", otherText: "five six" }));
    expect([desk.other.run?.targetText, desk.stale]).toEqual(["SIX FIVE", false]);
  });

  it("is let go when the comparison ends", async () => {
    const { desk, update } = await failedAfter(stateWith(OTHER));
    await update(stateWith({ ...OTHER, compare: null }));
    expect([desk.other.run, desk.stale]).toEqual([null, false]);
  });

  it("stays the original of the edited run that is still shown", async () => {
    const edited = stateWith({ text: "one two", edits: EDITS });
    const { desk, update } = await failedAfter(edited);
    const { run } = desk.other;
    await update({ ...edited, text: "one two four" });
    expect([run?.targetText, desk.other.run === run, desk.stale]).toEqual(["TWO ONE", true, false]);
  });

  it("is no other text's under the name of the original", async () => {
    const { desk, update } = await failedAfter(stateWith({ ...OTHER, edits: EDITS }));
    await update(stateWith({ ...OTHER, edits: EDITS, compare: "original" }));
    expect([desk.comparison, desk.other.run]).toEqual(["original", null]);
  });
});
