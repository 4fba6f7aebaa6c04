import { afterEach, describe, expect, it } from "vitest";
import { en } from "./en.js";
import { formatCompact, formatFixed, formatNumber, formatPercent, isMessageKey, language, message, setLanguage } from "./index.js";
import { onLanguageChange } from "./current.js";
import { zhCN } from "./zh-CN.js";

afterEach(() => {
  setLanguage("en");
});

const placeholders = (sentence: string): string[] => [...sentence.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe("sentences", () => {
  it("fills in names and keeps what is not given", () => {
    expect(message("head.title", { layer: 2, head: "3" })).toBe("Layer 2 · head 3");
    expect(message("head.title", { layer: 2 })).toBe("Layer 2 · head {head}");
  });

  it("does not read a value as a template", () => {
    expect(message("edits.silenced", { head: "$& {head}" })).toBe("$& {head} silenced");
  });

  it("follows the language and tells its listeners once per change", () => {
    let changes = 0;
    const stop = onLanguageChange(() => (changes += 1));
    setLanguage("zh-CN");
    setLanguage("zh-CN");
    expect(language()).toBe("zh-CN");
    expect(message("stack.encoder")).toBe("编码器");
    stop();
    setLanguage("en");
    expect(changes).toBe(1);
  });

  it("name the same values in both languages", () => {
    for (const key of Object.keys(en).filter(isMessageKey)) {
      expect(placeholders(zhCN[key]), key).toEqual(placeholders(en[key]));
      expect(zhCN[key].trim(), key).not.toBe("");
    }
  });

  it("knows which names exist", () => {
    expect(isMessageKey("error.input/too-long")).toBe(true);
    expect(isMessageKey("toString")).toBe(false);
  });
});

describe("numbers", () => {
  it("line up and use real minus signs", () => {
    expect(formatFixed(-1.5)).toBe("−1.500");
    expect(formatFixed(-Infinity)).toBe("−∞");
    expect(formatNumber(12345.678, 1)).toBe("12,345.7");
    expect(formatPercent(0.915)).toBe("91.5%");
  });

  it("are short where they are large", () => {
    expect(formatCompact(4_273_000)).toBe("4.3M");
    setLanguage("zh-CN");
    expect(formatCompact(4_273_000)).toBe("430万");
  });
});
