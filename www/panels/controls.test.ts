// @vitest-environment happy-dom
// Lists that several panels have: samples, and the entry that effects are about.
import { html, nothing, render } from "lit";
import { expect, it, vi } from "vitest";
import { tokensOf } from "../elements/testing/mount.js";
import { message } from "../i18n/index.js";
import type { Sample } from "../session/models/bundled-models.js";
import { stateOf } from "../session/models/samples.js";
import type { Session } from "../session/session.js";
import type { State } from "../state/index.js";
import { words } from "../ui/testing/controls.js";
import { entryChoice, samplePicker } from "./controls.js";
import { markedWords } from "./marked-words.js";

const HEAD = { stack: "encoder", layer: 0, head: 1, locked: { query: 1, key: 0 } } as const;
const ALONE: Sample = { ...HEAD, text: "The dog." };
const PAIR: Sample = { ...HEAD, text: "The cat.", other: "A cat." };

/** The list of a template, with its options and the way to choose one. */
function listOf(template: unknown): {
  list: HTMLSelectElement;
  options: () => string[];
  choose: (at: number) => void;
} {
  const place = document.createElement("div");
  render(html`${template}`, place);
  const list = place.querySelector("select");
  if (!list) throw new Error("there is no list");
  return {
    list,
    options: () => [...list.options].map(words),
    choose: (at) => {
      list.selectedIndex = at;
      list.dispatchEvent(new Event("change"));
    },
  };
}

it("a sample that is chosen is shown in one step, and the list has its name again", () => {
  const step = vi.fn<(state: Partial<State>) => void>();
  const session = { store: { step } } as unknown as Session;
  const { list, options, choose } = listOf(samplePicker(session, "Samples", [ALONE, PAIR]));
  expect(options()).toEqual(["Samples", "The dog.", "The cat. · A cat."]);
  choose(2);
  expect(step.mock.calls).toEqual([[stateOf(PAIR)]]);
  expect(list.selectedIndex).toBe(0);
  choose(0);
  expect(step).toHaveBeenCalledOnce();
  expect(samplePicker(session, "Samples", [])).toBe(nothing);
});

it("effects are about the likeliest entry, a prediction, or another entry by its number", () => {
  const update = vi.fn<(state: Partial<State>) => void>();
  const predictions = [" cat", " dog"].map((text, id) => ({ id: id + 5, text, probability: 0.5 }));
  const choiceOf = (entry: number | null, known = true): ReturnType<typeof listOf> => {
    const [at] = tokensOf("The");
    const expectation = known ? { at, predictions } : null;
    const session = { info: null, state: { entry }, expectation, update } as unknown as Session;
    return listOf(entryChoice(session));
  };
  const likeliest = message("effects.likeliest");
  const free = choiceOf(null);
  expect(free.options()).toEqual([likeliest, "cat", "dog"]);
  free.choose(2);
  free.choose(0);
  expect(update.mock.calls).toEqual([[{ entry: 6 }], [{ entry: null }]]);
  expect(choiceOf(6).options()).toEqual([likeliest, "cat", "dog"]);
  expect(choiceOf(9).options()).toEqual([likeliest, "#9", "cat", "dog"]);
  expect(choiceOf(9, false).options()).toEqual([likeliest, "#9"]);
});

it("a text has a mark at each word that the other lacks, and a dash without words", () => {
  const marked = (text: string, other: string): [string, string[]] => {
    const place = document.createElement("div");
    render(markedWords(text, other), place);
    return [words(place), [...place.querySelectorAll("mark")].map(words)];
  };
  expect(marked("one two three", "one four three")).toEqual(["one two three", ["two"]]);
  expect(marked("", "one")).toEqual(["–", []]);
});
