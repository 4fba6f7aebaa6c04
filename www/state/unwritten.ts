// What may not yet have been in the address when the page was left. A reload asks for the address that the browser knew
// when it began, which on a busy machine is not the one that the page wrote last, so the last keystrokes are put where the
// page that comes finds them.

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
