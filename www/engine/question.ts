import { refuse } from "./errors.js";
import { isList, isNumber, isText, kindOf } from "./form.js";
import type { Read, ReadKind, Reads } from "./protocol.js";

interface Field {
  code: string;
  expected: string;
  fits(value: unknown): boolean;
}

const INDEX = "a whole number, counted from 0";

/** The form of what a run is asked by; whether it exists is for the core, which knows the run. */
const FIELDS = {
  stack: { code: "selection/bad-stack", expected: `"encoder", "decoder" or "cross"`, fits: isText },
  layer: { code: "selection/bad-layer", expected: INDEX, fits: isNumber },
  head: { code: "selection/bad-head", expected: INDEX, fits: isNumber },
  stage: {
    code: "selection/bad-stage",
    expected: `"raw", "scores", "masked" or "weights"`,
    fits: isText,
  },
  rows: {
    code: "selection/bad-position",
    expected: "two whole numbers, the first row and the one behind the last",
    fits: (value) => isList(value) && value.every(isNumber),
  },
  part: { code: "selection/bad-stage", expected: `"query", "key" or "value"`, fits: isText },
  rotated: {
    code: "selection/bad-stage",
    expected: "true or false",
    fits: (value) => typeof value === "boolean",
  },
  step: { code: "selection/bad-stage", expected: "the name of a step, a text", fits: isText },
  row: { code: "selection/bad-position", expected: INDEX, fits: isNumber },
  column: { code: "selection/bad-position", expected: INDEX, fits: isNumber },
  draws: { code: "selection/bad-size", expected: "a whole number of draws", fits: isNumber },
  size: { code: "selection/bad-size", expected: "a whole number of cells a side", fits: isNumber },
  topK: { code: "selection/bad-size", expected: "a whole number of tokens", fits: isNumber },
  lexicon: {
    code: "input/malformed",
    expected: "what is known of the vocabulary",
    fits: (value) => typeof value === "object",
  },
  other: { code: "input/malformed", expected: "another run of the same model", fits: isNumber },
  order: {
    code: "selection/bad-position",
    expected: "a list of whole numbers, counted from 0",
    fits: (value) => isList(value) && value.every(isNumber),
  },
  otherPositions: {
    code: "selection/bad-position",
    expected: "a list of whole numbers, counted from 0",
    fits: (value) => isList(value) && value.every(isNumber),
  },
  lengths: {
    code: "selection/bad-size",
    expected: "a list of whole numbers of tokens",
    fits: (value) => isList(value) && value.every(isNumber),
  },
  ids: {
    code: "input/bad-id",
    expected: "a list of whole numbers, counted from 0",
    fits: (value) => isList(value) && value.every(isNumber),
  },
  positions: {
    code: "selection/bad-position",
    expected: "a list of whole numbers, counted from 0",
    fits: (value) => isList(value) && value.every(isNumber),
  },
} as const satisfies Record<string, Field>;

type FieldName = keyof typeof FIELDS;

const ASKED: { readonly [K in ReadKind]: readonly (FieldName & keyof Reads[K]["ask"])[] } = {
  attention: ["stack", "layer", "head", "stage", "rows"],
  mask: ["stack", "layer", "head"],
  qkv: ["stack", "layer", "head", "part", "rotated"],
  hidden: ["stack", "layer"],
  logits: ["positions"],
  predictions: ["positions", "topK"],
  probabilities: ["positions", "ids"],
  positions: ["stack"],
  thumbnails: ["stack", "size", "stage"],
  cost: ["stack", "layer", "lengths"],
  fullyMasked: ["stack", "layer", "head"],
  measures: ["stack", "lexicon"],
  likeness: ["stack", "layer", "head"],
  spectrum: ["stack", "layer", "head"],
  headCost: ["stack", "layer", "head"],
  dropoutMean: ["stack", "layer", "head", "draws"],
  steps: ["stack", "layer", "head"],
  explain: ["stack", "layer", "head", "step", "row", "column"],
  cosines: ["stack", "positions", "other", "otherPositions"],
  residuals: ["stack"],
  distances: ["stack", "other", "order"],
  divergences: ["stack", "other"],
};

/** What a field that is left out stands for, where that is allowed. */
const DEFAULTS: { readonly [K in ReadKind]?: Partial<Reads[K]["ask"]> } = {
  attention: { stage: "weights", rows: null },
  qkv: { rotated: true },
  thumbnails: { stage: "weights" },
  logits: { positions: null },
  distances: { order: null },
};

/**
 * What a run is asked, with its defaults. A question of the wrong form is refused before it
 * crosses to the engine's thread, where some of them (a function, say) would not arrive.
 */
export function question<K extends ReadKind>(what: K, which: unknown): Reads[K]["ask"] {
  const given: Readonly<Record<string, unknown>> = { ...(which as object | null | undefined) };
  const defaults: Readonly<Record<string, unknown>> = DEFAULTS[what] ?? {};
  const fields = ASKED[what].map((name: FieldName) => {
    const value = given[name];
    // Where nothing is the default it may also be said.
    if ((value === undefined && name in defaults) || (value === null && defaults[name] === null))
      return [name, defaults[name]];
    const { code, expected, fits } = FIELDS[name];
    if (!fits(value)) throw refuse(code, `the ${name}`, expected, kindOf(value));
    return [name, value];
  });
  return Object.fromEntries(fields) as Reads[K]["ask"];
}

/** The same as it crosses to the engine's thread. */
export function readOf(what: ReadKind, which: unknown): Read {
  // The protocol pairs each question with its answer; a spread has lost which one it is.
  return { what, ...question(what, which) } as Read;
}
