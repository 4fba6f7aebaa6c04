import { afterEach, describe, expect, it } from "vitest";
import { HeadscopeError } from "../../headscope.js";
import { setLanguage } from "../../i18n/index.js";
import { failureWords, retryOf, sentenceOf, type Circumstances } from "./failures.js";

const USUAL: Circumstances = { maxTokens: 64, showsEarlierText: false, ownFolder: false };
const failed = (code: string): HeadscopeError =>
  new HeadscopeError({
    code,
    message: "the engine's own sentence",
    doing: "",
    expected: "something else",
    got: "this",
  });

const KNOWN = [
  "checkpoint/truncated",
  "config/bad-field",
  "input/too-long",
  "input/out-of-range",
  "input/unsupported-option",
  "edit/bad-value",
  "selection/bad-head",
  "output/unavailable",
  "run/not-finite",
  "load/network",
  "load/timeout",
  "load/cross-origin",
  "load/blocked",
  "load/not-found",
  "load/engine-not-found",
  "load/bad-tokenizer",
  "tokenizer/bad-field",
  "load/wasm",
  "engine/crashed",
  "engine/internal",
  "engine/not-restarted",
  "gpu/absent",
  "gpu/silent",
  "gpu/lost",
  "gpu/unavailable",
];

afterEach(() => {
  setLanguage("en");
});

describe("a failure", () => {
  it.each(KNOWN)("%s is a sentence in each language", (code) => {
    const english = sentenceOf(failed(code), USUAL);
    expect(english).not.toContain("engine's own sentence");
    setLanguage("zh-CN");
    const chinese = sentenceOf(failed(code), USUAL);
    expect(chinese).toMatch(/\p{Script=Han}/u);
    expect(english + chinese).not.toMatch(/[{}]/);
  });

  it("of a long text speaks of the earlier one only when that is shown", () => {
    const sentence = sentenceOf(failed("input/too-long"), USUAL);
    expect(sentence).toContain("at most 64 tokens");
    expect(sentenceOf(failed("input/too-long"), { ...USUAL, showsEarlierText: true })).toBe(
      `${sentence} The pictures show the last text that fitted.`,
    );
  });

  it("of a long text says how long it is and how much has to go, where the engine counted", () => {
    const counted = new HeadscopeError({
      code: "input/too-long",
      message: "",
      doing: "the text",
      expected: "at most 128 tokens; shorten the text",
      got: "300 tokens",
    });
    expect(sentenceOf(counted, USUAL)).toBe(
      "This text is too long for the model: it has 300 tokens, and the model reads at most 128. Shorten it by 172 or more.",
    );
    setLanguage("zh-CN");
    expect(sentenceOf(counted, USUAL)).toBe(
      "这段文字对模型来说太长了：它有 300 个词元，而模型最多读 128 个。请至少删去 172 个。",
    );
    setLanguage("en");
    const large = new HeadscopeError({
      code: "input/too-long",
      message: "",
      doing: "the text",
      expected: "one that needs at most 1024 MiB; shorten it",
      got: "9000 tokens, 2048 MiB",
    });
    expect(sentenceOf(large, USUAL)).toContain("at most 64 tokens");
  });

  it("of numbers that are not finite names the layer", () => {
    const failure = new HeadscopeError({
      code: "run/not-finite",
      message: "",
      doing: "layer 3 of the decoder",
      expected: "finite numbers; use smaller weights",
      got: "NaN",
    });
    expect(sentenceOf(failure, USUAL)).toContain("Decoder, layer 3:");
    setLanguage("zh-CN");
    expect(sentenceOf(failure, USUAL)).toContain("解码器第 3 层");
  });

  it("offers what can help", () => {
    const offers = [
      "load/network",
      "checkpoint/truncated",
      "engine/not-restarted",
      "engine/crashed",
      "gpu/lost",
      "unexpected",
      "input/too-long",
    ];
    expect(offers.map((code) => retryOf(failed(code), false))).toEqual([
      "load-model",
      "load-model",
      "load-model",
      "run-again",
      "run-again",
      "run-again",
      null,
    ]);
  });

  it("to read what was computed can be tried once more, whatever it was; one of the run comes first", () => {
    const idle = { model: null, run: null, failure: null };
    expect(failureWords(idle, null, false)).toBeNull();
    expect(failureWords(idle, failed("selection/bad-head"), false)).toMatchObject({
      code: "selection/bad-head",
      retry: "run-again",
    });
    const both = failureWords(
      { ...idle, failure: failed("input/too-long") },
      failed("selection/bad-head"),
      false,
    );
    expect(both).toMatchObject({ code: "input/too-long", retry: null });
  });

  it("of a folder from the reader's disk is told in the engine's own words, and offers the way back", () => {
    const own = { ...USUAL, ownFolder: true };
    for (const code of [
      "load/not-found",
      "config/unsupported-family",
      "checkpoint/missing-tensor",
    ]) {
      expect(sentenceOf(failed(code), own)).toBe(
        "This folder cannot be opened: the engine's own sentence",
      );
      expect(retryOf(failed(code), true)).toBe("undo");
    }
    expect(sentenceOf(failed("load/wasm"), own)).toBe(sentenceOf(failed("load/wasm"), USUAL));
    expect(retryOf(failed("load/wasm"), true)).toBe("load-model");
    expect(retryOf(failed("engine/not-restarted"), true)).toBe("load-model");
  });
});
