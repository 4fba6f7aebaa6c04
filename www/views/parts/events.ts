import type { MessageKey } from "../../i18n/index.js";
import type { State } from "../../state/index.js";

/** What a person can ask for besides a change of the State. */
export type Command = "undo" | "redo" | "cancel-download" | "load-model" | "stop-run" | "run-again" | "copy-link" | "show-keys";

declare global {
  interface HTMLElementEventMap {
    /** A part of the page wants these fields of the State changed. */
    "headscope-patch": CustomEvent<Partial<State>>;
    "headscope-command": CustomEvent<Command>;
    "headscope-notice-dismiss": CustomEvent<MessageKey>;
  }
}

/** Asks the explorer to change the State. */
export function patch(source: EventTarget, change: Partial<State>): void {
  source.dispatchEvent(new CustomEvent("headscope-patch", { detail: change, bubbles: true, composed: true }));
}

/** Asks the explorer to do something. */
export function command(source: EventTarget, name: Command): void {
  source.dispatchEvent(new CustomEvent("headscope-command", { detail: name, bubbles: true, composed: true }));
}
