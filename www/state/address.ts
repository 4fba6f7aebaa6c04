import { decodeState, decodeWhole, encodeShort, encodeState, LONGEST_LINK, type Decoded } from "./hash.js";
import type { State } from "./state.js";
import type { Store } from "./store.js";

/** Browsers refuse an address that changes on every keystroke. */
const WRITE_AFTER_MILLIS = 250;

/** The link to a State; null if no link can carry all of it. The address bar may be a moment behind. */
export function linkTo(state: State): string | null {
  const hash = encodeState(state);
  return hash.length > LONGEST_LINK ? null : new URL(`#${hash}`, window.location.href).href;
}

/** What a page hears of its address. */
export interface AddressEvents {
  read: (decoded: Decoded) => void;
  /** Whether the address that was just written carries the whole State. */
  written: (whole: boolean) => void;
}

/**
 * Keeps the page's address and the store the same: a pasted or followed link changes the store, and the store
 * is written back a moment after it changed. Of a State that is too long for a link the address carries a part; the
 * whole is put beside it in the browser's history, so that it outlives a reload. Returns a function that ends it.
 */
export function bindAddress(store: Store, events: AddressEvents): () => void {
  let written = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const read = (): void => {
    const hash = window.location.hash.replace(/^#/, "");
    if (hash === written) return;
    written = hash;
    const kept = wholeOf(window.history.state);
    const decoded = kept === undefined ? decodeState(hash) : decodeWhole(kept);
    store.replace(decoded.state);
    events.read(decoded);
    events.written(kept === undefined);
  };
  const write = (): void => {
    timer = undefined;
    const whole = encodeState(store.state);
    const fits = whole.length <= LONGEST_LINK;
    written = fits ? whole : encodeShort(store.state);
    window.history.replaceState(fits ? null : ({ whole } satisfies Kept), "", `#${written}`);
    events.written(fits);
  };
  const flush = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    write();
  };

  read();
  const stop = store.listen(() => {
    timer ??= setTimeout(write, WRITE_AFTER_MILLIS);
  });
  window.addEventListener("hashchange", read);
  window.addEventListener("pagehide", flush);
  return () => {
    flush();
    stop();
    window.removeEventListener("hashchange", read);
    window.removeEventListener("pagehide", flush);
  };
}

/** What the browser's history keeps beside an address that does not carry everything. */
interface Kept {
  whole: string;
}

function wholeOf(kept: unknown): string | undefined {
  return typeof kept === "object" && kept !== null && "whole" in kept && typeof kept.whole === "string" ? kept.whole : undefined;
}
