import type { Neighbour } from "../run/selection.js";

/** What a key asks for, wherever the focus is, as long as nobody is typing or reading the list of keys. */
export type Shortcut = Neighbour | "release" | "silence" | "undo" | "redo" | "show-keys";

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
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || around.some((place) => place instanceof HTMLDialogElement);
}
