import type {
  DropoutMean,
  HeadLikeness,
  HeadMeasures,
  HeadPattern,
  HeadRef,
  HeadVectors,
  Stack,
  Stage,
  Tensor,
  Token,
} from "../../data/index.js";
import type { Foreseen, Run } from "../../headscope.js";
import { STAGES, type Picture } from "../../state/index.js";
import {
  type Expectation,
  type Place,
  readExpectation,
  readSpectrum,
  type SpectrumAnswer,
} from "./readings.js";
import { firstFailure } from "./failures.js";
import { Loader } from "./loader.js";

/** Pixels of a thumbnail's side: sharp on a dense screen. */
export const THUMBNAIL_SIZE = 48;

/** The tensors of one head, all of one size, with the tokens on their axes. */
export interface HeadFigures {
  run: Run;
  head: HeadRef;
  stages: Record<Stage, Tensor>;
  mask: Tensor;
  /** 1 where dropout took a weight, 0 elsewhere; absent where there is none. */
  dropped?: Tensor | null;
  /** Rows that may look at nothing and have no weight: with −10⁹ in the place of −∞ they look everywhere alike. */
  fullyMasked: number[];
  /** The weights of this head, then of those beside it where they are drawn together. */
  patterns: HeadPattern[];
  /** Null in pictures that do not show them. */
  vectors: HeadVectors | null;
  queries: Token[];
  keys: Token[];
}

/** A run as far as it has come: the revisions change when there is more to read of it. */
export interface Moment {
  run: Run;
  /** Changes with everything that a run adds. */
  revision: number;
  /** Changes only when another run is shown: what the source alone decides. */
  sourceRevision: number;
}

/** What was read of a whole stack, with the stack's name: it may be older than what is chosen now. */
export interface OfStack<Answer = Tensor> {
  stack: Stack;
  answer: Answer;
}

/** What was read of one head, with the head's name, for the same reason. */
export interface OfHead<Answer> {
  head: HeadRef;
  answer: Answer;
}

/** The answer, if it belongs to that head. */
export function ofHead<Answer>(read: OfHead<Answer> | null, head: HeadRef | null): Answer | null {
  const own = read?.head;
  return own?.stack === head?.stack && own?.layer === head?.layer && own?.head === head?.head
    ? (read?.answer ?? null)
    : null;
}

/** The stack whose text a picture of positions is about: cross-attention has none of its own. */
export function positionedStack(stack: Stack): Stack {
  return stack === "encoder" ? "encoder" : "decoder";
}

/** The answer, if it belongs to that stack. */
export function ofStack<Answer>(
  read: OfStack<Answer> | null,
  stack: Stack | undefined,
): Answer | null {
  return read !== null && read.stack === stack ? read.answer : null;
}

/** The heads of the same layer that are drawn with a head. */
export function drawnBeside({ patterns }: HeadFigures): number[] {
  return patterns.slice(1).map(({ head }) => head);
}

/** What the explorer shows of a run, read from the engine as the wishes change. */
export class FigureDesk {
  readonly head: Loader<HeadFigures>;
  readonly thumbnails: Loader<OfStack>;
  readonly positions: Loader<OfStack>;
  readonly measures: Loader<OfStack<HeadMeasures[]>>;
  readonly likeness: Loader<OfHead<HeadLikeness[]>>;
  readonly spectrum: Loader<OfHead<SpectrumAnswer>>;
  readonly expectation: Loader<Expectation | null>;
  /** What the picture is about; null until there is one. */
  private drawn: { head: HeadRef; more: MoreOfHead } | null = null;

  /** `changed` hears at once of what the picture shows, and `more` of all that stands beside it. */
  constructor(changed: () => void, more: () => void = changed) {
    this.head = new Loader(changed);
    this.positions = new Loader(changed);
    this.thumbnails = new Loader(more);
    this.measures = new Loader(more);
    this.likeness = new Loader(more);
    this.spectrum = new Loader(more);
    this.expectation = new Loader(more);
  }

  /** Whether anything is still being read. */
  get loading(): boolean {
    return this.loaders.some(({ loading }) => loading);
  }

  /** Why something that the page wants of the run could not be read; null while all could. */
  get failure(): unknown {
    return firstFailure(this.loaders);
  }

  private get loaders(): readonly Loader<unknown>[] {
    return [
      this.head,
      this.thumbnails,
      this.positions,
      this.measures,
      this.likeness,
      this.spectrum,
      this.expectation,
    ];
  }

  /** What it will ask of the next run first: the same of the same head. */
  get foreseen(): readonly Foreseen[] {
    return this.drawn ? questionsOf(this.drawn) : [];
  }

  /** Reads what a picture shows of a head, and of those beside it. */
  wantHead(
    { run, ...when }: Moment,
    head: HeadRef,
    picture: Picture,
    beside: readonly number[] = [],
    drops = false,
  ): void {
    const { stack } = head;
    if (isUnwritten(run, stack)) return;
    const moment = momentOf(when, stack);
    const more = {
      beside: picture === "lines" ? beside : [],
      vectors: picture === "dimensions",
      ...(drops && { drops }),
    };
    const wish = `${moment} ${head.layer} ${head.head} ${JSON.stringify(more)}`;
    this.drawn = { head, more };
    this.head.want(wish, () => readHead(run, head, more));
    // What this picture does without is missed by nobody.
    if (picture !== "positions") {
      this.positions.forgive();
      return;
    }
    const positioned = positionedStack(stack);
    this.positions.want(moment, async () => ({
      stack: positioned,
      answer: await run.positions({ stack: positioned }),
    }));
  }

  /** Reads what stands around the picture of a head: of its stack, of itself, and of all heads beside it. */
  wantAround({ run, ...when }: Moment, head: HeadRef, picture: Picture): void {
    const { stack } = head;
    if (isUnwritten(run, stack)) return;
    const moment = momentOf(when, stack);
    this.thumbnails.want(moment, async () => ({
      stack,
      answer: await run.thumbnails({ stack, size: THUMBNAIL_SIZE }),
    }));
    this.measures.want(moment, async () => ({ stack, answer: await run.measures({ stack }) }));
    if (picture === "positions") this.spectrum.forgive();
    else
      this.spectrum.want(`${moment} ${head.layer} ${head.head}`, async () => ({
        head,
        answer: await readSpectrum(run, head),
      }));
  }

  /** Reads how like the other heads of its stack are to a head. */
  wantLikeness({ run, ...when }: Moment, head: HeadRef): void {
    this.likeness.want(`${momentOf(when, head.stack)} ${head.layer} ${head.head}`, async () => ({
      head,
      answer: await run.likeness(head),
    }));
  }

  /** Another run is coming: what could not be read of this one is no matter. */
  forgive(): void {
    for (const loader of this.loaders) loader.forgive();
  }

  /** Lets everything go: there is no run to show. */
  clear(): void {
    for (const loader of this.loaders) loader.clear();
  }

  /**
   * Reads what the model expects at a place; null where it expects nothing. While the pictures are still an older
   * run's, so is the place.
   */
  wantExpectation({ run, revision }: Moment, place: Place | null): void {
    if (place === null) this.expectation.clear();
    if (place === null || this.head.value?.run !== run) return;
    this.expectation.want(`${revision} ${place.kind} ${place.position}`, () =>
      readExpectation(run, place),
    );
  }
}

/** Of a text that is still to be written there is nothing to draw: what was drawn stays until its first word. */
function isUnwritten({ targetTokens }: Run, stack: Stack): boolean {
  return stack !== "encoder" && targetTokens.length === 0;
}

/** What changes when there is more to read of a stack. */
function momentOf({ revision, sourceRevision }: Omit<Moment, "run">, stack: Stack): string {
  return `${stack === "encoder" ? sourceRevision : revision} ${stack}`;
}

/** The text on each axis of a stack. */
export function tokensOf(
  run: Pick<Run, "tokens" | "targetTokens">,
  stack: Stack,
): { queries: Token[]; keys: Token[] } {
  const target = run.targetTokens.length > 0 ? run.targetTokens : run.tokens;
  return {
    queries: stack === "encoder" ? run.tokens : target,
    keys: stack === "decoder" ? target : run.tokens,
  };
}

/** What a picture shows beside the head itself. */
interface MoreOfHead {
  beside: readonly number[];
  vectors: boolean;
  /** Whether weights may be dropped by chance. */
  drops?: boolean;
}

/** What `readHead` asks. */
function questionsOf({
  head,
  more: { beside, vectors },
}: {
  head: HeadRef;
  more: MoreOfHead;
}): Foreseen[] {
  return [
    ...STAGES.map((stage) => ({ ...head, what: "attention", stage }) as const),
    { ...head, what: "mask" },
    { ...head, what: "fullyMasked" },
    ...(vectors
      ? (["query", "key"] as const).map((part) => ({ ...head, what: "qkv", part }) as const)
      : []),
    ...beside.map(
      (other) => ({ ...head, head: other, what: "attention", stage: "weights" }) as const,
    ),
  ];
}

/** Reads all that is drawn of one head. */
export async function readHead(run: Run, head: HeadRef, more: MoreOfHead): Promise<HeadFigures> {
  const [raw, scores, masked, weights, mask, fullyMasked, vectors, drawn, ...others] =
    await Promise.all([
      run.attention({ ...head, stage: "raw" }),
      run.attention({ ...head, stage: "scores" }),
      run.attention({ ...head, stage: "masked" }),
      run.attention({ ...head, stage: "weights" }),
      run.mask(head),
      run.fullyMasked(head),
      more.vectors ? readVectors(run, head) : null,
      more.drops ? run.dropoutMean({ ...head, draws: 1 }) : null,
      ...more.beside.map((other) => run.attention({ ...head, head: other })),
    ]);
  // A run that still writes may have grown between two answers: keep what all of them have.
  const tokens = tokensOf(run, head.stack);
  const pairs = [raw, scores, masked, weights, mask, ...others];
  const rows = Math.min(
    tokens.queries.length,
    ...pairs.map(({ shape }) => shape[0] ?? 0),
    vectors?.query.shape[0] ?? Infinity,
  );
  const columns = Math.min(
    tokens.keys.length,
    ...pairs.map(({ shape }) => shape[1] ?? 0),
    vectors?.key.shape[0] ?? Infinity,
  );
  const crop = (tensor: Tensor): Tensor => cropped(tensor, rows, columns);
  const stages = {
    raw: crop(raw),
    scores: crop(scores),
    masked: crop(masked),
    weights: crop(weights),
  };
  return {
    run,
    head,
    stages,
    mask: crop(mask),
    dropped: drawn && droppedOf(drawn, weights, crop),
    fullyMasked: fullyMasked.filter((query) => query < rows && isEmpty(stages.weights, query)),
    patterns: [
      { head: head.head, weights: stages.weights },
      ...others.map((tensor, at) => ({ head: more.beside[at] ?? 0, weights: crop(tensor) })),
    ],
    vectors: vectors && {
      query: cropped(vectors.query, rows, widthOf(vectors.query)),
      key: cropped(vectors.key, columns, widthOf(vectors.key)),
    },
    queries: tokens.queries.slice(0, rows),
    keys: tokens.keys.slice(0, columns),
  };
}

/** Whether a row has no weight at all. */
function isEmpty({ data, shape: [, columns = 0] }: Tensor, row: number): boolean {
  return data.subarray(row * columns, (row + 1) * columns).every((weight) => weight === 0);
}

/** Which weights were taken; null where nothing is drawn, and of a run that has grown meanwhile. */
function droppedOf(
  { draws, kept, undropped }: DropoutMean,
  weights: Tensor,
  crop: (tensor: Tensor) => Tensor,
): Tensor | null {
  if (draws === 0 || kept.length !== weights.data.length) return null;
  return crop({
    ...weights,
    data: Float32Array.from(kept, (factor, at) =>
      factor === 0 && (undropped[at] ?? 0) > 0 ? 1 : 0,
    ),
  });
}

async function readVectors(run: Run, head: HeadRef): Promise<HeadVectors> {
  const [query, key] = await Promise.all([
    run.qkv({ ...head, part: "query" }),
    run.qkv({ ...head, part: "key" }),
  ]);
  return { query, key };
}

function widthOf({ shape }: Tensor): number {
  return shape[1] ?? 0;
}

/** The first rows and columns of a tensor; the same tensor if it has no more. */
function cropped(tensor: Tensor, rows: number, columns: number): Tensor {
  const width = widthOf(tensor);
  if (tensor.shape[0] === rows && width === columns) return tensor;
  const data = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row += 1)
    data.set(tensor.data.subarray(row * width, row * width + columns), row * columns);
  return { ...tensor, data, shape: [rows, columns] };
}
