import type { EditMisfit, Edits, Prediction } from "../../data/index.js";
import type {
  Foreseen,
  HeadscopeError,
  Model,
  Restart,
  Run,
  RunInput,
  RunProgress,
} from "../../headscope.js";
import { batch, tracked } from "../../signals.js";
import {
  type EditLists,
  editLists,
  editsOf,
  hasEdits,
  type ModelName,
  sentEdits,
  type State,
} from "../../state/index.js";
import { asFailure } from "./failures.js";
import { type Download, type ModelCache, NOTHING_YET } from "./model-cache.js";
import { isHideable } from "./selection.js";

/** The fields of the State that a run depends on. */
export type Request = Pick<State, "text" | "hidden" | "target" | "edits">;

/** The part of the requested edits that a run has. */
interface AppliedEdits {
  asked: EditLists;
  edits: Edits;
  /** What it leaves out, by the edit. */
  misfits: ReadonlyMap<object, EditMisfit>;
}

/** Shorter runs do not show their progress: it would only flicker. */
const SLOW_AFTER_MILLIS = 600;

interface ComputationEvents {
  restarted: (restart: Restart) => void;
  /** Another run comes to the screen. */
  arrived: () => void;
  /** What will be asked of the next run as soon as it has something to show. */
  foreseen: () => readonly Foreseen[];
  /** Shows how far the text is that the model writes, now or a moment later. */
  grow: (show: () => void) => void;
}

/**
 * Holds the model in use and the newest run. Every request stops the one before it; the older run stays readable
 * until the newer one has something to show.
 */
export class Computation {
  @tracked model: Model | null = null;
  /** How often its engine restarted: it may compute on another backend since. */
  @tracked restarts = 0;
  @tracked download: Download = NOTHING_YET;
  /** The run on the screen, and how often it has grown. */
  @tracked run: Run | null = null;
  @tracked revision = 0;
  /** How often another run came to the screen. */
  @tracked sourceRevision = 0;
  /** Of the last finished run. */
  @tracked applied: AppliedEdits | null = null;
  @tracked progress: RunProgress | null = null;
  /** Whether the current run takes long enough to say so. */
  @tracked slow = false;
  @tracked stopped = false;
  @tracked failure: HeadscopeError | null = null;
  /** What the model writes for a text without edits. */
  @tracked unedited: { text: string; translation: string } | null = null;
  /** A decoder's continuation of the text; of an earlier text until the first token for the present one. */
  @tracked continuation: Continuation | null = null;
  @tracked busy = false;
  /** The model in use, or on its way. */
  private name: ModelName | null = null;
  private loading: AbortController | null = null;
  /** What stops the current run, and the run on the screen. */
  @tracked private running: AbortController | null = null;
  @tracked private shown: AbortController | null = null;
  private slowTimer: ReturnType<typeof setTimeout> | undefined;
  private request: Request | null = null;
  /** The request that was repeated after a crash; a second crash is shown instead. */
  private repeated: Request | null = null;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly models: ModelCache,
    private readonly events: Partial<ComputationEvents> = {},
  ) {}

  /** Whether the run on the screen is of an earlier text, because the present one failed. */
  get stale(): boolean {
    return this.failure !== null && this.run !== null && this.shown !== this.running;
  }

  /**
   * Takes a loaded model, or fetches one, and computes the request, or a newer one that came meanwhile. The model before
   * is left, and its download ends.
   */
  async use(name: ModelName, request: Request): Promise<void> {
    this.leave();
    this.name = name;
    this.models.keepFor(this, name);
    this.request = request;
    const loaded = this.models.loaded(name);
    if (loaded) this.adopt(loaded);
    else await this.fetch(name);
    if (this.name === name && this.model) await this.compute(this.request);
  }

  private async fetch(name: ModelName): Promise<void> {
    const loading = new AbortController();
    this.loading = loading;
    try {
      const show = (download: Download): void => void (this.download = download);
      const model = await this.models.fetch(name, loading.signal, show);
      if (this.loading === loading) this.adopt(model);
    } catch (thrown) {
      if (this.loading !== loading) return;
      this.download = { phase: loading.signal.aborted ? "cancelled" : "failed" };
      if (!loading.signal.aborted) this.failure = asFailure(thrown);
    }
  }

  private adopt(model: Model): void {
    batch(() => {
      this.model = model;
      this.download = { phase: "ready" };
    });
    this.stopListening = model.onRestart((restart) => {
      // The model is there again, but its runs are lost.
      this.restarts += 1;
      this.events.restarted?.(restart);
      if (!this.request || this.repeated === this.request) return;
      this.repeated = this.request;
      void this.compute(this.request);
    });
  }

  cancelDownload(): void {
    this.loading?.abort();
    this.download = { phase: "cancelled" };
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
    const { signal } = running;
    const isCurrent = (): boolean => this.running === running;
    const update = (failure: HeadscopeError | null, more: () => void): void => {
      if (isCurrent())
        batch(() => {
          this.failure = failure;
          more();
        });
    };
    batch(() => {
      this.running = running;
      this.stopped = false;
      this.busy = true;
    });
    clearTimeout(this.slowTimer);
    this.slowTimer = setTimeout(() => (this.slow = true), SLOW_AFTER_MILLIS);
    try {
      const input = inputOf(request, model);
      const run = await model.run(input, {
        signal,
        foreseen: this.events.foreseen?.() ?? [],
        onProgress: (progress) => {
          if (isCurrent()) this.progress = progress;
        },
        onUpdate: (growing, progress) => {
          if (!isCurrent()) return;
          const show = (): void =>
            update(null, () => progress.sourceReady && this.show(growing, running));
          if (this.run === growing && !progress.finished) this.grow(show);
          else show();
        },
      });
      if (!isCurrent()) {
        run.release();
        return;
      }
      this.repeated = null;
      update(null, () => {
        this.endWaiting();
        this.applied = appliedBy(run, request.edits);
        this.show(run, running);
      });
      await this.compareWithUnedited(model, input, run, signal);
      await this.continueText(model, input, signal);
    } catch (thrown) {
      if (!signal.aborted) update(asFailure(thrown), () => this.endWaiting());
    }
  }

  /** Stops the current run; the run on the screen stays. */
  stop(): void {
    this.running?.abort();
    batch(() => {
      this.endWaiting();
      this.stopped = true;
    });
  }

  /** Computes the last request once more. */
  again(): void {
    if (this.request) void this.compute(this.request);
  }

  /** Leaves the model in use, and stops its run and its download. */
  leave(): void {
    this.loading?.abort();
    this.loading = null;
    this.stopListening();
    batch(() => {
      this.running?.abort();
      this.model = null;
      this.unedited = null;
      this.showNothing();
    });
    this.models.keepOnlyFor(this, null);
    this.name = null;
  }

  private endWaiting(): void {
    clearTimeout(this.slowTimer);
    this.busy = false;
    this.slow = false;
    this.progress = null;
  }

  private grow(show: () => void): void {
    if (this.events.grow) this.events.grow(show);
    else show();
  }

  private show(run: Run, running: AbortController): void {
    this.shown = running;
    if (this.run !== run) {
      this.events.arrived?.();
      this.run?.release();
      this.sourceRevision += 1;
    }
    this.run = run;
    this.revision += 1;
  }

  /** A blank text has neither a translation nor patterns. */
  private showNothing(): void {
    batch(() => {
      this.running = null;
      this.run?.release();
      this.run = null;
      this.applied = null;
      this.continuation = null;
      this.failure = null;
      this.stopped = false;
      this.endWaiting();
    });
  }

  private async compareWithUnedited(
    model: Model,
    { text = "", target }: RunInput,
    run: Run,
    signal: AbortSignal,
  ): Promise<void> {
    if (target !== undefined || model.info.architecture !== "encoder-decoder") return;
    if (!hasEdits(run.fit()?.edits ?? {})) {
      this.unedited = { text, translation: run.targetText };
    } else if (this.unedited?.text !== text) {
      const plain = await model.run({ text }, { signal }).catch((thrown: unknown) => {
        // Edited positions may take a text that the model alone does not.
        if (asFailure(thrown).code === "input/too-long") return null;
        throw thrown;
      });
      if (plain) this.unedited = { text, translation: plain.targetText };
      plain?.release();
    }
  }

  /** Lets a decoder continue the text, unless the text fills all positions. */
  private async continueText(
    model: Model,
    input: RunInput & { text: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { architecture, predicts, maxTokens } = model.info;
    if (architecture !== "decoder" || !predicts) return;
    const hasRoom = model.tokenize(input.text).length < maxTokens;
    const show = (continuation: Continuation): void =>
      this.grow(() => {
        if (!signal.aborted) this.continuation = continuation;
      });
    const written = hasRoom ? await goOn(model, input, signal, show) : null;
    if (!signal.aborted && !written) this.continuation = null;
  }
}

/** Whether a text has only white space. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** The part of the requested edits that a finished run has. */
function appliedBy(run: Run, asked: EditLists): AppliedEdits {
  const { edits = {}, misfits = [] } = run.fit() ?? {};
  const byEdit = misfits.flatMap((misfit): [object, EditMisfit][] => {
    const edit = asked[misfit.list][misfit.index];
    return edit ? [[edit, misfit]] : [];
  });
  return { asked, edits: editsOf(editLists(edits)), misfits: new Map(byEdit) };
}

/** The edits that a run has: all requested ones, until it is known what it leaves out. */
export function editsIn(asked: EditLists, applied: AppliedEdits | null): Edits {
  return applied?.asked === asked ? applied.edits : editsOf(asked);
}

/** A request as the engine takes it: without hidden tokens that the text does not have, which stay in the State. */
export function inputOf(
  { text, hidden, target, edits }: Request,
  model: Model,
): RunInput & { text: string } {
  const tokens = model.tokenize(text);
  const gaps = hidden.filter((position) => isHideable(model.info, tokens[position]));
  const translates = model.info.architecture === "encoder-decoder";
  return {
    text,
    ...(gaps.length > 0 && { hidden: gaps }),
    ...(translates && target !== null && { target }),
    ...(hasEdits(edits) && { edits: sentEdits(edits), lenient: true }),
  };
}

/** Tokens of a continuation. */
const MOST_TOKENS = 12;

/** A possible next token, with the text that it adds. */
export interface NextToken {
  prediction: Prediction;
  /** Empty for a token that ends the text; null for a part of a character, which no text can hold. */
  addition: string | null;
}

export interface Continuation {
  text: string;
  /** What the model writes after `text`, greedily. Bytes that make no whole character, perhaps not yet, are named. */
  written: string;
  /** Candidates for the first token, most probable first. */
  candidates: NextToken[];
}

/** Lets a model continue a text; `changed` is called for every token. Null if it wrote none. */
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
    // A tokenizer that tidies up may change what stood before; then the new tokens are decoded alone.
    return all.startsWith(before) ? all.slice(before.length) : model.decode(more, { nameBytes });
  };
  const nextToken = (prediction: Prediction): NextToken => {
    const addition = additionOf([prediction.id], false);
    const isWhole = addition === additionOf([prediction.id], true);
    return { prediction, addition: isWhole ? addition : null };
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
