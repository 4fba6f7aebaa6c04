import type { State } from "../../state/index.js";

declare global {
  interface HTMLElementEventMap {
    /** A part of the page wants these fields of the State changed. */
    "headscope-patch": CustomEvent<Partial<State>>;
  }
}

/** Asks the explorer to change the State, from inside every shadow root. */
export function patch(source: EventTarget, detail: Partial<State>): void {
  source.dispatchEvent(
    new CustomEvent("headscope-patch", { detail, bubbles: true, composed: true }),
  );
}
