import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as i18n from "./index.js";

const {
  formatBytes,
  formatCompact,
  formatFixed,
  formatList,
  formatNumber,
  formatPercent,
  formatSeconds,
  LANGUAGES,
  message,
  PAGE_LOCALE,
} = i18n;

/** All sentences of a language, with their keys in its files. */
function sentencesOf(name: string): [key: string, text: string][] {
  const folder = new URL(`./${name}/`, import.meta.url);
  return readdirSync(folder).flatMap((file) => {
    const lines = readFileSync(new URL(file, folder), "utf8").matchAll(
      /^ {2}("[^"]+"): (".*"),?$/gm,
    );
    return [...lines].map(([, key = "", text = ""]): [string, string] => [
      JSON.parse(key) as string,
      JSON.parse(text) as string,
    ]);
  });
}

const english = sentencesOf("en");
const chinese = new Map(sentencesOf("zh-CN"));
const pairs = english.map(([key, en]) => ({ key, en, zh: chinese.get(key) ?? "" }));

afterEach(() => {
  PAGE_LOCALE.speak("en");
});

/** The names of the values in a sentence, each once. */
const placeholders = (sentence: string): string[] =>
  [...new Set([...sentence.matchAll(/\{(\w+)[^}]*\}/g)].map(([, name]) => name ?? ""))].sort();

/** A paper as sentences cite it, by the names of its authors and its year. */
const CITED = /[A-Z][a-z]+(?: 与 [A-Z][a-z]+)?(?: 等)? \d{4}/g;

/**
 * What a reader sees as words: without values, quoted words of the samples, formulas, keys on a
 * keyboard and papers.
 */
const words = (sentence: string): string =>
  sentence.replace(/\{[^}]*\}|“[^”]*”|\bq · k\b/g, "").replace(CITED, "");

/** Names that no language translates. */
const NAMES =
  /\b(Headscope|Hugging Face|exp|app|xlsx|fn|WebGPU|CORS|RoPE|FFN|Dropout|SVD|FAVOR|Performer|Linformer|GGUF|LayerNorm|RMSNorm|BatchNorm|MLM|attention sink|sink|nats?|cos|sin|head gate|gate|JS|GPU|CPU|GPT(-2)?|BERT|ViT|Llama|Marian|Qwen|Gemma|Mistral|model_type|WebAssembly|Python|Chromium|Firefox|Safari|JSON|softmax|logits?|ln|SVG|PNG|CSV|npy|npz|Jensen|Shannon|Xiao|Longformer|BigBird|Sparse|Transformer|NaN|inf|float(32|64)|Shift|[\w.]+\.(json|safetensors)|Enter|Esc|Tab|Delete|B|S|SIMD|Frobenius|tanh|elu|diag|pp|Var|ALiBi|XL|KV|transformers|AdamW|SGD|RMS|ReLU|GELU|SiLU|[Tt]op-[kp]|[Mm]in-p)\b/g;

describe("sentences", () => {
  it.each([
    [message("head.title", { layer: 2, head: "3" }), "Layer 2 · head 3"],
    [message("head.title", { layer: 2 }), "Layer 2 · head {head}"],
    // No value is a template.
    [message("edits.ablated", { head: "$& {head}" }), "$& {head} ablated"],
    ...[[0, "0 cells"] as const, [1, "1 cell"] as const, [1001, "1,001 cells"] as const].map(
      ([count, words]) => [message("edits.cells", { head: "", count }), `: ${words} blocked`],
    ),
  ])("fill in and count: %j", (filled, expected) => {
    expect(filled).toBe(expected);
  });

  it.each(LANGUAGES)("exist once in $code, with the values of the English ones", ({ code }) => {
    const own = sentencesOf(code);
    const keys = own.map(([key]) => key);
    expect(keys).toHaveLength(new Set(keys).size);
    expect(keys.toSorted()).toEqual(english.map(([key]) => key).toSorted());
    const texts = new Map(own);
    for (const [key, en] of english) {
      const text = texts.get(key) ?? "";
      expect(placeholders(text), key).toEqual(placeholders(en));
      expect(text.trim(), key).toBe(text);
      expect(text, key).not.toBe("");
    }
  });

  it("are no copied English: beside names and quoted words, Chinese is written in Chinese", () => {
    // The author and title of a paper are the same in every language.
    for (const { key, en, zh } of pairs.filter((one) => !one.key.endsWith(".paper"))) {
      expect(words(zh).replace(NAMES, ""), key).not.toMatch(/[A-Za-z]{2,}/);
      if (/[A-Za-z]{2,}/.test(words(en).replace(NAMES, "")))
        expect(zh, key).toMatch(/\p{Script=Han}|^\{\w+\} \/ \{\w+\}$/u);
    }
  });

  it("are set as each language sets them, and call what is strong neither dark nor light", () => {
    for (const { key, en, zh } of pairs) {
      expect(en, key).not.toMatch(/\p{Script=Han}|["']|\.\.\.|[，。；：？！（）]/u);
      expect(zh, key).not.toMatch(
        /["']|\.\.\.|\p{Script=Han}\s?[,;:?!()]|[,;:?!()]\s?\p{Script=Han}/u,
      );
      expect(zh, key).not.toMatch(/[。，；：？！（）]\s+(?!Headscope)|\s[，。；：？！（）]/u);
      // As numbers are formatted.
      expect(`${en} ${zh}`, key).not.toMatch(/\d\s%/);
      // A form for one belongs to languages that have one.
      expect(zh, key).not.toContain("|");
      if (key.startsWith("theme.")) continue;
      expect(en, key).not.toMatch(/\b(dark|darker|darkest|lighter|lightest|pale|paler)\b/i);
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

it.each([
  [formatFixed(-1.5), "−1.500"],
  [formatFixed(-Infinity), "−∞"],
  [formatNumber(12345.678, 1), "12,345.7"],
  [formatPercent(0.915), "91.5%"],
  [formatPercent(-0.915), "−91.5%"],
  // No sign where all digits that are shown are zero.
  [formatFixed(-0.0004), "0.000"],
  [formatPercent(-0.0004), "0.0%"],
  [formatNumber(-0), "0"],
  [formatList(["1", "2", "3"]), "1, 2, 3"],
  [formatCompact(4_273_000), "4.3M"],
  [[89, 90, 5399, 5400].map(formatSeconds).join(), "89 sec,2 min,90 min,1.5 hr"],
  [[99_999, 1e5, 999_999_999, 1e9].map(formatBytes).join(), "100 kB,0.1 MB,1,000 MB,1 GB"],
])("a number or a list reads %s", (formatted, expected) => {
  expect(formatted).toBe(expected);
});

it("numbers and lists read as their language writes them", () => {
  PAGE_LOCALE.speak("zh-CN");
  expect([formatList(["1", "2", "3"]), formatCompact(4_273_000)]).toEqual(["1、2、3", "430万"]);
});

describe("a locale", () => {
  const { currentLocale, language, Locale } = i18n;

  it("is that around it without a language of its own, and holds for what is written within it", () => {
    const own = new Locale();
    const listener = vi.fn<(language: i18n.Language) => void>();
    const stop = own.listen(listener);
    own.speak("zh-CN");
    expect([language(), own.within(() => formatList(["1", "2"]))]).toEqual(["en", "1、2"]);
    const nested = own.within(() => [language(), PAGE_LOCALE.within(language), language()]);
    expect(nested).toEqual(["zh-CN", "en", "zh-CN"]);
    own.speak(null);
    PAGE_LOCALE.speak("zh-CN");
    expect(own.language).toBe("zh-CN");
    PAGE_LOCALE.speak("en");
    stop();
    own.speak("zh-CN");
    expect(listener.mock.calls.flat()).toEqual(["en", "zh-CN", "en", "zh-CN", "en"]);
  });

  it("ends with what is written within it, also where that fails", () => {
    const own = new Locale();
    const fail = (): never => {
      expect(currentLocale()).toBe(own);
      throw new Error("failed");
    };
    expect(() => own.within(fail)).toThrow("failed");
    expect(currentLocale()).toBe(PAGE_LOCALE);
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
    const { language, loadSentences, message, PAGE_LOCALE } = await fresh();
    PAGE_LOCALE.speak("zh-CN");
    await loadSentences("tour");
    expect(language()).toBe("en");
    deliver();
    await vi.waitFor(() => expect(language()).toBe("zh-CN"));
    expect(message("tour.count")).not.toBe("");
  });

  it("may be another than that of an explorer, whose later parts come in both", async () => {
    const { language, loadSentences, Locale, message } = await fresh();
    const own = new Locale();
    own.speak("zh-CN");
    await vi.waitFor(() => expect(own.language).toBe("zh-CN"));
    await loadSentences("rules");
    expect(message("rule.mode.and")).toMatch(/^[a-z ]+$/i);
    expect(own.within(() => message("rule.mode.and"))).toMatch(/\p{Script=Han}/u);
    expect(language()).toBe("en");
  });

  it("changes, and opens other parts, although one part could not be fetched", async () => {
    for (const file of ["./en/rules.json", "./zh-CN/rules.json"])
      vi.doMock(file, () => Promise.reject(new Error("offline")));
    const { language, loadSentences, PAGE_LOCALE } = await fresh();
    await expect(loadSentences("rules")).rejects.toThrow();
    await loadSentences("tour");
    PAGE_LOCALE.speak("zh-CN");
    await vi.waitFor(() => expect(language()).toBe("zh-CN"));
  });

  it("has sentences that are wanted for the first time soon, and says which never come", async () => {
    vi.doMock("./en/rules.json", () => Promise.reject(new Error("offline")));
    const { message, wantSentences } = await fresh();
    const { effect } = await import("../signals.js");
    const said: unknown[] = [];
    effect(() => {
      said.push([wantSentences("tour"), wantSentences("rules")]);
    });
    expect([said, message("tour.count")]).toEqual([[[false, false]], ""]);
    await vi.waitFor(() => expect(said.at(-1)).toEqual([true, null]));
    expect(message("tour.count")).not.toBe("");
  });

  it("speaks a part in the language that was chosen while it was on its way", async () => {
    const deliver = held("./en/rules.json", { default: {} });
    const { language, loadSentences, message, PAGE_LOCALE } = await fresh();
    const opened = loadSentences("rules");
    PAGE_LOCALE.speak("zh-CN");
    await vi.waitFor(() => expect(language()).toBe("zh-CN"));
    deliver();
    await opened;
    expect(message("rule.mode.and")).toMatch(/\p{Script=Han}/u);
  });
});
