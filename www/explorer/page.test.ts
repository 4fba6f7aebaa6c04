// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadLanguage, PAGE_LOCALE } from "../i18n/index.js";
import { Explorer } from "../session/explorer.js";
import { bindPage, languageFor } from "./page.js";

const waiting = { load: () => new Promise<never>(() => undefined) };
const { documentElement: root } = document;
let leave: () => void = () => undefined;

beforeAll(() => loadLanguage("zh-CN"));
beforeEach(() => history.replaceState(null, "", "#v=1&text=A+cat&theme=dark"));
afterEach(() => {
  leave();
  PAGE_LOCALE.speak("en");
  vi.restoreAllMocks();
});

it("the document has the theme, language and title of its explorer, which has its address and keys", () => {
  const explorer = new Explorer(waiting);
  leave = bindPage(explorer);
  expect(explorer.state.text).toBe("A cat");
  expect([root.dataset.theme, root.lang]).toEqual(["dark", "en"]);
  explorer.session.update({ language: "zh-CN", theme: "light" });
  expect([root.dataset.theme, root.lang, PAGE_LOCALE.language]).toEqual([
    "light",
    "zh-CN",
    "zh-CN",
  ]);
  expect(document.title).toMatch(/\p{Script=Han}/u);
  explorer.session.update({ head: 0 });
  leave();
  expect(location.hash).toContain("head=1");
  explorer.session.update({ theme: "dark" });
  expect(root.dataset.theme).toBe("light");
});

it("a State that leaves the theme to the system follows the system's, until it is left", () => {
  const query = Object.assign(new EventTarget(), { matches: false });
  vi.spyOn(window, "matchMedia").mockReturnValue(query as unknown as MediaQueryList);
  const turn = (matches: boolean): string | undefined => {
    Object.assign(query, { matches }).dispatchEvent(new Event("change"));
    return root.dataset.theme;
  };
  const explorer = new Explorer(waiting);
  leave = bindPage(explorer);
  explorer.session.update({ theme: "system" });
  expect([turn(true), turn(false), turn(true)]).toEqual(["dark", "light", "dark"]);
  explorer.session.update({ theme: "light" });
  expect(turn(true)).toBe("light");
  explorer.session.update({ theme: "system" });
  leave();
  expect(turn(false)).toBe("dark");
});

it("a State without a language is shown in the first of the browser's that the page speaks", () => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(["fr", "zh-Hans", "en"]);
  expect(languageFor({ language: null })).toBe("zh-CN");
  expect(languageFor({ language: "en" })).toBe("en");
});
