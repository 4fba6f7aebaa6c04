import * as data from "../data/index.js";
import { type EditLists, editsOf, type NumberRange, scopeIn, within } from "./edits.js";

/*
 * Attention variants: an edit says every part of how heads compute their weights, so that the last
 * one about a head holds by itself. Every number is within what the core takes.
 */

export const ATTENTION_VARIANTS = Object.keys(data.VARIANT_PARTS) as data.VariantName[];
/** Those that compute fewer scores, behind the three that compute them otherwise. */
export const CHEAP_VARIANTS: readonly data.VariantName[] = ATTENTION_VARIANTS.slice(3);

export const RATES: NumberRange = { least: 0, most: data.LARGEST_RATE, usual: 0, fraction: true };
/** What scores are multiplied by, and what they are divided by. */
export const FACTORS: NumberRange = {
  least: 1 / data.LARGEST_FACTOR,
  most: data.LARGEST_FACTOR,
  usual: 1,
  fraction: true,
};
export const SEEDS: NumberRange = { least: 0, most: data.LARGEST_WHOLE, usual: 1 };

/** All that one edit says; `rate` and `seed` are those of the dropout. */
export interface VariantValues extends Required<
  Pick<data.AttentionEdit, "kind" | "parameters" | "scale" | "temperature">
> {
  rate: number;
  seed: number;
}

export function numbersOf(kind: data.VariantName): [keyof data.VariantParameters, NumberRange][] {
  return Object.entries(data.VARIANT_PARTS[kind].numbers) as [
    keyof data.VariantParameters,
    NumberRange,
  ][];
}

/** What an edit says, every number within its range and none that the kind does not have. */
export function variantValues(edit: data.AttentionEdit): VariantValues {
  const { kind = "softmax", parameters, scale = "model", temperature, dropout } = edit;
  const { scaled, product, dropped } = data.VARIANT_PARTS[kind];
  // Scores that are no products have no scale of the model's.
  const isModelScale = !scaled || (scale === "none" && !product);
  return {
    kind,
    parameters: Object.fromEntries(
      numbersOf(kind).map(([name, range]) => [name, within(parameters?.[name], range)]),
    ),
    scale: isModelScale ? "model" : typeof scale === "number" ? within(scale, FACTORS) : scale,
    temperature: scaled ? within(temperature, FACTORS) : 1,
    rate: dropped ? within(dropout?.rate, RATES) : 0,
    seed: within(dropout?.seed, SEEDS),
  };
}

/** The same as an edit; parts that are as in the model are left out. */
export function variantEdit(
  { rate, seed, ...values }: VariantValues,
  scope: data.Scope,
): data.AttentionEdit {
  const { kind, parameters, scale, temperature, dropout } = allParts({
    ...values,
    dropout: { rate, seed },
  });
  return {
    ...scope,
    kind,
    ...(numbersOf(kind).length > 0 && { parameters }),
    ...(scale !== "model" && { scale }),
    ...(temperature !== 1 && { temperature }),
    ...(dropout.rate > 0 && { dropout }),
  };
}

/**
 * Edits as a run takes them: a variant says every part, so that nothing is left of an edit before
 * it.
 */
export function sentEdits(edits: EditLists): data.Edits {
  const attention = edits.attention.map((edit) => ({ ...scopeIn(edit), ...allParts(edit) }));
  return editsOf({ ...edits, attention });
}

/** Every part of an attention edit, those that are as in the model included. */
export function allParts(
  edit: data.AttentionEdit,
): Omit<Required<data.AttentionEdit>, keyof data.Scope> {
  const { rate, seed, ...parts } = variantValues(edit);
  return { ...parts, dropout: { rate, seed } };
}
