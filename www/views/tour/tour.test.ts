// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { LANGUAGES, message, setLanguage, type MessageKey } from "../../i18n/index.js";
import {
  BUNDLED_MODELS,
  DEFAULT_STATE,
  encodeState,
  NO_EDITS,
  TOUR,
  type State,
  type TourStep,
} from "../../state/index.js";
import { architectureOf } from "../models.js";
import { button, words } from "../../ui/testing/controls.js";
import { HeadscopeTourCard } from "./card.js";
import { arrivalAt, isElsewhere, stateOfAddress } from "./steps.js";

/** How many layers and heads a model has, as its config.json says in its family's words. */
function sizeOf(model: string): { layers: number; heads: number } {
  const config = JSON.parse(readFileSync(`${model}/config.json`, "utf8")) as Record<string, number>;
  const {
    num_hidden_layers: layers,
    num_attention_heads: heads,
    n_layer,
    n_head,
    encoder_layers,
    encoder_attention_heads,
  } = config;
  return {
    layers: layers ?? n_layer ?? encoder_layers ?? 0,
    heads: heads ?? n_head ?? encoder_attention_heads ?? 0,
  };
}

afterEach(() => {
  setLanguage("en");
});

const arrival = (step: TourStep): State => arrivalAt(step, DEFAULT_STATE);

describe.each(TOUR)("the step %s", (step) => {
  it("shows a stack, a layer and a head that its model has", () => {
    const { model, stack, layer, head } = arrival(step);
    expect(BUNDLED_MODELS).toContain(model);
    const architecture = architectureOf(model);
    if (architecture !== "encoder-decoder") expect(stack).toBe(architecture);
    const { layers, heads } = sizeOf(model);
    expect([layer < layers, head < heads]).toEqual([true, true]);
  });

  it("is what its address alone stands for, in the reader's own looks", () => {
    const state = {
      ...DEFAULT_STATE,
      tour: step,
      theme: "dark" as const,
      backend: "webgpu" as const,
    };
    expect(
      stateOfAddress({ state, said: ["tour", "theme", "backend"], unread: [], newer: false }),
    ).toEqual({ ...arrival(step), theme: "dark", backend: "webgpu" });
  });

  it("is left only by a change of what it shows", () => {
    const there = arrival(step);
    expect(
      [
        there,
        { ...there, theme: "dark" as const, language: "zh-CN" as const },
        { ...there, backend: "webgpu" as const },
      ].map(isElsewhere),
    ).toEqual([false, false, false]);
    const changes: Partial<State>[] = [
      { head: there.head + 1 },
      { text: "typed" },
      { locked: { query: 0, key: 0 } },
      { edits: { ...NO_EDITS, heads: [{ gate: 0 }] } },
      { model: "opened/my-own" },
    ];
    for (const change of changes)
      expect(isElsewhere({ ...there, ...change }), encodeState({ ...there, ...change })).toBe(true);
  });
});

describe.each(LANGUAGES)("the words in $name", ({ code }) => {
  it.each<[TourStep, MessageKey]>([
    ["softmax", "stage.weights"],
    ["mask", "block.mode"],
    ["edit", "head.silence"],
    ["edit", "edits.undo"],
  ])("of the step %s call what is to be pressed as the page does: %s", (step, key) => {
    setLanguage(code);
    expect(message(`tour.${step}.words`)).toContain(`“${message(key)}”`);
  });
});

describe("the tour", () => {
  it("brings nothing along that a reader did on the way, except how the page looks", () => {
    const before: State = {
      ...DEFAULT_STATE,
      hidden: [2],
      target: "la mienne",
      edits: { ...NO_EDITS, heads: [{ gate: 0 }] },
      theme: "light",
      backend: "webgpu",
    };
    expect(arrivalAt("row", before)).toEqual({
      ...arrival("row"),
      theme: "light",
      backend: "webgpu",
    });
  });
});

it("the card has nothing before its first step and nothing after its last", async () => {
  const go = vi.fn();
  const card = await mount(new HeadscopeTourCard(), { step: TOUR[0], go });
  expect(button(card, "Back").disabled).toBe(true);
  card.step = "edit";
  await card.updateComplete;
  // A step that comes from elsewhere leaves the keyboard where it is.
  expect(card.shadowRoot?.activeElement).toBeNull();
  expect([...card.renderRoot.querySelectorAll("button")].map(words)).toEqual(["Back", "Finish"]);
  button(card, "Finish").click();
  expect(go).toHaveBeenCalledWith(null);
});
