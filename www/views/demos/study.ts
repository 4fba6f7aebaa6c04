import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Model, Run, RunInput, RunOptions } from "../../headscope.js";
import { isCrash, isExpected } from "../run/failures.js";

/**
 * The answer to the newest question. While the next one is on its way the last answer stays, so that nothing flickers;
 * what is out of date is stopped.
 */
export class Asked<Answer> implements ReactiveController {
  /** Null before the first answer, and after a failure. */
  answer: Answer | null = null;
  failure: unknown = null;
  private inputs: readonly unknown[] | null = null;
  private running: AbortController | null = null;
  /** Whether `answer` is that to an earlier question, until the next one is here. */
  stale = false;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  /** Asks if any input is another value than the last time. */
  ask(inputs: readonly unknown[], question: (signal: AbortSignal) => Promise<Answer>): void {
    if (isSame(inputs, this.inputs)) return;
    this.inputs = inputs;
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.stale = this.answer !== null;
    const settle = (answer: Answer | null, failure: unknown): void => {
      if (this.running !== running) return;
      [this.answer, this.failure, this.stale] = [answer, failure, false];
      this.host.requestUpdate();
    };
    const put = (again: boolean): void => {
      question(running.signal).then(
        (answer) => settle(answer, null),
        (thrown: unknown) => {
          // A new thread answers where the crash had another cause than the question.
          if (again && isCrash(thrown) && this.running === running) put(false);
          else settle(null, thrown);
        },
      );
    };
    put(true);
  }

  /** Lets the answer go; what is still under way is stopped. */
  clear(): void {
    this.hostDisconnected();
    [this.answer, this.failure, this.stale] = [null, null, false];
  }

  /** What was let go when the host left the page is asked for anew. */
  hostConnected(): void {
    this.host.requestUpdate();
  }

  hostDisconnected(): void {
    this.running?.abort();
    this.running = null;
    this.inputs = null;
  }
}

export interface Working<Answer> {
  /** The answer of a task, which is not done again where it was done before the work was stopped. */
  step: <Found>(name: string, task: (signal: AbortSignal) => Promise<Found>) => Promise<Found>;
  /** Shows the answer so far, and how much of all is done. */
  show: (answer: Answer | null, done: number) => void;
}

/** The least time between two renderings of long work. */
const BETWEEN_RENDERS_MILLIS = 120;

/** Long work in named steps, whose answers stay: after a stop or a failure the work continues with the other steps. */
export class Study<Answer> {
  answer: Answer | null = null;
  done = 0;
  failure: unknown = null;
  finished = false;
  private readonly known = new Map<string, unknown>();
  private running: AbortController | null = null;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private behind = false;

  constructor(public changed: () => void) {}

  get working(): boolean {
    return this.running !== null;
  }

  get begun(): boolean {
    return this.answer !== null;
  }

  has(name: string): boolean {
    return this.known.has(name);
  }

  forget(): void {
    this.known.clear();
    [this.answer, this.done, this.finished] = [null, 0, false];
  }

  async go(work: (working: Working<Answer>) => Promise<void>): Promise<void> {
    if (this.running) return;
    const running = new AbortController();
    const { signal } = running;
    this.running = running;
    [this.failure, this.finished] = [null, false];
    this.changed();
    try {
      await work({
        step: async (name, task) => {
          signal.throwIfAborted();
          // Only the task of this name put it there.
          type Found = Awaited<ReturnType<typeof task>>;
          if (this.known.has(name)) return this.known.get(name) as Found;
          const found = await task(signal);
          signal.throwIfAborted();
          this.known.set(name, found);
          return found;
        },
        show: (answer, done) => {
          if (signal.aborted) return;
          [this.answer, this.done] = [answer, done];
          // The first is shown at once.
          if (this.pause === undefined) this.changed();
          this.behind = this.pause !== undefined;
          this.pause ??= setTimeout(() => {
            this.pause = undefined;
            if (this.behind) this.changed();
          }, BETWEEN_RENDERS_MILLIS);
        },
      });
      if (!signal.aborted) this.finished = true;
    } catch (thrown) {
      if (!signal.aborted && (isCrash(thrown) || !isExpected(thrown))) this.failure = thrown;
    }
    if (this.running !== running) return;
    this.running = null;
    this.changed();
  }

  stop(): void {
    if (!this.running) return;
    this.running.abort();
    this.running = null;
    this.changed();
  }
}

export function isSame(one: readonly unknown[], other: readonly unknown[] | null): boolean {
  return one.length === other?.length && one.every((value, at) => Object.is(value, other[at]));
}

export async function withRun<Found>(
  model: Pick<Model, "run">,
  input: RunInput,
  read: (run: Run) => Promise<Found>,
  options: RunOptions = {},
): Promise<Found> {
  const run = await model.run(input, options);
  try {
    return await read(run);
  } finally {
    run.release();
  }
}

/** `−ln p` of these entries of the vocabulary at these positions, in nats. */
export async function lossesAt(
  run: Pick<Run, "probabilities">,
  places: readonly { position: number; id: number }[],
): Promise<number[]> {
  const found = await run.probabilities({
    positions: places.map(({ position }) => position),
    ids: places.map(({ id }) => id),
  });
  return found.map(({ logProbability }) => -logProbability);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
