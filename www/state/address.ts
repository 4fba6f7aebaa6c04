import { isRecord } from "../data/shape.js";
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

/** Changes of the view within this time are one entry of the history, as typing is. */
const PAUSE_MILLIS = 1000;

/** The browser's Back returns to what these fields were before. */
const ENTRY_FIELDS = ["tour", "model", "text", "stack", "layer", "head"] as const;

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
  let written = "";
  /** Runs while it is too early to write once more. */
  let pause: ReturnType<typeof setTimeout> | undefined;
  let unwritten = false;
  let following = false;
  /** When the view changed last, and whether it has no entry of the history yet. */
  let changedAt = -Infinity;
  let isNew = false;

  const follow = (isVisited = false): void => {
    const hash = addressHash();
    const entry = entryOf(window.history.state);
    const whole = entry?.whole;
    // Two States may be cut to the same address.
    if (hash === written && whole === undefined) return;
    written = hash;
    const decoded = whole === undefined ? decodeState(hash) : decodeWhole(whole);
    const state = events.read(decoded, entry !== null);
    // Going back in the history does not change how the page looks.
    const { backend, colours, theme, language } = store.state;
    following = true;
    if (isVisited && entry) store.step({ ...state, backend, colours, theme, language });
    else store.replace(state);
    following = isNew = false;
    events.written(whole === undefined);
  };
  const write = (state: State): void => {
    clearTimeout(pause);
    pause = setTimeout(flush, BETWEEN_WRITES_MILLIS);
    unwritten = false;
    const whole = encodeState(state);
    const fits = whole.length <= LONGEST_LINK;
    written = fits ? whole : encodeShort(state);
    const entry: Entry = { own: true, ...(!fits && { whole }) };
    window.history[isNew ? "pushState" : "replaceState"](entry, "", `#${written}`);
    isNew = false;
    events.written(fits);
  };
  const flush = (): void => {
    pause = undefined;
    if (unwritten) write(store.state);
  };

  const last = takeLeft();
  if (last === null) follow();
  else {
    store.replace(events.read(decodeWhole(last), true));
    write(store.state);
  }
  const stop = store.listen((now, before) => {
    if (!following && ENTRY_FIELDS.some((field) => now[field] !== before[field])) {
      const goesOn = now.tour === before.tour && performance.now() - changedAt < PAUSE_MILLIS;
      changedAt = performance.now();
      // The view that is left keeps its entry, to the last keystroke.
      if (unwritten && !goesOn) write(before);
      isNew ||= !goesOn;
    }
    unwritten = true;
    // A link is written as the page writes it, but nothing would be lost without that. And a letter
    // waits for those that follow: the browser is busy with an address for as long as the engine is
    // with the text.
    if (following || isTyped(now, before)) pause ??= setTimeout(flush, BETWEEN_WRITES_MILLIS);
    else if (pause === undefined) flush();
  });
  const ended = new AbortController();
  const { signal } = ended;
  // Not `hashchange`, which comes a moment later: a write in between would go into the entry that
  // was just reached.
  const changed = (): void => follow(true);
  const left = (): void => {
    storeLeft(encodeState(store.state));
    flush();
  };
  window.addEventListener("popstate", changed, { signal });
  window.addEventListener("pagehide", left, { signal });
  return () => {
    flush();
    clearTimeout(pause);
    stop();
    ended.abort();
  };
}

const addressHash = (): string => window.location.hash.replace(/^#/, "");

function isTyped(now: State, before: State): boolean {
  const texts = ["text", "target", "otherText"] as const;
  return now.model === before.model && texts.some((field) => now[field] !== before[field]);
}

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

/*
 * A reload asks for the address that the browser knew when it began, which on a busy machine is not
 * the one that the page wrote last. So the State that is left is stored for a reload of this page.
 * Storage may be full or forbidden: then the last moment is lost.
 */

const KEY = "headscope.left";

function storeLeft(whole: string): void {
  try {
    sessionStorage.setItem(KEY, whole);
  } catch {
    // See above.
  }
}

/** The State that was left, where this visit is a reload; null otherwise. */
function takeLeft(): string | null {
  const [visit] = performance.getEntriesByType("navigation") as { type?: string }[];
  try {
    const left = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return visit?.type === "reload" ? left : null;
  } catch {
    return null;
  }
}
