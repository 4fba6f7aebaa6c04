import type { StreamDepth, Step } from "../../data/index.js";
import { MOST_SIDE, SCHEMES } from "../../state/index.js";
import {
  FLAG,
  numberIn,
  oneOf,
  orOpen,
  placeTo,
  someOf,
  TEXT,
  type LabRange,
  type LabValue,
} from "./lab-values.js";

/*
 * What can be set in each laboratory, by its name in the address. The laboratories take from here what their controls offer, and
 * a link is read by it before any of them is fetched.
 */

/** The laboratories of masks, and those of positions in the order of their invention. */
export const MASK_LABS = ["stages", "cost", "cheat", "pad"] as const;
export const POSITION_LABS = [
  "sinusoidal",
  "learned",
  "rotary",
  "alibi",
  "buckets",
  "fourTerms",
] as const;
/** What is looked at on the bench of heads. */
export const ROOMS = ["heads", "blocks", "ranking", "pruning", "stream"] as const;

export const LAYOUTS = ["interleaved", "halves"] as const;
export const WAVE_RANGES = {
  dim: { least: 2, most: 512 },
  base: { least: 1, most: 1_000_000 },
  length: { least: 2, most: 256 },
} as const;
/** The most positions of a model that are looked at. */
export const MOST_POSITIONS = 512;
/** A slider without a step is one of factors, whose numbers need not be whole. */
export const ROTARY_RANGES = {
  query: { least: 0, most: 127, step: 1 },
  key: { least: 0, most: 127, step: 1 },
  shift: { least: 0, most: 1024, step: 1 },
  headDim: { least: 2, most: 128, step: 2 },
  base: { least: 1, most: 1_000_000, step: 0 },
  seed: { least: 0, most: 9999, step: 1 },
} as const;
export const ALIBI_RANGES = {
  heads: { least: 1, most: 64 },
  length: { least: 2, most: 64 },
} as const;
export const BUCKET_RANGES = {
  buckets: { least: 4, most: 128, step: 2 },
  maxDistance: { least: 3, most: 4096, step: 1 },
  length: { least: 2, most: 64, step: 1 },
  heads: { least: 1, most: 16, step: 1 },
  seed: { least: 0, most: 9999, step: 1 },
} as const;
export const BUCKET_SIDES = ["one", "both"] as const;
export const TERM_RANGES = {
  length: { least: 1, most: 48 },
  dim: { least: 1, most: 128 },
  seed: { least: 0, most: 9999 },
} as const;
export const SCORE_RANGES = {
  dim: { least: 1, most: 512 },
  seed: { least: 0, most: 9999 },
} as const;
export const QUANTITIES = ["pairs", "operations", "memory"] as const;
/** How many held-out sentences a study of pruning reads. */
export const STUDY_SIZES = [12, 24, 48, 96] as const;
export const STREAM_MEASURES = [
  "norm",
  "mean",
  "deviation",
  "share",
  "similarity",
] as const satisfies readonly (keyof StreamDepth)[];
export const NORM_STEPS = [
  "entered",
  "normed",
  "looked-normed",
  "ff-entered",
  "ff-normed",
] as const satisfies readonly Step[];
/** How many times the model's positions a text is long. */
export const LENGTH_TIMES = [2, 4] as const;
/** Neighbours that are averaged; 1 for every token by itself. */
export const WINDOWS = [1, 8, 16, 32] as const;
export const LENGTH_TEXTS = ["heldOut", "own"] as const;

/** How exactly the workbench shows numbers: as the figures do, or as far as the worked example is known. */
export const DIGITS = [3, 8] as const;
/** What its scores grow by is a logarithm, in hundredths of a power of ten: from once to a thousand times. */
export const MOST_GROWTH = 300;
/** Whose sizes two ways to project are compared at: the workbench's or the paper's. */
export const PROJECTION_SIZES = ["own", "paper"] as const;

/** No text has more tokens, and no model is wider. */
const LAST = 100_000;

export const LAB_TABLE = {
  masks: { open: someOf(MASK_LABS) },
  cost: { of: oneOf(QUANTITIES) },
  pad: { text: TEXT },
  places: { open: FLAG, part: oneOf(POSITION_LABS) },
  waves: {
    dim: numberIn(WAVE_RANGES.dim),
    base: numberIn({ ...WAVE_RANGES.base, whole: false }),
    length: numberIn(WAVE_RANGES.length),
    layout: oneOf(LAYOUTS),
    pair: numberIn({ least: 0, most: WAVE_RANGES.dim.most / 2 - 1 }),
  },
  learned: { length: numberIn({ least: 2, most: MOST_POSITIONS }) },
  rotary: {
    ...numbersIn(ROTARY_RANGES),
    headDim: numberIn({ ...ROTARY_RANGES.headDim, even: true }),
    base: numberIn({ ...ROTARY_RANGES.base, whole: false }),
    alike: FLAG,
  },
  alibi: { ...numbersIn(ALIBI_RANGES), head: placeTo(ALIBI_RANGES.heads.most), causal: FLAG },
  buckets: {
    ...numbersIn(BUCKET_RANGES),
    buckets: numberIn({ ...BUCKET_RANGES.buckets, even: true }),
    sides: oneOf(BUCKET_SIDES),
    head: placeTo(BUCKET_RANGES.heads.most),
  },
  terms: numbersIn(TERM_RANGES),
  lengths: {
    from: oneOf(LENGTH_TEXTS),
    text: TEXT,
    times: oneOf(LENGTH_TIMES),
    mean: oneOf(WINDOWS),
    schemes: someOf(SCHEMES),
  },
  scores: numbersIn(SCORE_RANGES),
  heads: { room: oneOf(ROOMS) },
  effect: { word: placeTo(LAST) },
  pruning: { sentences: orOpen(oneOf(STUDY_SIZES)) },
  stream: { of: oneOf(STREAM_MEASURES) },
  norm: { of: orOpen(oneOf(NORM_STEPS)), token: placeTo(LAST), number: placeTo(LAST), text: TEXT },
  numbers: { head: placeTo(MOST_SIDE) },
  worked: { digits: oneOf(DIGITS) },
  overflow: { times: numberIn({ least: 0, most: MOST_GROWTH }) },
  projection: { at: oneOf(PROJECTION_SIZES) },
} as const;

function numbersIn<Name extends string>(
  ranges: Readonly<Record<Name, LabRange>>,
): Record<Name, LabValue<number>> {
  return Object.fromEntries(
    Object.entries<LabRange>(ranges).map(([name, range]) => [name, numberIn(range)]),
  ) as Record<Name, LabValue<number>>;
}
