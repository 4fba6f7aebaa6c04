import type { HeadShortcut } from "../run/pointing.js";

/** The action of a key, wherever the focus is, except in text fields, lists and dialogs. */
type Shortcut = HeadShortcut | "release" | "undo" | "redo" | "show-keys";

const PLAIN: Readonly<Record<string, Shortcut>> = {
  "[": "layer-before",
  "]": "layer-after",
  ",": "head-before",
  ".": "head-after",
  Escape: "release",
  s: "silence",
  "?": "show-keys",
};

/** Kinds of inputs into which nothing is written. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set([
  "button",
  "checkbox",
  "color",
  "file",
  "radio",
  "range",
  "reset",
  "submit",
]);

/** The shortcut of a key press; undefined when it is none, or is meant for something else. */
export function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  if (event.defaultPrevented || isTaken(event)) return undefined;
  if (event.altKey) return undefined;
  if (!event.ctrlKey && !event.metaKey) return PLAIN[event.key];
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) return "redo";
  return key === "z" ? "undo" : undefined;
}

/** Whether the keys belong to a text field, a list or a dialog, also inside shadow roots. */
function isTaken(event: KeyboardEvent): boolean {
  const [target, ...around] = event.composedPath();
  return (
    isTextField(target) ||
    target instanceof HTMLSelectElement ||
    around.some((place) => place instanceof HTMLDialogElement)
  );
}

/** Where the browser has an undo of its own, and letters are letters. */
function isTextField(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.has(target.type);
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}
