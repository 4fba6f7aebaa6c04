// What a file of numbers or a picture is made of, and where it comes from.
import type { Edits, Region, Stack, Tensor } from "../data/index.js";

/** One axis of a tensor, with the names of its places. */
export interface Axis {
  name: string;
  /** Tokens, stages or words of the vocabulary; null where places are only counted, as the dimensions are. */
  labels: readonly string[] | null;
  /** How the first place is numbered where people read it: tokens from 1, ids of the vocabulary from 0, those of a part as in the whole. */
  first: number;
}

/** How the page looks at a pattern; whatever differs from the model's own numbers is said here. */
export interface View {
  unit: "token" | "word";
  specialTokens: "shown" | "hidden";
  /** The key without which the weights were renormalised, from 0, and its text; null where they are the model's own. */
  renormalisedWithout: { index: number; token: string } | null;
}

/** Which rows and columns of a pattern there are, and how many it has. */
export interface Part {
  region: Region;
  whole: Pick<Region, "rows" | "columns">;
}

/** What was read, by which model, and where it was looked at. Layers and heads count from zero here, as in the API. */
export interface Reading {
  /** The name of the model's folder. */
  model: string;
  text: string;
  /** What a translator wrote, or was given; null without a second text. */
  target: string | null;
  /** Positions of the text's tokens that were hidden from the model. */
  hidden: readonly number[];
  stack: Stack | null;
  layer: number | null;
  head: number | null;
  edits: Edits;
}

/** Everything that decides the numbers. */
export interface Provenance extends Reading {
  /** What was taken: a stage, `query`, `mask`, `hidden`, `logits` … */
  quantity: string;
  /** Further heads of the same layer that are drawn or taken with it. */
  beside: readonly number[];
  /** Of hidden states: 0 are the embeddings, `n` is what leaves block `n`. */
  hiddenStates: number | null;
  /** Null for the model's own numbers, in their own rows and columns. */
  view: View | null;
  /** Null for all rows and columns. */
  part: Part | null;
  /** The other run of a comparison, at the same place; null for a run that stands alone. */
  compared: Reading | null;
  /** What makes tokens of both runs each other's counterparts; null for a run that stands alone. */
  aligned: "words" | "positions" | null;
  /** The page's address; null for a model that only its owner has. */
  link: string | null;
  /** Headscope's own version. */
  version: string;
}

/** A tensor that is to be written to a file. */
export interface Exhibit {
  tensor: Tensor;
  /** One for each axis of the tensor, in their order. */
  axes: readonly Axis[];
  provenance: Provenance;
}

/** Where a thing comes from as plain data, in the words that files use. Every index is also given as the page counts. */
export function provenanceRecord(provenance: Provenance): Record<string, unknown> {
  const {
    version,
    model,
    text,
    target,
    hidden,
    quantity,
    stack,
    layer,
    head,
    beside,
    hiddenStates,
    edits,
    view,
    part,
    compared,
    aligned,
    link,
  } = provenance;
  return {
    headscope: version,
    model,
    text,
    target,
    hidden,
    quantity,
    stack,
    layer: counted(layer),
    head: counted(head),
    beside: beside.map(counted),
    hiddenStates,
    edits,
    view,
    part: part && partRecord(part),
    comparedWith: compared && readingRecord(compared),
    aligned,
    link,
  };
}

function readingRecord({
  model,
  text,
  target,
  hidden,
  stack,
  layer,
  head,
  edits,
}: Reading): Record<string, unknown> {
  return { model, text, target, hidden, stack, layer: counted(layer), head: counted(head), edits };
}

function partRecord({ region, whole }: Part): Record<string, unknown> {
  const { query, key } = region;
  return {
    query: { first: counted(query), last: counted(query + region.rows - 1), of: whole.rows },
    key: { first: counted(key), last: counted(key + region.columns - 1), of: whole.columns },
  };
}

function counted(index: number | null): { index: number; number: number } | null {
  return index === null ? null : { index, number: index + 1 };
}

/** Whether anything was changed in the model. */
export function isEdited(edits: Edits): boolean {
  return Object.values(edits).some(
    (list: readonly unknown[] | undefined) => list !== undefined && list.length > 0,
  );
}
