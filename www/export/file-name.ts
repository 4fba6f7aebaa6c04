// Names of files that say what is in them and that every system takes.
import { isEdited, type Part, type Provenance, type Reading, type View } from "./exhibit.js";

/** File systems take 255 bytes in all; the rest of a name needs less than half of them. */
const TEXT_BYTES = 64;
const WORD_BYTES = 40;
/** Where a name says two texts. */
const EACH_TEXT_BYTES = 40;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** For instance `headscope_en-fr_cross_layer-2_head-3_weights_she-gave-him.svg`, layers and heads counted from 1; several heads by all their numbers; of two runs, what sets the other apart stands last. */
export function fileName(provenance: Provenance, ending: string): string {
  const {
    model,
    stack,
    layer,
    head,
    beside,
    hiddenStates,
    quantity,
    edits,
    view,
    part,
    compared,
    text,
  } = provenance;
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

/** What was done to a pattern before it was saved: nobody should take it for the model's own. */
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
  let kept = "";
  for (const { segment } of graphemes.segment(word)) {
    if (bytesOf(kept + segment) > mostBytes) break;
    kept += segment;
  }
  return kept;
}

const utf8 = new TextEncoder();

function bytesOf(text: string): number {
  return utf8.encode(text).length;
}
