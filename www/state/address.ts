/** The link to a State, and the address bar of a page, which is kept the same as a store. */
import { entryOf, HistoryEntries } from "./history-entries.js";
import { storeLeft, takeLeft } from "./left-state.js";
import {
  type Decoded,
  decodeState,
  decodeWhole,
  encodeShort,
  encodeState,
  LONGEST_LINK,
} from "./link.js";
import type { State } from "./state.js";
import type { Store } from "./store.js";

/**
 * Browsers refuse an address that changes on every keystroke, so a burst of changes is written this
 * often.
 */
const BETWEEN_WRITES_MILLIS = 250;

/**
 * The link to a State on a page; null if no link can carry all of it. The address bar may be a
 * moment behind.
 */
export function linkTo(state: State, page: string): string | null {
  const hash = encodeState(state);
  return hash.length > LONGEST_LINK ? null : new URL(`#${hash}`, page).href;
}

interface AddressEvents {
  /**
   * Receives what an address says, and whether the page wrote it itself, and decides what is shown.
   */
  read: (decoded: Decoded, own: boolean) => State;
  /** Whether the address that was just written or read carries the whole State. */
  written: (whole: boolean) => void;
}

/**
 * Keeps the page's address and the store the same. A pasted or followed link changes the store. The
 * store is written back: a single change at once, since a reload may follow before anything else
 * can run; of a burst, as typing is, the last State every now and then. Of a State that is too long
 * for a link the address carries a part; the whole is put beside it in the browser's history, so
 * that it outlives a reload. Another model, text or head is an entry of its own in that history,
 * and so is a step of the tour; going to one is a step of undo. Returns a function that ends it.
 */
export function bindAddress(store: Store, events: AddressEvents): () => void {
  const bar = new AddressBar(store, events);
  bar.begin();
  const stop = store.listen((now, before) => bar.changed(now, before));
  const ended = new AbortController();
  const { signal } = ended;
  // Not `hashchange`, which comes a moment later: a write in between would go into the entry that
  // was just reached.
  window.addEventListener("popstate", () => bar.follow(true), { signal });
  window.addEventListener("pagehide", () => bar.leave(), { signal });
  return () => {
    bar.end();
    stop();
    ended.abort();
  };
}

/** The address bar of a page, read into a store and written from it. */
class AddressBar {
  private readonly entries = new HistoryEntries();
  /** The address that was read or written last. */
  private address = "";
  /** Runs while it is too early to write once more. */
  private pause: ReturnType<typeof setTimeout> | undefined;
  /** Whether the State has changed since it was written. */
  private isUnwritten = false;
  /** Whether the store is taking the State of an address now. */
  private isFollowing = false;

  constructor(
    private readonly store: Store,
    private readonly events: AddressEvents,
  ) {}

  /** Shows what the address says, or after a reload what was left. */
  begin(): void {
    const left = takeLeft();
    if (left === null) {
      this.follow();
      return;
    }
    this.store.replace(this.events.read(decodeWhole(left), true));
    this.write(this.store.state);
  }

  /** Shows what the address says; with `isVisited` the browser went there in its history. */
  follow(isVisited = false): void {
    const { store, events } = this;
    const hash = window.location.hash.replace(/^#/, "");
    const entry = entryOf(window.history.state);
    const whole = entry?.whole;
    // Two States may be cut to the same address.
    if (hash === this.address && whole === undefined) return;
    this.address = hash;
    const decoded = whole === undefined ? decodeState(hash) : decodeWhole(whole);
    const state = events.read(decoded, entry !== null);

    // Going back in the history does not change how the page looks.
    const { backend, colours, theme, language } = store.state;
    this.isFollowing = true;
    if (isVisited && entry) store.step({ ...state, backend, colours, theme, language });
    else store.replace(state);
    this.isFollowing = false;

    this.entries.enter();
    events.written(whole === undefined);
  }

  /** Writes a change of the State: at once, or with those that follow it. */
  changed(now: State, before: State): void {
    if (!this.isFollowing && this.entries.isOtherView(now, before)) {
      // The view that is left keeps its entry, to the last keystroke.
      if (this.isUnwritten) this.write(before);
      this.entries.begin();
    }

    this.isUnwritten = true;
    // A link is written as the page writes it, but nothing would be lost without that. And a letter
    // waits for those that follow: the browser is busy with an address for as long as the engine is
    // with the text.
    if (this.isFollowing || isTyped(now, before))
      this.pause ??= setTimeout(this.flush, BETWEEN_WRITES_MILLIS);
    else if (this.pause === undefined) this.flush();
  }

  /** Keeps the last State for a reload of the page, which is left now. */
  leave(): void {
    storeLeft(encodeState(this.store.state));
    this.flush();
  }

  end(): void {
    this.flush();
    clearTimeout(this.pause);
  }

  private readonly flush = (): void => {
    this.pause = undefined;
    if (this.isUnwritten) this.write(this.store.state);
  };

  private write(state: State): void {
    clearTimeout(this.pause);
    this.pause = setTimeout(this.flush, BETWEEN_WRITES_MILLIS);
    this.isUnwritten = false;
    const whole = encodeState(state);
    const fits = whole.length <= LONGEST_LINK;
    this.address = fits ? whole : encodeShort(state);
    this.entries.write(this.address, fits ? null : whole);
    this.events.written(fits);
  }
}

function isTyped(now: State, before: State): boolean {
  const texts = ["text", "target", "otherText"] as const;
  return now.model === before.model && texts.some((field) => now[field] !== before[field]);
}
