// Before each file of tests: every language can be chosen at once, as on a page that has spoken it and has opened all of its parts.
import { LANGUAGES, loadLanguage, loadSentences } from "../index.js";

await loadSentences("bench", "exporting", "keys", "pairs", "rules", "tour");
await Promise.all(LANGUAGES.map(({ code }) => loadLanguage(code)));
