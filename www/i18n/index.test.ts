import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as i18n from "./index.js";

const {
  formatCompact,
  formatFixed,
  formatList,
  formatNumber,
  formatPercent,
  message,
  setLanguage,
} = i18n;

/** All sentences of a language, and the keys as they stand in its files. */
function sentencesOf(name: string): { texts: Record<string, string>; keys: string[] } {
  const folder = new URL(`./${name}/`, import.meta.url);
  const files = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => readFileSync(new URL(file, folder), "utf8"));
  return {
    texts: Object.assign({}, ...files.map((file) => JSON.parse(file) as object)) as Record<
      string,
      string
    >,
    keys: files.flatMap((file) =>
      [...file.matchAll(/^ {2}"([^"]+)":/gm)].map(([, key = ""]) => key),
    ),
  };
}

const { texts: en, keys } = sentencesOf("en");
const { texts: zhCN } = sentencesOf("zh-CN");
const pairs = keys.map((key) => ({ key, en: en[key] ?? "", zh: zhCN[key] ?? "" }));

afterEach(() => {
  setLanguage("en");
});

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

  it.each([
    [0, "0 cells blocked"],
    [1, "1 cell blocked"],
    [2, "2 cells blocked"],
    [1001, "1,001 cells blocked"],
  ])("count %d as the language does", (count, expected) => {
    expect(message("edits.cells", { head: "", count })).toBe(`: ${expected}`);
  });

  it("exist once in both languages, with the same values, and are about something", () => {
    expect(Object.keys(zhCN).sort()).toEqual([...keys].sort());
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
    for (const { key, en: english, zh } of pairs) {
      expect(placeholders(zh), key).toEqual(placeholders(english));
      expect([zh.trim(), english.trim()], key).toEqual([zh, english]);
      expect(zh, key).not.toBe("");
    }
  });

  it("are no copied English: beside names and quoted words, Chinese is written in Chinese", () => {
    // The author and title of a paper are the same in every language.
    for (const { key, en: english, zh } of pairs.filter((one) => !one.key.endsWith(".paper"))) {
      expect(words(zh).replace(NAMES, ""), key).not.toMatch(/[A-Za-z]{2,}/);
      if (/[A-Za-z]{2,}/.test(words(english).replace(NAMES, "")))
        expect(zh, key).toMatch(/\p{Script=Han}|^\{\w+\} \/ \{\w+\}$/u);
    }
  });

  it("are set as each language sets them, and call what is strong neither dark nor light", () => {
    for (const { key, en: english, zh } of pairs) {
      expect(english, key).not.toMatch(/\p{Script=Han}|["']|\.\.\.|[，。；：？！（）]/u);
      expect(zh, key).not.toMatch(
        /["']|\.\.\.|\p{Script=Han}\s?[,;:?!()]|[,;:?!()]\s?\p{Script=Han}/u,
      );
      expect(zh, key).not.toMatch(/[。，；：？！（）]\s+(?!Headscope)|\s[，。；：？！（）]/u);
      // A form for one belongs to languages that have one.
      expect(zh, key).not.toContain("|");
      if (key.startsWith("theme.")) continue;
      expect(english, key).not.toMatch(/\b(dark|darker|darkest|lighter|lightest|pale|paler)\b/i);
      expect(zh, key).not.toMatch(/深色|浅色|越深|越浅/);
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

/** The page's language as on a first visit, with files that come when the test says so. */
const fresh = (): Promise<typeof i18n> => import("./index.js");

/** Delays a file until the returned function is called. */
function held(file: string, content: object): () => void {
  let deliver: () => void = () => undefined;
  const come = new Promise<object>((resolve) => (deliver = () => resolve(content)));
  vi.doMock(file, () => come);
  return deliver;
}

describe("the language of a page", () => {
  beforeEach(() => vi.resetModules());
  afterEach(() => {
    for (const file of ["zh-CN/page", "en/rules", "zh-CN/rules"]) vi.doUnmock(`./${file}.json`);
  });

  it("changes although another part was opened while its sentences were on their way", async () => {
    const deliver = held("./zh-CN/page.json", { default: { "stack.encoder": "编码器" } });
    const { language, loadSentences, message, setLanguage } = await fresh();
    setLanguage("zh-CN");
    await loadSentences("tour");
    expect(language()).toBe("en");
    deliver();
    await vi.waitFor(() => expect(language()).toBe("zh-CN"));
    expect(message("tour.count")).not.toBe("");
  });

  it("changes, and opens other parts, although one part could not be fetched", async () => {
    for (const file of ["./en/rules.json", "./zh-CN/rules.json"])
      vi.doMock(file, () => Promise.reject(new Error("offline")));
    const { language, loadSentences, setLanguage } = await fresh();
    await expect(loadSentences("rules")).rejects.toThrow();
    await loadSentences("tour");
    setLanguage("zh-CN");
    await vi.waitFor(() => expect(language()).toBe("zh-CN"));
  });

  it("opens a part while another is still on its way", async () => {
    held("./en/rules.json", { default: {} });
    const { loadSentences, message } = await fresh();
    void loadSentences("rules");
    await loadSentences("tour");
    expect(message("tour.count")).not.toBe("");
  });

  it("speaks a part in the language that was chosen while it was on its way", async () => {
    const deliver = held("./en/rules.json", { default: {} });
    const { language, loadSentences, message, setLanguage } = await fresh();
    const opened = loadSentences("rules");
    setLanguage("zh-CN");
    await vi.waitFor(() => expect(language()).toBe("zh-CN"));
    deliver();
    await opened;
    expect(message("rule.mode.and")).toMatch(/\p{Script=Han}/u);
  });
});
