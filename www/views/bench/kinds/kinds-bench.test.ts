// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AttentionEdit, HeadRef } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import type { Run } from "../../../headscope.js";
import { NO_EDITS, type EditLists } from "../../../state/index.js";
import type { OnBench } from "../on-bench.js";
import { ON_BENCH } from "../testing/on-bench.js";
import type { HeadscopeKindRule } from "./kind-rule.js";
import { HeadscopeKindsBench } from "./kinds-bench.js";

// The laboratory below has its own test.
vi.mock("../../demos/scores.js", () => ({ scores: null }));
vi.mock("../../demos/kind-report.js", () => ({ kindReport: null }));

const HEAD: HeadRef = { stack: "encoder", layer: 0, head: 1 };
// Only what the bench reads of a run.
const RUN = { tokens: [], targetTokens: [] } as unknown as Run;

async function bench(attention: readonly AttentionEdit[] = []): Promise<{
  element: HeadscopeKindsBench;
  edits: () => EditLists;
  rules: () => HeadscopeKindRule[];
}> {
  const on: OnBench = {
    ...ON_BENCH,
    edits: { ...NO_EDITS, attention },
    head: HEAD,
    run: RUN,
  };
  const element = await mount(new HeadscopeKindsBench(), { on });
  element.addEventListener("headscope-patch", ({ detail }) => {
    if (detail.edits && element.on) element.on = { ...element.on, edits: detail.edits };
  });
  return {
    element,
    edits: () => element.on?.edits ?? NO_EDITS,
    rules: () => [...element.renderRoot.querySelectorAll("headscope-kind-rule")],
  };
}

async function change(
  part: HeadscopeKindRule | HeadscopeKindsBench,
  selector: string,
  value: string,
): Promise<void> {
  const field = part.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>(selector);
  if (!field) throw new Error(`no ${selector}`);
  field.value = value;
  field.dispatchEvent(new Event("change"));
  await part.updateComplete;
  for (const element of document.querySelectorAll("headscope-kinds-bench"))
    await element.updateComplete;
}

afterEach(() => document.body.replaceChildren());

describe("<headscope-kinds-bench>", () => {
  it("changes the head that is looked at, and each edit in its place", async () => {
    const { element, edits, rules } = await bench();
    await change(element, "#add", "sliding");
    expect(edits().attention).toEqual([
      { stack: "encoder", layers: [0], heads: [1], kind: "sliding", parameters: { width: 2 } },
    ]);
    const [rule] = rules();
    if (!rule) throw new Error("no rule");
    await change(rule, "#width", "5");
    await change(rule, "#temperature", "0.5");
    await change(rule, "#rate", "0.3");
    await change(rule, "#dropout-seed", "8");
    await change(rule, "#reach", "stack");
    expect(edits().attention).toEqual([
      {
        stack: "encoder",
        kind: "sliding",
        parameters: { width: 5 },
        temperature: 0.5,
        dropout: { rate: 0.3, seed: 8 },
      },
    ]);
    await change(rule, "#kind", "linear");
    expect(edits().attention).toEqual([{ stack: "encoder", kind: "linear" }]);
    expect(rule.renderRoot.querySelector("#temperature")).toBeNull();
    rule.renderRoot.querySelector<HTMLButtonElement>(".remove")?.click();
    await element.updateComplete;
    expect([edits().attention, rules()]).toEqual([[], []]);
  });

  it("has a slider for the rank, from none to as many as there are tokens; each rest is one change", async () => {
    const { element, edits, rules } = await bench([{ stack: "encoder", kind: "low-rank" }]);
    if (element.on)
      element.on = {
        ...element.on,
        run: Object.assign({}, RUN, { tokens: Array.from({ length: 9 }) }),
      };
    await element.updateComplete;
    const slider = rules()[0]?.renderRoot.querySelector("headscope-number-slider");
    await slider?.updateComplete;
    const range = slider?.renderRoot.querySelector<HTMLInputElement>("input[type=range]");
    expect([range?.min, range?.max, range?.value]).toEqual(["0", "9", "4"]);
    if (!range) throw new Error("no slider");
    range.value = "2";
    range.dispatchEvent(new Event("input"));
    expect([
      slider?.renderRoot.querySelector<HTMLInputElement>("input[type=number]")?.value,
      edits().attention[0]?.parameters,
    ]).toEqual(["2", undefined]);
    range.dispatchEvent(new Event("change"));
    await element.updateComplete;
    expect(edits().attention).toEqual([
      { stack: "encoder", kind: "low-rank", parameters: { rank: 2 } },
    ]);
  });

  it("switches the scale off and sets it to a number", async () => {
    const { edits, rules } = await bench([{ kind: "softmax" }]);
    const [rule] = rules();
    if (!rule) throw new Error("no rule");
    const choose = async (detail: string): Promise<void> => {
      rule.renderRoot
        .querySelector("headscope-choice")
        ?.dispatchEvent(new CustomEvent("headscope-choose", { detail }));
      await rule.updateComplete;
    };
    await choose("none");
    expect(edits().attention).toEqual([{ kind: "softmax", scale: "none" }]);
    await choose("by");
    await change(rule, "#scale", "0.7");
    expect(edits().attention).toEqual([{ kind: "softmax", scale: 0.7 }]);
  });

  it("takes no nonsense: the field keeps it, and a sentence with a code says what could stand there", async () => {
    const { edits, rules } = await bench([{ kind: "chunked", parameters: { size: 4 } }]);
    const [rule] = rules();
    if (!rule) throw new Error("no rule");
    for (const [id, text, code] of [
      ["size", "", "field/not-a-number"],
      ["size", "0", "field/out-of-range"],
      ["temperature", "1e9", "field/out-of-range"],
      ["temperature", "-1", "field/out-of-range"],
    ] as const) {
      await change(rule, `#${id}`, text);
      const field = rule.renderRoot.querySelector<HTMLInputElement>(`#${id}`);
      expect([
        field?.value,
        field?.getAttribute("aria-invalid"),
        rule.renderRoot.querySelector(`#refused-${id} code`)?.textContent,
      ]).toEqual([text, "true", code]);
      expect(edits().attention).toEqual([{ kind: "chunked", parameters: { size: 4 } }]);
    }
  });
});
