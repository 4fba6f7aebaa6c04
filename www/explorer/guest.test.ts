// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type Language, loadLanguage, message, PAGE_LOCALE } from "../i18n/index.js";
import type { Explorer, ExplorerOptions, StateChange } from "../session/explorer.js";
import { fillPlace } from "./guest.js";

const waiting = { load: () => new Promise<never>(() => undefined) };
const { documentElement: root } = document;

beforeAll(() => loadLanguage("zh-CN"));
beforeEach(() => {
  root.lang = "en";
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  PAGE_LOCALE.speak("en");
});

/** An explorer in an element of a page. */
function guest(
  options: ExplorerOptions,
  changed: (change: StateChange) => void = () => undefined,
): { place: HTMLElement; explorer: Explorer; top: () => string; settled: () => Promise<void> } {
  const place = document.body.appendChild(document.createElement("div"));
  const shadow = place.attachShadow({ mode: "open" });
  const explorer = fillPlace(place, shadow, options, changed);
  const bar = (): Element | null | undefined =>
    shadow.querySelector("headscope-explorer")?.shadowRoot?.querySelector("headscope-top-bar");
  return {
    place,
    explorer,
    top: () => bar()?.shadowRoot?.textContent.replace(/\s+/g, " ") ?? "",
    settled: async () => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    },
  };
}

const wordsIn = (language: Language): string => {
  const before = PAGE_LOCALE.language;
  PAGE_LOCALE.speak(language);
  const words = message("bar.tour");
  PAGE_LOCALE.speak(before);
  return words;
};

it("two explorers of a page speak a language each, and follow the page without one", async () => {
  const chinese = guest({ ...waiting, state: { language: "zh-CN" } });
  const other = guest(waiting);
  await other.settled();
  expect([chinese.place.lang, other.place.lang]).toEqual(["zh-CN", "en"]);
  expect(chinese.top()).toContain(wordsIn("zh-CN"));
  expect(other.top()).toContain(wordsIn("en"));
  other.explorer.set({ language: "zh-CN" });
  chinese.explorer.set({ language: "en" });
  await other.settled();
  expect([chinese.place.lang, other.place.lang, PAGE_LOCALE.language]).toEqual([
    ...["en", "zh-CN"],
    "en",
  ]);
  expect(chinese.top()).toContain(wordsIn("en"));
  expect(other.top()).toContain(wordsIn("zh-CN"));
  expect(root.lang).not.toBe("zh-CN");
  // One that has no language of its own follows the page, while it is in the page.
  chinese.explorer.set({ language: null });
  other.place.remove();
  other.explorer.set({ language: null });
  PAGE_LOCALE.speak("zh-CN");
  await chinese.settled();
  expect(chinese.top()).toContain(wordsIn("zh-CN"));
  expect(chinese.place.lang).toBe("zh-CN");
});

it("an explorer in another page leaves the document alone, and has the keys pressed inside it", () => {
  history.replaceState(null, "", "#");
  Object.assign(root, { lang: "fr" });
  delete root.dataset.theme;
  document.title = "Another page";
  const { place, explorer } = guest({ ...waiting, state: { theme: "light" } });
  const showHelp = vi.spyOn(explorer.session.page, "showHelp").mockReturnValue();
  const press = (target: EventTarget): boolean =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
  press(document.body);
  press(place);
  expect(showHelp).toHaveBeenCalledExactlyOnceWith("keys");
  expect(place.dataset.theme).toBe("light");
  explorer.session.update({ theme: "dark", text: "A cat" });
  expect(place.dataset.theme).toBe("dark");
  expect([location.hash, document.title, root.lang, root.dataset.theme]).toEqual([
    "",
    "Another page",
    "fr",
    undefined,
  ]);
});

it("works while it is in the page, and is not stopped when it is moved within it", async () => {
  const { place, explorer } = guest(waiting);
  const begin = vi.spyOn(explorer.session, "begin");
  const end = vi.spyOn(explorer.session, "end");
  document.body.prepend(place);
  await Promise.resolve();
  expect([begin.mock.calls.length, end.mock.calls.length]).toEqual([0, 0]);
  place.remove();
  await Promise.resolve();
  document.body.append(place);
  expect([begin.mock.calls.length, end.mock.calls.length]).toEqual([1, 1]);
});

it("the page around it hears what its user changes, not what it set itself", () => {
  const changed = vi.fn<(change: StateChange) => void>();
  const { explorer } = guest(waiting, changed);
  explorer.set({ layer: 3 });
  expect(changed).not.toHaveBeenCalled();
  explorer.session.update({ head: 0 });
  expect(changed).toHaveBeenCalledOnce();
});
