// Before each file of tests: every language can be chosen at once, as on a page that has spoken it and has opened its bench.
import { LANGUAGES, loadBenchSentences, loadLanguage } from "../index.js";

await loadBenchSentences();
await Promise.all(LANGUAGES.map(({ code }) => loadLanguage(code)));
