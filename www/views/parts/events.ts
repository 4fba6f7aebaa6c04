import type { State } from "../../state/index.js";
import type { Command } from "../run/notices.js";

declare global {
  interface HTMLElementEventMap {
    /** A part of the page wants these fields of the State changed. */
    "headscope-patch": CustomEvent<Partial<State>>;
    "headscope-command": CustomEvent<Command>;
  }
}

/** Fires a page event that bubbles out of every shadow root. */
function fire(source: EventTarget, name: keyof HTMLElementEventMap, detail: unknown): void {
  source.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}

/** Asks the explorer to change the State. */
export const patch = (source: EventTarget, change: Partial<State>): void =>
  fire(source, "headscope-patch", change);

/** Asks the explorer to do something. */
export const command = (source: EventTarget, name: Command): void =>
  fire(source, "headscope-command", name);
