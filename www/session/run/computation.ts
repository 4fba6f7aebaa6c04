import type { EditMisfit, Edits, ModelInfo, Prediction } from "../../data/index.js";
import type {
  Foreseen,
  HeadscopeError,
  ImageLike,
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
import { type Download, NOTHING_YET } from "../models/download.js";
import type { ModelCache } from "../models/model-cache.js";
import { isMaskable } from "./selection.js";
import { imageInput, type Readable, ShownImage } from "./shown-image.js";

/** The fields of the State that a run depends on. */
export type Request = Pick<State, "text" | "masked" | "target" | "edits">;

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
  arrived: () => void;
  /** A model was loaded, and nothing is computed yet. */
  adopted: (model: Model) => void;
  /** The questions that the next run will be asked as soon as it has something to show. */
  foreseen: () => readonly Foreseen[];
  /** Shows the text that the model has written so far, now or a moment later. */
  grow: (show: () => void) => void;
}

const atOnce = (show: () => void): void => show();

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
  /** The image that the run read; null for a model of texts. */
  imageRead: ImageLike | null = null;
  /** The number of runs that came to the screen. */
  @tracked sourceRevision = 0;
  @tracked applied: AppliedEdits | null = null;
  @tracked progress: RunProgress | null = null;
  @tracked slow = false;
  @tracked stopped = false;
  @tracked failure: HeadscopeError | null = null;
  /** The model's output for a text without edits. */
  @tracked unedited: { text: string; translation: string } | null = null;
  /**
   * A decoder's continuation of the text; of an earlier text until the first token for the present
   * one.
   */
  @tracked continuation: Continuation | null = null;
  @tracked busy = false;
  private loading: AbortController | null = null;
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
    private readonly image: Readable = new ShownImage(),
  ) {}

  /** Whether the run on the screen is of an earlier text, because the present one failed. */
  get stale(): boolean {
    return this.failure !== null && this.run !== null && this.shown !== this.running;
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
    this.request = request;
    this.running?.abort();
    const { model } = this;
    if (!model) return;
    if (isBlank(request.text) && !model.info.image) {
      this.showNothing();
      return;
    }
    const { grow = atOnce, foreseen } = this.events;
    const running = new AbortController();
    const { signal } = running;
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
    try {
      const input = inputOf(request, model, this.image);
      const { image = null } = input;
      const run = await model.run(input, {
        signal,
        foreseen: foreseen?.() ?? [],
        onProgress: (progress) => {
          if (this.running === running) this.progress = progress;
        },
        onUpdate: (growing, { sourceReady, finished }) => {
          const show = (): void =>
            update(null, () => sourceReady && this.show(growing, running, image));
          (this.run === growing && !finished ? grow : atOnce)(show);
        },
      });
      if (this.running !== running) {
        run.release();
        return;
      }
      this.repeated = null;
      update(null, () => {
        this.endWaiting();
        this.applied = appliedBy(run, request.edits);
        this.show(run, running, image);
      });
      await this.compareWithUnedited(model, input, run, signal);
      await this.continueText(model, input, signal);
    } catch (thrown) {
      if (!signal.aborted) update(asFailure(thrown), () => this.endWaiting());
    }
  }

  stop(): void {
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
  }

  private endWaiting(): void {
    clearTimeout(this.slowTimer);
    this.busy = false;
    this.slow = false;
    this.progress = null;
  }

  private show(run: Run, running: AbortController, image: ImageLike | null): void {
    this.shown = running;
    if (this.run !== run) {
      this.events.arrived?.();
      this.run?.release();
      this.sourceRevision += 1;
    }
    this.run = run;
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
        // Edited positions may take a text that is too long for the model alone.
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
    { text = "", ...more }: RunInput,
    signal: AbortSignal,
  ): Promise<void> {
    const input = { ...more, text };
    const { architecture, predicts, maxTokens } = model.info;
    if (architecture !== "decoder" || !predicts) return;
    const { grow = atOnce } = this.events;
    let isWritten = false;
    if (model.tokenize(input.text).length < maxTokens)
      for await (const continuation of continuationsOf(model, input, signal)) {
        isWritten = true;
        grow(() => {
          if (!signal.aborted) this.continuation = continuation;
        });
      }
    if (!signal.aborted && !isWritten) this.continuation = null;
  }
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
  { text, masked, target, edits }: Request,
  model: Model,
  shown: Readable,
): RunInput {
  const edited = hasEdits(edits) && ({ edits: sentEdits(edits), lenient: true } as const);
  const image = imageInput(model, shown);
  if (image) return { ...image, ...edited };
  const tokens = model.tokenize(text);
  const gaps = masked.filter((position) => isMaskable(model.info, tokens[position]));
  const translates = model.info.architecture === "encoder-decoder";
  return {
    text,
    ...(gaps.length > 0 && { masked: gaps }),
    ...(translates && target !== null && { target }),
    ...edited,
  };
}

/**
 * The masked positions after a change of the text: those before and after the change move along. A
 * model without a mask token drops them; without a model they stay.
 */
export function maskedAfter(
  { text, masked }: Pick<State, "text" | "masked">,
  changed: string,
  model: Pick<Model, "info" | "tokenize"> | null,
): readonly number[] {
  if (!model || masked.length === 0) return masked;
  if (model.info.maskToken === null) return [];
  const [before, after] = [text, changed].map((one) => model.tokenize(one).map(({ id }) => id)) as [
    number[],
    number[],
  ];
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return masked.flatMap((position) => {
    if (position < head) return [position];
    return position >= before.length - tail ? [position + after.length - before.length] : [];
  });
}

/**
 * The start of a text that a model can take; half of a text that fits but needs too much memory.
 */
export function firstTokens(text: string, model: Model | null): string {
  if (!model) return text;
  const ids = model.tokenize(text).map(({ id }) => id);
  const { maxTokens } = model.info;
  // One position is left for a token at the end.
  return model.decode(ids.slice(0, ids.length > maxTokens ? maxTokens - 1 : ids.length / 2));
}

const CONTINUATION_TOKENS = 12;

/** A possible next token, with the text that it adds. */
export interface NextToken {
  prediction: Prediction;
  /**
   * The added text; empty for a token that ends the text, null for a part of a character, which no
   * text can hold.
   */
  addition: string | null;
}

export interface Continuation {
  text: string;
  /**
   * The model's continuation of `text` by greedy decoding. Bytes that make no whole character (yet)
   * are shown by name.
   */
  written: string;
  candidates: NextToken[];
}

/** The model's continuations of a text, one for every further token. */
export async function* continuationsOf(
  model: Model,
  input: RunInput & { text: string },
  signal: AbortSignal,
): AsyncGenerator<Continuation> {
  const ids = model.tokenize(input.text).map(({ id }) => id);
  const before = model.decode(ids);
  const additionOf = (more: number[], nameBytes: boolean): string => {
    const all = model.decode([...ids, ...more], { nameBytes });
    // A tokenizer that cleans up spaces may change the text before; then the new tokens are decoded
    // alone.
    return all.startsWith(before) ? all.slice(before.length) : model.decode(more, { nameBytes });
  };
  const nextToken = (prediction: Prediction): NextToken => {
    const addition = additionOf([prediction.id], false);
    const isWhole = addition === additionOf([prediction.id], true);
    return { prediction, addition: isWhole ? addition : null };
  };
  const writtenIds: number[] = [];
  let first: NextToken[] | undefined;
  const options = { maxTokens: CONTINUATION_TOKENS, signal };
  for await (const { chosen, candidates } of model.generate(input, options)) {
    writtenIds.push(chosen.id);
    first ??= candidates.map(nextToken);
    yield { text: input.text, written: additionOf(writtenIds, true), candidates: first };
  }
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

/** The input of a run without its edits; `image` is the image that a model of images read. */
export function originalInput(model: Model, run: Run, image: ImageLike | null = null): RunInput {
  const { info } = model;
  if (info.image && !image) throw new Error("A run of an image has no other input.");
  if (info.image && image) return { image };
  const targetIds = targetIdsOf(run, info);
  return { ids: run.tokens.map(({ id }) => id), ...(targetIds && { targetIds }) };
}
