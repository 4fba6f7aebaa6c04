// @vitest-environment happy-dom
import { LitElement } from "lit";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { language, setLanguage } from "../i18n/index.js";
import { Session } from "../session/session.js";
import { Placement, shortcutOf } from "./place.js";

/** An explorer without its parts, in another page or as a page of its own. */
class Guest extends LitElement {
  place: HTMLElement | null = null;
  readonly showHelp = vi.fn();
  readonly session = new Session({ showHelp: this.showHelp }, () => new Promise(() => undefined));
  readonly placement = new Placement(this, this.session);
}
customElements.define("test-guest", Guest);

const { documentElement: root } = document;

beforeEach(() => {
  history.replaceState(null, "", "#");
  Object.assign(root, { lang: "fr" });
  delete root.dataset.theme;
  document.title = "Another page";
  setLanguage("en");
});

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

const press = (target: EventTarget): boolean =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));

it("an explorer in another page begins with its attributes, leaves the document alone, and works while it is in the page", async () => {
  const guest = new Guest();
  const { session, showHelp } = guest;
  const place = (guest.place = document.body.appendChild(document.createElement("div")));
  for (const [name, value] of Object.entries({ text: "A cat", layer: "2", language: "zh-CN" }))
    place.setAttribute(name, value);
  document.body.append(guest);
  expect(session.state).toMatchObject({ text: "A cat", layer: 1 });
  expect([language(), place.lang]).toEqual(["zh-CN", "zh-CN"]);
  setLanguage("en");
  expect(place.lang).toBe("en");
  session.store.update({ text: "A dog", theme: "light" });
  expect(place.dataset.theme).toBe("light");
  press(document.body);
  press(place);
  expect(showHelp).toHaveBeenCalledExactlyOnceWith("keys");
  const begin = vi.spyOn(session, "begin");
  const end = vi.spyOn(session, "end");
  document.body.prepend(guest);
  await Promise.resolve();
  expect([begin.mock.calls.length, end.mock.calls.length]).toEqual([0, 0]);
  guest.remove();
  await Promise.resolve();
  document.body.append(guest);
  expect([begin.mock.calls.length, end.mock.calls.length]).toEqual([1, 1]);
  expect(session.state.text).toBe("A dog");
  const { hash } = location;
  expect([hash, document.title, root.lang, root.dataset.theme]).toEqual([
    ...["", "Another page"],
    ...["fr", undefined],
  ]);
});

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
