// @vitest-environment happy-dom
import { LitElement } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { language, setLanguage } from "../../i18n/index.js";
import { Session } from "../session.js";
import { BenchWatch, Placement } from "./place.js";
import { shortcutOf } from "./shortcuts.js";

/** An explorer without its parts, in another page or as a page of its own. */
class Guest extends LitElement {
  place: HTMLElement | null = document.createElement("div");
  readonly session = new Session({}, () => new Promise(() => undefined));
  readonly keys: string[] = [];
  readonly placement = new Placement(this, this.session, ({ key }) => this.keys.push(key));
}
customElements.define("test-guest", Guest);

const { documentElement: root } = document;

beforeEach(() => {
  history.replaceState(null, "", "#");
  root.lang = "fr";
  delete root.dataset.theme;
  document.title = "Another page";
  setLanguage("en");
});

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

function guest(attributes: Record<string, string> | null): Guest {
  const element = new Guest();
  if (!attributes) element.place = null;
  for (const [name, value] of Object.entries(attributes ?? {}))
    element.place?.setAttribute(name, value);
  if (element.place) document.body.append(element.place);
  document.body.append(element);
  return element;
}

const press = (target: EventTarget, key: string): boolean =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));

describe("an explorer that is a page", () => {
  it("uses the document's address, title, theme, language and keys until it is removed", async () => {
    history.replaceState(null, "", "#v=1&text=one");
    const { session, keys } = guest(null);
    const { store } = session;
    expect(store.state.text).toBe("one");
    store.update({ theme: "dark", language: "zh-CN", text: "two" });
    expect([root.dataset.theme, root.lang, language()]).toEqual(["dark", "zh-CN", "zh-CN"]);
    expect(document.title).not.toBe("Another page");
    await vi.waitFor(() => expect(location.hash).toContain("text=two"));
    press(document.body, "s");
    document.body.replaceChildren();
    store.update({ theme: "light" });
    press(document.body, "x");
    expect([root.dataset.theme, keys]).toEqual(["dark", ["s"]]);
  });
});

describe("an explorer in another page", () => {
  it("begins with the attributes, and leaves the document alone", () => {
    const attributes = { text: "A cat", layer: "2", theme: "dark", language: "zh-CN" };
    const { session, keys, place } = guest(attributes);
    if (!place) throw new Error("it is a page of its own");
    expect(session.state).toMatchObject({ text: "A cat", layer: 1 });
    expect([place.dataset.theme, language(), place.lang]).toEqual(["dark", "zh-CN", "zh-CN"]);
    setLanguage("en");
    expect(place.lang).toBe("en");
    session.store.update({ text: "A dog", theme: "light" });
    expect(place.dataset.theme).toBe("light");
    expect([location.hash, document.title, root.lang, root.dataset.theme]).toEqual([
      "",
      "Another page",
      "fr",
      undefined,
    ]);
    press(document.body, "s");
    press(place, "]");
    expect(keys).toEqual(["]"]);
  });

  it("keeps its state when it is moved, stops when it is removed, and starts again", async () => {
    const element = guest({ text: "A bird" });
    const { session } = element;
    const [begin, rest] = [vi.spyOn(session, "begin"), vi.spyOn(session, "rest")];
    const calls = (): number[] => [begin.mock.calls.length, rest.mock.calls.length];
    session.store.update({ text: "A cat" });
    document.body.prepend(element);
    await Promise.resolve();
    expect([calls(), session.state.text]).toEqual([[0, 0], "A cat"]);
    element.remove();
    await Promise.resolve();
    document.body.append(element);
    expect([calls(), session.state.text]).toEqual([[1, 1], "A cat"]);
  });
});

class Host extends LitElement {
  open = false;
  sticky = true;
  settled = true;
  untouched = true;
  scrolled = 0;
  readonly watch = new BenchWatch(
    this,
    () => this.open,
    () => {
      const [picture, drawer] = [document.createElement("div"), document.createElement("div")];
      picture.scrollIntoView = () => void (this.scrolled += 1);
      drawer.style.position = this.sticky ? "sticky" : "static";
      document.body.append(drawer);
      return { picture, drawer, settled: this.settled, untouched: this.untouched };
    },
  );
}
customElements.define("test-bench-watch", Host);

type Moment = Partial<Pick<Host, "open" | "sticky" | "settled" | "untouched">>;

it.each<[string, Moment[], number[]]>([
  [
    "opened, again only when opened again",
    [{}, { open: true }, {}, { open: false }, { open: true }],
    [0, 1, 1, 1, 2],
  ],
  [
    "open on arrival, once the layout is final",
    [{ open: true, settled: false }, { settled: true }, {}],
    [0, 1, 1],
  ],
  [
    "open on arrival of a page in use",
    [{ open: true, untouched: false }, { untouched: true }],
    [0, 0],
  ],
  [
    "closed before the layout is final",
    [{ open: true, settled: false }, { open: false }, { settled: true }],
    [0, 0, 0],
  ],
  ["opened where the drawer covers nothing", [{ sticky: false }, { open: true }], [0, 0]],
])("the page scrolls to the picture for experiments that are %s", async (_, moments, expected) => {
  const host = new Host();
  const seen: number[] = [];
  for (const moment of moments) {
    Object.assign(host, moment);
    if (host.isConnected) host.requestUpdate();
    else document.body.append(host);
    await host.updateComplete;
    await new Promise((done) => requestAnimationFrame(done));
    seen.push(host.scrolled);
  }
  expect(seen).toEqual(expected);
});

const field = (type: string): HTMLInputElement =>
  Object.assign(document.createElement("input"), { type });
const inDialog = (): Element =>
  document.createElement("dialog").appendChild(document.createElement("button"));

it.each<[string, KeyboardEventInit, () => Element, string | undefined]>([
  ...Object.entries({
    "[": "layer-before",
    "]": "layer-after",
    ",": "head-before",
    ".": "head-after",
    Escape: "release",
    s: "silence",
    "?": "show-keys",
    a: undefined,
  }).map(([key, shortcut]): [string, KeyboardEventInit, () => Element, string | undefined] => [
    key,
    {},
    () => document.createElement("button"),
    shortcut,
  ]),
  ["z", { ctrlKey: true }, () => field("radio"), "undo"],
  ["z", { metaKey: true }, () => document.body, "undo"],
  ["Z", { metaKey: true, shiftKey: true }, () => document.body, "redo"],
  ["y", { ctrlKey: true }, () => document.body, "redo"],
  ["[", { ctrlKey: true }, () => document.body, undefined],
  ["[", { altKey: true }, () => document.body, undefined],
  ["z", { ctrlKey: true }, () => document.createElement("textarea"), undefined],
  ["z", { ctrlKey: true }, () => field("search"), undefined],
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
