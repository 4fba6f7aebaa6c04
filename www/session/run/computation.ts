import type { EditMisfit, Edits, GenerateRequest, ModelInfo } from "../../data/index.js";
import type {
  Foreseen,
  HeadscopeError,
  ImageLike,
  Model,
  Restart,
  Run,
  RunInput,
  RunOptions,
  RunProgress,
} from "../../headscope.js";
import { equals } from "../../data/equal.js";
import { batch, derived, tracked } from "../../signals.js";
import {
  type EditLists,
  editLists,
  editsOf,
  generateWith,
  hasEdits,
  type ModelName,
  sentEdits,
  type State,
} from "../../state/index.js";
import { readingOf } from "./chat.js";
import { asFailure } from "./failures.js";
import { type Download, NOTHING_YET } from "../models/download.js";
import type { ModelCache } from "../models/model-cache.js";
import { type Continuation, inputName, type Output, outputOf } from "./output.js";
import { isMaskable } from "./selection.js";
import { Silence } from "./silence.js";
import { imageInput, type Readable, ShownImage } from "./shown-image.js";

/** The fields of the State that a run depends on. */
export type Request = Pick<State, "text" | "chat" | "masked" | "target" | "sampling" | "edits">;

/** What goes on with a text while the model writes it, token by token. */
export interface Pen {
  /** Begins to write a request's text; what the run is asked beside its input. */
  begin(request: Request): Pick<RunInput, "generate"> & Pick<RunOptions, "onToken">;
  /** Whether a request's text is the one that was written so far. */
  wrote(request: Request): boolean;
  /** Takes over the tokens since the last call. */
  take(): void;
}

/** The requested edits, and the part of them that a run has. */
interface AppliedEdits {
  asked: EditLists;
  edits: Edits;
  misfits: ReadonlyMap<object, EditMisfit>;
}

/** The time after which progress is shown; shorter runs would only flicker. */
const SLOW_AFTER_MILLIS = 600;

interface ComputationEvents {
  restarted: (restart: Restart) => void;
  /** A run comes to the screen. */
  arrived: (run: Run) => void;
  /** A model was loaded, and nothing is computed yet. */
  adopted: (model: Model) => void;
  /** The questions that the next run will be asked as soon as it has something to show. */
  foreseen: () => readonly Foreseen[];
  /** Shows the text that the model has written so far, now or a moment later. */
  grow: (show: () => void) => void;
  /** Whether the picture changes with each word that the model writes. */
  follows: () => boolean;
}

/** The time for which an answer is awaited as a whole: each part of one lays out the page. */
const WHOLE_MILLIS = 50;

const atOnce = (show: () => void): void => show();

/** Shows an answer that comes in parts; no part is shown after the whole. */
class Parts {
  private isWhole = false;

  /**
   * `grow` shows a part, now or a moment later; `begun` is the time of the request, and `signal`
   * drops the parts that are not shown yet.
   */
  constructor(
    private readonly grow: (show: () => void) => void,
    private readonly begun: number,
    private readonly signal: AbortSignal,
  ) {}

  show(part: () => void): void {
    this.grow(() => {
      if (!this.isWhole) part();
    });
  }

  /** Shows a part only if the whole does not come soon. */
  showLate(part: () => void): void {
    const early = this.begun + WHOLE_MILLIS - performance.now();
    if (early <= 0) {
      this.show(part);
      return;
    }
    const timer = setTimeout(() => this.show(part), early);
    this.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  }

  showWhole(whole: () => void): void {
    this.isWhole = true;
    whole();
  }
}

/**
 * The model in use and the newest run. A request stops the one before; the older run stays readable
 * until the newer one has something to show.
 */
export class Computation {
  @tracked model: Model | null = null;
  /** The number of restarts of the model's engine; a restarted engine may use another backend. */
  @tracked restarts = 0;
  @tracked download: Download = NOTHING_YET;
  /** The run on the screen, and the number of times that it has grown. */
  @tracked run: Run | null = null;
  @tracked revision = 0;
  /**
   * The run whose translation is shown: of an earlier text until the first word for the present
   * one, so that the translation and its tokens are not removed at every key.
   */
  @tracked answer: Run | null = null;
  /** The image that the run read; null for a model of texts. */
  imageRead: ImageLike | null = null;
  /** The number of runs that came to the screen. */
  @tracked sourceRevision = 0;
  @tracked applied: AppliedEdits | null = null;
  @tracked progress: RunProgress | null = null;
  @tracked slow = false;
  @tracked stopped = false;
  @tracked failure: HeadscopeError | null = null;
  /** The output of the run on the screen, and that of the same input without edits. */
  @tracked output: Output | null = null;
  @tracked unedited: Output | null = null;
  /**
   * A decoder's continuation of the text; of an earlier text until the first token for the present
   * one.
   */
  @tracked continuation: Continuation | null = null;
  @tracked busy = false;
  /** Whether the model goes on with a text that was read. */
  @tracked continuing = false;
  /** What writes the text on; null while the text is only read. */
  @tracked pen: Pen | null = null;
  private loading: AbortController | null = null;
  @tracked private running: AbortController | null = null;
  @tracked private shown: AbortController | null = null;
  /** How long the worker has not answered. */
  readonly silence = new Silence();
  private slowTimer: ReturnType<typeof setTimeout> | undefined;
  private request: Request | null = null;
  /** How far the run on the screen was when it was last shown. */
  private reached = { length: 0, finished: false };
  /** The request that was repeated after a crash; a second crash is shown instead. */
  private repeated: Request | null = null;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly models: ModelCache,
    private readonly events: Partial<ComputationEvents> = {},
    private readonly image: Readable = new ShownImage(),
  ) {}

  /**
   * Whether the run on the screen is of an earlier text, because the present one failed or the
   * worker is silent.
   */
  @derived get stale(): boolean {
    const isLate = this.failure !== null || this.silence.state !== null;
    return isLate && this.run !== null && this.shown !== this.running;
  }

  /**
   * Releases the model before, takes or fetches `name`, and computes the request, or a newer one
   * that came meanwhile.
   */
  async use(name: ModelName, request: Request): Promise<void> {
    this.leave();
    this.models.keepFor(this, name);
    this.request = request;
    const loading = (this.loading = new AbortController());
    const { signal } = loading;
    try {
      const follow = (download: Download): void => void (this.download = download);
      const model = this.models.loaded(name) ?? (await this.models.fetch(name, signal, follow));
      if (this.loading !== loading) return;
      this.adopt(model);
    } catch (thrown) {
      if (this.loading !== loading) return;
      this.download = { phase: signal.aborted ? "cancelled" : "failed" };
      if (!signal.aborted) this.failure = asFailure(thrown);
      return;
    }
    await this.compute(this.request);
  }

  private adopt(model: Model): void {
    batch(() => {
      this.model = model;
      this.download = { phase: "ready" };
    });
    this.events.adopted?.(model);
    this.stopListening = model.onRestart((restart) => {
      // The engine has restarted, but the model's runs are lost.
      this.pen = null;
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

  /** Computes a request; the one before it stops. Without a model the request waits for one. */
  async compute(request: Request): Promise<void> {
    const { pen, request: before } = this;
    this.request = request;
    // A text that is being written grows by itself; with other edits the rest is written anew.
    if (!pen?.wrote(request)) this.pen = null;
    else if (before?.edits === request.edits) return;
    await this.begin(request);
  }

  /** Lets the model go on with the text of a request. */
  async write(request: Request, pen: Pen): Promise<void> {
    this.request = request;
    this.pen = pen;
    await this.begin(request);
  }

  private async begin(request: Request): Promise<void> {
    this.running?.abort();
    const { model } = this;
    if (!model) return;
    if (isBlank(request.text) && !model.info.image) {
      this.showNothing();
      return;
    }
    const { grow = atOnce, foreseen, follows } = this.events;
    const { pen } = this;
    const begun = performance.now();
    const running = new AbortController();
    const { signal } = running;
    const parts = new Parts(grow, begun, signal);
    const update = (failure: HeadscopeError | null, more: () => void): void => {
      if (this.running === running)
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
    this.silence.listen();
    try {
      const read = inputOf(request, model, this.image);
      const { onToken, ...writes } = pen?.begin(request) ?? {};
      const input = { ...read, ...writes };
      const { image = null } = input;
      const run = await model.run(input, {
        signal,
        ...(onToken && { onToken }),
        foreseen: foreseen?.() ?? [],
        onProgress: (progress) => {
          if (this.running !== running) return;
          this.silence.listen();
          // A slow run says how far it is; a short one would lay out the page for nothing.
          if (this.slow) this.progress = progress;
          else
            parts.showLate(() => {
              if (this.running === running) this.progress = progress;
            });
        },
        onUpdate: (growing, { sourceReady, finished }) => {
          if (this.running === running) this.silence.listen();
          const show = (): void =>
            update(null, () => {
              if (sourceReady) this.show(growing, running, image, finished);
              pen?.take();
            });
          // The first picture of a page, and what a user lets the model write, wait for nothing.
          const waits = !pen && this.run !== null && follows?.() === true;
          if (finished) parts.showWhole(show);
          else if (waits) parts.showLate(show);
          else if (this.run === growing) parts.show(show);
          else show();
        },
      });
      if (this.running !== running) {
        run.release();
        return;
      }
      this.repeated = null;
      if (pen) {
        // The text is read as if it were typed: its tokens may be others than the written ones.
        this.endWriting();
        return;
      }
      update(null, () => {
        this.applied = appliedBy(run, request.edits);
        this.show(run, running, image, true);
        this.endWaiting();
        this.continuing = continues(model);
      });
      const settings = generateWith(request.sampling);
      const further = new Parts(grow, begun, signal);
      const continued = await this.continueText(model, input, settings, further, signal);
      await this.readOutputs(model, input, settings, run, continued, signal);
    } catch (thrown) {
      if (signal.aborted) return;
      if (this.pen === pen) this.pen = null;
      update(asFailure(thrown), () => this.endWaiting());
    }
  }

  /** Ends a text that is being written, and reads what is there of it. */
  private endWriting(): void {
    this.pen = null;
    if (this.request) void this.begin(this.request);
  }

  stop(): void {
    if (this.pen) {
      this.endWriting();
      return;
    }
    this.running?.abort();
    batch(() => {
      this.endWaiting();
      this.stopped = true;
    });
  }

  again(): void {
    if (this.request) void this.compute(this.request);
  }

  leave(): void {
    this.pen = null;
    this.loading?.abort();
    this.loading = null;
    this.stopListening();
    batch(() => {
      this.running?.abort();
      this.model = null;
      this.output = this.unedited = null;
      this.showNothing();
    });
    this.models.keepOnlyFor(this, null);
  }

  private endWaiting(): void {
    clearTimeout(this.slowTimer);
    this.answer = this.run;
    this.silence.end();
    this.busy = this.continuing = false;
    this.slow = false;
    this.progress = null;
  }

  private show(
    run: Run,
    running: AbortController,
    image: ImageLike | null,
    finished: boolean,
  ): void {
    const reached = { length: run.targetTokens.length, finished };
    this.shown = running;
    if (this.run === run && equals(reached, this.reached)) return;
    this.reached = reached;
    if (this.run !== run) {
      this.events.arrived?.(run);
      this.run?.release();
      this.sourceRevision += 1;
    }
    this.run = run;
    if (run.targetTokens.some(({ special }) => !special)) this.answer = run;
    this.imageRead = image;
    this.revision += 1;
  }

  private showNothing(): void {
    batch(() => {
      this.run?.release();
      this.running = this.run = this.applied = this.continuation = this.failure = null;
      this.stopped = false;
      this.endWaiting();
    });
  }

  /** Reads what the model wrote, and what it writes for the same input without edits. */
  private async readOutputs(
    model: Model,
    input: RunInput,
    settings: GenerateRequest,
    run: Run,
    continued: string | null,
    signal: AbortSignal,
  ): Promise<void> {
    const of = inputName(input, settings);
    const show = (name: "output" | "unedited", words: string | null): void => {
      if (!signal.aborted) this[name] = words === null ? null : { of, words, run };
    };
    const words = await outputOf(model, input, run, continued);
    show("output", words);
    if (!hasEdits(run.fit()?.edits ?? {})) show("unedited", words);
    else if (words !== null && this.unedited?.of !== of) {
      const { uneditedOutput } = await import("./continuation.js");
      show("unedited", await uneditedOutput(model, input, settings, signal));
    }
  }

  /**
   * Lets a decoder continue the text; the continuation, or null where the text fills all positions.
   */
  private async continueText(
    model: Model,
    { text = "", ...more }: RunInput,
    settings: GenerateRequest,
    parts: Parts,
    signal: AbortSignal,
  ): Promise<string | null> {
    const input = { ...more, text };
    if (!continues(model)) return null;
    const { specialTokens = true } = input;
    const { continuationsOf } = await import("./continuation.js");
    let last: Continuation | null = null;
    if (model.tokenize(text, undefined, { specialTokens }).length < model.info.maxTokens)
      for await (const continuation of continuationsOf(model, input, settings, signal)) {
        last = continuation;
        parts.showLate(() => {
          if (!signal.aborted) this.continuation = continuation;
        });
      }
    parts.showWhole(() => {
      if (!signal.aborted)
        batch(() => {
          this.continuation = last;
          this.continuing = false;
        });
    });
    return last?.written ?? null;
  }
}

/** Whether a model goes on with a text that it has read. */
function continues({ info }: Model): boolean {
  return info.architecture === "decoder" && info.predicts;
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

function appliedBy(run: Run, asked: EditLists): AppliedEdits {
  const { edits = {}, misfits = [] } = run.fit() ?? {};
  const byEdit = misfits.flatMap((misfit): [object, EditMisfit][] => {
    const edit = asked[misfit.list][misfit.index];
    return edit ? [[edit, misfit]] : [];
  });
  return { asked, edits: editsOf(editLists(edits)), misfits: new Map(byEdit) };
}

/** The edits that a run has: all requested ones, until the run reports what it leaves out. */
export function editsIn(asked: EditLists, applied: AppliedEdits | null): Edits {
  return applied?.asked === asked ? applied.edits : editsOf(asked);
}

/**
 * A request in the engine's form, without masked positions that the text does not have; those stay
 * in the State.
 */
export function inputOf(
  { text, chat, masked, target, sampling, edits }: Request,
  model: Model,
  shown: Readable,
): RunInput {
  const edited = hasEdits(edits) && ({ edits: sentEdits(edits), lenient: true } as const);
  const image = imageInput(model, shown);
  if (image) return { ...image, ...edited };
  const reading = readingOf(model, { chat });
  const tokens = model.tokenize(text, undefined, reading);
  const gaps = masked.filter((position) => isMaskable(model.info, tokens[position]));
  const translates = model.info.architecture === "encoder-decoder";
  return {
    text,
    ...reading,
    ...(gaps.length > 0 && { masked: gaps }),
    ...(translates && target !== null && { target }),
    ...(translates && target === null && sampling !== null && { generate: generateWith(sampling) }),
    ...edited,
  };
}

/**
 * The start of a text that a model can take, without special tokens; half of a text that fits but
 * needs too much memory.
 */
export function firstTokens(text: string, model: Model | null, chat: State["chat"]): string {
  if (!model) return text;
  const ids = model.tokenize(text, undefined, readingOf(model, { chat })).map(({ id }) => id);
  const { maxTokens } = model.info;
  // One position is left for a token at the end.
  return model.decode(ids.slice(0, ids.length > maxTokens ? maxTokens - 1 : ids.length / 2));
}

type Texts = Pick<Run, "tokens" | "targetTokens">;

/**
 * Whether a run read exactly the tokens of another, including those that a translator wrote, so
 * that cells and positions have counterparts.
 */
export function hasTokensOf(
  one: Texts,
  other: Texts,
  info: Pick<ModelInfo, "architecture" | "maxTokens">,
): boolean {
  const [ids, others] = [one, other].map((run) =>
    JSON.stringify([run.tokens.map(({ id }) => id), targetIdsOf(run, info)]),
  );
  return ids === others;
}

/**
 * The ids that a translator's decoder read; undefined without a second text. If a text filled all
 * positions, its last token was never read.
 */
export function targetIdsOf(
  { targetTokens }: Pick<Run, "targetTokens">,
  { architecture, maxTokens }: Pick<ModelInfo, "architecture" | "maxTokens">,
): number[] | undefined {
  return architecture === "encoder-decoder"
    ? targetTokens.slice(0, maxTokens).map(({ id }) => id)
    : undefined;
}
