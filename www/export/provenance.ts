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

const counted = (index: number | null): { index: number; number: number } | null =>
  index === null ? null : { index, number: index + 1 };

/** Where a thing comes from as plain data, in the words that files use. Every index is also given as the page counts. */
export function provenanceRecord(of: Provenance): Record<string, unknown> {
  const { part, compared } = of;
  const sideOf = (first: number, count: number, all: number): object => ({
    first: counted(first),
    last: counted(first + count - 1),
    of: all,
  });
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
    part: part && {
      query: sideOf(part.region.query, part.region.rows, part.whole.rows),
      key: sideOf(part.region.key, part.region.columns, part.whole.columns),
    },
    comparedWith: compared && {
      model: compared.model,
      text: compared.text,
      target: compared.target,
      hidden: compared.hidden,
      stack: compared.stack,
      layer: counted(compared.layer),
      head: counted(compared.head),
      edits: compared.edits,
    },
    aligned: of.aligned,
    link: of.link,
  };
}

/** Whether anything was changed in the model. */
function isEdited(edits: Edits): boolean {
  return Object.values(edits).some((list: readonly unknown[] | undefined) => list?.length);
}

// Names of files that say what is in them and that every system takes.

/** File systems take 255 bytes in all; the rest of a name needs less than half of them. */
const TEXT_BYTES = 64;
const WORD_BYTES = 40;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** For instance `headscope_en-fr_cross_layer-2_head-3_weights_she-gave-him.svg`, layers and heads counted from 1; several heads by all their numbers; of two runs, what sets the other apart stands last. */
export function fileName(provenance: Provenance, ending: string): string {
  const { model, stack, layer, head, beside, hiddenStates, quantity } = provenance;
  const { edits, view, part, compared, text } = provenance;
  const { query = 0, key = 0, rows = 0, columns = 0 } = part?.region ?? {};
  const parts = [
    "headscope",
    slug(model, WORD_BYTES),
    stack,
    layer !== null && `layer-${layer + 1}`,
    head !== null && ["head", ...[head, ...beside].map((index) => index + 1)].join("-"),
    [slug(quantity, WORD_BYTES), ...(hiddenStates === null ? [] : [hiddenStates])].join("-"),
    view?.unit === "word" && "by-word",
    view?.specialTokens === "hidden" && "ordinary-tokens",
    view?.renormalisedWithout && "renormalised",
    part && `q${query + 1}-${query + rows}`,
    part && `k${key + 1}-${key + columns}`,
    isEdited(edits) && "edited",
    slug(text, compared ? WORD_BYTES : TEXT_BYTES),
    compared && `vs-${otherOf(provenance, compared)}`,
  ];
  return `${parts.filter(Boolean).join("_")}.${ending}`;
}

/** What sets the other run apart: its model, its text, or that it has no edits, or has some. */
function otherOf({ model, text, edits }: Provenance, other: Reading): string {
  const apart = [
    other.model !== model && slug(other.model, WORD_BYTES),
    other.text !== text && slug(other.text, WORD_BYTES),
  ].filter(Boolean);
  if (apart.length > 0) return apart.join("_");
  if (isEdited(other.edits)) return "edited";
  return isEdited(edits) ? "original" : "same-text";
}

/** Letters, their marks and digits of every script, joined by hyphens; whole words as long as they fit in so many bytes. */
function slug(text: string, mostBytes: number): string {
  const fits = (name: string): boolean => new TextEncoder().encode(name).length <= mostBytes;
  // An apostrophe holds a word together.
  const plain = text.normalize("NFC").toLowerCase().replace(/['’]/g, "");
  let joined = "";
  for (const word of plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    if (joined !== "") {
      if (!fits(`${joined}-${word}`)) break;
      joined += `-${word}`;
      continue;
    }
    // The beginning of a word without spaces, which may be a whole sentence.
    for (const { segment } of graphemes.segment(word)) {
      if (!fits(joined + segment)) break;
      joined += segment;
    }
  }
  return joined;
}
