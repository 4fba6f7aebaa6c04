// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel } from "../../../../tests/support/fake-model.js";
import type { HeadMeasures, HeadRef, RoleScores } from "../../../data/index.js";
import { ROLES } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { HeadscopeError } from "../../../headscope.js";
import { loadSentences, message } from "../../../i18n/index.js";
import { NO_EDITS, withGate, withPattern, type EditLists } from "../../../state/index.js";
import type { OnBench } from "../on-bench.js";
import { ON_BENCH } from "../testing/on-bench.js";
import { HeadscopeChangeBlocks } from "./change-blocks.js";
import { HeadscopeChangeHeads } from "./change-heads.js";
import { commonGate, headsBy, targetHeads } from "./chosen-heads.js";

const HEAD: HeadRef = { stack: "cross", layer: 1, head: 2 };

async function on(edits: EditLists = NO_EDITS): Promise<OnBench> {
  const model = new FakeModel();
  const run = await model.run({ text: "one two three" });
  return { ...ON_BENCH, edits, head: HEAD, model, run };
}

/** A part of the bench on a page that does what it asks for. */
async function bench<Part extends HeadscopeChangeHeads | HeadscopeChangeBlocks>(
  part: Part,
  edits?: EditLists,
): Promise<Part> {
  const first = await on(edits);
  const element = await mount(part, { on: first } as Partial<Part>);
  element.addEventListener("headscope-patch", ({ detail }) => {
    if (detail.edits) element.on = { ...element.on, edits: detail.edits };
  });
  return element;
}

function choose(
  element: HTMLElement & { renderRoot: DocumentFragment | HTMLElement },
  label: string,
  value: string,
): void {
  const choice = [...element.renderRoot.querySelectorAll("headscope-choice")].find(
    (one) => one.label === label,
  );
  if (!choice) throw new Error(`no ${label}`);
  choice.dispatchEvent(new CustomEvent("headscope-choose", { detail: value, bubbles: true }));
}

function select(
  element: { renderRoot: DocumentFragment | HTMLElement },
  label: string,
  value: string,
): void {
  const field = [...element.renderRoot.querySelectorAll("select")].find(
    (one) => one.getAttribute("aria-label") === label,
  );
  if (!field) throw new Error(`no ${label}`);
  field.value = value;
  field.dispatchEvent(new Event("change"));
}

const settled = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

beforeAll(() => loadSentences("bench"));
afterEach(() => document.body.replaceChildren());

describe("<headscope-change-heads>", () => {
  it("sets the head that is looked at, its layer, its stack", async () => {
    const element = await bench(new HeadscopeChangeHeads());
    choose(element, message("headBench.gate"), "0.5");
    expect(element.on.edits.heads).toEqual([
      { stack: "cross", layers: [1], heads: [2], gate: 0.5 },
    ]);
    select(element, message("headBench.target"), "layer");
    choose(element, message("headBench.pattern"), "uniform");
    expect(element.on.edits.heads.at(-1)).toEqual({
      stack: "cross",
      layers: [1],
      pattern: "uniform",
    });
    select(element, message("headBench.target"), "stack");
    choose(element, message("headBench.gate"), "1");
    choose(element, message("headBench.pattern"), "own");
    expect(element.on.edits).toEqual(NO_EDITS);
  });

  it("shows what the heads have in common, and nothing where they differ", async () => {
    const element = await bench(
      new HeadscopeChangeHeads(),
      withGate(NO_EDITS, [HEAD], 2, FAKE_INFO.stacks),
    );
    const value = (): string | undefined =>
      [...element.renderRoot.querySelectorAll("headscope-choice")].find(
        ({ label }) => label === message("headBench.gate"),
      )?.value;
    expect(value()).toBe("2");
    select(element, message("headBench.target"), "layer");
    await element.updateComplete;
    expect(value()).toBe("");
  });

  it("begins a drawing with the weights of the head", async () => {
    const element = await bench(new HeadscopeChangeHeads());
    choose(element, message("headBench.pattern"), "drawn");
    await settled();
    const drawn = element.on.edits.heads[0]?.pattern;
    const weights = await element.on.run?.attention(HEAD);
    if (typeof drawn !== "object" || !weights) throw new Error("no drawing");
    expect([drawn.length, drawn[0]?.length]).toEqual(weights.shape);
    drawn
      .flat()
      .forEach((cell, at) =>
        expect(Math.abs(cell / 1000 - (weights.data[at] ?? 0))).toBeLessThan(0.001),
      );
    expect(element.renderRoot.querySelector("headscope-draw-pattern")).not.toBeNull();
  });

  it("gives a drawing to the heads that were meant when it was asked for", async () => {
    const element = await bench(new HeadscopeChangeHeads());
    choose(element, message("headBench.pattern"), "drawn");
    element.on = { ...element.on, head: { ...HEAD, head: 5 } };
    await settled();
    expect(element.on.edits.heads.map(({ layers, heads }) => [layers, heads])).toEqual([
      [[1], [2]],
    ]);
  });

  it("draws nothing of a run that another one has replaced, and says only what went wrong", async () => {
    const element = await bench(new HeadscopeChangeHeads());
    const next = await on();
    choose(element, message("headBench.pattern"), "drawn");
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
      choose(element, message("headBench.pattern"), "drawn");
      await settled();
      return element.renderRoot.querySelector("p[role=status]")?.textContent;
    };
    expect(await failing("run/released")).toBeUndefined();
    expect(await failing("engine/out-of-memory")).toBe(
      `${message("headBench.notRead")} engine/out-of-memory`,
    );
  });

  it("picks the heads that a rule finds before anything is changed", async () => {
    const element = await bench(new HeadscopeChangeHeads());
    await settled();
    await element.updateComplete;
    const rule = element.renderRoot.querySelector("headscope-head-rule");
    if (!rule) throw new Error("no rule");
    const number = rule.renderRoot.querySelector("input");
    if (!number) throw new Error("no number");
    const type = async (text: string): Promise<void> => {
      number.value = text;
      number.dispatchEvent(new Event("change"));
      await rule.updateComplete;
    };
    await type("-1");
    expect([
      number.value,
      number.getAttribute("aria-invalid"),
      rule.renderRoot.querySelector(".refusal code")?.textContent,
    ]).toEqual(["-1", "true", "field/out-of-range"]);
    await type("0");
    expect(rule.renderRoot.querySelector(".refusal")).toBeNull();
    rule.renderRoot.querySelector("button")?.click();
    await element.updateComplete;
    expect(element.on.edits).toEqual(NO_EDITS);
    expect(
      element.renderRoot.querySelector("headscope-head-picker")?.picked.length,
    ).toBeGreaterThan(0);
    choose(element, message("headBench.gate"), "0");
    expect(element.on.edits.heads.length).toBeGreaterThan(0);
  });
});

describe("<headscope-change-blocks>", () => {
  it("sets one block, or all of the stack; cross-attention's are the decoder's", async () => {
    const element = await bench(new HeadscopeChangeBlocks());
    const name = (
      sublayer: "feed-forward" | "cross-attention",
      part: "residual" | "norm",
    ): string => `${message(`sublayer.${sublayer}`)}: ${message(`headBench.${part}`)}`;
    choose(element, name("feed-forward", "residual"), "off");
    expect(element.on.edits.blocks).toEqual([
      { stack: "decoder", layers: [1], sublayers: ["feed-forward"], residual: false },
    ]);
    select(element, message("headBench.blocks"), "stack");
    await element.updateComplete;
    choose(element, name("cross-attention", "norm"), "pre");
    expect(element.on.edits.blocks.at(-1)).toEqual({
      stack: "decoder",
      sublayers: ["cross-attention"],
      norm: "pre",
    });
    choose(element, name("feed-forward", "residual"), "on");
    choose(element, name("cross-attention", "norm"), "model");
    expect(element.on.edits).toEqual(NO_EDITS);
  });
});

describe("heads that are meant", () => {
  it("are those that the head is part of, or those that were picked", () => {
    expect(targetHeads("layer", HEAD, [], FAKE_INFO)).toHaveLength(8);
    expect(targetHeads("everywhere", HEAD, [], FAKE_INFO)).toHaveLength(72);
    expect(targetHeads("picked", HEAD, [HEAD], FAKE_INFO)).toEqual([HEAD]);
    expect(commonGate(withPattern(NO_EDITS, [HEAD], "uniform", FAKE_INFO.stacks), [HEAD])).toBe(1);
    expect(commonGate(NO_EDITS, [])).toBeNull();
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
