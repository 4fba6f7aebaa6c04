import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import enBench from "./en/bench.json";
import enExport from "./en/export.json";
import enGpu from "./en/gpu.json";
import enKeys from "./en/keys.json";
import enPage from "./en/page.json";
import enPairs from "./en/pairs.json";
import enRules from "./en/rules.json";
import enTour from "./en/tour.json";
import {
  formatCompact,
  formatFixed,
  formatList,
  formatNumber,
  formatPercent,
  isMessageKey,
  language,
  message,
  onLanguageChange,
  setLanguage,
} from "./index.js";
import type { MessageKey } from "./messages.js";
import zhCNBench from "./zh-CN/bench.json";
import zhCNExport from "./zh-CN/export.json";
import zhCNGpu from "./zh-CN/gpu.json";
import zhCNKeys from "./zh-CN/keys.json";
import zhCNPage from "./zh-CN/page.json";
import zhCNPairs from "./zh-CN/pairs.json";
import zhCNRules from "./zh-CN/rules.json";
import zhCNTour from "./zh-CN/tour.json";

const enLater = {
  ...enBench,
  ...enExport,
  ...enGpu,
  ...enKeys,
  ...enPairs,
  ...enRules,
  ...enTour,
};
const en: Record<MessageKey, string> = { ...enPage, ...enLater };
const zhCN: Record<MessageKey, string> = {
  ...zhCNPage,
  ...zhCNBench,
  ...zhCNExport,
  ...zhCNGpu,
  ...zhCNKeys,
  ...zhCNPairs,
  ...zhCNRules,
  ...zhCNTour,
};

afterEach(() => {
  setLanguage("en");
});

const keys = Object.keys(en).filter(
  (key): key is MessageKey => isMessageKey(key) || Object.hasOwn(enLater, key),
);

/** The names of the values in a sentence, each once. */
const placeholders = (sentence: string): string[] =>
  [...new Set([...sentence.matchAll(/\{(\w+)[^}]*\}/g)].map(([, name]) => name ?? ""))].sort();

/** What a reader sees as words: without values, quoted words of the samples, formulas and keys on a keyboard. */
const words = (sentence: string): string => sentence.replace(/\{[^}]*\}|“[^”]*”|\bq · k\b/g, "");

/** Names that no language translates. */
const NAMES =
  /\b(Headscope|GPU|CPU|GPT(-2)?|BERT|Llama|Marian|WebAssembly|Chromium|Firefox|Safari|JSON|softmax|logits|ln|SVG|PNG|CSV|npy|npz|Jensen|Shannon|Xiao|Vaswani|Raffel|Beltagy|Zaheer|Child|Longformer|BigBird|Sparse|Transformer|Blanchard|NaN|inf|float(32|64)|Shift|[\w.]+\.(json|safetensors)|Enter|Esc|Tab|Delete|B|S|Xiong|Michel|Ba|Ioffe|Szegedy|BLEU|Graves|Bahdanau|Katharopoulos|Choromanski|Eckart|Young|Wang|SIMD|Rabe|Staats|Frobenius|tanh|elu|diag|pp|Var|ALiBi|XL|Devlin|Su|Press|Dai|Salazar)\b/g;

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

  it.each([
    [0, "0 cells blocked"],
    [1, "1 cell blocked"],
    [2, "2 cells blocked"],
    [1001, "1,001 cells blocked"],
  ])("count %d as the language does", (count, expected) => {
    expect(message("edits.cells", { head: "", count })).toBe(`: ${expected}`);
  });

  it("exist in both languages, name the same values, and are about something", () => {
    expect(Object.keys(zhCN).sort()).toEqual([...keys].sort());
    for (const key of keys) {
      expect(placeholders(zhCN[key]), key).toEqual(placeholders(en[key]));
      expect(zhCN[key].trim(), key).toBe(zhCN[key]);
      expect(en[key].trim(), key).toBe(en[key]);
      expect(zhCN[key], key).not.toBe("");
    }
  });

  it("have keys of their own: a later part would hide an earlier one", () => {
    const folder = new URL("./en/", import.meta.url);
    const named = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".json"))
      .flatMap((file) =>
        [...readFileSync(new URL(file, folder), "utf8").matchAll(/^ {2}"([^"]+)":/gm)].map(
          ([, key]) => key,
        ),
      );
    expect(named.filter((key, at) => named.indexOf(key) !== at)).toEqual([]);
    expect(named.length).toBe(keys.length);
  });

  it("are no copied English: beside names and quoted words, Chinese is written in Chinese", () => {
    // Who wrote a paper and what it is called is the same in every language.
    for (const key of keys.filter((one) => !one.endsWith(".paper"))) {
      expect(words(zhCN[key]).replace(NAMES, ""), key).not.toMatch(/[A-Za-z]{2,}/);
      if (/[A-Za-z]{2,}/.test(words(en[key]).replace(NAMES, "")))
        expect(zhCN[key], key).toMatch(/\p{Script=Han}|^\{\w+\} \/ \{\w+\}$/u);
    }
  });

  it("are set as each language sets them", () => {
    for (const key of keys) {
      expect(en[key], key).not.toMatch(/\p{Script=Han}|["']|\.\.\.|[，。；：？！（）]/u);
      expect(zhCN[key], key).not.toMatch(
        /["']|\.\.\.|\p{Script=Han}\s?[,;:?!()]|[,;:?!()]\s?\p{Script=Han}/u,
      );
      expect(zhCN[key], key).not.toMatch(
        /[。，；：？！（）]\s+(?!Headscope)|\s[，。；：？！（）]/u,
      );
      // A form for one belongs to languages that have one.
      expect(zhCN[key], key).not.toContain("|");
    }
  });

  it("call what is strong neither dark nor light: either theme draws it its own way", () => {
    for (const key of keys.filter((one) => !one.startsWith("theme."))) {
      expect(en[key], key).not.toMatch(/\b(dark|darker|darkest|lighter|lightest|pale|paler)\b/i);
      expect(zhCN[key], key).not.toMatch(/深色|浅色|越深|越浅/);
    }
  });

  it("set apart what is read from the right, so that the words around it stay in their order", () => {
    expect(message("figure.cell", { query: "כלב!", key: "dog", value: "0.5" })).toContain(
      "\u2068כלב!\u2069",
    );
    expect(message("figure.cell", { query: "a", key: "dog", value: "0.5" })).not.toMatch(
      /[\u2066-\u2069]/,
    );
    expect(formatList(["כלב", "b"])).toBe("\u2068כלב\u2069, b");
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
    expect(formatPercent(-0.915)).toBe("−91.5%");
  });

  it("have no sign where all digits that are shown are zero", () => {
    expect([
      formatFixed(-0.0004),
      formatFixed(-0),
      formatPercent(-0.0004),
      formatNumber(-0.4),
      formatNumber(-0),
    ]).toEqual(["0.000", "0.000", "0.0%", "0", "0"]);
  });

  it("and names are listed as the language lists them", () => {
    expect(formatList(["1", "2", "3"])).toBe("1, 2, 3");
    setLanguage("zh-CN");
    expect([formatList(["1", "2", "3"]), formatList(["1"])]).toEqual(["1、2、3", "1"]);
  });

  it("are short where they are large", () => {
    expect(formatCompact(4_273_000)).toBe("4.3M");
    setLanguage("zh-CN");
    expect(formatCompact(4_273_000)).toBe("430万");
  });
});
