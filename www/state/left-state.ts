/**
 * The State of the page when it was left, for a reload. A reload uses the address that the browser
 * knew when it began, which on a busy machine is not the last one that the page wrote. If storage
 * is full or forbidden, the last moment is lost.
 */
const KEY = "headscope.left";

/** Stores a whole State, as an address of any length. */
export function storeLeft(whole: string): void {
  try {
    sessionStorage.setItem(KEY, whole);
  } catch {
    // The address still has the State of a moment ago.
  }
}

/** The State that was left, if this visit is a reload; null otherwise. */
export function takeLeft(): string | null {
  const [visit] = performance.getEntriesByType("navigation") as { type?: string }[];
  try {
    const left = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return visit?.type === "reload" ? left : null;
  } catch {
    return null;
  }
}
