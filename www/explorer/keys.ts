/** The keys of an explorer, besides those that a focused element takes. */
import type { Session } from "../session/session.js";

/** Binds an explorer to the keys that reach a target, until the returned function is called. */
export function bindKeys(target: EventTarget, session: Session): () => void {
  const pressed = (event: Event): void => {
    const shortcut = event instanceof KeyboardEvent && shortcutOf(event);
    if (!shortcut) return;
    event.preventDefault();
    SHORTCUTS[shortcut](session);
  };
  target.addEventListener("keydown", pressed);
  return () => target.removeEventListener("keydown", pressed);
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
