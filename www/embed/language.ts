import { languageOf, setLanguage } from "../i18n/index.js";

/** Speaks the language that the page says it is in, now and after it changes. */
export function followDocumentLanguage(): void {
  const root = document.documentElement;
  const follow = (): void => setLanguage(languageOf(root.lang) ?? "en");
  new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ["lang"] });
  follow();
}
