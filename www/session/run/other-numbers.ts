/**
 * Numbers of a head's pairs beside its stages: what each key adds, and the patterns of several
 * heads joined into one. They are read with the head; what is refused stays with its reason.
 */
import {
  type AggregateAsked,
  type Cell,
  type DepthPlace,
  type HeadPattern,
  type HeadRef,
  isJoined,
  isOfEntry,
  isOfPrediction,
  isShare,
  type Joined,
  type ModelInfo,
  type PairNumbers,
  type Share,
  type Tensor,
  type ThumbnailsAsked,
} from "../../data/index.js";
import type { EndTokens } from "../../elements/shared/templates.js";
import type { Run } from "../../headscope.js";
import type { State } from "../../state/index.js";
import { asFailure, isExpected } from "./failures.js";

/**
 * The numbers that are wanted; `entry` is the entry of the vocabulary whose logit is moved.
 * Relevance and gradients are of a prediction, which the locked pair or the selected depth may
 * choose.
 */
export interface AskedNumbers {
  of: Share | Joined;
  entry: number | null;
  locked?: Cell | null;
  depth?: DepthPlace | null;
  /** The special tokens of the model, which have words of the page as names. */
  ends?: EndTokens;
}

/** The numbers of the chosen head, then of those beside it; none, with the reason, if refused. */
export interface OtherNumbers extends AskedNumbers {
  patterns: HeadPattern[];
  refusal: Error | null;
  /** The logit that relevance and gradients are of: the entry's name, and its position from 1. */
  names?: { token: string; position: number };
}

/**
 * What a picture shows of a head: a heatmap every stage, each share and joined heads, lines the
 * weights or a share, any other picture the weights. A comparison has stages alone.
 */
export function shownNumbers({
  picture,
  stage,
  joined,
  compare,
}: Pick<State, "picture" | "stage" | "joined" | "compare">): PairNumbers {
  if (picture === "lines") return isShare(stage) && compare === null ? stage : "weights";
  if (picture !== "heatmap") return "weights";
  if (compare !== null) return isShare(stage) ? "weights" : stage;
  return joined ?? stage;
}

/** The prediction that a State chooses; of an image the one there is, at the first position. */
export function predictionIn(
  { locked, depth }: Pick<State, "locked" | "depth">,
  { image, endTokens, padToken = null, startToken = null }: Partial<ModelInfo>,
): Pick<AskedNumbers, "locked" | "depth" | "ends"> {
  if (image) return { depth: { layer: 0, position: 0 } };
  return { locked, depth, ...(endTokens && { ends: { endTokens, padToken, startToken } }) };
}

/** The numbers that a picture shows in place of a stage; null for a stage. */
export function askedNumbers(
  state: Pick<State, "picture" | "stage" | "joined" | "compare" | "entry"> &
    Pick<State, "locked" | "depth">,
  info: Pick<ModelInfo, "vocabSize"> & Partial<ModelInfo>,
): AskedNumbers | null {
  const of = shownNumbers(state);
  if (!isShare(of) && !isJoined(of)) return null;
  const { entry } = state;
  const isEntry = isOfEntry(of) && entry !== null && entry < info.vocabSize;
  return {
    of,
    entry: isEntry ? entry : null,
    ...(isOfPrediction(of) && predictionIn(state, info)),
  };
}

/** The thumbnails of heads that a picture asks for. */
export type AskedThumbnails =
  | Required<Pick<ThumbnailsAsked, "stack" | "stage">>
  | ({ of: "effects" } & Pick<AskedNumbers, "entry"> & Pick<HeadRef, "stack" | "layer">);

/** The thumbnails of the numbers that a picture shows; of weights where heads are joined. */
export function askedThumbnails(
  state: Parameters<typeof askedNumbers>[0],
  { stack, layer }: Pick<HeadRef, "stack" | "layer">,
  info: Pick<ModelInfo, "vocabSize">,
): AskedThumbnails {
  const { of, entry = null } = askedNumbers(state, info) ?? {};
  if (of === "effects") return { stack, layer, of, entry };
  return { stack, stage: of === "norms" ? of : "weights" };
}

/** The question for joined heads, other than that for relevance. */
export function askedJoined(
  of: Exclude<Joined, "relevance">,
  { stack, layer }: HeadRef,
): AggregateAsked {
  switch (of) {
    case "layer-mean":
      return { stack, layer, how: "mean" };
    case "layer-maximum":
      return { stack, layer, how: "maximum" };
    case "mean":
    case "maximum":
      return { stack, how: of };
    case "rollout":
    case "flow":
      return { stack, layer, how: of };
  }
}

/** The name of the numbers in files, of a chosen entry's logit with the entry. */
export function quantityOf(of: PairNumbers, entry: number | null): string {
  return isOfEntry(of) && entry !== null ? `${of}-${entry}` : of;
}

export async function readOther(
  run: Run,
  at: HeadRef,
  beside: readonly number[],
  asked: AskedNumbers,
): Promise<OtherNumbers> {
  const { of, entry } = asked;
  const read = (head: number): Promise<Tensor> => {
    if (of === "norms") return run.norms({ ...at, head });
    return run.effects({ ...at, head, ...(entry !== null && { id: entry }) });
  };
  try {
    if (of === "relevance") {
      const { readRelevance } = await import("./gradient-target.js");
      const { weights, names } = await readRelevance(run, { ...asked, stack: at.stack });
      return { ...asked, patterns: [{ head: at.head, weights }], refusal: null, names };
    }
    const heads = [at.head, ...beside];
    if (of === "gradient") {
      const { readWeightedGradients } = await import("./gradient-target.js");
      const { patterns, names } = await readWeightedGradients(run, { ...asked, ...at }, heads);
      return { ...asked, patterns, refusal: null, names };
    }
    if (isJoined(of)) {
      const weights = await run.aggregate(askedJoined(of, at));
      return { ...asked, patterns: [{ head: at.head, weights }], refusal: null };
    }
    const all = await Promise.all(heads.map(read));
    const patterns = all.map((weights, index) => ({ head: heads[index] ?? 0, weights }));
    return { ...asked, patterns, refusal: null };
  } catch (thrown) {
    if (isExpected(thrown)) throw thrown;
    return { ...asked, patterns: [], refusal: asFailure(thrown) };
  }
}
