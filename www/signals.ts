/** Values that say when they change: fields, what follows from them, and what is asked for asynchronously. */
import {
  batch,
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  untracked,
} from "@preact/signals-core";

export { batch, effect, signal, untracked } from "@preact/signals-core";

/** Makes a field a signal: whoever reads it in an effect, a derived value or a render follows its changes. */
export function tracked(prototype: object, name: string): void {
  const signals = new WeakMap<object, Signal>();
  const of = (owner: object): Signal => {
    const known = signals.get(owner) ?? signal<unknown>();
    signals.set(owner, known);
    return known;
  };
  Object.defineProperty(prototype, name, {
    get(this: object): unknown {
      return of(this).value;
    },
    set(this: object, value: unknown): void {
      of(this).value = value;
    },
  });
}

/** Computes a getter once for each change of what it reads. A value that equals the one before is the same object, so that nothing is drawn again for it. */
export function derived<Value>(
  _prototype: object,
  _name: string,
  descriptor: TypedPropertyDescriptor<Value>,
): TypedPropertyDescriptor<Value> {
  const values = new WeakMap<object, ReadonlySignal<Value>>();
  const compute = descriptor.get;
  return {
    ...descriptor,
    get(this: object): Value {
      let own = values.get(this);
      if (!own) {
        let last: Value | undefined;
        own = computed(() => {
          const next = compute?.call(this) as Value;
          return (last = last !== undefined && equals(last, next) ? last : next);
        });
        values.set(this, own);
      }
      return own.value;
    },
  };
}

/** Whether two values of lists and plain fields are equal; other objects only equal themselves. */
export function equals(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const [fields, others] = [Object.entries(one), Object.entries(other)];
  return (
    fields.length === others.length &&
    fields.every(([name, value], at) => others[at]?.[0] === name && equals(value, others[at][1]))
  );
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype;
}

/** What to read; null for nothing, undefined to keep what there is. Two wishes with the same key are the same. */
export type Wanted<Answer> = { key: string; read: () => Promise<Answer> } | null | undefined;

/**
 * What is asked for asynchronously. One read is under way at a time; of the further wishes only the newest waits, so a
 * stream of wishes shows every answer that arrives and is never starved by newer ones.
 */
export class Resource<Answer> {
  @tracked value: Answer | null = null;
  /** Why what was asked for last could not be read; null as soon as something can. */
  @tracked failure: unknown = null;
  /** Whether more is to come. */
  @tracked loading = false;
  @tracked private wanted: string | null = null;
  /** What `value` answers. */
  private answered: string | null = null;
  private waiting: Exclude<Wanted<Answer>, null | undefined> | null = null;
  /** Counts how often everything was let go: an answer from before is not shown after it. */
  private era = 0;
  private reading = false;

  /** `publish` says when an answer is shown: at once, or with others in the next frame. */
  constructor(private readonly publish: (show: () => void) => void = batch) {}

  /** Whether `value` is the answer to an earlier wish than the last: it is shown until the next one is here. */
  get stale(): boolean {
    return this.value !== null && this.answered !== this.wanted;
  }

  /** Reads what `wanted` names, again with each change of what that depends on, until the returned function is called. */
  follow(wanted: () => Wanted<Answer>): () => void {
    return effect(() => {
      const now = wanted();
      untracked(() => {
        if (now) this.want(now.key, now.read);
        else if (now === null) this.clear();
      });
    });
  }

  /** Asks for what `key` names; nothing happens when that is what was asked for last, even if it failed. */
  want(key: string, read: () => Promise<Answer>): void {
    if (key === this.wanted) return;
    this.wanted = key;
    this.waiting = { key, read };
    this.loading = true;
    void this.drain();
  }

  /** Forgets a failure: the same can be asked for once more. */
  forgive(): void {
    if (this.failure === null) return;
    this.failure = null;
    this.wanted = null;
  }

  /** Lets the answer go; what is still under way is not shown. */
  clear(): void {
    this.era += 1;
    this.wanted = null;
    this.waiting = null;
    batch(() => {
      this.value = null;
      this.failure = null;
      this.loading = this.reading;
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting && !this.reading) {
      const { key, read } = this.waiting;
      const { era } = this;
      this.waiting = null;
      this.reading = true;
      let answer: Pick<this, "failure"> & Partial<Pick<this, "value">>;
      try {
        answer = { value: await read(), failure: null };
      } catch (failure) {
        answer = { failure };
      }
      this.reading = false;
      this.publish(() =>
        batch(() => {
          if (era === this.era) {
            Object.assign(this, answer);
            if (answer.failure === null) this.answered = key;
          }
          this.loading = this.reading || this.waiting !== null;
        }),
      );
    }
  }
}
