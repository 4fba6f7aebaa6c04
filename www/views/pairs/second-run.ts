import type { HeadscopeError, Model, Run, RunInput } from "../../headscope.js";
import { batch, Resource, tracked, untracked } from "../../signals.js";
import { type Comparison, type ModelName, NO_EDITS, type State } from "../../state/index.js";
import { type Computation, inputOf, isBlank, targetIdsOf } from "../run/computation.js";
import { asFailure, isCrash, isExpected } from "../run/failures.js";
import type { Download, ModelCache } from "../run/model-cache.js";

/** What is to be computed beside the run that is shown. Two requests with the same key are the same. */
export interface SecondRequest {
  comparison: Comparison;
  key: string;
  model: ModelName;
  input: (model: Model) => RunInput;
}

export function otherTextOf({ text, otherText }: Pick<State, "text" | "otherText">): string {
  return otherText ?? text;
}

/**
 * What a comparison needs beside the run that is shown; null where there is nothing to compute. It is never edited. The
 * original reads the very tokens of the edited run, what a translator wrote included, so that every cell has its
 * counterpart; another text is read as if it were typed alone.
 */
export function secondRequest(
  state: State,
  comparison: Comparison | null,
  { model, run }: Pick<Computation, "model" | "run">,
): SecondRequest | null {
  if (!model || !run || comparison === null) return null;
  if (comparison === "original") {
    const targetIds = targetIdsOf(run, model.info);
    const plain = inputOf({ ...state, edits: NO_EDITS, target: null }, model);
    const input: RunInput = { ...plain, ...(targetIds && { targetIds }) };
    const key = JSON.stringify(["original", state.model, input]);
    return { comparison, key, model: state.model, input: () => input };
  }
  const text = otherTextOf(state);
  if (isBlank(text)) return null;
  const name = state.otherModel ?? state.model;
  const same = text === state.text;
  const target = same ? state.target : null;
  const hidden = same && name === state.model ? state.hidden : [];
  const input = (other: Model): RunInput =>
    inputOf({ text, target, hidden, edits: NO_EDITS }, other);
  return {
    comparison,
    key: JSON.stringify(["other", name, text, target, hidden]),
    model: name,
    input,
  };
}

type Answer = Pick<SecondRequest, "key"> & { model: Model; run: Run };

/**
 * The run beside the one that is shown, with a failure and a download of its own. The earlier run stays readable until the
 * next one is computed.
 */
export class SecondRun {
  @tracked download: Download | null = null;
  /** How often another run came. */
  @tracked revision = 0;
  private readonly answer = new Resource<Answer>((show) => this.replace(show));
  /** The key of the last request, and what stops its computation. */
  private requested: string | null = null;
  private running = new AbortController();
  private stopListening: () => void = () => undefined;

  constructor(private readonly models: ModelCache) {}

  get model(): Model | null {
    return this.answer.value?.model ?? null;
  }

  get run(): Run | null {
    return this.answer.value?.run ?? null;
  }

  get busy(): boolean {
    return this.answer.loading;
  }

  /** Why the last request failed; null where it was only stopped. */
  get failure(): HeadscopeError | null {
    const { failure } = this.answer;
    return failure === null || this.isStopped(failure) ? null : asFailure(failure);
  }

  isFor(request: SecondRequest): boolean {
    return this.answer.value?.key === request.key;
  }

  /** Computes a request, unless it is the present one; null releases the run. */
  want(request: SecondRequest | null): void {
    const { failure, value } = this.answer;
    const loaded = request && this.models.loaded(request.model);
    untracked(() => {
      if (!request) {
        this.clear();
        return;
      }
      // A model that was disposed of, or opened once more, took its runs with it.
      if (value?.key === request.key && value.model !== loaded) this.release();
      else if (failure !== null && this.isStopped(failure)) this.again();
      if (this.requested !== request.key) this.stop();
      this.requested = request.key;
      this.answer.want(request.key, () => this.compute(request));
    });
  }

  /** Stops what is under way; it begins again when it is requested once more. */
  stop(): void {
    if (!untracked(() => this.busy)) return;
    this.running.abort();
    this.download = null;
  }

  again(): void {
    this.answer.retry();
  }

  clear(): void {
    this.release();
    this.models.keepOnlyFor(this, null);
  }

  private isStopped(failure: unknown): boolean {
    return this.running.signal.aborted || (isExpected(failure) && !isCrash(failure));
  }

  private release(): void {
    this.stop();
    this.stopListening();
    this.run?.release();
    this.answer.clear();
  }

  private async compute({ key, model: name, input }: SecondRequest): Promise<Answer> {
    const running = new AbortController();
    const { signal } = running;
    this.running = running;
    this.models.keepFor(this, name);
    const show = (download: Download | null): void => {
      if (this.running === running && !signal.aborted) this.download = download;
    };
    try {
      const model = this.models.loaded(name) ?? (await this.models.fetch(name, signal, show));
      show(null);
      const run = await model.run(input(model), { signal });
      if (signal.aborted) run.release();
      signal.throwIfAborted();
      // The model before was kept for as long as its run could be read.
      this.models.keepOnlyFor(this, name);
      return { key, model, run };
    } finally {
      show(null);
    }
  }

  private replace(show: () => void): void {
    const before = untracked(() => this.answer.value);
    batch(() => {
      show();
      const now = this.answer.value;
      if (!now || now === before) return;
      this.revision += 1;
      before?.run.release();
      this.stopListening();
      this.stopListening = now.model.onRestart(() => {
        // A run that crashed by itself would crash again.
        if (this.failure === null) this.release();
      });
    });
  }
}
