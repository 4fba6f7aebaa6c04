// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Token } from "../data/index.js";
import { PAGE_LOCALE } from "../i18n/index.js";
import { all, eventsOf, mount, press, put, textOf } from "./testing/mount.js";
import { HeadscopeTokens } from "./tokens.js";

const token = (text: string, word: number, more: Partial<Token> = {}): Token => ({
  id: 0,
  text,
  word,
  special: false,
  role: null,
  ...more,
});
const end = token("</s>", -1, { special: true, role: "end" });
const tokens = [token("Head", 0), token("scope", 0), token("runs", 1), token("\n", 2), end];

const strip = (properties: Partial<HeadscopeTokens> = {}): Promise<HeadscopeTokens> =>
  mount(new HeadscopeTokens(), { tokens, label: "Your sentence", ...properties });
const chips = (element: HeadscopeTokens): HTMLElement[] => all(element, "button");
const texts = (element: HeadscopeTokens): string[] => chips(element).map(textOf);
/** The places of the chips that have a class. */
const having = (element: HeadscopeTokens, name: string): number[] =>
  chips(element).flatMap(({ classList }, at) => (classList.contains(name) ? [at] : []));

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  PAGE_LOCALE.speak("en");
});

describe("<headscope-tokens>", () => {
  it("shows readable tokens, joined into words, special ones in the page's language", async () => {
    const element = await strip({ locked: [1], hovered: 2 });
    expect(texts(element)).toEqual(["Head", "scope", "runs", "↵", "end"]);
    expect(all(element, ".word")).toHaveLength(4);
    expect(all(element, "[role=toolbar]")[0]?.getAttribute("aria-label")).toBe("Your sentence");
    expect([having(element, "held"), having(element, "hovered")]).toEqual([[1], [2]]);
    expect(chips(element)[1]?.getAttribute("aria-pressed")).toBe("true");
    await put(element, { hovered: 1, byWord: true });
    expect(having(element, "hovered")).toEqual([0, 1]);
    PAGE_LOCALE.speak("zh-CN");
    await element.updateComplete;
    expect(texts(element).at(-1)).not.toBe("end");
  });

  it.each([
    [token("🙂", 1, { role: "unknown" }), "🙂", "unknown", "🙂, not in the vocabulary"],
    [token("<unk>", 1, { special: true, role: "unknown" }), "unknown", "", null],
    [
      token("[MASK]", -1, { special: true, role: "mask", maskedText: "cat", maskedId: 9 }),
      ...(["cat", "masked", "cat, masked"] as const),
    ],
  ] as const)(
    "labels an unknown piece, its own sign for one, and a masked token: %j",
    async (given, text, look, name) => {
      const [chip] = chips(await strip({ tokens: [given, end] }));
      expect([textOf(chip), chip?.getAttribute("aria-label")]).toEqual([text, name]);
      expect(["unknown", "masked"].filter((one) => chip?.matches(`.${one}`)).join()).toBe(look);
    },
  );

  it("previews under the mouse but not under a finger, and fires nothing for what a page sets", async () => {
    const element = await strip();
    const hovered = eventsOf(element, "headscope-token-hover");
    await put(element, { locked: [0], hovered: 3 });
    for (const pointerType of ["touch", "mouse"])
      chips(element)[1]?.dispatchEvent(new PointerEvent("pointerenter", { pointerType }));
    all(element, "[role=toolbar]")[0]?.dispatchEvent(new PointerEvent("pointerleave"));
    expect(hovered).toEqual([{ index: 1 }, { index: null }]);
  });

  it("is one stop for the Tab key; arrows move and Escape unlocks", async () => {
    const element = await strip();
    const hovered = eventsOf(element, "headscope-token-hover");
    const locked = eventsOf(element, "headscope-token-lock");
    await press(element, "ArrowRight", "End", "ArrowRight", "Escape");
    expect(chips(element).map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, -1, -1, 0]);
    expect(hovered).toContainEqual({ index: 1 });
    expect(hovered.at(-1)).toEqual({ index: 4 });
    expect(locked).toEqual([{ index: null, extend: false }]);
  });
});
