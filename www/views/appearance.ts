import { language, languageOf, message, setLanguage, type Language } from "../i18n/index.js";
import type { State } from "../state/index.js";

const SYSTEM_DARK = "(prefers-color-scheme: dark)";

/** Puts a State's theme and language on the document. */
export function applyAppearance(state: Pick<State, "theme" | "language">): void {
  const { theme } = state;
  const system = window.matchMedia(SYSTEM_DARK).matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme === "system" ? system : theme;
  setLanguage(languageFor(state));
  document.documentElement.lang = language();
  document.title = message("page.title");
}

/** Calls `listener` when the system's theme changes, until the returned function is called. */
export function onSystemTheme(listener: () => void): () => void {
  const query = window.matchMedia(SYSTEM_DARK);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** The language that a State is shown in. */
export function languageFor({ language: chosen }: Pick<State, "language">): Language {
  return chosen ?? browserLanguage();
}

/** The first of the browser's languages that the page speaks. */
function browserLanguage(): Language {
  return navigator.languages.map(languageOf).find((known) => known !== null) ?? "en";
}
