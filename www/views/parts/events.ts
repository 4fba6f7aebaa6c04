import type { State } from "../../state/index.js";
import type { Command } from "../run/notices.js";

/** What an address says of all laboratories, and whether that is the same move of a slider, or the same typing, as what was set last. */
export interface LabChange {
  labs: string | null;
  goesOn: boolean;
}

declare global {
  interface HTMLElementEventMap {
    /** A part of the page wants these fields of the State changed. */
    "headscope-patch": CustomEvent<Partial<State>>;
    /** The same as one step that can be undone, whatever it changes. */
    "headscope-step": CustomEvent<Partial<State>>;
    /** Something is set in a laboratory. */
    "headscope-set": CustomEvent<LabChange>;
    "headscope-command": CustomEvent<Command>;
    /** What can be exported is to be shown under this element. */
    "headscope-export": CustomEvent<Element>;
  }
}

/** Fires a page event that bubbles out of every shadow root. */
function fire(source: EventTarget, name: keyof HTMLElementEventMap, detail: unknown): void {
  source.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}

/** Asks the explorer to change the State. */
export const patch = (source: EventTarget, change: Partial<State>): void =>
  fire(source, "headscope-patch", change);

/** Asks the explorer to change the State in one step that can be undone. */
export const step = (source: EventTarget, change: Partial<State>): void =>
  fire(source, "headscope-step", change);

/** Asks the explorer to set something in a laboratory. */
export const setLab = (source: EventTarget, change: LabChange): void =>
  fire(source, "headscope-set", change);

/** Asks the explorer to do something. */
export const command = (source: EventTarget, name: Command): void =>
  fire(source, "headscope-command", name);
