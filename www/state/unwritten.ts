// What was not yet in the address when the page was left. A reload asks for the address that stood there when it began,
// whatever is written while the page goes, so the last keystrokes are put where the page that comes finds them.

const KEY = "headscope.unwritten";

/** What was left, and the address that did not carry it. */
interface Unwritten {
  address: string;
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

/** The State that was left behind by the page that was reloaded here, once; null where all of it is in the address. */
export function takeUnwritten(address: string): string | null {
  const unwritten = parsed(taken() ?? "null");
  return unwritten?.address === address && isReload() ? unwritten.whole : null;
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
    if (typeof value !== "object" || value === null || !("address" in value) || !("whole" in value)) return null;
    const { address, whole } = value;
    return typeof address === "string" && typeof whole === "string" ? { address, whole } : null;
  } catch {
    return null;
  }
}

function isReload(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry !== undefined && "type" in entry && entry.type === "reload";
}
