import { decodeState, encodeState, type Decoded } from "./hash.js";
import type { State } from "./state.js";
import type { Store } from "./store.js";

/** Browsers refuse an address that changes on every keystroke. */
const WRITE_AFTER_MILLIS = 250;

/** Marks the entries of the browser's history that this page wrote. */
const OWN_ENTRY = "headscope";

/**
 * Keeps the page's address and the store the same: a pasted or followed link changes the store, and the store
 * is written back a moment after it changed. `read` hears what an address says and decides what is shown. A step of
 * the tour is an entry of its own in the browser's history. Returns a function that ends it.
 */
export function bindAddress(store: Store, read: (decoded: Decoded) => State): () => void {
  let written = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let following = false;

  /** Going back in the history is no change of how the page looks: that stays as it is. */
  const follow = (looks: Partial<State>): void => {
    const hash = window.location.hash.replace(/^#/, "");
    if (hash === written) return;
    written = hash;
    following = true;
    store.replace({ ...read(decodeState(hash)), ...looks });
    following = false;
  };
  const changed = (): void => {
    const { theme, language } = store.state;
    follow(window.history.state === OWN_ENTRY ? { theme, language } : {});
  };
  const write = (state: State, entry: "same" | "new"): void => {
    clearTimeout(timer);
    timer = undefined;
    written = encodeState(state);
    if (entry === "new") window.history.pushState(OWN_ENTRY, "", `#${written}`);
    else window.history.replaceState(OWN_ENTRY, "", `#${written}`);
  };
  const flush = (): void => {
    if (timer !== undefined) write(store.state, "same");
  };

  follow({});
  const stop = store.listen((now, before) => {
    if (now.tour === before.tour || following) {
      timer ??= setTimeout(flush, WRITE_AFTER_MILLIS);
      return;
    }
    // What is left stays in its own entry, to the last keystroke.
    write(before, "same");
    write(now, "new");
  });
  window.addEventListener("hashchange", changed);
  window.addEventListener("pagehide", flush);
  return () => {
    flush();
    stop();
    window.removeEventListener("hashchange", changed);
    window.removeEventListener("pagehide", flush);
  };
}
