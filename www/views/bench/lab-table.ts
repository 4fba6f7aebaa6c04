import type { StreamDepth, Step } from "../../data/index.js";
import { MOST_SIDE, SCHEMES, TUTORIAL, type State } from "../../state/index.js";
import {
  choice,
  FLAG,
  flag,
  number,
  oneOf,
  place,
  placeInList,
  placeTo,
  some,
  someOf,
  text,
  type Others,
} from "./lab-values.js";

/*
 * What can be set in each demo, by its name in the address. A field of a demo of the kit is declared here and nowhere else: its
 * control, its bounds and its part of the address follow from it. A link is read by this table before any demo is fetched.
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
export const BUCKET_SIDES = ["one", "both"] as const;
/** The most positions of a model that are shown. */
export const MOST_POSITIONS = 512;
/** The base of Vaswani et al. 2017, section 3.5. */
export const PAPER_BASE = 10_000;

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
/** A slider of factors, whose numbers need not be whole. */
const BASES = { least: 1, most: 1_000_000, step: 0 } as const;
const SEEDS = { least: 0, most: 9999 } as const;

export const LAB_TABLE = {
  masks: { open: someOf(MASK_LABS) },
  stages: {},
  cost: {
    of: choice<(typeof QUANTITIES)[number]>("pairs", "cost.quantity", {
      options: QUANTITIES,
      named: (one) => `cost.${one}`,
      inView: true,
    }),
  },
  cheat: {},
  pad: { text: text("The dog sleeps.", "pad.other") },
  places: { open: FLAG, part: oneOf(POSITION_LABS) },
  waves: {
    dim: number(64, "posLab.dim", { least: 2, most: 512, step: 2 }),
    base: number(PAPER_BASE, "posLab.base", BASES),
    length: number(64, "posLab.length", { least: 2, most: 256 }),
    layout: choice<(typeof LAYOUTS)[number]>("interleaved", "at.layout", {
      options: LAYOUTS,
      named: (one) => `at.layout.${one}`,
    }),
    pair: number(4, "posLab.pair", {
      least: 0,
      most: 255,
      within: (of) => ({ most: Math.ceil(of("dim") / 2) - 1 }),
      inView: true,
    }),
  },
  learned: { length: number(128, "posLab.length", { least: 2, most: MOST_POSITIONS }) },
  rotary: {
    query: number(9, "rotaryLab.query", { least: 0, most: 127 }),
    key: number(4, "rotaryLab.key", { least: 0, most: 127 }),
    shift: number(20, "rotaryLab.shift", { least: 0, most: 1024 }),
    headDim: number(16, "rotaryLab.headDim", { least: 2, most: 128, step: 2, even: true }),
    base: number(10_000, "rotaryLab.base", BASES),
    seed: number(1, "rotaryLab.seed", SEEDS),
    alike: flag(false, "rotaryLab.alike"),
  },
  alibi: {
    heads: number(8, "schemeLab.heads", { least: 1, most: 64 }),
    head: place("schemeLab.head", 64, (of) => of("heads")),
    length: number(24, "schemeLab.tokens", { least: 2, most: 64 }),
    causal: flag(true, "alibiLab.causal", { asks: false }),
  },
  buckets: {
    buckets: number(32, "bucketsLab.buckets", { least: 4, most: 128, step: 2, even: true }),
    maxDistance: number(128, "bucketsLab.maxDistance", {
      least: 3,
      most: 4096,
      // Beyond the distances that have a bucket each.
      within: (of) => ({ least: of("buckets") / 2 + 1 }),
    }),
    length: number(40, "schemeLab.tokens", { least: 2, most: 64 }),
    heads: number(8, "schemeLab.heads", { least: 1, most: 16 }),
    head: place("schemeLab.head", 16, (of) => of("heads")),
    seed: number(1, "schemeLab.seed", SEEDS),
    sides: choice<(typeof BUCKET_SIDES)[number]>("both", "bucketsLab.sides", {
      options: BUCKET_SIDES,
      named: (one) => `bucketsLab.sides.${one}`,
    }),
  },
  terms: {
    length: number(12, "schemeLab.tokens", { least: 1, most: 48 }),
    dim: number(16, "fourTerms.dim", { least: 1, most: 128 }),
    seed: number(1, "schemeLab.seed", SEEDS),
  },
  lengths: {
    from: choice<(typeof LENGTH_TEXTS)[number]>("heldOut", "lengths.text", {
      options: LENGTH_TEXTS,
      named: (one) => `lengths.text.${one}`,
      look: "list",
    }),
    times: choice<(typeof LENGTH_TIMES)[number]>(2, "lengths.length", {
      options: LENGTH_TIMES,
      look: "list",
    }),
    text: text("", "lengths.text.own", true),
    schemes: some(["model", "none", "sinusoidal", "rotary", "alibi"], "lengths.schemes", {
      options: SCHEMES,
      named: (one) => `at.${one}`,
      asks: false,
    }),
    mean: choice<(typeof WINDOWS)[number]>(16, "lengths.window", {
      options: WINDOWS,
      named: (one) => (one === 1 ? "lengths.window.none" : null),
      inView: true,
    }),
  },
  broken: {},
  kind: {},
  scores: {
    dim: number(64, "scoreLab.dim", { least: 1, most: 512 }),
    seed: number(1, "kind.number.seed", SEEDS),
  },
  heads: { room: oneOf(ROOMS) },
  effect: { word: placeInList("ranking.choose", LAST) },
  pruning: {
    sentences: choice<(typeof STUDY_SIZES)[number]>(24, "pruning.choose", {
      options: STUDY_SIZES,
      look: "list",
    }),
  },
  stream: {
    of: choice<(typeof STREAM_MEASURES)[number]>("norm", "stream.measure", {
      options: STREAM_MEASURES,
      named: (one) => `stream.${one}`,
      asks: false,
    }),
  },
  norm: {
    of: choice<(typeof NORM_STEPS)[number]>("entered", "norm.which", {
      options: NORM_STEPS,
      look: "list",
    }),
    token: placeInList("norm.token", LAST),
    number: place("norm.column", LAST),
    text: text("", "norm.second"),
  },
  numbers: {
    head: {
      ...placeTo(MOST_SIDE),
      within: (_: Others, { numbers }: Pick<State, "numbers">) => ({
        most: (numbers ?? TUTORIAL).heads - 1,
      }),
    },
  },
  worked: {
    digits: choice<(typeof DIGITS)[number]>(3, "numbers.digits", { options: DIGITS, asks: false }),
  },
  overflow: {
    times: number(0, "numbers.overflow.times", {
      least: 0,
      most: MOST_GROWTH,
      told: (place) => `× ${Number((10 ** (place / 100)).toPrecision(3))}`,
    }),
  },
  projection: {
    at: choice<(typeof PROJECTION_SIZES)[number]>("own", "numbers.projection.at", {
      options: PROJECTION_SIZES,
      named: (one) => `numbers.projection.at.${one}`,
    }),
  },
} as const;
