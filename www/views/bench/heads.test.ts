// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel } from "../../../tests/support/fake-model.js";
import type { HeadMeasures, HeadRef, RoleScores } from "../../data/index.js";
import { ROLES } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopeError } from "../../headscope.js";
import { loadSentences, message } from "../../i18n/index.js";
import { NO_EDITS, withSetting, type EditLists } from "../../state/index.js";
import type { BenchContext } from "./context.js";
import { BENCH_CONTEXT, RuleForms } from "./testing/context.js";
import { HeadscopeChangeHeads, headsBy, targetHeads } from "./heads.js";

const HEAD: HeadRef = { stack: "cross", layer: 1, head: 2 };

async function on(edits: EditLists = NO_EDITS): Promise<BenchContext> {
  const model = new FakeModel();
  const run = await model.run({ text: "one two three" });
  return { ...BENCH_CONTEXT, edits, head: HEAD, model, run };
}

/** The part on a page that does what it asks for. */
async function bench(
  edits?: EditLists,
): Promise<{ element: HeadscopeChangeHeads; page: RuleForms }> {
  const element = await mount(new HeadscopeChangeHeads(), { on: await on(edits) });
  element.addEventListener("headscope-patch", ({ detail }) => {
    if (detail.edits) element.on = { ...element.on, edits: detail.edits };
  });
  return { element, page: new RuleForms(element) };
}

const settled = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

beforeAll(() => loadSentences("bench"));
afterEach(() => document.body.replaceChildren());

describe("<headscope-change-heads>", () => {
  it("shows what the heads have in common, and nothing where they differ", async () => {
    const { page } = await bench(withSetting(NO_EDITS, [HEAD], "gate", 2, FAKE_INFO.stacks));
    const gate = page.find(message("headBench.gate"));
    expect(gate).toMatchObject({ value: "2" });
    await page.set(message("headBench.target"), "layer");
    expect(gate).toMatchObject({ value: "" });
  });

  it("gives a drawing to the heads that were meant when it was asked for", async () => {
    const { element, page } = await bench();
    void page.set(message("headBench.pattern"), "drawn");
    element.on = { ...element.on, head: { ...HEAD, head: 5 } };
    await settled();
    expect(element.on.edits.heads.map(({ layers, heads }) => [layers, heads])).toEqual([
      [[1], [2]],
    ]);
  });

  it("draws nothing of a run that another one has replaced, and says only what went wrong", async () => {
    const { element, page } = await bench();
    const next = await on();
    void page.set(message("headBench.pattern"), "drawn");
    element.on = next;
    await settled();
    expect(element.on.edits).toEqual(NO_EDITS);
    const failing = async (code: string): Promise<string | undefined> => {
      const failed = await on();
      if (failed.run)
        vi.spyOn(failed.run, "attention").mockRejectedValue(
          new HeadscopeError({ code, message: "", doing: "", expected: "", got: "" }),
        );
      // Its measures are read already.
      element.on = failed;
      await element.updateComplete;
      void page.set(message("headBench.pattern"), "drawn");
      await settled();
      return element.renderRoot.querySelector("p[role=status]")?.textContent;
    };
    expect(await failing("run/released")).toBeUndefined();
    expect(await failing("engine/out-of-memory")).toBe(
      `${message("headBench.notRead")} engine/out-of-memory`,
    );
  });
});

describe("heads that are meant", () => {
  it("are those that the head is part of, or those that were picked", () => {
    expect(targetHeads("layer", HEAD, [], FAKE_INFO)).toHaveLength(8);
    expect(targetHeads("everywhere", HEAD, [], FAKE_INFO)).toHaveLength(72);
    expect(targetHeads("picked", HEAD, [HEAD], FAKE_INFO)).toEqual([HEAD]);
  });

  it("are found by what they measure; a head without the measure is none of them", () => {
    const scores = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores;
    const measures: HeadMeasures[] = [
      { layer: 0, head: 0, entropy: 1, distance: null, roles: { ...scores, broad: 0.9 } },
      { layer: 0, head: 1, entropy: 2, distance: 3, roles: scores },
    ];
    const found = (
      measured: "entropy" | "distance" | "broad",
      side: "above" | "below",
      number: number,
    ): number[] =>
      headsBy({ measured, side, number }, { encoder: measures }).map(({ head }) => head);
    expect(found("entropy", "above", 1)).toEqual([1]);
    expect(found("entropy", "below", 1.5)).toEqual([0]);
    expect(found("distance", "below", 99)).toEqual([1]);
    expect(found("broad", "above", 0.5)).toEqual([0]);
  });
});
