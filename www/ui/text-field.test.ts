// @vitest-environment happy-dom
// The field of a text: what it reports, its size, and how the browser's own steps of undo become
// whole runs of letters.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { mount, put } from "../elements/testing/mount.js";
import { HeadscopeGrowingText, isLong } from "./text-field.js";

let field: HeadscopeGrowingText;
let area: HTMLTextAreaElement;
const texts: string[] = [];

beforeEach(async () => {
  texts.length = 0;
  field = await mount(new HeadscopeGrowingText(), { value: "", placeholder: "Write" });
  const found = field.renderRoot.querySelector("textarea");
  if (!found) throw new Error("there is no field");
  area = found;
  field.addEventListener("headscope-text", ({ detail }) => texts.push(detail));
});
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

async function input(inputType: string, value: string): Promise<void> {
  area.value = value;
  area.dispatchEvent(new InputEvent("input", { inputType }));
  await field.updateComplete;
}
async function type(text: string): Promise<void> {
  for (const letter of text) await input("insertText", area.value + letter);
}
/** Lets the browser undo and do again a letter at a time. */
function browserSteps(...steps: string[]): ReturnType<typeof vi.fn> {
  const left = [...steps];
  const step = vi.fn(() => {
    const next = left.shift();
    if (next !== undefined) area.value = next;
    // Each step of the browser fires an event of its own.
    area.dispatchEvent(new InputEvent("input", { inputType: "historyUndo" }));
    return true;
  });
  Object.assign(document, { execCommand: step });
  return step;
}

it("reports each change, and shows the placeholder without a text alone", async () => {
  expect(area.getAttribute("placeholder")).toBe("Write");
  await type("ab");
  expect(texts).toEqual(["a", "ab"]);
  expect([field.value, area.getAttribute("placeholder")]).toEqual(["ab", null]);
});

it("takes back a whole run of letters, and reports its beginning once", async () => {
  await type("abc");
  const step = browserSteps("a", "");
  await input("historyUndo", "ab");
  expect(step.mock.calls).toEqual([["undo"], ["undo"]]);
  expect([field.value, texts.slice(3)]).toEqual(["", [""]]);
  browserSteps("ab", "abc");
  await input("historyRedo", "a");
  expect([field.value, texts.slice(4)]).toEqual(["abc", ["abc"]]);
});

it("ends where the browser has no more steps", async () => {
  await type("abc");
  const step = browserSteps();
  await input("historyUndo", "b");
  expect(step).toHaveBeenCalledTimes(1);
  expect(field.value).toBe("b");
});

it.each([
  ["the pointer", () => area.dispatchEvent(new Event("pointerdown"))],
  ["the focus", () => area.dispatchEvent(new Event("blur"))],
  ["Home", () => area.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }))],
  ["an arrow", () => area.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }))],
])("begins another run where %s moves the caret", async (_, move) => {
  await type("ab");
  move();
  await type("c");
  browserSteps("ab", "a", "");
  await input("historyUndo", "abc");
  expect(field.value).toBe("ab");
});

it("goes on with a run after any other key", async () => {
  await type("ab");
  area.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
  await type("c");
  browserSteps("ab", "a", "");
  await input("historyUndo", "abc");
  expect(field.value).toBe("");
});

it("forgets its runs once another text is set", async () => {
  await type("ab");
  await put(field, { value: "other" });
  const step = browserSteps("x");
  await input("historyUndo", "othe");
  expect(step).not.toHaveBeenCalled();
  expect(field.value).toBe("othe");
});

it("is set smaller with a text beyond 200 letters", async () => {
  expect([isLong("a".repeat(200)), isLong("a".repeat(201))]).toEqual([false, true]);
  await put(field, { value: "a".repeat(201) });
  expect(field.hasAttribute("long")).toBe(true);
  await put(field, { value: "a", quiet: true, textLang: "fr", label: "Text" });
  expect([field.hasAttribute("long"), field.hasAttribute("quiet")]).toEqual([false, true]);
  expect([area.lang, area.getAttribute("aria-label")]).toEqual(["fr", "Text"]);
});
