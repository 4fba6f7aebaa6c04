import * as data from "../data/index.js";
import { type EditLists, editsOf, type NumberRange, scopeIn, within } from "./edits.js";

/*
 * Attention variants: an edit says every part of how heads compute their weights, so that the last
 * one about a head holds by itself. Every number is within what the core takes.
 */

export const ATTENTION_VARIANTS = Object.keys(data.VARIANT_PARTS) as data.VariantName[];

export const RATES: NumberRange = { least: 0, most: data.LARGEST_RATE, usual: 0, fraction: true };
/** The range of the factor and of the divisor of scores. */
export const FACTORS: NumberRange = {
  least: 1 / data.LARGEST_FACTOR,
  most: data.LARGEST_FACTOR,
  usual: 1,
  fraction: true,
};
export const SEEDS: NumberRange = { least: 0, most: data.LARGEST_WHOLE, usual: 1 };

/** All parts of an attention edit; `rate` and `seed` belong to the dropout. */
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

/** The parts of an edit, with every number in its range and none that the variant does not have. */
export function variantValues(edit: data.AttentionEdit): VariantValues {
  const { kind = "softmax", parameters, scale = "model", temperature, dropout } = edit;
  const { scale: ofModel, dropped } = data.VARIANT_PARTS[kind];
  // Where the model's scale is 1, none is the same.
  const isModelScale = ofModel === "never" || (ofModel === "one" && scale === "none");
  return {
    kind,
    parameters: Object.fromEntries(
      numbersOf(kind).map(([name, range]) => [name, within(parameters?.[name], range)]),
    ),
    scale: isModelScale ? "model" : typeof scale === "number" ? within(scale, FACTORS) : scale,
    temperature: ofModel === "never" ? 1 : within(temperature, FACTORS),
    rate: dropped ? within(dropout?.rate, RATES) : 0,
    seed: within(dropout?.seed, SEEDS),
  };
}

/** The parts as an edit; parts with the model's values are left out. */
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
 * Edits in the form of a run request: a variant states every part, so that no part of an earlier
 * edit remains.
 */
export function sentEdits(edits: EditLists): data.Edits {
  const attention = edits.attention.map((edit) => ({ ...scopeIn(edit), ...allParts(edit) }));
  return editsOf({ ...edits, attention });
}

/** Every part of an attention edit, including those with the model's values. */
export function allParts(
  edit: data.AttentionEdit,
): Omit<Required<data.AttentionEdit>, keyof data.Scope> {
  const { rate, seed, ...parts } = variantValues(edit);
  return { ...parts, dropout: { rate, seed } };
}
