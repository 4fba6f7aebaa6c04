import { afterEach, expect, it } from "vitest";
import { failed } from "../../../tests/support/fake-model.js";
import type { HeadscopeError } from "../../headscope.js";
import { PAGE_LOCALE } from "../../i18n/index.js";
import { type Circumstances, failureWords, retryOf, sentenceOf } from "./failures.js";

const OWN = "the engine's own sentence";
const failure = (code: string, more: Partial<HeadscopeError> = {}): HeadscopeError =>
  failed(code, { message: OWN, expected: "other", got: "this", ...more });

afterEach(() => {
  PAGE_LOCALE.speak("en");
});

it.each(
  `checkpoint/truncated config/bad-field input/too-long input/out-of-range
  input/bad-id input/unsupported-option edit/bad-value selection/bad-head selection/other-length
  selection/other-model output/unavailable run/not-finite
  load/network load/timeout load/cross-origin load/blocked load/not-found load/engine-not-found
  load/opened-as-file load/sandboxed
  load/bad-tokenizer tokenizer/bad-field tokenizer/failed load/wasm engine/crashed engine/internal
  engine/not-restarted gpu/absent gpu/silent gpu/lost gpu/unavailable`.split(/\s+/),
)("%s is a sentence in each language", (code) => {
  const english = sentenceOf(failure(code));
  PAGE_LOCALE.speak("zh-CN");
  const chinese = sentenceOf(failure(code));
  expect(english).not.toContain(OWN);
  expect(chinese).toMatch(/\p{Script=Han}/u);
  expect(english + chinese).not.toMatch(/[{}]/);
});

it.each<[string, Partial<HeadscopeError>, Circumstances, en: string, zh: string]>([
  ["weather/rain", {}, {}, OWN, OWN],
  ["input/too-long", { got: "9000 tokens, 2048 MiB" }, {}, "too much memory", "内存"],
  [
    "input/too-long",
    {},
    { showsEarlierText: true },
    " The pictures show the previous text.",
    "上一段",
  ],
  [
    "input/too-long",
    { expected: "at most 128 tokens; shorten the text", got: "300 tokens" },
    {},
    "The text has 300 tokens; the model takes 128 at most. Remove at least 172.",
    "文本有 300 个词元，模型最多接受 128 个。请至少删去 172 个。",
  ],
  ["run/not-finite", { doing: "layer 3 of the decoder" }, {}, "Decoder, layer 3:", "解码器第 3 层"],
  ["selection/other-length", {}, {}, "Both texts need as many tokens:", "词元数必须相同"],
  ["checkpoint/truncated", {}, { ownFolder: true }, `Cannot open this folder: ${OWN}`, OWN],
  [
    "config/unsupported-family",
    { got: "zamba" },
    { ownFolder: true },
    "Models of the family “zamba” do not open here.",
    "无法打开“zamba”系列的模型",
  ],
  ["config/unsupported-family", { got: "nothing" }, {}, "no “model_type”", "没有“model_type”"],
])("%s names its circumstances: %o", (code, more, circumstances, english, chinese) => {
  const sentence = (): string => sentenceOf(failure(code, more), circumstances);
  expect(sentence()).toContain(english);
  PAGE_LOCALE.speak("zh-CN");
  expect(sentence()).toContain(chinese);
});

it.each([
  ["load/network", "load-model", "load-model"],
  ["load/wasm", "load-model", "load-model"],
  ["engine/not-restarted", "load-model", "load-model"],
  ["checkpoint/truncated", "load-model", "undo"],
  ["load/not-found", "load-model", "undo"],
  ["config/unsupported-family", "load-model", "undo"],
  ["engine/crashed", "run-again", "run-again"],
  ["gpu/lost", "run-again", "run-again"],
  ["unexpected", "run-again", "run-again"],
  ["input/too-long", "shorten-text", "shorten-text"],
])("after %s one can %s, and %s for a folder from a disk", (code, bundled, own) => {
  expect([retryOf(failure(code), false), retryOf(failure(code), true)]).toEqual([bundled, own]);
});

it("a failure of the run comes before one of a reading, which can be tried again", () => {
  const idle = { run: null, failure: null };
  const unread = failure("selection/bad-head");
  expect([
    failureWords(idle, null, false),
    failureWords(idle, unread, false),
    failureWords({ ...idle, failure: failure("input/too-long") }, unread, false),
  ]).toMatchObject([
    null,
    { code: "selection/bad-head", retry: "run-again" },
    { code: "input/too-long", retry: "shorten-text" },
  ]);
});
