// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { textOf } from "../elements/testing/mount.js";
import { failed, FAKE_INFO } from "../../tests/support/fake-model.js";
import type { HeadMeasures, HeadRef, RoleScores } from "../data/index.js";
import { loadSentences, message } from "../i18n/index.js";
import { NO_EDITS, type EditLists } from "../state/index.js";
import { withSetting } from "../state/experiment-edits.js";
import type { Session } from "../session/session.js";
import { answered, sessionOf, show } from "../session/testing/session.js";
import { headsBy, HeadscopeHeadsExperiment } from "./heads.js";
import { matrix } from "./calculator/testing/worked.js";
import { RuleForms } from "./testing/rule-forms.js";

const HEAD: HeadRef = { stack: "cross", layer: 1, head: 2 };

async function experiment(
  edits: EditLists = NO_EDITS,
): Promise<{ session: Session; page: RuleForms }> {
  const session = await sessionOf({ text: "one two three", ...HEAD, edits });
  return { session, page: new RuleForms(await show(new HeadscopeHeadsExperiment(), session)) };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

beforeAll(() => loadSentences("experiments"));
afterEach(() => document.body.replaceChildren());

describe("<headscope-heads-experiment>", () => {
  it("shows what the heads have in common, and nothing where they differ", async () => {
    const { page } = await experiment(withSetting(NO_EDITS, [HEAD], "gate", 2, FAKE_INFO.stacks));
    const gate = page.find(message("headsExperiment.gate"));
    expect(gate.getAttribute("aria-valuetext")).toBe("differs from head to head");
    await page.set(message("headsExperiment.target"), "head");
    expect(gate).toMatchObject({ value: "2" });
    expect(gate.getAttribute("aria-valuetext")).toBe("times 2");
  });

  it("changes the gate while its slider moves, as one step of undo", async () => {
    const { session, page } = await experiment();
    await page.set(message("headsExperiment.target"), "head");
    const gates: unknown[] = [];
    for (const value of ["0.6", "0.3", "0"]) {
      await page.set(message("headsExperiment.gate"), value);
      gates.push(session.state.edits.heads[0]?.gate);
    }
    expect(gates).toEqual([0.6, 0.3, 0]);
    session.store.undo();
    expect(session.state.edits.heads).toEqual([]);
  });

  it("gives a drawing to the heads that were chosen when it was requested, of the same run", async () => {
    const { session, page } = await experiment();
    await page.set(message("headsExperiment.target"), "head");
    void page.set(message("headsExperiment.pattern"), "drawn");
    session.update({ head: 5 });
    await vi.waitFor(() =>
      expect(session.state.edits.heads).toMatchObject([{ layers: [1], heads: [2] }]),
    );
    await answered(session);
    const { edits } = session.state;
    const run = session.computation.run ?? expect.fail();
    const attention = await run.attention(HEAD);
    vi.spyOn(run, "attention").mockImplementation(() => answered(session).then(() => attention));
    void page.set(message("headsExperiment.pattern"), "drawn");
    session.update({ text: "four five six" });
    await vi.waitFor(() => expect(session.computation.run).not.toBe(run));
    await answered(session);
    await settled();
    expect(session.state.edits).toEqual(edits);
  });

  it("edits the heads that a condition finds", async () => {
    const { session, page } = await experiment();
    // The numbers of all heads are read first.
    await vi.waitFor(() => page.find(message("headRule.number")));
    await page.set(message("headRule.number"), "0.5");
    await page.set("Select 72 heads", null);
    await page.set(message("headsExperiment.gate"), "0");
    const stacks = ["encoder", "decoder", "cross"];
    expect(session.state.edits.heads).toEqual(stacks.map((stack) => ({ stack, gate: 0 })));
  });

  it.each([
    ["run/released", ""],
    ["engine/out-of-memory", "headsExperiment.notRead"],
  ] as const)("says what failed, unless that is expected: %s", async (code, words) => {
    const { session, page } = await experiment();
    const run = session.computation.run ?? expect.fail();
    vi.spyOn(run, "attention").mockRejectedValue(failed(code));
    void page.set(message("headsExperiment.pattern"), "drawn");
    await settled();
    const said = (): string => textOf(page.element.renderRoot.querySelector("p[role=status]"));
    await vi.waitFor(() => expect(said()).toBe(words && `${message(words)} Details ${code}`));
  });
});

const scores = { broad: null } as RoleScores;
const MEASURES: readonly HeadMeasures[] = [
  { layer: 0, head: 0, entropy: 1, distance: null, roles: { ...scores, broad: 0.9 } },
  { layer: 0, head: 1, entropy: 2, distance: 3, roles: scores },
];

it.each([
  ["entropy", "above", 1, [1]],
  ["entropy", "below", 1.5, [0]],
  ["distance", "below", 99, [1]],
  ["broad", "above", 0.5, [0]],
] as const)("heads are found by what they measure: %s %s %d", (measured, side, number, heads) => {
  const all = MEASURES.map((one) => ({ ...one, stack: "encoder" as const }));
  const found = headsBy({ measured, side, number }, all);
  expect(found).toEqual(heads.map((head) => ({ stack: "encoder", layer: 0, head })));
});

it("a stroke of a drawing is one change, and each row is divided by its sum", async () => {
  const drawing = matrix("1000 0 / 0 1000");
  const edits = withSetting(NO_EDITS, [HEAD], "pattern", drawing, FAKE_INFO.stacks);
  const { session, page } = await experiment(edits);
  await page.set(message("headsExperiment.target"), "head");
  const map = page.element.renderRoot.querySelector("headscope-heatmap");
  const cells = [0, 1].map((key) => ({ query: 0, key }));
  const stroke = { detail: { cells, open: true }, bubbles: true, composed: true };
  const update = vi.spyOn(session, "update");
  for (let time = 0; time < 2; time += 1)
    map?.dispatchEvent(new CustomEvent("headscope-cells-paint", stroke));
  expect(update).toHaveBeenCalledTimes(1);
  expect(session.state.edits.heads).toMatchObject([{ pattern: matrix("1000 1000 / 0 1000") }]);
  await page.element.updateComplete;
  expect([...(map?.tensor?.data.slice(0, 2) ?? [])]).toEqual([0.5, 0.5]);
  const toggled = { detail: { query: 1, key: 0 }, bubbles: true, composed: true };
  map?.dispatchEvent(new CustomEvent("headscope-cell-toggle", toggled));
  expect(session.state.edits.heads).toMatchObject([{ pattern: matrix("1000 1000 / 1000 1000") }]);
});
