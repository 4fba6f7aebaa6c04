import type { HeadscopeError, LoadOptions, Model, Run, RunInput, RunProgress } from "../../headscope.js";
import { fittingEdits, hasEdits, type State } from "../../state/index.js";
import { asFailure } from "./failures.js";
import { limitsOf } from "./selection.js";

/** What the explorer needs of the engine; a test brings its own. */
export type LoadModel = (source: string, options: LoadOptions) => Promise<Model>;

/** Where the model's download stands. */
export type Download =
  | { phase: "loading"; loadedBytes: number; totalBytes: number | null }
  | { phase: "ready" | "cancelled" | "failed" };

/** What a run is asked for. */
export type Request = Pick<State, "text" | "target" | "edits">;

/** Runs that are over sooner do not show their progress: it would only flicker. */
const SLOW_AFTER_MILLIS = 600;

/** What happened that a person should know. */
export interface ComputationEvents {
  changed: () => void;
  restarted: () => void;
}

/**
 * Holds the model and the newest run. Every request stops the one before it; the older run stays readable
 * until the newer one has something to show.
 */
export class Computation {
  model: Model | null = null;
  download: Download = { phase: "loading", loadedBytes: 0, totalBytes: null };
  /** The run on the screen, and how often it has grown. */
  run: Run | null = null;
  revision = 0;
  /** How often another run came to the screen. */
  sourceRevision = 0;
  progress: RunProgress | null = null;
  /** Whether the run under way takes long enough to say so. */
  slow = false;
  stopped = false;
  failure: HeadscopeError | null = null;
  /** What the model writes for a text without edits. */
  unedited: { text: string; translation: string } | null = null;
  /** Whether a run is under way. */
  busy = false;
  private loading: AbortController | null = null;
  private running: AbortController | null = null;
  private patience: ReturnType<typeof setTimeout> | undefined;
  private request: Request | null = null;
  /** The request that was repeated after a crash; a second crash is shown instead. */
  private repeated: Request | null = null;

  constructor(
    private readonly loadModel: LoadModel,
    private readonly events: ComputationEvents,
  ) {}

  /** Fetches a model, and computes what was asked for meanwhile. */
  async load(folder: string): Promise<void> {
    this.dispose();
    const loading = new AbortController();
    this.loading = loading;
    this.failure = null;
    this.download = { phase: "loading", loadedBytes: 0, totalBytes: null };
    this.events.changed();
    try {
      const model = await this.loadModel(folder, {
        signal: loading.signal,
        onProgress: ({ loadedBytes, totalBytes }) => {
          this.download = { phase: "loading", loadedBytes, totalBytes: totalBytes ?? null };
          this.events.changed();
        },
      });
      if (loading.signal.aborted) {
        model.dispose();
        return;
      }
      this.model = model;
      this.download = { phase: "ready" };
      model.onRestart(() => this.recover());
    } catch (thrown) {
      if (this.loading !== loading) return;
      this.download = { phase: loading.signal.aborted ? "cancelled" : "failed" };
      if (!loading.signal.aborted) this.failure = asFailure(thrown);
    }
    this.events.changed();
    if (this.model && this.request) await this.compute(this.request);
  }

  cancelDownload(): void {
    this.loading?.abort();
    this.download = { phase: "cancelled" };
    this.events.changed();
  }

  /** Computes a request; the one before it stops. Without a model it waits for one. */
  async compute(request: Request): Promise<void> {
    this.request = request;
    this.running?.abort();
    const { model } = this;
    if (!model) return;
    if (isBlank(request.text)) {
      this.showNothing();
      return;
    }
    const running = new AbortController();
    this.running = running;
    this.stopped = false;
    this.beginWaiting();
    try {
      const input = inputOf(request, model);
      const run = await model.run(input, {
        signal: running.signal,
        onUpdate: (growing, progress) => {
          if (this.running !== running) return;
          this.progress = progress;
          this.failure = null;
          if (progress.sourceReady) this.show(growing);
          this.events.changed();
        },
      });
      if (this.running !== running) {
        run.release();
        return;
      }
      this.failure = null;
      this.repeated = null;
      this.endWaiting();
      this.show(run);
      this.events.changed();
      await this.compareWithUnedited(model, input, run, running.signal);
    } catch (thrown) {
      if (this.running !== running || running.signal.aborted) return;
      this.endWaiting();
      this.failure = asFailure(thrown);
      this.events.changed();
    }
  }

  /** Stops the run under way; what was shown stays. */
  stop(): void {
    this.running?.abort();
    this.endWaiting();
    this.stopped = true;
    this.events.changed();
  }

  /** Computes the last request once more. */
  again(): void {
    if (this.request) void this.compute(this.request);
  }

  dispose(): void {
    this.loading?.abort();
    this.running?.abort();
    this.run?.release();
    this.model?.dispose();
    this.model = null;
    this.run = null;
    this.endWaiting();
  }

  private beginWaiting(): void {
    this.busy = true;
    clearTimeout(this.patience);
    this.patience = setTimeout(() => {
      this.slow = true;
      this.events.changed();
    }, SLOW_AFTER_MILLIS);
  }

  private endWaiting(): void {
    this.busy = false;
    clearTimeout(this.patience);
    this.slow = false;
    this.progress = null;
  }

  private show(run: Run): void {
    if (this.run !== run) {
      this.run?.release();
      this.sourceRevision += 1;
    }
    this.run = run;
    this.revision += 1;
  }

  /** A blank text has no translation and no patterns worth the name. */
  private showNothing(): void {
    this.running = null;
    this.run?.release();
    this.run = null;
    this.failure = null;
    this.stopped = false;
    this.endWaiting();
    this.events.changed();
  }

  private async compareWithUnedited(model: Model, { text = "", target, edits }: RunInput, run: Run, signal: AbortSignal): Promise<void> {
    if (target !== undefined || model.info.architecture !== "encoder-decoder") return;
    if (edits === undefined) {
      this.unedited = { text, translation: run.targetText };
    } else if (this.unedited?.text !== text) {
      const plain = await model.run({ text }, { signal });
      this.unedited = { text, translation: plain.targetText };
      plain.release();
      this.events.changed();
    }
  }

  /** After a crash the model is there again, but its runs are lost. */
  private recover(): void {
    this.events.restarted();
    if (!this.request || this.repeated === this.request) return;
    this.repeated = this.request;
    void this.compute(this.request);
  }
}

/** Whether a text says nothing to a reader. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** A request as the engine takes it: without the edits that do not fit the texts, which stay in the State. */
function inputOf({ text, target, edits }: Request, model: Model): RunInput {
  const targetTokens = target === null ? model.info.maxTokens : model.tokenize(target).length;
  const fitting = fittingEdits(edits, limitsOf(model.info, model.tokenize(text).length, targetTokens));
  return { text, ...(target !== null && { target }), ...(hasEdits(fitting) && { edits: fitting }) };
}
