import type { Prediction } from "../../data/index.js";
import type {
  Foreseen,
  HeadscopeError,
  Model,
  Restart,
  Run,
  RunInput,
  RunProgress,
} from "../../headscope.js";
import { fittingEdits, hasEdits, type ModelName, type State } from "../../state/index.js";
import { type Download, downloadOf, NOTHING_YET } from "./download.js";
import { asFailure } from "./failures.js";
import type { Shelf } from "./model-pool.js";
import { isHideable, limitsOf } from "./selection.js";

/** What a run is asked for. */
export type Request = Pick<State, "text" | "hidden" | "target" | "edits">;

/** Runs that are over sooner do not show their progress: it would only flicker. */
const SLOW_AFTER_MILLIS = 600;

/** What happened that a person should know. */
export interface ComputationEvents {
  changed: () => void;
  /** There is more of a text that the model writes. */
  grown?: () => void;
  restarted: (restart: Restart) => void;
  /** What will be asked of the next run as soon as it has something to show. */
  foreseen?: () => readonly Foreseen[];
}

/**
 * Holds the model in use and the newest run. Every request stops the one before it; the older run stays readable
 * until the newer one has something to show.
 */
export class Computation {
  model: Model | null = null;
  download: Download = NOTHING_YET;
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
  /** How a model that writes goes on; of an earlier text until it has said something to the present one. */
  continuation: Continuation | null = null;
  /** Whether a run is under way. */
  busy = false;
  /** The model in use, or on its way. */
  private name: ModelName | null = null;
  private loading: AbortController | null = null;
  private running: AbortController | null = null;
  private patience: ReturnType<typeof setTimeout> | undefined;
  private request: Request | null = null;
  /** What stops the run on the screen. */
  private shown: AbortController | null = null;
  /** The request that was repeated after a crash; a second crash is shown instead. */
  private repeated: Request | null = null;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly shelf: Shelf,
    private readonly events: Partial<ComputationEvents> = {},
  ) {}

  /** Whether what is shown is an earlier text's, because this one failed. */
  get stale(): boolean {
    return this.failure !== null && this.run !== null && this.shown !== this.running;
  }

  /**
   * Takes a model from the shelf, or fetches it, and computes a request with it, or what was asked for meanwhile.
   * The one before it is left, and if it was still on its way, its download ends.
   */
  async use(name: ModelName, request: Request): Promise<void> {
    this.leave();
    this.name = name;
    this.shelf.keepFor(this, name);
    this.request = request;
    const loaded = this.shelf.loaded(name);
    if (loaded) this.adopt(loaded);
    else await this.fetch(name);
    if (this.name === name && this.model) await this.compute(this.request);
  }

  private async fetch(name: ModelName): Promise<void> {
    const loading = new AbortController();
    this.loading = loading;
    this.download = NOTHING_YET;
    const added = downloadOf(name);
    this.events.changed?.();
    try {
      const model = await this.shelf.load(name, {
        signal: loading.signal,
        onProgress: (progress) => {
          this.download = added(progress);
          this.events.changed?.();
        },
      });
      if (this.loading === loading) this.adopt(model);
    } catch (thrown) {
      if (this.loading !== loading) return;
      this.download = { phase: loading.signal.aborted ? "cancelled" : "failed" };
      if (!loading.signal.aborted) this.failure = asFailure(thrown);
      this.events.changed?.();
    }
  }

  private adopt(model: Model): void {
    this.model = model;
    this.download = { phase: "ready" };
    this.stopListening = model.onRestart((restart) => this.recover(restart));
    this.events.changed?.();
  }

  cancelDownload(): void {
    this.loading?.abort();
    this.download = { phase: "cancelled" };
    this.events.changed?.();
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
        foreseen: this.events.foreseen?.() ?? [],
        onProgress: (progress) => {
          if (this.running !== running) return;
          this.progress = progress;
          if (this.slow) this.grow();
        },
        onUpdate: (growing, progress) => {
          if (this.running !== running) return;
          this.failure = null;
          const more = this.run === growing && !progress.finished;
          if (progress.sourceReady) this.show(growing, running);
          if (more) this.grow();
          else this.events.changed?.();
        },
      });
      if (this.running !== running) {
        run.release();
        return;
      }
      this.failure = null;
      this.repeated = null;
      this.endWaiting();
      this.show(run, running);
      this.events.changed?.();
      await this.compareWithUnedited(model, input, run, running.signal);
      await this.continueText(model, input, running.signal);
    } catch (thrown) {
      if (this.running !== running || running.signal.aborted) return;
      this.endWaiting();
      this.failure = asFailure(thrown);
      this.events.changed?.();
    }
  }

  /** Stops the run under way; what was shown stays. */
  stop(): void {
    this.running?.abort();
    this.endWaiting();
    this.stopped = true;
    this.events.changed?.();
  }

  /** Computes the last request once more. */
  again(): void {
    if (this.request) void this.compute(this.request);
  }

  /** Leaves the model in use, and whatever it computes or is on its way. */
  leave(): void {
    this.loading?.abort();
    this.loading = null;
    this.running?.abort();
    this.running = null;
    this.stopListening();
    this.run?.release();
    this.run = null;
    this.model = null;
    this.unedited = null;
    this.continuation = null;
    this.failure = null;
    this.stopped = false;
    this.endWaiting();
    this.shelf.keepOnlyFor(this, null);
    this.name = null;
  }

  private beginWaiting(): void {
    this.busy = true;
    clearTimeout(this.patience);
    this.patience = setTimeout(() => {
      this.slow = true;
      this.events.changed?.();
    }, SLOW_AFTER_MILLIS);
  }

  private endWaiting(): void {
    this.busy = false;
    clearTimeout(this.patience);
    this.slow = false;
    this.progress = null;
  }

  private grow(): void {
    (this.events.grown ?? this.events.changed)?.();
  }

  private show(run: Run, running: AbortController): void {
    this.shown = running;
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
    this.continuation = null;
    this.failure = null;
    this.stopped = false;
    this.endWaiting();
    this.events.changed?.();
  }

  private async compareWithUnedited(
    model: Model,
    { text = "", target, edits }: RunInput,
    run: Run,
    signal: AbortSignal,
  ): Promise<void> {
    if (target !== undefined || model.info.architecture !== "encoder-decoder") return;
    if (edits === undefined) {
      this.unedited = { text, translation: run.targetText };
    } else if (this.unedited?.text !== text) {
      const plain = await model.run({ text }, { signal }).catch((thrown: unknown) => {
        // Positions that an edit put in their place may take a text that the model alone does not.
        if (asFailure(thrown).code === "input/too-long") return null;
        throw thrown;
      });
      if (!plain) return;
      this.unedited = { text, translation: plain.targetText };
      plain.release();
      this.events.changed?.();
    }
  }

  /** A model that writes goes on with the text. A text that leaves it no room has no continuation. */
  private async continueText(
    model: Model,
    input: RunInput & { text: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { architecture, predicts, maxTokens } = model.info;
    if (architecture !== "decoder" || !predicts) return;
    const hasRoom = model.tokenize(input.text).length < maxTokens;
    const hear = (continuation: Continuation): void => {
      if (signal.aborted) return;
      this.continuation = continuation;
      this.grow();
    };
    const all = hasRoom ? await goOn(model, input, signal, hear) : null;
    if (signal.aborted || all) return;
    this.continuation = null;
    this.events.changed?.();
  }

  /** After a crash the model is there again, but its runs are lost. */
  private recover(restart: Restart): void {
    this.events.restarted?.(restart);
    if (!this.request || this.repeated === this.request) return;
    this.repeated = this.request;
    void this.compute(this.request);
  }
}

/** Whether a text says nothing to a reader. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** A request as the engine takes it: without what does not fit the model and the texts, which stays in the State. */
export function inputOf(
  { text, hidden, target, edits }: Request,
  model: Model,
): RunInput & { text: string } {
  const tokens = model.tokenize(text);
  const own = model.info.architecture === "encoder-decoder" ? target : null;
  const targetTokens = own === null ? model.info.maxTokens : model.tokenize(own).length;
  const fitting = fittingEdits(edits, limitsOf(model.info, tokens.length, targetTokens));
  const gaps = hidden.filter((position) => isHideable(model.info, tokens[position]));
  return {
    text,
    ...(gaps.length > 0 && { hidden: gaps }),
    ...(own !== null && { target: own }),
    ...(hasEdits(fitting) && { edits: fitting }),
  };
}

/** How far the page lets a model go on: enough to see where it is heading. */
const MOST_TOKENS = 12;

/** A token that could stand next, with the text that taking it adds. */
export interface NextToken {
  prediction: Prediction;
  /** Empty for a token that ends the text, which adds nothing; null for a part of a character, which no text can hold. */
  addition: string | null;
}

/** How a model goes on with a text: what it writes by itself, and what it could write first. */
export interface Continuation {
  text: string;
  /** What the model writes after `text`, greedily. Bytes that make no whole character, perhaps only not yet, are named. */
  written: string;
  /** Most probable first. */
  candidates: NextToken[];
}

/** Lets a model go on with a text; `changed` hears of every token. Null if it wrote nothing. */
export async function goOn(
  model: Model,
  input: RunInput & { text: string },
  signal: AbortSignal,
  changed: (continuation: Continuation) => void,
): Promise<Continuation | null> {
  const ids = model.tokenize(input.text).map(({ id }) => id);
  const before = model.decode(ids);
  const additionOf = (more: number[], nameBytes: boolean): string => {
    const all = model.decode([...ids, ...more], { nameBytes });
    // A tokenizer that tidies up may change what stood before; then the new tokens speak for themselves.
    return all.startsWith(before) ? all.slice(before.length) : model.decode(more, { nameBytes });
  };
  const nextToken = (prediction: Prediction): NextToken => {
    const addition = additionOf([prediction.id], false);
    return {
      prediction,
      addition: addition === additionOf([prediction.id], true) ? addition : null,
    };
  };
  const written: number[] = [];
  let continuation: Continuation | null = null;
  for await (const event of model.generate(input, { maxTokens: MOST_TOKENS, signal })) {
    written.push(event.chosen.id);
    const candidates: NextToken[] = continuation?.candidates ?? event.candidates.map(nextToken);
    continuation = { text: input.text, written: additionOf(written, true), candidates };
    changed(continuation);
  }
  return continuation;
}
