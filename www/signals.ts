/** Reactive values: fields, derived values, and resources that are read asynchronously. */
import { equals } from "./data/equal.js";
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

/**
 * Makes a field a signal: effects, derived values and renders that read the field follow its
 * changes.
 */
export function tracked(prototype: object, name: string): void {
  const signals = new WeakMap<object, Signal>();
  const of = (owner: object): Signal => {
    const known = signals.get(owner) ?? signal<unknown>();
    signals.set(owner, known);
    return known;
  };
  Object.defineProperty(prototype, name, {
    get(this: object): unknown {
      return (signals.get(this) ?? of(this)).value;
    },
    set(this: object, value: unknown): void {
      of(this).value = value;
    },
  });
}

/**
 * The method of an owner of derived values that says in which surroundings they are computed,
 * whichever code asks for them first.
 */
export const WITHIN = Symbol("within");

export interface Surroundings {
  [WITHIN]<Result>(act: () => Result): Result;
}

/** Whether a part of the page renders: it follows what it reads. */
let rendering = false;

/** Calls a function as a rendering, or as something else within one. */
function withRendering<Result>(isOne: boolean, act: () => Result): Result {
  const outer = rendering;
  rendering = isOne;
  try {
    return act();
  } finally {
    rendering = outer;
  }
}

export const asRendering = <Result>(act: () => Result): Result => withRendering(true, act);

/** A computed value; one that equals the one before is the same object. */
function lasting<Value>(compute: () => Value): ReadonlySignal<Value> {
  let last: Value | undefined;
  return computed(() => {
    const next = withRendering(false, compute);
    return (last = last !== undefined && equals(last, next) ? last : next);
  });
}

/**
 * A function that gives the present record of fields: to a rendering a view of it, so that the
 * rendering follows only the fields that it reads.
 */
export function byField<Fields extends object>(read: () => Fields): () => Fields {
  const view = Object.create(null) as Fields;
  for (const name of Object.keys(untracked(read)) as (keyof Fields)[]) {
    const field = lasting(() => read()[name]);
    Object.defineProperty(view, name, { enumerable: true, get: () => field.value });
  }
  return () => (rendering ? view : read());
}

/**
 * Computes a getter once for each change of what it reads. A value that equals the one before is
 * the same object, so that nothing is drawn again for it.
 */
export function derived<Value>(
  _prototype: object,
  _name: string,
  descriptor: TypedPropertyDescriptor<Value>,
): TypedPropertyDescriptor<Value> {
  const values = new WeakMap<object, ReadonlySignal<Value>>();
  const compute = descriptor.get;
  return {
    ...descriptor,
    get(this: Partial<Surroundings>): Value {
      let own = values.get(this);
      if (!own) {
        const computeOwn = (): Value => compute?.call(this) as Value;
        own = lasting(() => (this[WITHIN] ? this[WITHIN](computeOwn) : computeOwn()));
        values.set(this, own);
      }
      return own.value;
    },
  };
}

interface Request<Answer> {
  key: unknown;
  of?: unknown;
  read: () => Promise<Answer>;
}

/**
 * A request of a resource, by its key, a text or an object: null for nothing, undefined to keep the
 * present answer, false to keep it and clear a failure.
 */
export type Wanted<Answer> = Request<Answer> | null | undefined | false;

/**
 * A value that is read asynchronously. One read runs at a time, and only the newest of further
 * requests waits: every answer is shown.
 */
export class Resource<Answer> {
  /** The reason why the last request failed; null as soon as a read succeeds. */
  @tracked failure: unknown = null;
  @tracked loading = false;
  @tracked private answer: { value: Answer; of: unknown } | null = null;
  private wanted: unknown = null;
  private waiting: Request<Answer> | null = null;
  /** The number of calls of `clear`: an answer from before is not shown after it. */
  private cleared = 0;
  private reading = false;

  /** `publish` decides when an answer is shown: at once, or with others in the next frame. */
  constructor(private readonly publish: (show: () => void) => void = batch) {}

  get value(): Answer | null {
    return this.answer?.value ?? null;
  }

  /** The answer, if its subject equals `subject`. */
  about(subject: unknown): Answer | null {
    return this.answer && equals(this.answer.of, subject) ? this.answer.value : null;
  }

  /**
   * Reads what `wanted` returns, again with each change of the signals it reads, until the returned
   * function is called.
   */
  follow(wanted: () => Wanted<Answer>): () => void {
    return effect(() => {
      const now = wanted();
      untracked(() => {
        if (now) this.want(now.key, now.read, now.of);
        else if (now === null) this.clear();
        else if (now === false) this.retry();
      });
    });
  }

  /**
   * Requests the value of `key`; nothing happens if the last request had the same key, even if it
   * failed.
   */
  want(key: unknown, read: () => Promise<Answer>, of?: unknown): void {
    if (key === this.wanted) return;
    this.wanted = key;
    this.waiting = { key, of, read };
    this.loading = true;
    void this.drain();
  }

  /** Clears a failure, so that the same request can be made again. */
  retry(): void {
    if (this.failure === null) return;
    this.failure = null;
    this.wanted = null;
  }

  /** Drops the answer; a read that is still running is not shown. */
  clear(): void {
    this.cleared += 1;
    this.wanted = this.waiting = null;
    batch(() => {
      this.answer = this.failure = null;
      this.loading = this.reading;
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting && !this.reading) {
      const { of, read } = this.waiting;
      const { cleared } = this;
      this.waiting = null;
      this.reading = true;
      let outcome: Partial<Pick<this, "failure">> & { answer?: { value: Answer; of: unknown } };
      try {
        outcome = { answer: { value: await read(), of }, failure: null };
      } catch (failure) {
        outcome = { failure };
      }
      this.reading = false;
      this.publish(() =>
        batch(() => {
          if (cleared === this.cleared) Object.assign(this, outcome);
          this.loading = this.reading || this.waiting !== null;
        }),
      );
    }
  }
}

/** The resources of one owner, each with its request. */
export class Resources {
  readonly all: Resource<unknown>[] = [];
  private readonly followers = new Map<Resource<unknown>, () => () => void>();

  /** A resource that reads what `wanted` returns while the resources are followed. */
  add<Answer>(
    wanted: () => Wanted<Answer>,
    publish?: (show: () => void) => void,
  ): Resource<Answer> {
    const resource = new Resource<Answer>(publish);
    this.all.push(resource);
    this.followers.set(resource, () => resource.follow(wanted));
    return resource;
  }

  /** Follows some of the resources, by default all, until the returned functions are called. */
  follow(resources: readonly Resource<unknown>[] = this.all): (() => void)[] {
    return resources.flatMap((resource) => this.followers.get(resource)?.() ?? []);
  }

  get loading(): boolean {
    return this.all.some(({ loading }) => loading);
  }

  retry(): void {
    for (const resource of this.all) resource.retry();
  }
}
