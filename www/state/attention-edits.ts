import {
  type AttentionEdit,
  type Edits,
  type KindParameters,
  KIND_PARTS,
  LARGEST_FACTOR,
  LARGEST_RATE,
  LARGEST_WHOLE,
  type Scope,
} from "../data/index.js";
import { type EditLists, editsOf, type NumberRange, scopeIn, within } from "./edits.js";

/*
 * Attention variants: an edit says every part of how heads compute their weights, so that the last one about a head
 * holds by itself. Every number is within what the core takes.
 */

export type AttentionKind = NonNullable<AttentionEdit["kind"]>;
export const SCORE_KINDS = [
  "softmax",
  "cosine",
  "additive",
] as const satisfies readonly AttentionKind[];
export const CHEAP_KINDS = [
  "sliding",
  "blocks",
  "linear",
  "performer",
  "low-rank",
  "linformer",
  "chunked",
] as const satisfies readonly AttentionKind[];
export const ATTENTION_KINDS: readonly AttentionKind[] = [...SCORE_KINDS, ...CHEAP_KINDS];

export type KindNumber = keyof KindParameters;

export const RATES: NumberRange = { least: 0, most: LARGEST_RATE, usual: 0, fraction: true };
/** What scores are multiplied by, and what they are divided by. */
export const FACTORS: NumberRange = {
  least: 1 / LARGEST_FACTOR,
  most: LARGEST_FACTOR,
  usual: 1,
  fraction: true,
};
export const SEEDS: NumberRange = { least: 0, most: LARGEST_WHOLE, usual: 1 };

/** All that one edit says. */
export interface KindValues {
  kind: AttentionKind;
  parameters: KindParameters;
  scale: NonNullable<AttentionEdit["scale"]>;
  temperature: number;
  /** Of the dropout. */
  rate: number;
  seed: number;
}

export const MODEL_KIND: KindValues = {
  kind: "softmax",
  parameters: {},
  scale: "model",
  temperature: 1,
  rate: 0,
  seed: 1,
};

/** The numbers of a kind in their order. */
export function numbersOf(kind: AttentionKind): [KindNumber, NumberRange][] {
  return Object.entries(KIND_PARTS[kind].numbers) as [KindNumber, NumberRange][];
}

/** What an edit says, every number within its range and none that the kind does not have. */
export function kindValues(edit: AttentionEdit): KindValues {
  const { kind = "softmax", parameters, scale = "model", temperature, dropout } = edit;
  const { scaled, product, dropped } = KIND_PARTS[kind];
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
export function kindEdit(values: KindValues, scope: Scope): AttentionEdit {
  const dropout = { rate: values.rate, seed: values.seed };
  const { kind, parameters, scale, temperature, rate, seed } = kindValues({ ...values, dropout });
  return {
    ...scope,
    kind,
    ...(numbersOf(kind).length > 0 && { parameters }),
    ...(scale !== "model" && { scale }),
    ...(temperature !== 1 && { temperature }),
    ...(rate > 0 && { dropout: { rate, seed } }),
  };
}

/** With one more attention edit, after all others. */
export function addKind(edits: EditLists, edit: AttentionEdit): EditLists {
  return { ...edits, attention: [...edits.attention, edit] };
}

/** With an edit in the place of another. */
export function changeKind(edits: EditLists, index: number, edit: AttentionEdit): EditLists {
  return { ...edits, attention: edits.attention.with(index, edit) };
}

/** Edits as a run takes them: a variant says every part, so that nothing is left of an edit before it. */
export function sentEdits(edits: EditLists): Edits {
  const attention = edits.attention.map((edit) => ({ ...scopeIn(edit), ...allParts(edit) }));
  return editsOf({ ...edits, attention });
}

/** Every part of an attention edit, those that are as in the model included. */
export function allParts(edit: AttentionEdit): Omit<Required<AttentionEdit>, keyof Scope> {
  const { rate, seed, ...parts } = kindValues(edit);
  return { ...parts, dropout: { rate, seed } };
}
