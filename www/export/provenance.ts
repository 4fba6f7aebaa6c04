import { version } from "../../package.json";
import type { Edits, Region, Stack, Tensor } from "../data/index.js";
import { graphemesOf } from "../draw/text.js";

export const VERSION = version;

export interface Axis {
  name: string;
  /**
   * The names of the places: tokens, stages or words of the vocabulary; null for places that are
   * only counted, such as dimensions.
   */
  labels: readonly string[] | null;
  /**
   * The number of the first place for readers: 1 for tokens, 0 for ids of the vocabulary.
   */
  first: number;
  size: number;
}

/** An axis of named places, or of a number of places that are only counted. */
export const axis = (name: string, places: readonly string[] | number, first = 1): Axis =>
  typeof places === "number"
    ? { name, labels: null, first, size: places }
    : { name, labels: places, first, size: places.length };

export interface LabelledTensor {
  tensor: Tensor;
  axes: readonly Axis[];
}

export interface Table {
  columns: readonly string[];
  /** The rows of the table; NaN is written as an empty field. */
  rows: readonly (readonly (string | number)[])[];
}

/** The differences between the displayed weights and the model's own. */
export interface View {
  unit: "token" | "word";
  specialTokens: "shown" | "hidden";
  /**
   * The key, counted from 0, without which the weights were renormalised; null for the model's own
   * weights.
   */
  renormalisedWithout: { index: number; token: string } | null;
}

export interface Part {
  region: Region;
  whole: Pick<Region, "rows" | "columns">;
}

export const NO_HEAD = {
  stack: null as Stack | null,
  layer: null as number | null,
  head: null as number | null,
};

/**
 * The provenance of numbers without a text and a model. Layers and heads count from zero, as in the
 * API.
 */
const NO_READING = {
  model: "",
  text: "",
  /** The text of the decoder of a translator; null for other models. */
  target: null as string | null,
  /** The positions of the text's masked tokens. */
  masked: [] as readonly number[],
  ...NO_HEAD,
  edits: {} as Edits,
};
export type Reading = Readonly<typeof NO_READING>;

/** The provenance of numbers that no run computed. */
export const NO_RUN = {
  ...NO_READING,
  /** Further heads of the same layer that are drawn or saved with the first one. */
  beside: [] as readonly number[],
  /** The index of hidden states: 0 for the embeddings, `n` for the output of layer `n`. */
  hiddenStates: null as number | null,
  view: null as View | null,
  part: null as Part | null,
  /**
   * The other run of a comparison, and the alignment of both runs' tokens; null for a single run.
   */
  compared: null as Reading | null,
  aligned: null as "words" | "positions" | null,
  /** The page's address; null for a model that only the user has. */
  link: null as string | null,
};

/**
 * All inputs of the saved numbers, and the saved quantity: a stage, `query`, `mask`, `masked`,
 * `logits` …
 */
export type Provenance = Readonly<typeof NO_RUN> & { readonly quantity: string };

/**
 * The provenance as plain data for a file, in which every index is also given as the page counts
 * it.
 */
export function provenanceRecord(of: Provenance): Record<string, unknown> {
  const { part, compared } = of;
  const counted = (index: number | null): object | null =>
    index === null ? null : { index, number: index + 1 };
  const side = (first: number, count: number, all: number): object => ({
    first: counted(first),
    last: counted(first + count - 1),
    of: all,
  });
  const textOf = ({ model, text, target, masked }: Reading): object => ({
    model,
    text,
    target,
    masked,
  });
  const headOf = ({ stack, layer, head }: Reading): object => ({
    stack,
    layer: counted(layer),
    head: counted(head),
  });
  return {
    headscope: VERSION,
    ...textOf(of),
    quantity: of.quantity,
    ...headOf(of),
    beside: of.beside.map(counted),
    hiddenStates: of.hiddenStates,
    edits: of.edits,
    view: of.view,
    part: part && {
      query: side(part.region.query, part.region.rows, part.whole.rows),
      key: side(part.region.key, part.region.columns, part.whole.columns),
    },
    comparedWith: compared && { ...textOf(compared), ...headOf(compared), edits: compared.edits },
    aligned: of.aligned,
    link: of.link,
  };
}

const isEdited = (edits: Edits): boolean =>
  Object.values(edits).some((list: readonly unknown[] | undefined) => list?.length);

/**
 * The most bytes of the text in a file name: file systems allow 255 bytes in all, of which the rest
 * needs less than half.
 */
const TEXT_BYTES = 64;
const WORD_BYTES = 40;

type Place = Pick<Reading, "stack" | "layer" | "head">;

/** The head of a compared run in a file's name; empty if it is the same head. */
function otherPlace(other: Place, { stack, layer, head }: Place): string {
  if (other.layer === null || other.head === null) return "";
  if (other.stack === stack && other.layer === layer && other.head === head) return "";
  return `${other.stack ?? "head"}-${other.layer + 1}-${other.head + 1}`;
}

/**
 * The name of a file, for instance `headscope_en-fr_cross_layer-2_head-3_weights_she-gave-him.svg`,
 * layers and heads counted from 1; the parts that distinguish a compared run come last.
 */
export function fileName(of: Provenance, ending: string): string {
  const { model, stack, layer, head, hiddenStates, edits, view, part, compared, text } = of;
  const { query = 0, key = 0, rows = 0, columns = 0 } = part?.region ?? {};
  const parts = [
    "headscope",
    slug(model, WORD_BYTES),
    stack,
    layer !== null && `layer-${layer + 1}`,
    head !== null && ["head", ...[head, ...of.beside].map((index) => index + 1)].join("-"),
    [slug(of.quantity, WORD_BYTES), ...(hiddenStates === null ? [] : [hiddenStates])].join("-"),
    view?.unit === "word" && "by-word",
    view?.specialTokens === "hidden" && "ordinary-tokens",
    view?.renormalisedWithout && "renormalised",
    part && `q${query + 1}-${query + rows}`,
    part && `k${key + 1}-${key + columns}`,
    isEdited(edits) && "edited",
    slug(text, compared ? WORD_BYTES : TEXT_BYTES),
  ];
  if (compared) {
    const place = otherPlace(compared, of);
    const other = [
      compared.model !== model && slug(compared.model, WORD_BYTES),
      compared.text !== text && slug(compared.text, WORD_BYTES - place.length),
      place,
    ];
    const edited = isEdited(compared.edits) ? "edited" : isEdited(edits) ? "original" : "same-text";
    parts.push(`vs-${other.filter(Boolean).join("_") || edited}`);
  }
  return `${parts.filter(Boolean).join("_")}.${ending}`;
}

/**
 * Letters, marks and digits of every script, joined by hyphens: as many whole words as fit in the
 * given bytes.
 */
function slug(text: string, mostBytes: number): string {
  const fits = (name: string): boolean => new TextEncoder().encode(name).length <= mostBytes;
  // An apostrophe is part of a word.
  const plain = text.normalize("NFC").toLowerCase().replace(/['’]/g, "");
  const [first = "", ...words] = plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  let joined = "";
  // The first word may be a whole sentence in a script without spaces.
  for (const sign of graphemesOf(first)) {
    if (!fits(joined + sign)) break;
    joined += sign;
  }
  for (const word of words) {
    if (!fits(`${joined}-${word}`)) break;
    joined += `-${word}`;
  }
  return joined;
}
