import type { HeadscopeError, Model, Run, RunInput } from "../../headscope.js";
import { batch, tracked } from "../../signals.js";
import { type Comparison, type ModelName, NO_EDITS, type State } from "../../state/index.js";
import { type Computation, inputOf, isBlank } from "../run/computation.js";
import { asFailure, isCrash, isExpected } from "../run/failures.js";
import type { Download, ModelCache } from "../run/model-cache.js";
import { targetIdsOf } from "../run/target-ids.js";

/** What is to be computed beside the run that is shown. Two requests with the same key are the same. */
export interface SecondRequest {
  comparison: Comparison;
  key: string;
  model: ModelName;
  input: (model: Model) => RunInput;
}

/** The second text. */
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
  const plain = { ...state, edits: NO_EDITS };
  if (comparison === "original") {
    const targetIds = targetIdsOf(run, model.info);
    const { text, hidden } = inputOf({ ...plain, target: null }, model);
    const input: RunInput = { text, ...(hidden && { hidden }), ...(targetIds && { targetIds }) };
    return {
      comparison,
      key: JSON.stringify(["original", state.model, input]),
      model: state.model,
      input: () => input,
    };
  }
  const text = otherTextOf(state);
  if (isBlank(text)) return null;
  const name = state.otherModel ?? state.model;
  const same = text === state.text;
  const request = {
    ...plain,
    text,
    target: same ? state.target : null,
    hidden: same && name === state.model ? state.hidden : [],
  };
  return {
    comparison,
    key: JSON.stringify(["other", name, request.text, request.target, request.hidden]),
    model: name,
    input: (other) => inputOf(request, other),
  };
}

/**
 * The run beside the one that is shown. It waits until that one is computed, and what happens to it is its own: a
 * failure, a download, a crash. The earlier run stays readable until the next one is there.
 */
export class SecondRun {
  @tracked model: Model | null = null;
  @tracked run: Run | null = null;
  /** How often another run came. */
  @tracked revision = 0;
  @tracked failure: HeadscopeError | null = null;
  /** Null while nothing is fetched. */
  @tracked download: Download | null = null;
  /** Whether a run or a model is on its way. */
  @tracked busy = false;
  @tracked private wanted: string | null = null;
  @tracked private answered: string | null = null;
  private running: AbortController | null = null;
  private stopListening: () => void = () => undefined;

  constructor(private readonly models: ModelCache) {}

  /** Whether the run is the one that was asked for. */
  isFor(request: SecondRequest | null): boolean {
    return request !== null && this.run !== null && this.answered === request.key;
  }

  /** Computes a request, unless it is the present one; null releases the run. */
  want(request: SecondRequest | null): void {
    if (!request) {
      this.clear();
      return;
    }
    // A model that was disposed of, or opened once more, took its runs with it.
    const gone =
      this.model !== null &&
      this.models.loaded(request.model) !== this.model &&
      this.answered === request.key;
    if (this.wanted === request.key && !gone) return;
    void this.compute(request);
  }

  /** Stops what is under way: the run that is shown comes first. */
  hold(): void {
    if (!this.busy) return;
    this.stop();
    this.wanted = this.answered;
  }

  /** Tries once more after a failure. */
  again(): void {
    this.wanted = null;
    this.failure = null;
  }

  /** Releases the run and its model. */
  clear(): void {
    this.drop();
    this.models.keepOnlyFor(this, null);
  }

  private drop(): void {
    this.stopListening();
    this.stopListening = () => undefined;
    batch(() => {
      this.stop();
      this.run?.release();
      this.run = null;
      this.model = null;
      this.failure = null;
      this.wanted = null;
      this.answered = null;
    });
  }

  private stop(): void {
    this.running?.abort();
    this.running = null;
    this.busy = false;
    this.download = null;
  }

  private async compute(request: SecondRequest): Promise<void> {
    const running = new AbortController();
    batch(() => {
      this.stop();
      this.running = running;
      this.wanted = request.key;
      this.failure = null;
      this.busy = true;
    });
    this.models.keepFor(this, request.model);
    try {
      const { model: name } = request;
      const model =
        this.models.loaded(name) ??
        (await this.models.fetch(name, running.signal, (download) => {
          if (this.running === running) this.download = download;
        }));
      if (this.running !== running) return;
      this.download = null;
      const run = await model.run(request.input(model), { signal: running.signal });
      if (this.running === running) this.show(request, model, run);
      else run.release();
    } catch (thrown) {
      if (this.running !== running) return;
      // A thread that died under another run is started again, and so is this one.
      batch(() => {
        if (isExpected(thrown) && !isCrash(thrown)) this.wanted = null;
        else this.failure = asFailure(thrown);
        this.stop();
      });
    }
  }

  private show(request: SecondRequest, model: Model, run: Run): void {
    if (this.model !== model) this.listen(model);
    batch(() => {
      this.run?.release();
      this.run = run;
      this.model = model;
      this.answered = request.key;
      this.revision += 1;
      this.stop();
    });
    // The model before was kept for as long as its run could be read.
    this.models.keepOnlyFor(this, request.model);
  }

  private listen(model: Model): void {
    this.stopListening();
    this.stopListening = model.onRestart(() => {
      // A run that crashed by itself would crash again.
      if (!this.failure) this.drop();
    });
  }
}
