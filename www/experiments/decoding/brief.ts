/** The short answer of a step of decoding, for the card of a question. */
import { type GenerationEvent, type Prediction, rowOf } from "../../data/index.js";
import { formatPercent, message } from "../../i18n/index.js";
import type { AnswerItem } from "../../session/answer-items.js";
import type { HeadRows } from "./step-numbers.js";

const TOP_TOKENS = 3;
const TOP_KEYS = 2;

/** How the settings changed the probabilities of the likeliest tokens. */
export function changesOf(
  { stages }: Pick<GenerationEvent, "stages">,
  nameOf: (prediction: Prediction) => string,
): AnswerItem[] {
  const [before, ...changed] = stages;
  const after = changed.at(-1)?.candidates ?? [];
  return (before?.candidates ?? []).slice(0, TOP_TOKENS).flatMap((one) => {
    const other = after.find(({ id }) => id === one.id);
    if (!other) return [];
    const shares = [one, other].map(({ probability }) => formatPercent(probability, 0));
    return [{ label: nameOf(one), value: shares.join(" → "), share: other.probability }];
  });
}

/** The keys with the largest weights of a step, on average over the heads. */
export function looksOf(rows: readonly HeadRows[]): AnswerItem[] {
  return rows.toReversed().flatMap(({ stack, tensor, keys }) => {
    const [heads = 0] = tensor.shape;
    const means = keys.map((key, at) => {
      const weights = Array.from({ length: heads }, (_, head) => rowOf(tensor, head)[at] ?? 0);
      return { key, mean: weights.reduce((sum, weight) => sum + weight, 0) / heads };
    });
    return means
      .sort((one, other) => other.mean - one.mean)
      .slice(0, TOP_KEYS)
      .map(({ key, mean }) => ({
        label: message(`decoding.looks.${stack}`, { key }),
        value: formatPercent(mean, 0),
        share: mean,
      }));
  });
}
