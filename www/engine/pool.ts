/**
 * A pool of shared values by their keys: each is made once for all its users and ended after the
 * last of them.
 */

/** One user's share of a value in a `Pool`. */
export interface Lease<Thing> {
  readonly value: Promise<Thing>;
  /**
   * Ends this use. The last one ends the value: at once, or after some milliseconds, in which
   * another user may take it.
   */
  release: (lingerMillis?: number) => void;
  /** Removes a broken value from the pool: the next user gets a new one. */
  forget: () => void;
}

/** Shared values: each is made once for all its users, and ended when the last one releases it. */
export class Pool<Thing> {
  private readonly entries = new Map<
    string,
    {
      users: number;
      value: Promise<Thing>;
      making: AbortController;
      timer?: ReturnType<typeof setTimeout>;
    }
  >();

  constructor(private readonly end: (thing: Thing) => void) {}

  /**
   * The value of a key, made for its first user. A value that could not be made is tried again for
   * the next user.
   */
  take(key: string, make: (signal: AbortSignal) => Promise<Thing>): Lease<Thing> {
    const making = new AbortController();
    const entry = this.entries.get(key) ?? { users: 0, value: make(making.signal), making };
    this.entries.set(key, entry);
    const forget = (): void => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    };
    const close = (): void => {
      forget();
      entry.making.abort();
      entry.value.then(this.end, () => undefined);
    };
    if (entry.users === 0) entry.value.catch(forget);
    entry.users += 1;
    clearTimeout(entry.timer);
    let isReleased = false;
    const release = (lingerMillis?: number): void => {
      if (isReleased) return;
      isReleased = true;
      entry.users -= 1;
      if (entry.users > 0) return;
      if (lingerMillis === undefined) close();
      else entry.timer = setTimeout(close, lingerMillis);
    };
    return { value: entry.value, release, forget };
  }
}
