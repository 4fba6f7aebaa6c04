// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Token } from "../data/index.js";
import { setLanguage } from "../i18n/index.js";
import { wordsOf } from "../reduce/index.js";
import { heard, mount } from "./testing/mount.js";
import { HeadscopeTokens } from "./tokens.js";

const token = (text: string, word: number): Token => ({
  id: 0,
  text,
  word,
  special: false,
  role: null,
});
const end: Token = { id: 1, text: "</s>", word: -1, special: true, role: "end" };
const tokens = [token("Head", 0), token("scope", 0), token("runs", 1), token("\n", 2), end];

const strip = (properties: Partial<HeadscopeTokens> = {}): Promise<HeadscopeTokens> =>
  mount(new HeadscopeTokens(), { tokens, label: "Your sentence", ...properties });

const buttons = (element: HeadscopeTokens): HTMLButtonElement[] => [
  ...element.renderRoot.querySelectorAll<HTMLButtonElement>("button"),
];

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  setLanguage("en");
});

describe("wordsOf", () => {
  it("joins subwords, and leaves special tokens alone even beside each other", () => {
    expect(wordsOf([end, end, ...tokens]).map(({ indices }) => indices)).toEqual([
      [0],
      [1],
      [2, 3],
      [4],
      [5],
      [6],
    ]);
  });

  it("keeps tokens without a word apart", () => {
    expect(wordsOf([token("a", -1), token("b", -1)])).toHaveLength(2);
  });
});

describe("<headscope-tokens>", () => {
  it("shows readable tokens, joined into words", async () => {
    const element = await strip();
    expect(buttons(element).map((button) => button.textContent)).toEqual([
      "Head",
      "scope",
      "runs",
      "↵",
      "end",
    ]);
    expect(element.renderRoot.querySelectorAll(".word")).toHaveLength(4);
    expect(element.renderRoot.querySelector(".special")?.textContent).toBe("end");
    expect(element.renderRoot.querySelector("[role=toolbar]")?.getAttribute("aria-label")).toBe(
      "Your sentence",
    );
  });

  it("says special tokens in the page's language", async () => {
    const element = await strip();
    setLanguage("zh-CN");
    await element.updateComplete;
    expect(buttons(element).at(-1)?.textContent).not.toBe("end");
  });

  it("says which piece the model does not know, and keeps the piece itself readable", async () => {
    const element = await strip({
      tokens: [token("a", 0), { ...token("🙂", 1), role: "unknown" }],
    });
    expect(buttons(element).map((button) => button.textContent)).toEqual(["a", "🙂"]);
    expect(buttons(element).map((button) => button.classList.contains("unknown"))).toEqual([
      false,
      true,
    ]);
    expect(buttons(element).map((button) => button.getAttribute("aria-label"))).toEqual([
      null,
      "🙂, unknown to the model",
    ]);
    expect(buttons(element)[1]?.title).toBe("🙂, unknown to the model");
  });

  it("keeps a hidden token readable for a person, struck out, pressed and named as hidden", async () => {
    const hidden: Token = {
      id: 4,
      text: "[MASK]",
      word: -1,
      special: true,
      role: "mask",
      hiddenText: "cat",
      hiddenId: 9,
    };
    const [button] = buttons(await strip({ tokens: [hidden, end] }));
    expect(button?.textContent).toBe("cat");
    expect([button?.classList.contains("hidden"), button?.getAttribute("aria-pressed")]).toEqual([
      true,
      "true",
    ]);
    expect(button?.getAttribute("aria-label")).toBe("cat, hidden from the model");
  });

  it("names the model's own sign for an unknown piece", async () => {
    const element = await strip({ tokens: [{ ...end, text: "<unk>", role: "unknown" }] });
    expect(buttons(element).map((button) => button.textContent)).toEqual(["unknown"]);
    expect(buttons(element)[0]?.getAttribute("aria-label")).toBe(null);
  });

  it("marks what is locked and what is hovered", async () => {
    const element = await strip({ locked: [1], hovered: 2 });
    expect(buttons(element).map((button) => button.getAttribute("aria-pressed"))).toEqual([
      "false",
      "true",
      "false",
      "false",
      "false",
    ]);
    expect(buttons(element)[2]?.classList.contains("hovered")).toBe(true);
  });

  it("says which token is clicked, and whether it is to be added", async () => {
    const element = await strip();
    const said = heard(element, "headscope-token-lock");
    buttons(element)[2]?.click();
    buttons(element)[0]?.dispatchEvent(new MouseEvent("click", { shiftKey: true, bubbles: true }));
    expect(said).toEqual([
      { index: 2, extend: false },
      { index: 0, extend: true },
    ]);
  });

  it("previews under the mouse but not under a finger", async () => {
    const element = await strip();
    const said = heard(element, "headscope-token-hover");
    buttons(element)[1]?.dispatchEvent(new PointerEvent("pointerenter", { pointerType: "touch" }));
    buttons(element)[1]?.dispatchEvent(new PointerEvent("pointerenter", { pointerType: "mouse" }));
    element.renderRoot.querySelector(".strip")?.dispatchEvent(new PointerEvent("pointerleave"));
    expect(said).toEqual([{ index: 1 }, { index: null }]);
  });

  it("is one stop for the Tab key; arrows walk and Escape lets go", async () => {
    const element = await strip();
    const previews = heard(element, "headscope-token-hover");
    const locks = heard(element, "headscope-token-lock");
    const press = (key: string): boolean | undefined =>
      element.renderRoot
        .querySelector(".strip")
        ?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    press("ArrowRight");
    press("End");
    press("ArrowRight");
    press("Escape");
    await element.updateComplete;
    expect(buttons(element).filter((button) => button.tabIndex === 0)).toEqual([
      buttons(element)[4],
    ]);
    expect(previews).toContainEqual({ index: 1 });
    expect(previews.at(-1)).toEqual({ index: 4 });
    expect(locks).toEqual([{ index: null, extend: false }]);
  });

  it("adds to others with Shift by the keyboard, too", async () => {
    const element = await strip();
    const said = heard(element, "headscope-token-lock");
    buttons(element)[2]?.focus();
    buttons(element)[2]?.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", shiftKey: true, bubbles: true }),
    );
    expect(said).toEqual([{ index: 2, extend: true }]);
  });

  it("points at a whole word where words are looked at", async () => {
    const element = await strip({ hovered: 1, byWord: true });
    expect(buttons(element).map((button) => button.classList.contains("hovered"))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("puts its line under the chip that is looked at, or under the whole word, and under none", async () => {
    // A browser says it of every strip that it has laid out.
    vi.stubGlobal(
      "ResizeObserver",
      class {
        readonly #hear: ResizeObserverCallback;
        constructor(hear: ResizeObserverCallback) {
          this.#hear = hear;
        }
        observe(target: Element): void {
          this.#hear(
            [{ target, contentRect: target.getBoundingClientRect() } as ResizeObserverEntry],
            this,
          );
        }
        unobserve(): void {
          // One is not told apart from another.
        }
        disconnect(): void {
          // There is nothing to stop.
        }
      },
    );
    const element = await strip({ hovered: 1 });
    const [first, second] = buttons(element);
    for (const [chip, x] of [
      [first, 20],
      [second, 60],
      [first?.parentElement, 20],
    ] as const) {
      if (chip)
        chip.getBoundingClientRect = () =>
          new DOMRect(x, 30, chip === first || chip === second ? 40 : 80, 28);
    }
    const mark = element.renderRoot.querySelector<HTMLElement>(".mark");
    const placed = async (properties: Partial<HeadscopeTokens>): Promise<unknown[]> => {
      Object.assign(element, properties);
      await element.updateComplete;
      return [...(mark?.classList ?? []), mark?.style.transform, mark?.style.width];
    };
    expect(await placed({ tokens: [...tokens] })).toEqual([
      "mark",
      "on",
      "after",
      "translate(60px, 30px)",
      "40px",
    ]);
    expect(await placed({ hovered: 0 })).toEqual([
      "mark",
      "on",
      "before",
      "translate(20px, 30px)",
      "40px",
    ]);
    expect(await placed({ byWord: true, hovered: 1 })).toEqual([
      "mark",
      "on",
      "translate(20px, 30px)",
      "80px",
    ]);
    expect(await placed({ hovered: null })).toContain("mark");
    expect(mark?.classList.contains("on")).toBe(false);
  });

  it("shows of a new text what is new, and keeps the chips of the rest", async () => {
    const element = await strip({ tokens: tokens.slice(0, 3) });
    const before = buttons(element);
    // The same again and more, as a run that has grown says it.
    element.tokens = tokens.slice(0, 4).map((token) => ({ ...token }));
    await element.updateComplete;
    expect(buttons(element).slice(0, 3)).toEqual(before);
    expect(buttons(element)[3]?.textContent).toBe("↵");
    element.tokens = [token("Head", 0), { ...token("scope", 0), role: "unknown" }, token("ran", 1)];
    await element.updateComplete;
    expect(buttons(element).map((button) => button.textContent)).toEqual(["Head", "scope", "ran"]);
    expect(buttons(element).map((button) => button.classList.contains("unknown"))).toEqual([
      false,
      true,
      false,
    ]);
    element.tokens = [token("Head", 0), token("scope", 0), end];
    await element.updateComplete;
    expect(element.renderRoot.querySelectorAll(".word.special")).toHaveLength(1);
    expect(buttons(element).map((button) => button.classList.contains("unknown"))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("reads where a chip is only of one that is looked at, and of all from the second on", async () => {
    const read = vi.spyOn(HTMLButtonElement.prototype, "getBoundingClientRect");
    vi.stubGlobal(
      "ResizeObserver",
      class {
        readonly #hear: ResizeObserverCallback;
        constructor(hear: ResizeObserverCallback) {
          this.#hear = hear;
        }
        observe(target: Element): void {
          this.#hear([{ target, contentRect: new DOMRect() } as ResizeObserverEntry], this);
        }
        unobserve(): void {
          // One is not told apart from another.
        }
        disconnect(): void {
          // There is nothing to stop.
        }
      },
    );
    const element = await strip();
    expect(read).not.toHaveBeenCalled();
    element.hovered = 1;
    await element.updateComplete;
    expect(read).toHaveBeenCalledTimes(1);
    element.hovered = 2;
    await element.updateComplete;
    expect(read).toHaveBeenCalledTimes(1 + tokens.length);
    element.hovered = 0;
    await element.updateComplete;
    expect(read).toHaveBeenCalledTimes(1 + tokens.length);
    read.mockRestore();
  });

  it("draws under each token how much it has, and nothing under those that have no number", async () => {
    const element = await strip({ shares: [1, 0.5, 0, null, null] });
    const lines = buttons(element).map(
      (button) => button.querySelector<HTMLElement>(".share")?.style.width ?? null,
    );
    expect(lines.map((line) => line !== null)).toEqual([true, true, true, false, false]);
    expect(lines[1]).toContain("0.5");
    element.shares = [];
    await element.updateComplete;
    expect(element.renderRoot.querySelectorAll(".share")).toHaveLength(0);
  });

  it("fires nothing when a page sets its properties", async () => {
    const element = await strip();
    const said = [heard(element, "headscope-token-hover"), heard(element, "headscope-token-lock")];
    element.locked = [0];
    element.hovered = 3;
    element.tokens = [];
    await element.updateComplete;
    expect(said).toEqual([[], []]);
    expect(buttons(element)).toEqual([]);
  });
});
