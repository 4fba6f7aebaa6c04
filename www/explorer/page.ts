/** A page around an explorer: its address, theme, language, title and keys. */
import { language, type Language, languageOf, message, PAGE_LOCALE } from "../i18n/index.js";
import type { Explorer } from "../session/explorer.js";
import type { Session } from "../session/session.js";
import type { State } from "../state/index.js";
import { walkFirstRow } from "./first-walk.js";
import { bindKeys } from "./keys.js";

/**
 * Binds an explorer to the document: it has the address and all keys, and the document has its
 * theme, language and title. Returns a function that ends this.
 */
export function bindPage({ session }: Explorer): () => void {
  const { links, store } = session;
  const restyle = (): void => applyAppearance(store.state);
  bindPresenting(session);
  // An address with a State shows what its sender pointed at.
  if (location.hash === "") walkFirstRow(session);
  const ends = [
    links.bindAddress(),
    bindKeys(document, session),
    onSystemTheme(restyle),
    PAGE_LOCALE.listen(restyle),
    store.listen((now, before) => {
      if (now.theme !== before.theme || now.language !== before.language) restyle();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** The parameter of the address that asks for the presenter's size. */
const PRESENT = "present";

/** Lets the address ask for the presenter's size, and follow it. */
function bindPresenting(session: Session): void {
  session.presenting = new URL(location.href).searchParams.has(PRESENT);
  session.page.present = (isOn) => {
    session.presenting = isOn;
    const address = new URL(location.href);
    if (isOn) address.searchParams.set(PRESENT, "");
    else address.searchParams.delete(PRESENT);
    history.replaceState(history.state, "", address.href.replace(/\?present=(?=#|$)/, "?present"));
  };
}

const SYSTEM_DARK = "(prefers-color-scheme: dark)";

/** Applies a State's theme and language to the document. */
function applyAppearance(state: Pick<State, "theme" | "language">): void {
  const { theme } = state;
  const system = window.matchMedia(SYSTEM_DARK).matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme === "system" ? system : theme;
  PAGE_LOCALE.speak(languageFor(state));
  document.documentElement.lang = language();
  document.title = message("page.title");
}

/** Calls `listener` when the system's theme changes, until the returned function is called. */
function onSystemTheme(listener: () => void): () => void {
  const query = window.matchMedia(SYSTEM_DARK);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** The language in which a State is shown. */
export function languageFor({ language: chosen }: Pick<State, "language">): Language {
  return chosen ?? browserLanguage();
}

/** The first of the browser's languages that the page has. */
function browserLanguage(): Language {
  return navigator.languages.map(languageOf).find((known) => known !== null) ?? "en";
}
