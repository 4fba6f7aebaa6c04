/** What the page puts beside an address that it writes into the browser's history. */
export interface Entry {
  /** A link that somebody pasted or followed has no such mark. */
  own: true;
  /** The whole State as an address of any length, where the one in the bar does not carry everything. */
  whole?: string;
}

/** What this page put into the browser's history; null where it put nothing, or where something else did. */
export function entryOf(state: unknown): Entry | null {
  if (typeof state !== "object" || state === null || !("own" in state) || state.own !== true)
    return null;
  return "whole" in state && typeof state.whole === "string"
    ? { own: true, whole: state.whole }
    : { own: true };
}
