// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { HeadRef, MaskEdit, Tensor } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { decodeState, NO_EDITS, type EditLists } from "../../state/index.js";
import { HeadscopeMaskBench } from "./mask-bench.js";
import type { HeadscopeMaskRule } from "./mask-rule.js";

const HEAD: HeadRef = { stack: "decoder", layer: 0, head: 1 };
const MASK: Tensor = {
  data: Float32Array.from([0, -Infinity, 0, -1e9]),
  shape: [2, 2],
  axes: ["query", "key"],
};

/** The bench on a page that does what it asks for. */
async function bench(edits: EditLists = NO_EDITS): Promise<{
  element: HeadscopeMaskBench;
  masks: () => readonly MaskEdit[];
  rules: () => HeadscopeMaskRule[];
}> {
  const element = await mount(new HeadscopeMaskBench(), { edits, head: HEAD, mask: MASK });
  element.addEventListener("headscope-patch", ({ detail }) => {
    if (detail.edits) element.edits = detail.edits;
  });
  return {
    element,
    masks: () => element.edits.masks,
    rules: () => [...element.renderRoot.querySelectorAll("headscope-mask-rule")],
  };
}

async function change(
  rule: HeadscopeMaskRule | HeadscopeMaskBench,
  selector: string,
  value: string,
): Promise<void> {
  const field = rule.renderRoot.querySelector<HTMLInputElement | HTMLSelectElement>(selector);
  if (!field) throw new Error(`no ${selector}`);
  field.value = value;
  field.dispatchEvent(new Event("change"));
  await settled(rule);
}

async function settled(...parts: (HeadscopeMaskRule | HeadscopeMaskBench)[]): Promise<void> {
  for (const part of parts) await part.updateComplete;
  for (const element of document.querySelectorAll<HeadscopeMaskBench>("headscope-mask-bench"))
    await element.updateComplete;
}

const press = async (rule: HeadscopeMaskRule, name: string): Promise<void> => {
  [...rule.renderRoot.querySelectorAll("button")]
    .find(({ textContent }) => textContent.trim() === name)
    ?.click();
  await settled(rule);
};

afterEach(() => document.body.replaceChildren());

describe("<headscope-mask-bench>", () => {
  it("adds rules for the stack that is looked at; everybody takes the place of the model's own mask", async () => {
    const { element, masks, rules } = await bench();
    await change(element, ".foot select", "window");
    await change(element, ".foot select", "none");
    expect(masks()).toEqual([
      { stack: "decoder", preset: { kind: "window", width: 2 } },
      { stack: "decoder", mode: "replace", preset: { kind: "none" } },
    ]);
    expect(rules()).toHaveLength(2);
    expect(element.renderRoot.querySelector<HTMLSelectElement>(".foot select")?.value).toBe("");
  });

  it("changes each rule in its place and takes it away", async () => {
    const { masks, rules } = await bench(
      decodeState(
        "edits={'masks':[{'stack':'decoder','preset':{'kind':'window','width':2}},{'stack':'decoder','layers':[0],'heads':[1],'block':[[1,0]]},{'stack':'decoder','mode':'or','preset':{'kind':'causal'}}]}",
      ).state.edits,
    );
    const [first, second] = rules();
    if (!first || !second) throw new Error("no rules");
    await change(first, "#kind", "global");
    await change(first, "input[type=number]", "0");
    await change(first, "input.tokens", "1, 3");
    await change(first, "#mode", "replace");
    await change(first, "#reach", "head");
    await press(first, "inverted");
    await press(first, "only backwards");
    expect(masks()[0]).toEqual({
      stack: "decoder",
      layers: [0],
      heads: [1],
      mode: "replace",
      invert: true,
      preset: { kind: "global", tokens: [0, 2], width: 0, oneSided: true },
    });
    await press(second, "×");
    expect(masks()).toHaveLength(2);
    expect(masks()[1]).toMatchObject({ block: [[1, 0]] });
  });

  it("takes no nonsense: the field keeps it, and a sentence with a code says what could stand there", async () => {
    const { masks, rules } = await bench(
      decodeState(
        "edits={'masks':[{'stack':'decoder','preset':{'kind':'global','tokens':[0,1],'width':1}}]}",
      ).state.edits,
    );
    const before = masks();
    const [rule] = rules();
    if (!rule) throw new Error("no rule");
    for (const text of ["one", "0", "1.5", "-1"]) {
      await change(rule, "input.tokens", text);
      expect(masks(), text).toEqual(before);
      const field = rule.renderRoot.querySelector<HTMLInputElement>("input.tokens");
      expect([
        field?.value,
        field?.getAttribute("aria-invalid"),
        rule.renderRoot.querySelector(".refusal code")?.textContent,
      ]).toEqual([text, "true", "field/not-tokens"]);
    }
    await change(rule, "input.tokens", "2, 1");
    expect(rule.renderRoot.querySelector(".refusal")).toBeNull();
    for (const [text, code] of [
      ["", "field/not-a-number"],
      ["99999999", "field/out-of-range"],
      ["-1", "field/out-of-range"],
      ["1.5", "field/not-whole"],
    ] as const) {
      await change(rule, "input[type=number]", text);
      expect(masks(), text).toEqual(before);
      const field = rule.renderRoot.querySelector<HTMLInputElement>("input[type=number]");
      expect([
        field?.value,
        field?.getAttribute("aria-invalid"),
        rule.renderRoot.querySelector(".refusal code")?.textContent,
      ]).toEqual([text, "true", code]);
    }
  });

  it("counts what is open, whatever a forbidden cell adds", async () => {
    const { element } = await bench();
    expect(element.renderRoot.querySelector("[role=status]")?.textContent.trim()).toBe(
      "Layer 1 · head 2: 2 of 4 pairs allowed (50.0%)",
    );
  });

  it("names where a rule holds that is about another head", async () => {
    const { rules } = await bench(
      decodeState("edits={'masks':[{'stack':'encoder','layers':[2],'preset':{'kind':'causal'}}]}")
        .state.edits,
    );
    expect(
      rules()[0]?.renderRoot.querySelector<HTMLSelectElement>("#reach")?.selectedOptions[0]
        ?.textContent,
    ).toBe("Encoder, layer 3");
  });
});
