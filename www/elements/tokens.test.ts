// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Token } from "../data/index.js";
import { setLanguage } from "../i18n/index.js";
import { wordsOf } from "../reduce/index.js";
import { eventsOf, mount, put, stubRoom } from "./testing/mount.js";
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
const chips = (element: HeadscopeTokens): HTMLButtonElement[] => [
  ...element.renderRoot.querySelectorAll<HTMLButtonElement>("button"),
];
const texts = (element: HeadscopeTokens): string[] =>
  chips(element).map(({ textContent }) => textContent);
/** The places of the chips that have a class. */
const having = (element: HeadscopeTokens, name: string): number[] =>
  chips(element).flatMap(({ classList }, at) => (classList.contains(name) ? [at] : []));
const toolbar = (element: HeadscopeTokens): Element =>
  element.renderRoot.querySelector("[role=toolbar]") ?? element;
const press = (target: Element | undefined, key: string, shiftKey = false): unknown =>
  target?.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  setLanguage("en");
});

it("wordsOf joins subwords, and leaves special tokens and those without a word alone", () => {
  const indices = (given: Token[]): number[][] => wordsOf(given).map((word) => word.indices);
  expect(indices([end, end, ...tokens])).toEqual([[0], [1], [2, 3], [4], [5], [6]]);
  expect(indices([token("a", -1), token("b", -1)])).toHaveLength(2);
});

describe("<headscope-tokens>", () => {
  it("shows readable tokens, joined into words, special ones in the page's language", async () => {
    const element = await strip({ locked: [1], hovered: 2 });
    expect(texts(element)).toEqual(["Head", "scope", "runs", "↵", "end"]);
    expect(element.renderRoot.querySelectorAll(".word")).toHaveLength(4);
    expect(toolbar(element).getAttribute("aria-label")).toBe("Your sentence");
    expect([having(element, "held"), having(element, "hovered")]).toEqual([[1], [2]]);
    expect(chips(element)[1]?.getAttribute("aria-pressed")).toBe("true");
    await put(element, { hovered: 1, byWord: true });
    expect(having(element, "hovered")).toEqual([0, 1]);
    setLanguage("zh-CN");
    await element.updateComplete;
    expect(texts(element).at(-1)).not.toBe("end");
  });

  it.each([
    [
      "a piece that the model does not know",
      token("🙂", 1, { role: "unknown" }),
      "🙂",
      "unknown",
      "🙂, unknown to the model",
    ],
    [
      "the model's own sign for one",
      token("<unk>", 1, { special: true, role: "unknown" }),
      "unknown",
      "",
      null,
    ],
    [
      "a hidden token, struck out",
      token("[MASK]", -1, { special: true, role: "mask", hiddenText: "cat", hiddenId: 9 }),
      "cat",
      "hidden",
      "cat, hidden from the model",
    ],
  ] as const)("says of %s what it is", async (_, given, text, look, name) => {
    const [chip] = chips(await strip({ tokens: [given, end] }));
    expect([chip?.textContent, chip?.getAttribute("aria-label")]).toEqual([text, name]);
    expect(["unknown", "hidden"].filter((one) => chip?.classList.contains(one)).join()).toBe(look);
  });

  it("previews under the mouse but not under a finger, and says nothing of what a page sets", async () => {
    const element = await strip();
    const hovered = eventsOf(element, "headscope-token-hover");
    await put(element, { locked: [0], hovered: 3 });
    for (const pointerType of ["touch", "mouse"])
      chips(element)[1]?.dispatchEvent(new PointerEvent("pointerenter", { pointerType }));
    toolbar(element).dispatchEvent(new PointerEvent("pointerleave"));
    expect(hovered).toEqual([{ index: 1 }, { index: null }]);
  });

  it("is one stop for the Tab key; arrows walk and Escape lets go", async () => {
    const element = await strip();
    const [hovered, locked] = [
      eventsOf(element, "headscope-token-hover"),
      eventsOf(element, "headscope-token-lock"),
    ];
    for (const key of ["ArrowRight", "End", "ArrowRight", "Escape"]) press(toolbar(element), key);
    await element.updateComplete;
    expect(chips(element).map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, -1, -1, 0]);
    expect(hovered).toContainEqual({ index: 1 });
    expect(hovered.at(-1)).toEqual({ index: 4 });
    expect(locked).toEqual([{ index: null, extend: false }]);
  });

  it("puts its line under the chip that is looked at, or under the whole word, and under none", async () => {
    stubRoom();
    const element = await strip({ hovered: 1 });
    const [first, second] = chips(element);
    for (const [chip, x, width] of [
      [first, 20, 40],
      [second, 60, 40],
      [first?.parentElement, 20, 80],
    ] as const)
      if (chip) chip.getBoundingClientRect = () => new DOMRect(x, 30, width, 28);
    const mark = element.renderRoot.querySelector<HTMLElement>(".mark");
    const placed = async (properties: Partial<HeadscopeTokens>): Promise<string> => {
      await put(element, properties);
      return `${mark?.className} ${mark?.style.transform} ${mark?.style.width}`;
    };
    expect(await placed({ tokens: [...tokens] })).toBe("mark on after translate(60px, 30px) 40px");
    expect(await placed({ hovered: 0 })).toBe("mark on before translate(20px, 30px) 40px");
    expect(await placed({ byWord: true, hovered: 1 })).toBe("mark on translate(20px, 30px) 80px");
    expect(await placed({ hovered: null })).toMatch(/^mark translate/);
  });

  it("shows of a new text what is new, and keeps the chips of the rest", async () => {
    const element = await strip({ tokens: tokens.slice(0, 3) });
    const before = chips(element);
    // The same again and more, as a run that has grown says it.
    await put(element, { tokens: tokens.slice(0, 4).map((one) => ({ ...one })) });
    expect(chips(element).slice(0, 3)).toEqual(before);
    expect(texts(element)[3]).toBe("↵");
    await put(element, {
      tokens: [token("Head", 0), token("scope", 0, { role: "unknown" }), token("ran", 1)],
    });
    expect([texts(element), having(element, "unknown")]).toEqual([["Head", "scope", "ran"], [1]]);
    await put(element, { tokens: [token("Head", 0), token("scope", 0), end] });
    expect(element.renderRoot.querySelectorAll(".word.special")).toHaveLength(1);
    expect(having(element, "unknown")).toEqual([]);
  });
});
