import type { LitElement, ReactiveController } from "lit";
import { language, onLanguageChange, setLanguage, languageOf, message } from "../i18n/index.js";
import type { Session } from "../session/session.js";
import type { Language } from "../i18n/index.js";
import type { State } from "../state/index.js";

/**
 * Connects an explorer to its surroundings. As a page of its own it keeps the address, title, theme
 * and language of the document and handles all keys. In another page it starts from the attributes
 * of the element that it fills, handles the keys pressed inside it, and leaves the document alone.
 * The session is active while the explorer is in the document.
 */
export class Placement implements ReactiveController {
  private begun = false;
  private working = false;
  private leave: (() => void)[] = [];

  constructor(
    private readonly host: LitElement & { readonly place: HTMLElement | null },
    private readonly session: Session,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    const { session } = this;
    const { place } = this.host;
    const { links, store } = session;
    const keys: EventTarget = place ?? document;
    this.host.toggleAttribute("page", place === null);
    if (place && !this.begun) links.readAttributes(place);
    this.begun = true;
    keys.addEventListener("keydown", this.pressed);
    this.leave = [
      () => keys.removeEventListener("keydown", this.pressed),
      ...(place ? [] : [links.bindAddress(), onSystemTheme(this.restyle)]),
      // Fonts and voices follow the language of the element, whatever the page's language is.
      onLanguageChange(place ? () => (place.lang = language()) : this.restyle),
      store.listen((now, before) => {
        if (now.theme !== before.theme || now.language !== before.language) this.restyle();
      }),
    ];
    this.restyle();
    if (!this.working) session.begin();
    this.working = true;
  }

  hostDisconnected(): void {
    for (const undo of this.leave.splice(0)) undo();
    // An element that is only moved within its page is connected again by then.
    queueMicrotask(() => {
      if (this.host.isConnected || !this.working) return;
      this.working = false;
      this.session.end();
    });
  }

  private readonly restyle = (): void => {
    const { place } = this.host;
    const { state } = this.session;
    if (!place) {
      applyAppearance(state);
      return;
    }
    // Without a theme in the State the element follows the page around it; all elements of a page
    // share one language.
    place.dataset.theme = state.theme;
    if (state.language !== null) setLanguage(state.language);
    place.lang = language();
  };

  private readonly pressed = (event: Event): void => {
    const shortcut = event instanceof KeyboardEvent && shortcutOf(event);
    if (!shortcut) return;
    event.preventDefault();
    SHORTCUTS[shortcut](this.session);
  };
}

/** The action of each key, wherever the focus is, except in text fields, lists and dialogs. */
const SHORTCUTS = {
  "[": ({ pointing }: Session) => pointing.go("layer", -1),
  "]": ({ pointing }: Session) => pointing.go("layer", 1),
  ",": ({ pointing }: Session) => pointing.go("head", -1),
  ".": ({ pointing }: Session) => pointing.go("head", 1),
  Escape: ({ pointing }: Session) => pointing.release(),
  s: ({ pointing }: Session) => pointing.toggleShown(),
  "?": ({ page }: Session) => page.showHelp?.("keys"),
  undo: (session: Session) => session.command("undo"),
  redo: (session: Session) => session.command("redo"),
} as const satisfies Record<string, (session: Session) => void>;

type Shortcut = keyof typeof SHORTCUTS;

/** Elements that take letters and have their own undo, and lists. */
const TAKES_KEYS =
  "textarea, select, [contenteditable], input:not([type=button], [type=checkbox], " +
  "[type=color], [type=file], [type=radio], [type=range])";

/**
 * The shortcut of a key press; undefined if there is none, or if the key is for a text field, a
 * list or a dialog, also inside shadow roots.
 */
export function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  const [target, ...around] = event.composedPath();
  const isTaken =
    (target instanceof Element && target.matches(TAKES_KEYS)) ||
    around.some((place) => place instanceof HTMLDialogElement);
  if (event.defaultPrevented || event.altKey || isTaken) return undefined;
  if (!event.ctrlKey && !event.metaKey)
    return event.key in SHORTCUTS ? (event.key as Shortcut) : undefined;
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) return "redo";
  return key === "z" ? "undo" : undefined;
}

const SYSTEM_DARK = "(prefers-color-scheme: dark)";

/** Applies a State's theme and language to the document. */
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

/** The language in which a State is shown. */
export function languageFor({ language: chosen }: Pick<State, "language">): Language {
  return chosen ?? browserLanguage();
}

/** The first of the browser's languages that the page has. */
function browserLanguage(): Language {
  return navigator.languages.map(languageOf).find((known) => known !== null) ?? "en";
}
