import type { ReactiveControllerHost } from "lit";
import {
  demoCore,
  type DemoCore,
  type Model,
  type Run,
  type RunInput,
  type RunOptions,
} from "../headscope.js";
import { equals } from "../data/equal.js";
import { isCrash, isExpected } from "../session/run/failures.js";

/** The least time between two renderings of long work. */
const BETWEEN_RENDERS_MILLIS = 120;
const CORE: Pick<DemoCore, "ask"> = { ask: async (...asked) => (await demoCore()).ask(...asked) };

/** The tools with which an answer is computed. */
export interface Asking<Answer = unknown> {
  core: Pick<DemoCore, "ask">;
  signal: AbortSignal;
  /** The answer of a part of long work, which is not computed again after the work was stopped. */
  step: <Found>(name: string, part: () => Promise<Found>) => Promise<Found>;
  /** Shows the answer so far, and the share of the work that is done. */
  show: (answer: Answer | null, done: number) => void;
}
type Task<Answer> = (asking: Asking<Answer>) => Promise<Answer>;

/**
 * A question with its answer, or long work in named steps. The answer to a question stays until the
 * next one is there, so that nothing flickers. The answers of steps stay: after a stop or a failure
 * the work continues with the other steps.
 */
export class Study<Answer> {
  /** The answer; null before the first one, and after a question that failed. */
  answer: Answer | null = null;
  failure: unknown = null;
  done = 0;
  finished = false;
  /** Whether `answer` belongs to an earlier question. */
  stale = false;
  private inputs: readonly unknown[] | null = null;
  private readonly known = new Map<string, unknown>();
  private running: AbortController | null = null;
  private rendered = -Infinity;

  /**
   * The host renders again when anything changes; running work stops when the host leaves the page.
   */
  constructor(public host: Pick<ReactiveControllerHost, "requestUpdate"> | null = null) {}

  get working(): boolean {
    return this.running !== null;
  }

  has(name: string): boolean {
    return this.known.has(name);
  }

  /**
   * Asks the question if any input differs from the last time; a question that is out of date is
   * stopped.
   */
  ask(inputs: readonly unknown[], question: Task<Answer>): void {
    if (equals(inputs, this.inputs)) return;
    this.stale = this.answer !== null;
    void this.go(question, true);
    this.inputs = inputs;
  }

  /** Does the parts of the work that are not done. */
  async go(task: Task<Answer>, isQuestion = false): Promise<void> {
    this.stop();
    const running = (this.running = new AbortController());
    const { signal } = running;
    const step: Asking["step"] = async (name, part) => {
      signal.throwIfAborted();
      // Only the part with this name stored the value.
      if (this.known.has(name)) return this.known.get(name) as Awaited<ReturnType<typeof part>>;
      const found = await part();
      signal.throwIfAborted();
      this.known.set(name, found);
      return found;
    };
    const show = (answer: Answer | null, done: number): void => {
      if (signal.aborted) return;
      this.answer = answer;
      this.done = done;
      // The first answer is shown at once, and the last one with the result.
      if (performance.now() - this.rendered < BETWEEN_RENDERS_MILLIS) return;
      this.rendered = performance.now();
      this.host?.requestUpdate();
    };
    const attempt = async (): Promise<Answer> => task({ core: CORE, signal, step, show });
    if (!isQuestion) {
      this.failure = null;
      this.finished = false;
    }
    this.host?.requestUpdate();
    const result = await attempt()
      .catch((thrown: unknown) => {
        // A new thread can answer if the crash had another cause than the question.
        if (isQuestion && isCrash(thrown) && !signal.aborted) return attempt();
        throw thrown;
      })
      .then(
        (answer) => ({ answer, failure: null, finished: true }),
        (failure: unknown) => ({ ...(isQuestion && { answer: null }), failure }),
      );
    if (this.running !== running) return;
    // A late result needs no words.
    const isLate = isExpected(result.failure) && !isCrash(result.failure);
    Object.assign(this, result, { stale: false, running: null, ...(isLate && { failure: null }) });
    this.host?.requestUpdate();
  }

  stop(): void {
    this.inputs = null;
    if (!this.running) return;
    this.running.abort();
    this.running = null;
    this.host?.requestUpdate();
  }

  forget(): void {
    this.stop();
    this.known.clear();
    Object.assign(this, { answer: null, failure: null, done: 0, finished: false, stale: false });
  }
}

/** Reads a run, which is then released. */
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

/** The losses `−ln p` of some entries of the vocabulary at some positions, in nats. */
export async function lossesAt(
  run: Pick<Run, "probabilities">,
  places: readonly { position: number; id: number }[],
): Promise<number[]> {
  const positions = places.map(({ position }) => position);
  const found = await run.probabilities({ positions, ids: places.map(({ id }) => id) });
  return found.map(({ logProbability }) => -logProbability);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The largest of some non-negative numbers, 0 for none. */
export function largest(values: Iterable<number>): number {
  return [...values].reduce((most, value) => Math.max(most, value), 0);
}
