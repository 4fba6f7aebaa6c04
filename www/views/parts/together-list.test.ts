// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { Token } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import type { Together } from "../run/together.js";
import { asked, button, choices, choose, words } from "../../ui/testing/asked.js";
import { HeadscopeTogetherList } from "./together-list.js";

const tokens = (...texts: string[]): Token[] =>
  texts.map((text, id) => ({ id, text, word: id, special: false, role: null }));

const TOGETHER: Together = {
  wish: { side: "source", tokens: [0, 2], pool: "sum", looking: "from" },
  pool: "sum",
  looking: "from",
  bothWays: true,
  picked: tokens("the", "cat"),
  items: tokens("a", "b", "c").map((token, at) => ({ token, value: [0.25, 1.5, 0][at] ?? 0 })),
  most: 2,
  side: "source",
  shares: [],
};

const list = (change: Partial<Together> = {}): Promise<HeadscopeTogetherList> =>
  mount(new HeadscopeTogetherList(), { together: { ...TOGETHER, ...change } });
const bars = (element: HeadscopeTogetherList): { max: number | undefined; lines: string[] } => {
  const found = element.renderRoot.querySelector("headscope-bars");
  return {
    max: found?.max,
    lines: (found?.items ?? []).map(({ label, text }) => `${label} ${text}`),
  };
};

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-together-list>", () => {
  it("is not there where nothing is picked", async () => {
    const element = await mount(new HeadscopeTogetherList(), {});
    expect(words(element.renderRoot)).toBe("");
  });

  it("names what was picked, and has the strongest first, on bars as long as several can be", async () => {
    const element = await list();
    expect(words(element.renderRoot.querySelector(".picked"))).toBe("the, cat");
    expect(bars(element)).toEqual({ max: 2, lines: ["b 1.500", "a 0.250"] });
    expect(words(element.renderRoot)).toContain("The 2 strongest of 3");
  });

  it("has at most eight, in the order of the text where all are nothing, and does not count where all are there", async () => {
    const many = tokens("a", "b", "c", "d", "e", "f", "g", "h", "i", "j").map((token) => ({
      token,
      value: token.id,
    }));
    expect(bars(await list({ items: many })).lines.map(([label]) => label)).toEqual([
      "j",
      "i",
      "h",
      "g",
      "f",
      "e",
      "d",
      "c",
    ]);
    const none = await list({ items: tokens("a", "b").map((token) => ({ token, value: 0 })) });
    expect(bars(none).lines).toEqual(["a 0.000", "b 0.000"]);
    expect(words(none.renderRoot)).not.toContain("strongest");
  });

  it("asks for another way to combine them and for the other direction, and keeps the rest of what was picked", async () => {
    const element = await list();
    const patches = asked(element, "headscope-patch");
    expect(choices(element)).toEqual({
      Direction: "[look at] are looked at by",
      "How they are combined": "[sum] mean",
    });
    choose(element, "How they are combined", "mean");
    choose(element, "Direction", "to");
    button(element, "Let go").click();
    expect(patches).toEqual([
      { picked: { ...TOGETHER.wish, pool: "mean" } },
      { picked: { ...TOGETHER.wish, looking: "to" } },
      { picked: null },
    ]);
  });

  it("says the direction where there is only one", async () => {
    const element = await list({ bothWays: false, looking: "to" });
    expect(Object.keys(choices(element))).toEqual(["How they are combined"]);
    expect(words(element.renderRoot.querySelector(".choices"))).toContain("are looked at by");
  });

  it("speaks Chinese", async () => {
    setLanguage("zh-CN");
    const element = await list();
    expect(words(element.renderRoot.querySelector(".picked"))).toBe("the、cat");
    expect(
      [
        words(element.renderRoot.querySelector("h2")),
        ...Object.entries(choices(element)).flat(),
      ].join(" "),
    ).not.toMatch(/[a-z]/i);
  });
});
