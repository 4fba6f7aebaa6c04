import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as current from "./current.js";

/** The page's language as on a first visit, with files that come when the test says so. */
const fresh = (): Promise<typeof current> => import("./current.js");

const FILES = [
  "./zh-CN/page.json",
  "./en/rules.json",
  "./zh-CN/rules.json",
  "./zh-CN/tour.json",
] as const;

beforeEach(() => vi.resetModules());
afterEach(() => {
  for (const file of FILES) vi.doUnmock(file);
});

/** Delays a file until the returned function is called. */
function held(file: (typeof FILES)[number], content: object): () => void {
  let deliver: () => void = () => undefined;
  const come = new Promise<object>((resolve) => (deliver = () => resolve(content)));
  vi.doMock(file, () => come);
  return deliver;
}

describe("the language of a page", () => {
  it("changes although another part was opened while its sentences were on their way", async () => {
    const deliver = held("./zh-CN/page.json", { default: { "stack.encoder": "编码器" } });
    const { language, loadSentences, sentences, setLanguage } = await fresh();
    setLanguage("zh-CN");
    await loadSentences("tour");
    expect(language()).toBe("en");
    deliver();
    await vi.waitFor(() => expect(language()).toBe("zh-CN"));
    expect(Object.keys(sentences()).some((key) => key.startsWith("tour."))).toBe(true);
  });

  it("changes, and opens other parts, although one part could not be fetched", async () => {
    for (const file of ["./en/rules.json", "./zh-CN/rules.json"] as const)
      vi.doMock(file, () => Promise.reject(new Error("offline")));
    const { language, loadSentences, setLanguage } = await fresh();
    await expect(loadSentences("rules")).rejects.toThrow();
    await loadSentences("tour");
    setLanguage("zh-CN");
    await vi.waitFor(() => expect(language()).toBe("zh-CN"));
  });

  it("opens a part while another is still on its way", async () => {
    held("./en/rules.json", { default: {} });
    const { loadSentences, sentences } = await fresh();
    void loadSentences("rules");
    await loadSentences("tour");
    expect(Object.keys(sentences()).some((key) => key.startsWith("tour."))).toBe(true);
  });

  it("speaks a part in the language that was chosen while it was on its way", async () => {
    const deliver = held("./en/rules.json", { default: {} });
    const { language, loadSentences, sentences, setLanguage } = await fresh();
    const opened = loadSentences("rules");
    setLanguage("zh-CN");
    await vi.waitFor(() => expect(language()).toBe("zh-CN"));
    deliver();
    await opened;
    expect(Object.keys(sentences()).some((key) => key.startsWith("rule."))).toBe(true);
  });
});
