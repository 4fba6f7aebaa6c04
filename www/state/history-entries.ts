/** The page's entries in the browser's history, with the data that it stores in them. */
import { isRecord } from "../data/shape.js";
import type { State } from "./state.js";

/** The time within which changes of the view are one history entry, as in typing. */
const PAUSE_MILLIS = 1000;

/** The fields to whose earlier values the browser's Back returns. */
const ENTRY_FIELDS = ["tour", "lesson", "model", "text", "stack", "layer", "head"] as const;

/**
 * The data that the page stores with an address in the browser's history; a pasted link has none.
 */
interface Entry {
  own: true;
  /** The whole State as an address of any length, if the address in the bar has only a part. */
  whole?: string;
}

/** The page's data in a history entry; null for a foreign entry. */
export function entryOf(state: unknown): Entry | null {
  if (!isRecord(state) || state.own !== true) return null;
  return { own: true, ...(typeof state.whole === "string" && { whole: state.whole }) };
}

/** Decides which addresses are new entries of the history, and writes them. */
export class HistoryEntries {
  /** The time of the last change of the view. */
  private changedAt = -Infinity;
  /** Whether the next write adds an entry for the present view. */
  private isNew = false;

  /** Whether a change of the State leads to another view, which gets its own entry. */
  isOtherView(now: State, before: State): boolean {
    if (ENTRY_FIELDS.every((field) => now[field] === before[field])) return false;
    const isSameStep = now.tour === before.tour && now.lesson === before.lesson;
    const goesOn = isSameStep && performance.now() - this.changedAt < PAUSE_MILLIS;
    this.changedAt = performance.now();
    return !goesOn;
  }

  /** Makes the next write a new entry. */
  begin(): void {
    this.isNew = true;
  }

  /**
   * Makes the next write replace the present entry, which the browser has visited. The State of a
   * step that was named alone arrives a moment later, and belongs to it.
   */
  enter({ tour, lesson }: State): void {
    this.isNew = false;
    if ((tour ?? lesson) !== null) this.changedAt = performance.now();
  }

  /** Writes an address, with the whole State in the entry if the address has only a part. */
  write(address: string, whole: string | null): void {
    const entry: Entry = { own: true, ...(whole !== null && { whole }) };
    window.history[this.isNew ? "pushState" : "replaceState"](entry, "", `#${address}`);
    this.isNew = false;
  }
}
