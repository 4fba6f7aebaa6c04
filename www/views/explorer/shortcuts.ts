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

/** The shortcut of a key press; undefined when it is none, or is meant for something else. */
export function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  if (event.defaultPrevented || event.altKey || isTaken(event)) return undefined;
  if (!event.ctrlKey && !event.metaKey) return PLAIN[event.key];
  const key = event.key.toLowerCase();
  if (key === "y" || (key === "z" && event.shiftKey)) return "redo";
  return key === "z" ? "undo" : undefined;
}

/** What takes letters and has an undo of its own, and lists. */
const TAKES_KEYS =
  "textarea, select, [contenteditable], input:not([type=button], [type=checkbox], [type=color], [type=file], [type=radio], [type=range])";

/** Whether the keys belong to a text field, a list or a dialog, also inside shadow roots. */
function isTaken(event: KeyboardEvent): boolean {
  const [target, ...around] = event.composedPath();
  return (
    (target instanceof Element && target.matches(TAKES_KEYS)) ||
    around.some((place) => place instanceof HTMLDialogElement)
  );
}
