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
import { editsOf, scopeIn, within, type NumberRange } from "./edits.js";
import type { EditLists } from "./state.js";

/*
 * Kinds of attention as a person makes them: an edit that says all there is to say of how heads come to their weights, so
 * that the last one about a head holds by itself. Every number is within what the core takes.
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
  rate: number;
  /** Of the dropout. */
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
export function kindValues({
  kind = "softmax",
  parameters,
  scale = "model",
  temperature,
  dropout,
}: AttentionEdit): KindValues {
  const parts = KIND_PARTS[kind];
  const own = Object.fromEntries(
    numbersOf(kind).map(([name, range]) => [name, within(parameters?.[name], range)]),
  );
  const rate = parts.dropped ? within(dropout?.rate, RATES) : 0;
  return {
    kind,
    parameters: own,
    scale: parts.scaled ? scaleWithin(scale, parts) : "model",
    temperature: parts.scaled ? within(temperature, FACTORS) : 1,
    rate,
    seed: within(dropout?.seed, SEEDS),
  };
}

/** The same as an edit; what is as the model has it is left out. */
export function kindEdit(values: KindValues, scope: Scope): AttentionEdit {
  const { kind, parameters, scale, temperature, rate, seed } = kindValues({
    ...values,
    dropout: { rate: values.rate, seed: values.seed },
  });
  return {
    ...scope,
    kind,
    ...(numbersOf(kind).length > 0 && { parameters }),
    ...(scale !== "model" && { scale }),
    ...(temperature !== 1 && { temperature }),
    ...(rate > 0 && { dropout: { rate, seed } }),
  };
}

/** With one more edit of kinds, after all others. */
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

/** All that an edit says of how heads come to their weights, what is as the model has it included. */
export function allParts(edit: AttentionEdit): Omit<Required<AttentionEdit>, keyof Scope> {
  const { rate, seed, ...parts } = kindValues(edit);
  return { ...parts, dropout: { rate, seed } };
}

/** What is no product has no scale of the model's to be without. */
function scaleWithin(
  scale: KindValues["scale"],
  { product }: (typeof KIND_PARTS)[AttentionKind],
): KindValues["scale"] {
  if (scale === "none" && !product) return "model";
  return typeof scale === "number" ? within(scale, FACTORS) : scale;
}
