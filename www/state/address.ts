import { decodeState, encodeState, type Decoded } from "./hash.js";
import type { State } from "./state.js";
import type { Store } from "./store.js";

/** Browsers refuse an address that changes on every keystroke. */
const WRITE_AFTER_MILLIS = 250;

/** The whole link to a State. The address bar may be a moment behind. */
export function linkTo(state: State): string {
  return new URL(`#${encodeState(state)}`, window.location.href).href;
}

/**
 * Keeps the page's address and the store the same: a pasted or followed link changes the store, and the store
 * is written back a moment after it changed. `onRead` hears what was read. Returns a function that ends it.
 */
export function bindAddress(store: Store, onRead: (decoded: Decoded) => void): () => void {
  let written = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const read = (): void => {
    const hash = window.location.hash.replace(/^#/, "");
    if (hash === written) return;
    written = hash;
    const decoded = decodeState(hash);
    store.replace(decoded.state);
    onRead(decoded);
  };
  const write = (): void => {
    timer = undefined;
    written = encodeState(store.state);
    window.history.replaceState(null, "", `#${written}`);
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
