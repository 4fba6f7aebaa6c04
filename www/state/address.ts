import {
  decodeState,
  decodeWhole,
  encodeShort,
  encodeState,
  LONGEST_LINK,
  type Decoded,
} from "./link.js";
import type { State } from "./state.js";
import type { Store } from "./store.js";

/** Browsers refuse an address that changes on every keystroke, so a burst of changes is written this often. */
const BETWEEN_WRITES_MILLIS = 250;

/** For so long after a write a busy browser may still take the address before it for the page's own. */
const BEFORE_KNOWN_MILLIS = 5000;

/** The link to a State on a page; null if no link can carry all of it. The address bar may be a moment behind. */
export function linkTo(state: State, page: string): string | null {
  const hash = encodeState(state);
  return hash.length > LONGEST_LINK ? null : new URL(`#${hash}`, page).href;
}

/** What a page does about its address. */
export interface AddressEvents {
  /** Hears what an address says, and whether the page wrote it itself, and decides what is shown. */
  read: (decoded: Decoded, own: boolean) => State;
  /** Whether the address that was just written or read carries the whole State. */
  written: (whole: boolean) => void;
}

/**
 * Keeps the page's address and the store the same: a pasted or followed link changes the store, and the store
 * is written back: a single change at once, since a reload may follow before anything else can run, and of a burst, as
 * typing is, what it has come to every now and then. Of a State that is too long for a link the address carries a part; the
 * whole is put beside it in the browser's history, so that it outlives a reload. A step of the tour is an entry of its
 * own in that history. Returns a function that ends it.
 */
export function bindAddress(store: Store, events: AddressEvents): () => void {
  let written = "";
  /** Runs while it is too early to write once more. */
  let pause: ReturnType<typeof setTimeout> | undefined;
  let unwritten = false;
  let following = false;
  /** Addresses that were replaced, by when; of the last moment alone. */
  const replaced = new Map<string, number>();
  const replacedLately = (): string[] => {
    const since = performance.now() - BEFORE_KNOWN_MILLIS;
    for (const [address, when] of replaced) if (when < since) replaced.delete(address);
    return [...replaced.keys()];
  };

  const follow = (looks: Partial<State>): void => {
    const hash = window.location.hash.replace(/^#/, "");
    const entry = entryOf(window.history.state);
    const whole = entry?.whole;
    // What is cut to the same address may be another State.
    if (hash === written && whole === undefined) return;
    written = hash;
    const decoded = whole === undefined ? decodeState(hash) : decodeWhole(whole);
    following = true;
    store.replace({ ...events.read(decoded, entry !== null), ...looks });
    following = false;
    events.written(whole === undefined);
  };
  /** Going back in the history is no change of how the page looks: that stays as it is. */
  const changed = (): void => {
    const { backend, colours, theme, language } = store.state;
    follow(entryOf(window.history.state) ? { backend, colours, theme, language } : {});
  };
  const write = (state: State, place: "same" | "new"): void => {
    clearTimeout(pause);
    pause = setTimeout(rest, BETWEEN_WRITES_MILLIS);
    unwritten = false;
    replacedLately();
    replaced.set(written, performance.now());
    const whole = encodeState(state);
    const fits = whole.length <= LONGEST_LINK;
    written = fits ? whole : encodeShort(state);
    const entry: Entry = fits ? { own: true } : { own: true, whole };
    if (place === "new") window.history.pushState(entry, "", `#${written}`);
    else window.history.replaceState(entry, "", `#${written}`);
    events.written(fits);
  };
  const flush = (): void => {
    if (unwritten) write(store.state, "same");
  };
  const rest = (): void => {
    pause = undefined;
    flush();
  };
  const left = (): void => {
    const lately = replacedLately();
    if (!unwritten && lately.length === 0) {
      forgetUnwritten();
      return;
    }
    leaveUnwritten({ addresses: [written, ...lately], whole: encodeState(store.state) });
    flush();
  };

  const last = takeUnwritten(window.location.hash.replace(/^#/, ""));
  if (last === null) follow({});
  else {
    store.replace(events.read(decodeWhole(last), true));
    write(store.state, "same");
  }
  const stop = store.listen((now, before) => {
    if (now.tour === before.tour || following) {
      unwritten = true;
      // What came from the address is written as the page writes it, but nothing would be lost without that. And a letter
      // waits for those that follow: the browser is busy with an address for as long as the engine is with the text.
      if (following || isTyped(now, before)) pause ??= setTimeout(rest, BETWEEN_WRITES_MILLIS);
      else if (pause === undefined) flush();
      return;
    }
    // What is left stays in its own entry, to the last keystroke.
    write(before, "same");
    write(now, "new");
  });
  // Not `hashchange`, which comes a moment later: a write in between would go into the entry that was just reached.
  window.addEventListener("popstate", changed);
  window.addEventListener("pagehide", left);
  return () => {
    flush();
    clearTimeout(pause);
    stop();
    window.removeEventListener("popstate", changed);
    window.removeEventListener("pagehide", left);
  };
}

/** Whether a text changed, as it does with every letter; another model brings its own. */
function isTyped(now: State, before: State): boolean {
  if (now.model !== before.model) return false;
  return (
    now.text !== before.text || now.target !== before.target || now.otherText !== before.otherText
  );
}

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

/*
 * What may not yet have been in the address when the page was left. A reload asks for the address that the browser knew
 * when it began, which on a busy machine is not the one that the page wrote last, so the last keystrokes are put where the
 * page that comes finds them.
 */

const KEY = "headscope.unwritten";

/** What was left, and the addresses under one of which the page may come again. */
interface Unwritten {
  addresses: readonly string[];
  whole: string;
}

/** Keeps a State for the page that comes, if that is this one again. A browser that keeps nothing loses the last moment only. */
export function leaveUnwritten(unwritten: Unwritten): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(unwritten));
  } catch {
    // Storage may be full or forbidden.
  }
}

/** Forgets what was kept when the page was left before, as one that came back from the browser's cache was: it is in the address. */
export function forgetUnwritten(): void {
  taken();
}

/** The State that was left behind by the page that was reloaded here, once; null where all of it is in the address. */
export function takeUnwritten(address: string): string | null {
  const unwritten = parsed(taken() ?? "null");
  return unwritten?.addresses.includes(address) && isReload() ? unwritten.whole : null;
}

function taken(): string | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return kept;
  } catch {
    return null;
  }
}

function parsed(text: string): Unwritten | null {
  try {
    const value: unknown = JSON.parse(text);
    if (
      typeof value !== "object" ||
      value === null ||
      !("addresses" in value) ||
      !("whole" in value)
    )
      return null;
    const { addresses, whole } = value;
    const areAddresses =
      Array.isArray(addresses) && addresses.every((address) => typeof address === "string");
    return areAddresses && typeof whole === "string" ? { addresses, whole } : null;
  } catch {
    return null;
  }
}

function isReload(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry !== undefined && "type" in entry && entry.type === "reload";
}
