// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { sessionWith } from "../session/testing/session.js";
import { bindKeys, shortcutOf } from "./keys.js";

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

it("keys act on the explorer that they are bound to, until it is left", () => {
  const session = sessionWith();
  const told: unknown[][] = [];
  const tell =
    (name: string) =>
    (...given: unknown[]): void =>
      void told.push([name, ...given]);
  vi.spyOn(session.pointing, "go").mockImplementation(tell("go"));
  vi.spyOn(session.pointing, "release").mockImplementation(tell("release"));
  vi.spyOn(session.pointing, "toggleShown").mockImplementation(tell("toggleShown"));
  vi.spyOn(session, "command").mockImplementation(tell("command"));
  session.page.showHelp = tell("showHelp");
  const target = document.body.appendChild(document.createElement("div"));
  const press = (key: string, options: KeyboardEventInit = {}): boolean =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true, ...options }));
  const leave = bindKeys(target, session);
  for (const key of ["[", "]", ",", ".", "Escape", "s", "?"]) expect(press(key)).toBe(false);
  for (const shiftKey of [false, true]) press("z", { ctrlKey: true, shiftKey });
  expect(told).toEqual([
    ["go", "layer", -1],
    ["go", "layer", 1],
    ["go", "head", -1],
    ["go", "head", 1],
    ["release"],
    ["toggleShown"],
    ["showHelp", "keys"],
    ["command", "undo"],
    ["command", "redo"],
  ]);
  expect(press("a")).toBe(true);
  leave();
  expect(press("[")).toBe(true);
  expect(told).toHaveLength(9);
  vi.restoreAllMocks();
});
