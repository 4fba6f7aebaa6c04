/** The entries that a page puts into the browser's history, and what the page puts beside them. */
import { isRecord } from "../data/shape.js";
import type { State } from "./state.js";

/** Changes of the view within this time are one entry of the history, as typing is. */
const PAUSE_MILLIS = 1000;

/** The browser's Back returns to what these fields were before. */
const ENTRY_FIELDS = ["tour", "model", "text", "stack", "layer", "head"] as const;

/**
 * What the page puts beside an address that it writes into the browser's history; a pasted link has
 * no such mark.
 */
interface Entry {
  own: true;
  /**
   * The whole State as an address of any length, where the one in the bar does not carry
   * everything.
   */
  whole?: string;
}

/** The page's own entry of the browser's history; null for any other. */
export function entryOf(state: unknown): Entry | null {
  if (!isRecord(state) || state.own !== true) return null;
  return { own: true, ...(typeof state.whole === "string" && { whole: state.whole }) };
}

/** Decides which addresses are new entries of the history, and writes them. */
export class HistoryEntries {
  /** When the view changed last. */
  private changedAt = -Infinity;
  /** Whether the present view has no entry yet. */
  private isNew = false;

  /** Whether a change of the State leads to another view, which gets an entry of its own. */
  isOtherView(now: State, before: State): boolean {
    if (ENTRY_FIELDS.every((field) => now[field] === before[field])) return false;
    const goesOn = now.tour === before.tour && performance.now() - this.changedAt < PAUSE_MILLIS;
    this.changedAt = performance.now();
    return !goesOn;
  }

  /** The next address that is written is a new entry. */
  begin(): void {
    this.isNew = true;
  }

  /** The browser is at an entry: the next address that is written takes its place. */
  enter(): void {
    this.isNew = false;
  }

  /** Writes an address, with the whole State beside it where the address has only a part. */
  write(address: string, whole: string | null): void {
    const entry: Entry = { own: true, ...(whole !== null && { whole }) };
    window.history[this.isNew ? "pushState" : "replaceState"](entry, "", `#${address}`);
    this.isNew = false;
  }
}
