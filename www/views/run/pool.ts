/** A thing in use. */
export interface Lease<Thing> {
  readonly value: Promise<Thing>;
  release: () => void;
  /** The thing is of no more use: whoever comes next gets another one. */
  forget: () => void;
}

interface Entry<Thing> {
  users: number;
  value: Promise<Thing>;
  making: AbortController;
  ending: ReturnType<typeof setTimeout> | undefined;
}

/** Things that cost something to make and have several users: each is made once, and ended when its last user leaves. */
export class Pool<Thing> {
  private readonly entries = new Map<string, Entry<Thing>>();

  /** `lingerMillis`: for so long after the last user left, another one still finds it. */
  constructor(
    private readonly end: (thing: Thing) => void,
    private readonly lingerMillis = 0,
  ) {}

  /** What `key` names, made if nobody has it. What could not be made is tried anew for the next user. */
  take(key: string, make: (signal: AbortSignal) => Promise<Thing>): Lease<Thing> {
    const entry = this.entries.get(key) ?? this.begin(key, make);
    entry.users += 1;
    clearTimeout(entry.ending);
    let held = true;
    const release = (): void => {
      if (!held) return;
      held = false;
      entry.users -= 1;
      if (entry.users > 0) return;
      if (this.lingerMillis === 0) this.close(key, entry);
      else entry.ending = setTimeout(() => this.close(key, entry), this.lingerMillis);
    };
    return { value: entry.value, release, forget: () => this.forget(key, entry) };
  }

  private begin(key: string, make: (signal: AbortSignal) => Promise<Thing>): Entry<Thing> {
    const making = new AbortController();
    const entry: Entry<Thing> = { users: 0, value: make(making.signal), making, ending: undefined };
    this.entries.set(key, entry);
    entry.value.catch(() => this.forget(key, entry));
    return entry;
  }

  private close(key: string, entry: Entry<Thing>): void {
    this.forget(key, entry);
    entry.making.abort();
    // What failed has nothing to end.
    entry.value.then(this.end, () => undefined);
  }

  private forget(key: string, entry: Entry<Thing>): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
  }
}
