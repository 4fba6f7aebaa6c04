/** The number whose gradients the page shows: the logit of an entry at a position that predicts. */
import type {
  Cell,
  DepthPlace,
  GradientTarget,
  HeadPattern,
  HeadRef,
  Stack,
  Tensor,
} from "../../data/index.js";
import { type EndTokens, predictionLabel } from "../../elements/shared/templates.js";
import type { Run } from "../../headscope.js";

/** The number of predictions in which a chosen entry is found by its name. */
const NAMED = 10;

/** What the State chooses: an entry of the vocabulary, a locked pair, a prediction of a layer. */
export interface ChosenTarget {
  stack: Stack;
  entry: number | null;
  locked?: Cell | null;
  depth?: DepthPlace | null;
  /** The special tokens of the model, which have words of the page as names. */
  ends?: EndTokens;
}

/** A target, with the name of its entry and its position counted from 1. */
export interface NamedTarget {
  target: GradientTarget;
  names: { token: string; position: number };
}

/**
 * The logit of the chosen entry, or of the likeliest, at the query of the locked pair, if it
 * predicts, or at the selected prediction, or by default at the masked or last token.
 */
export async function gradientTarget(
  run: Run,
  { stack, entry, locked, depth, ends }: ChosenTarget,
): Promise<NamedTarget> {
  const isTranslation = run.targetTokens.length > 0;
  const tokens = isTranslation ? run.targetTokens : run.tokens;
  const masked = tokens.findIndex(({ role }) => role === "mask");
  const usual = masked < 0 ? Math.max(0, tokens.length - 1) : masked;
  const query = isTranslation && stack === "encoder" ? undefined : locked?.query;
  const position = [query, depth?.position].find((at) => at !== undefined && at < tokens.length);
  const target = { position: position ?? usual, id: entry ?? 0 };
  const asked = { positions: [target.position], topK: entry === null ? 1 : NAMED };
  const [found = []] = await run.predictions(asked);
  const named = found.find(({ id }) => entry === null || id === entry);
  const at = tokens[target.position];
  return {
    target: { ...target, id: named?.id ?? target.id },
    names: {
      token: named && at ? predictionLabel(named, at, ends ?? null) : `#${target.id}`,
      position: target.position + 1,
    },
  };
}

/** The relevance of each token in each position for the target. */
export async function readRelevance(
  run: Run,
  chosen: ChosenTarget,
): Promise<{ weights: Tensor; names: NamedTarget["names"] }> {
  const { target, names } = await gradientTarget(run, chosen);
  return { weights: await run.relevance({ stack: chosen.stack, target }), names };
}

/** The weights of heads of a layer, times the derivatives of the target by them. */
export async function readWeightedGradients(
  run: Run,
  chosen: ChosenTarget & Pick<HeadRef, "layer">,
  heads: readonly number[],
): Promise<{ patterns: HeadPattern[]; names: NamedTarget["names"] }> {
  const { target, names } = await gradientTarget(run, chosen);
  const { stack, layer } = chosen;
  const patterns: HeadPattern[] = [];
  for (const head of heads)
    patterns.push({ head, weights: await run.weightedGradient({ target, stack, layer, head }) });
  return { patterns, names };
}
