import type { Edits, Region, Stack, Tensor } from "../data/index.js";

// What a file of numbers or a picture is made of, and where it comes from.

/** One axis of a tensor, with the names of its places. */
export interface Axis {
  name: string;
  /** Tokens, stages or words of the vocabulary; null where places are only counted, as the dimensions are. */
  labels: readonly string[] | null;
  /** How the first place is numbered where people read it: tokens from 1, ids of the vocabulary from 0, those of a part as in the whole. */
  first: number;
}

/** How the displayed weights differ from the model's own. */
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

/** A text, its model, the edits, and a head. Layers and heads count from zero here, as in the API. */
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
  /** What was saved: a stage, `query`, `mask`, `hidden`, `logits` … */
  quantity: string;
  /** Further heads of the same layer that are drawn or saved with it. */
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

/** A tensor with the names of its places. */
export interface LabelledTensor {
  tensor: Tensor;
  /** One for each axis of the tensor, in their order. */
  axes: readonly Axis[];
}

/** Columns with names, and rows of them; what is no number is left empty. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** Where a thing comes from as plain data, in the words that files use. Every index is also given as the page counts. */
export function provenanceRecord(of: Provenance): Record<string, unknown> {
  const { part, compared } = of;
  return {
    headscope: of.version,
    model: of.model,
    text: of.text,
    target: of.target,
    hidden: of.hidden,
    quantity: of.quantity,
    stack: of.stack,
    layer: counted(of.layer),
    head: counted(of.head),
    beside: of.beside.map(counted),
    hiddenStates: of.hiddenStates,
    edits: of.edits,
    view: of.view,
    part: part && partRecord(part),
    comparedWith: compared && readingRecord(compared),
    aligned: of.aligned,
    link: of.link,
  };
}

function readingRecord(of: Reading): Record<string, unknown> {
  const { model, text, target, hidden, stack, layer, head, edits } = of;
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

// Names of files that say what is in them and that every system takes.

/** File systems take 255 bytes in all; the rest of a name needs less than half of them. */
const TEXT_BYTES = 64;
const WORD_BYTES = 40;
/** Where a name says two texts. */
const EACH_TEXT_BYTES = 40;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** For instance `headscope_en-fr_cross_layer-2_head-3_weights_she-gave-him.svg`, layers and heads counted from 1; several heads by all their numbers; of two runs, what sets the other apart stands last. */
export function fileName(provenance: Provenance, ending: string): string {
  const { model, stack, layer, head, beside, hiddenStates, quantity } = provenance;
  const { edits, view, part, compared, text } = provenance;
  const parts = [
    "headscope",
    slug(model, WORD_BYTES),
    stack ?? "",
    layer === null ? "" : `layer-${layer + 1}`,
    head === null ? "" : ["head", ...[head, ...beside].map((index) => index + 1)].join("-"),
    hiddenStates === null
      ? slug(quantity, WORD_BYTES)
      : `${slug(quantity, WORD_BYTES)}-${hiddenStates}`,
    ...(view ? wordsOf(view) : []),
    ...(part ? placesOf(part) : []),
    isEdited(edits) ? "edited" : "",
    slug(text, compared ? EACH_TEXT_BYTES : TEXT_BYTES),
    compared ? `vs-${otherOf(provenance, compared)}` : "",
  ];
  return `${parts.filter((part) => part !== "").join("_")}.${ending}`;
}

/** How the displayed weights of a file differ from the model's own. */
function wordsOf({ unit, specialTokens, renormalisedWithout }: View): string[] {
  return [
    unit === "word" ? "by-word" : "",
    specialTokens === "hidden" ? "ordinary-tokens" : "",
    renormalisedWithout ? "renormalised" : "",
  ];
}

/** Which rows and columns of it, counted from 1: such a file holds no others. */
function placesOf({ region: { query, key, rows, columns } }: Part): string[] {
  return [`q${query + 1}-${query + rows}`, `k${key + 1}-${key + columns}`];
}

/** What sets the other run apart: its model, its text, or that it has no edits, or has some. */
function otherOf({ model, text, edits }: Provenance, other: Reading): string {
  const apart = [
    other.model === model ? "" : slug(other.model, WORD_BYTES),
    other.text === text ? "" : slug(other.text, EACH_TEXT_BYTES),
  ].filter((part) => part !== "");
  if (apart.length > 0) return apart.join("_");
  if (isEdited(other.edits)) return "edited";
  return isEdited(edits) ? "original" : "same-text";
}

/** Letters, their marks and digits of every script, joined by hyphens; whole words as long as they fit in so many bytes. */
export function slug(text: string, mostBytes: number): string {
  // An apostrophe holds a word together.
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .replace(/['’]/g, "")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  let joined = "";
  for (const word of words) {
    const longer = joined === "" ? cut(word, mostBytes) : `${joined}-${word}`;
    if (bytesOf(longer) > mostBytes) break;
    joined = longer;
  }
  return joined;
}

/** The beginning of a word without spaces, which may be a whole sentence. */
function cut(word: string, mostBytes: number): string {
  let beginning = "";
  for (const { segment } of graphemes.segment(word)) {
    if (bytesOf(beginning + segment) > mostBytes) break;
    beginning += segment;
  }
  return beginning;
}

const utf8 = new TextEncoder();

function bytesOf(text: string): number {
  return utf8.encode(text).length;
}
