// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest";
import { shortcutOf } from "./keys.js";

afterEach(() => document.body.replaceChildren());

const field = (type: string): HTMLInputElement =>
  Object.assign(document.createElement("input"), { type });
const inDialog = (): Element =>
  document.createElement("dialog").appendChild(document.createElement("button"));

it.each<[string, KeyboardEventInit, () => Element, string | undefined]>([
  ["[", {}, () => document.body, "["],
  [".", {}, () => document.createElement("button"), "."],
  ["Escape", {}, () => document.body, "Escape"],
  ["a", {}, () => document.body, undefined],
  ["z", { ctrlKey: true }, () => field("radio"), "undo"],
  ["Z", { metaKey: true, shiftKey: true }, () => document.body, "redo"],
  ["y", { ctrlKey: true }, () => document.body, "redo"],
  ["[", { ctrlKey: true }, () => document.body, undefined],
  ["[", { altKey: true }, () => document.body, undefined],
  ["z", { ctrlKey: true }, () => document.createElement("textarea"), undefined],
  ["s", {}, () => field("search"), undefined],
  ["[", {}, () => document.createElement("select"), undefined],
  ["Escape", {}, inDialog, undefined],
])("the key %s with %o asks for %4$s", (key, options, target, shortcut) => {
  const on = target();
  if (on !== document.body) document.body.append(on.parentElement ?? on);
  let asked: unknown = "not asked";
  document.addEventListener("keydown", (event) => (asked = shortcutOf(event)), { once: true });
  on.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, composed: true, ...options }),
  );
  expect(asked).toBe(shortcut);
});
