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

/** A head, and what its picture shows beside its stages and its mask. */
export interface HeadRequest extends HeadRef {
  /** Other heads of the layer, whose weights are drawn with it. */
  beside?: readonly number[];
  vectors?: boolean;
  /** Whether weights may be dropped by chance. */
  drops?: boolean;
}

/** What `readHead` asks in every case. */
export function questionsOf({
  stack,
  layer,
  head,
  vectors = false,
  beside = [],
}: HeadRequest): Foreseen[] {
  const at = { stack, layer, head };
  const parts = vectors ? (["query", "key"] as const) : [];
  return [
    ...STAGES.map((stage) => ({ ...at, what: "attention", stage }) as const),
    { ...at, what: "mask" },
    { ...at, what: "fullyMasked" },
    ...parts.map((part) => ({ ...at, what: "qkv", part }) as const),
    ...beside.map(
      (other) => ({ ...at, head: other, what: "attention", stage: "weights" }) as const,
    ),
  ];
}

/** Reads all that is drawn of one head. */
export async function readHead(
  run: Run,
  { stack, layer, head, beside = [], vectors = false, drops = false }: HeadRequest,
): Promise<HeadFigures> {
  const at = { stack, layer, head };
  const [mask, fullyMasked, query, key, drawn, others, all] = await Promise.all([
    run.mask(at),
    run.fullyMasked(at),
    vectors ? run.qkv({ ...at, part: "query" }) : null,
    vectors ? run.qkv({ ...at, part: "key" }) : null,
    drops ? run.dropoutMean({ ...at, draws: 1 }) : null,
    Promise.all(beside.map((other) => run.attention({ ...at, head: other }))),
    Promise.all(STAGES.map((stage) => run.attention({ ...at, stage }))),
  ]);
  // A run that still writes may have grown between two answers: keep what all of them have.
  const tokens = tokensOf(run, stack);
  const pairs = [...all, mask, ...others];
  const least = (axis: 0 | 1, count: number, vector: Tensor | null): number =>
    Math.min(count, ...pairs.map(({ shape }) => shape[axis] ?? 0), vector?.shape[0] ?? Infinity);
  const rows = least(0, tokens.queries.length, query);
  const columns = least(1, tokens.keys.length, key);
  const crop = (tensor: Tensor): Tensor => cropped(tensor, rows, columns);
  const stages = Object.fromEntries(
    STAGES.map((stage, index) => [stage, crop(all[index] ?? mask)]),
  ) as Record<Stage, Tensor>;
  const { weights } = stages;
  const hasNoWeight = (row: number): boolean =>
    weights.data.subarray(row * columns, (row + 1) * columns).every((weight) => weight === 0);
  return {
    run,
    head: at,
    stages,
    mask: crop(mask),
    dropped: drawn && droppedOf(drawn, all[STAGES.indexOf("weights")] ?? weights, crop),
    fullyMasked: fullyMasked.filter((row) => row < rows && hasNoWeight(row)),
    patterns: [
      { head, weights },
      ...others.map((tensor, index) => ({ head: beside[index] ?? 0, weights: crop(tensor) })),
    ],
    vectors: query && key && { query: cropped(query, rows), key: cropped(key, columns) },
    queries: tokens.queries.slice(0, rows),
    keys: tokens.keys.slice(0, columns),
  };
}

/** Which weights were dropped; null without dropout, and for a run that has grown meanwhile. */
function droppedOf(
  { draws, kept, undropped }: DropoutMean,
  weights: Tensor,
  crop: (tensor: Tensor) => Tensor,
): Tensor | null {
  if (draws === 0 || kept.length !== weights.data.length) return null;
  const isDropped = (factor: number, at: number): number =>
    factor === 0 && (undropped[at] ?? 0) > 0 ? 1 : 0;
  return crop({ ...weights, data: Float32Array.from(kept, isDropped) });
}

/** The first rows and columns of a tensor; the same tensor if it has no more. */
function cropped(tensor: Tensor, rows: number, columns = tensor.shape[1] ?? 0): Tensor {
  const width = tensor.shape[1] ?? 0;
  if (tensor.shape[0] === rows && width === columns) return tensor;
  const data = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row += 1)
    data.set(tensor.data.subarray(row * width, row * width + columns), row * columns);
  return { ...tensor, data, shape: [rows, columns] };
}
