// Before each file of tests: every language can be chosen at once, as on a page that has spoken it
// and has opened all of its parts. After each: files share one process, so nothing that a file
// replaced reaches the next one.
import { afterAll, vi } from "vitest";
import { LANGUAGES, loadLanguage, loadSentences, PAGE_LOCALE } from "../index.js";

await loadSentences(
  "experiments",
  "export",
  "help",
  "hints",
  "hub",
  "notices",
  "pairs",
  "rules",
  "steps",
  "tour",
);
await Promise.all(LANGUAGES.map(({ code }) => loadLanguage(code)));

// A document has an address, but there is no server at it: a file that no test stubs is not there.
if ("document" in globalThis)
  globalThis.fetch = () => Promise.reject(new TypeError("there is no network"));

afterAll(async () => {
  // A module that is still being loaded when its file ends would fail for all that follow.
  await vi.dynamicImportSettled();
  if ("document" in globalThis) document.body.replaceChildren();
  // In this order: a stub may have replaced a fake timer.
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
  PAGE_LOCALE.speak("en");
});
