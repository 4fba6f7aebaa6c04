import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { LANGUAGES, message, setLanguage, type MessageKey } from "../../i18n/index.js";
import {
  BUNDLED_MODELS,
  type Decoded,
  DEFAULT_STATE,
  NO_EDITS,
  TOUR,
  type State,
  type TourStep,
} from "../../state/index.js";
import { architectureOf } from "../models.js";
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
    const looks = { theme: "dark", backend: "webgpu" } as const;
    const state = { ...DEFAULT_STATE, tour: step, ...looks };
    const named: Decoded["named"] = ["tour", "theme", "backend"];
    const expected = { ...arrival(step), ...looks };
    expect(stateOfAddress({ state, named, unread: [], newer: false })).toEqual(expected);
  });

  it.each<[boolean, Partial<State>]>([
    [false, {}],
    [false, { theme: "dark", language: "zh-CN", backend: "webgpu" }],
    [true, { head: 7 }],
    [true, { text: "typed" }],
    [true, { locked: { query: 0, key: 0 } }],
    [true, { edits: { ...NO_EDITS, heads: [{ gate: 0 }] } }],
    [true, { model: "opened/my-own" }],
  ])("is left (%s) by %o", (left, change) => {
    expect(isElsewhere({ ...arrival(step), ...change })).toBe(left);
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

it("a step brings nothing along that a reader did on the way, except how the page looks", () => {
  const looks = { theme: "light", backend: "webgpu" } as const;
  const before = { ...DEFAULT_STATE, hidden: [2], target: "la mienne", ...looks };
  expect(arrivalAt("row", before)).toEqual({ ...arrival("row"), ...looks });
});
