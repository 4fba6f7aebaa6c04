// Before each file of tests: every language can be chosen at once, as on a page that has spoken it before.
import { LANGUAGES, loadLanguage } from "../index.js";

await Promise.all(LANGUAGES.map(({ code }) => loadLanguage(code)));
