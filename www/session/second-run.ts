import type { HeadscopeError, Model, Run, RunInput } from "../headscope.js";
import { batch, tracked, untracked } from "../signals.js";
import {
  type Comparison,
  type EditLists,
  type ModelName,
  NO_EDITS,
  type State,
} from "../state/index.js";
import { type Computation, inputOf, isBlank, targetIdsOf } from "./run/computation.js";
import type { Readable } from "./run/shown-image.js";
import { asFailure, isCrash, isExpected } from "./run/failures.js";
import type { Download } from "./models/download.js";
import type { ModelCache } from "./models/model-cache.js";

/** The request of a second run. Two requests with the same key are the same. */
export interface SecondRequest {
  comparison: Comparison;
  key: string;
  model: ModelName;
  input: (model: Model) => RunInput;
}

export function otherTextOf({ text, otherText }: Pick<State, "text" | "otherText">): string {
  return otherText ?? text;
}

/** The user's translation that the second run reads; null while the model writes it. */
export function otherTargetOf(
  state: Pick<State, "text" | "otherText" | "target" | "otherTarget">,
): string | null {
  const { text, target, otherTarget } = state;
  return target === null || otherTextOf(state) !== text ? null : (otherTarget ?? target);
}

/** Whether a comparison is of two heads in one text and one model. */
export function isOfHeads(state: State): boolean {
  const { compare, otherHead, otherModel, model } = state;
  const isSame =
    otherTextOf(state) === state.text &&
    otherTargetOf(state) === state.target &&
    (otherModel ?? model) === model;
  return compare === "other" && otherHead !== null && isSame;
}

/** The edits of the second run: two heads of one text are two of one run; any other has none. */
export function otherEditsOf(state: State): EditLists {
  return isOfHeads(state) ? state.edits : NO_EDITS;
}

/**
 * The second run that a comparison needs; null if none. The original reads exactly the tokens of
 * the edited run, including those that a translator wrote, so that every cell has its counterpart;
 * another text is read as if it were typed alone, without edits.
 */
export function secondRequest(
  state: State,
  comparison: Comparison | null,
  { model, run }: Pick<Computation, "model" | "run">,
  image: Readable,
): SecondRequest | null {
  if (!model || !run || comparison === null) return null;
  if (comparison === "original") {
    const targetIds = targetIdsOf(run, model.info);
    const plain = inputOf(
      { ...state, edits: NO_EDITS, target: null, sampling: null },
      model,
      image,
    );
    const input: RunInput = { ...plain, ...(targetIds && { targetIds }) };
    const key = JSON.stringify(["original", state.model, input]);
    return { comparison, key, model: state.model, input: () => input };
  }
  const text = otherTextOf(state);
  const name = state.otherModel ?? state.model;
  // A model of images reads the same image; another one needs a text.
  if (isBlank(text) && !(model.info.image && name === state.model)) return null;
  const same = text === state.text;
  const target = otherTargetOf(state);
  const masked = same && name === state.model ? state.masked : [];
  const edits = otherEditsOf(state);
  const { chat, sampling } = state;
  const input = (other: Model): RunInput =>
    inputOf({ text, chat, target, masked, sampling, edits }, other, image);
  return {
    comparison,
    key: JSON.stringify(["other", name, text, chat, target, masked, sampling, edits]),
    model: name,
    input,
  };
}

type Answer = Pick<SecondRequest, "key"> & { model: Model; run: Run };

/**
 * The run beside the displayed one, with a failure and a download of its own. The earlier run stays
 * readable until the next one is computed.
 */
export class SecondRun {
  @tracked download: Download | null = null;
  @tracked busy = false;
  /** The failure of the last request; null if it was only stopped. */
  @tracked failure: HeadscopeError | null = null;
  /** The number of runs so far. */
  @tracked revision = 0;
  @tracked private answer: Answer | null = null;
  /** The key of the last request; null after it was stopped, or if it has to be computed again. */
  @tracked private requested: string | null = null;
  private running = new AbortController();
  private stopListening: () => void = () => undefined;

  constructor(private readonly models: ModelCache) {}

  get model(): Model | null {
    return this.answer?.model ?? null;
  }

  get run(): Run | null {
    return this.answer?.run ?? null;
  }

  isFor(request: SecondRequest): boolean {
    return this.answer?.key === request.key;
  }

  /** Computes a request, unless it is the present one; null releases the run. */
  want(request: SecondRequest | null): void {
    const { answer, requested } = this;
    const loaded = request && this.models.loaded(request.model);
    // A model that was disposed of, or opened again, has lost its runs.
    const isLost = answer !== null && answer.key === request?.key && answer.model !== loaded;
    untracked(() => {
      if (!request) this.clear();
      else if (isLost || requested !== request.key) {
        if (isLost) this.release();
        void this.compute(request);
      }
    });
  }

  /** Stops the computation; a new request starts it again. */
  stop(): void {
    if (!untracked(() => this.busy || this.download !== null)) return;
    this.running.abort();
    this.end(() => (this.requested = null));
  }

  again(): void {
    this.failure = this.requested = null;
  }

  clear(): void {
    this.release();
    this.models.keepOnlyFor(this, null);
  }

  private release(): void {
    this.stop();
    this.stopListening();
    this.run?.release();
    batch(() => (this.answer = this.failure = this.requested = null));
  }

  private async compute({ key, model: name, input }: SecondRequest): Promise<void> {
    this.stop();
    const { signal } = (this.running = new AbortController());
    this.requested = key;
    this.busy = true;
    this.models.keepFor(this, name);
    const follow = (download: Download | null): void => {
      if (signal.aborted) return;
      this.download = download;
      // A question to the reader may wait for ever.
      this.busy = download?.phase !== "asked";
    };
    try {
      const model = this.models.loaded(name) ?? (await this.models.fetch(name, signal, follow));
      follow(null);
      const run = await model.run(input(model), { signal });
      if (signal.aborted) {
        run.release();
        return;
      }
      this.end(() => this.show({ key, model, run }));
      // The model before was kept as long as its run could be read.
      this.models.keepOnlyFor(this, name);
    } catch (thrown) {
      if (signal.aborted) return;
      const isLate = isExpected(thrown) && !isCrash(thrown);
      this.end(() => (isLate ? (this.requested = null) : (this.failure = asFailure(thrown))));
    }
  }

  private end(change: () => void): void {
    batch(() => {
      this.busy = false;
      this.download = null;
      change();
    });
  }

  private show(answer: Answer): void {
    this.run?.release();
    this.answer = answer;
    this.revision += 1;
    this.failure = null;
    this.stopListening();
    this.stopListening = answer.model.onRestart(() => {
      // A run that crashed by itself would crash again.
      if (this.failure === null) this.release();
    });
  }
}
