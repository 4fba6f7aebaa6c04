/** The link to a State, and the address bar of a page, which is kept in step with a store. */
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
 * The least time between two writes of the address: browsers refuse an address that changes on
 * every keystroke.
 */
const BETWEEN_WRITES_MILLIS = 250;

/**
 * The link to a State on a page; null if no link can hold all of it. The address bar may be a
 * moment behind.
 */
export function linkTo(state: State, page: string): string | null {
  const hash = encodeState(state);
  return hash.length > LONGEST_LINK ? null : new URL(`#${hash}`, page).href;
}

interface AddressEvents {
  /**
   * Receives the State of an address, and whether the page wrote the address itself, and returns
   * the State to show.
   */
  read: (decoded: Decoded, own: boolean) => State;
  /** Called with whether the address that was written or read has the whole State. */
  written: (whole: boolean) => void;
}

/**
 * Keeps the page's address and the store in step. A pasted or followed link changes the store. The
 * store is written back: a single change at once, since a reload may follow before anything else
 * can run; in a burst, such as typing, the last State at intervals. If a State is too long for a
 * link, the address has a part of it, and the browser's history entry the whole, so that it
 * survives a reload. Another model, text or head is a new history entry, and so is a step of the
 * tour; visiting one is a step of undo. Returns a function that ends all this.
 */
export function bindAddress(store: Store, events: AddressEvents): () => void {
  const bar = new AddressBar(store, events);
  bar.begin();
  const stop = store.listen((now, before) => bar.changed(now, before));
  const ended = new AbortController();
  const { signal } = ended;
  // Not `hashchange`, which comes a moment later: a write in between would change the entry that
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
  /** The last address that was read or written. */
  private address = "";
  /** The timer that runs while it is too early for another write. */
  private pause: ReturnType<typeof setTimeout> | undefined;
  /** Whether the State has changed since the last write. */
  private isUnwritten = false;
  /** Whether the store is being set to the State of an address. */
  private isFollowing = false;

  constructor(
    private readonly store: Store,
    private readonly events: AddressEvents,
  ) {}

  /** Shows the State of the address, or after a reload the State that was left. */
  begin(): void {
    const left = takeLeft();
    if (left === null) {
      this.follow();
      return;
    }
    this.store.replace(this.events.read(decodeWhole(left), true));
    this.write(this.store.state);
  }

  /** Shows the State of the address; `isVisited` if the browser went there in its history. */
  follow(isVisited = false): void {
    const { store, events } = this;
    const hash = window.location.hash.replace(/^#/, "");
    const entry = entryOf(window.history.state);
    const whole = entry?.whole;
    // Two States may be shortened to the same address.
    if (hash === this.address && whole === undefined) return;
    this.address = hash;
    const decoded = whole === undefined ? decodeState(hash) : decodeWhole(whole);
    const state = events.read(decoded, entry !== null);

    // Going back in the history does not change the page's appearance.
    const { backend, colours, theme, language } = store.state;
    this.isFollowing = true;
    if (isVisited && entry) store.step({ ...state, backend, colours, theme, language });
    else store.replace(state);
    this.isFollowing = false;

    this.entries.enter(state);
    events.written(whole === undefined);
  }

  /** Writes a change of the State: at once, or with later changes. */
  changed(now: State, before: State): void {
    if (!this.isFollowing && this.entries.isOtherView(now, before)) {
      // The view that is left keeps its entry, up to the last keystroke.
      if (this.isUnwritten) this.write(before);
      this.entries.begin();
    }

    this.isUnwritten = true;
    // After a followed link, a rewrite in the page's own form is not urgent. A typed letter waits
    // for later ones: an address costs the browser as much time as a text costs the engine.
    if (this.isFollowing || isTyped(now, before))
      this.pause ??= setTimeout(this.flush, BETWEEN_WRITES_MILLIS);
    else if (this.pause === undefined) this.flush();
  }

  /** Stores the last State for a reload, when the page is left. */
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
