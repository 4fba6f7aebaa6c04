import {
  type AttentionEdit,
  type KindParameters,
  LARGEST_FACTOR,
  LARGEST_RATE,
  MOST_UNITS,
  type Scope,
  type Stack,
} from "../data/index.js";
import { within, type NumberRange } from "./edits.js";
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

interface KindParts {
  /** Its own numbers. */
  numbers: Partial<Record<KindNumber, NumberRange>>;
  /** Without an exponent there is nothing to scale. */
  scaled: boolean;
  /** Whether scores are products, which the model scales by √d. */
  product: boolean;
  /** Whether it has rows of weights, of which some can be dropped. */
  dropped: boolean;
  /** Whether every score of a row is held before its weights are made: relative positions join only such. */
  holdsScores: boolean;
  /** Where it makes sense; everywhere if absent. */
  stacks?: readonly Stack[];
}

const SEED: NumberRange = { least: 0, most: 9999, usual: 1 };

/** What each kind is made of. */
export const KIND_PARTS: Readonly<Record<AttentionKind, KindParts>> = {
  softmax: { numbers: {}, product: true, scaled: true, dropped: true, holdsScores: true },
  cosine: { numbers: {}, product: false, scaled: true, dropped: true, holdsScores: true },
  additive: {
    numbers: { seed: SEED },
    product: false,
    scaled: true,
    dropped: true,
    holdsScores: true,
  },
  sliding: {
    numbers: { width: { least: 0, most: MOST_UNITS, usual: 2 } },
    product: true,
    scaled: true,
    dropped: true,
    holdsScores: false,
  },
  blocks: {
    numbers: {
      size: { least: 1, most: MOST_UNITS, usual: 4 },
      neighbours: { least: 0, most: MOST_UNITS, usual: 1 },
    },
    product: true,
    scaled: true,
    dropped: true,
    holdsScores: false,
  },
  linear: { numbers: {}, product: false, scaled: false, dropped: false, holdsScores: false },
  performer: {
    numbers: { features: { least: 1, most: MOST_UNITS, usual: 64 }, seed: SEED },
    product: true,
    scaled: true,
    dropped: false,
    holdsScores: false,
  },
  "low-rank": {
    numbers: { rank: { least: 0, most: 128, usual: 4 } },
    product: true,
    scaled: true,
    dropped: false,
    holdsScores: true,
    stacks: ["encoder"],
  },
  linformer: {
    numbers: { keys: { least: 1, most: MOST_UNITS, usual: 4 } },
    product: true,
    scaled: true,
    dropped: false,
    holdsScores: false,
    stacks: ["encoder", "cross"],
  },
  chunked: {
    numbers: { size: { least: 1, most: MOST_UNITS, usual: 16 } },
    product: true,
    scaled: true,
    dropped: false,
    holdsScores: false,
  },
};

export const TEMPERATURES: NumberRange = { least: 0.01, most: 100, usual: 1, fraction: true };
export const RATES: NumberRange = { least: 0, most: LARGEST_RATE, usual: 0, fraction: true };
export const SCALE_FACTORS: NumberRange = {
  least: 1 / LARGEST_FACTOR,
  most: LARGEST_FACTOR,
  usual: 1,
  fraction: true,
};
export const DROPOUT_SEEDS = SEED;

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
  const { numbers } = KIND_PARTS[kind];
  return (["width", "size", "neighbours", "features", "rank", "keys", "seed"] as const).flatMap(
    (name): [KindNumber, NumberRange][] => {
      const range = numbers[name];
      return range ? [[name, range]] : [];
    },
  );
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
    temperature: parts.scaled ? within(temperature, TEMPERATURES) : 1,
    rate,
    seed: within(dropout?.seed, DROPOUT_SEEDS),
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

/** All that an edit says of how heads come to their weights, what is as the model has it included. */
export function allParts(edit: AttentionEdit): Omit<Required<AttentionEdit>, keyof Scope> {
  const { rate, seed, ...parts } = kindValues(edit);
  return { ...parts, dropout: { rate, seed } };
}

/** What is no product has no scale of the model's to be without. */
function scaleWithin(scale: KindValues["scale"], { product }: KindParts): KindValues["scale"] {
  if (scale === "none" && !product) return "model";
  return typeof scale === "number" ? within(scale, SCALE_FACTORS) : scale;
}
