import type {
  DropoutMean,
  HeadPattern,
  HeadRef,
  HeadVectors,
  Stack,
  Stage,
  Tensor,
  Token,
} from "../../data/index.js";
import type { Foreseen, Run } from "../../headscope.js";
import { STAGES } from "../../state/index.js";

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

/** The stack whose text a picture of positions is about: cross-attention has none of its own. */
export function positionedStack(stack: Stack): Stack {
  return stack === "encoder" ? "encoder" : "decoder";
}

/** The heads of the same layer that are drawn with a head. */
export function drawnBeside({ patterns }: HeadFigures): number[] {
  return patterns.slice(1).map(({ head }) => head);
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
export interface MoreOfHead {
  beside: readonly number[];
  vectors: boolean;
  /** Whether weights may be dropped by chance. */
  drops?: boolean;
}

/** What `readHead` asks. */
export function questionsOf({
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
