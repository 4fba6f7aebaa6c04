import {
  ROLES,
  type AttentionEdit,
  type BlockEdit,
  type Cell,
  type HeadEdit,
  type MaskEdit,
  type Palette,
  type PositionEdit,
  type Region,
  type Role,
  type Stack,
  type Stage,
  type StepCell,
} from "../data/index.js";
import type { Language } from "../i18n/index.js";
import type { MatrixInputs } from "./workbench.js";

/** The version of the State that this page writes into its address. */
export const STATE_VERSION = 1;

/** Folders of the models that come with the page, relative to it. */
export const BUNDLED_MODELS = ["models/en-fr", "models/tiny-gpt", "models/tiny-bert"] as const;
export type BundledModel = (typeof BUNDLED_MODELS)[number];
/** A folder from the reader's own disk, which no address can carry. */
export type OpenedModel = `opened/${string}`;
/** A folder that a page names: by a URL, as seen from the page, or by a hub id. No address carries it. */
export type AddressedModel = `at/${string}`;
export type ModelName = BundledModel | OpenedModel | AddressedModel;

export const STACKS = ["encoder", "decoder", "cross"] as const satisfies readonly Stack[];
export const STAGES = ["raw", "scores", "masked", "weights"] as const satisfies readonly Stage[];
export const PICTURES = ["heatmap", "lines", "dimensions", "steps", "mask", "positions"] as const;
/** What a row or column of weights stands for, whether special tokens have one, and whether a sink keeps its own. */
export const UNITS = ["token", "word"] as const;
export const SPECIALS = ["shown", "hidden"] as const;
export const SINKS = ["kept", "out"] as const;
/** What computes. */
export const BACKENDS = ["cpu", "webgpu"] as const;
export const THEMES = ["light", "dark", "system"] as const;
/** The steps of the tour in their order; the address counts them from one. */
export const TOUR = ["row", "match", "softmax", "heads", "mask", "order", "cross", "edit"] as const;

/** Heads that reach a role's threshold, or that reach none. */
export type RoleFilter = Role | "none";
export const ROLE_FILTERS: readonly RoleFilter[] = [...ROLES.map(({ role }) => role), "none"];
/** By their place, by a measure on this text, by likeness to the chosen head, or by a role's score. */
export type HeadSort = "place" | "entropy" | "likeness" | Role;
export const HEAD_SORTS: readonly HeadSort[] = [
  "place",
  "entropy",
  "likeness",
  ...ROLES.map(({ role }) => role),
];

export type Picture = (typeof PICTURES)[number];
export type Theme = (typeof THEMES)[number];
export type TourStep = (typeof TOUR)[number];

/** What the run that is shown stands beside: itself without the edits, or another text or model. */
export const COMPARISONS = ["original", "other"] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** The parts of the bench, where the mechanism is changed. */
export const BENCHES = ["masks", "positions", "kinds", "heads", "numbers"] as const;
export type Bench = (typeof BENCHES)[number];

/** What makes tokens of two texts each other's counterparts: that their words correspond, or that they stand at the same place. */
export const ALIGNMENTS = ["words", "positions"] as const;
export type AlignedBy = (typeof ALIGNMENTS)[number];

/** Which of the two texts: what is read, or what is written. */
export type Side = "source" | "target";

export const POOLS = ["sum", "mean"] as const;
export const LOOKINGS = ["from", "to"] as const;

/** Tokens of one text that are looked at together. */
export interface Picked {
  side: Side;
  /** Their positions, in the order in which they were picked; at least one. */
  tokens: readonly number[];
  /** What they have together, or on the average. */
  pool: (typeof POOLS)[number];
  /** What they look at, or what looks at them, where their text is on both axes. */
  looking: (typeof LOOKINGS)[number];
}

/** A token of the text and its counterpart in the other one, or of what was written from them. */
export interface HandPair {
  readonly side: Side;
  readonly one: number;
  readonly other: number;
}

/** How many layers and heads each stack of a model has. */
export type StackSizes = Partial<Record<Stack, { layers: number; heads: number }>>;

/** The edits that are active, in the order in which they were made. Always all lists. */
export interface EditLists {
  readonly masks: readonly MaskEdit[];
  readonly heads: readonly HeadEdit[];
  readonly blocks: readonly BlockEdit[];
  readonly attention: readonly AttentionEdit[];
  readonly positions: readonly PositionEdit[];
}

export const EDIT_LISTS = [
  "masks",
  "heads",
  "blocks",
  "attention",
  "positions",
] as const satisfies readonly (keyof EditLists)[];

/**
 * Everything that decides what the page shows. All views are a function of this one value;
 * the address, undo and a shared link are the same value written down.
 */
export interface State {
  readonly model: ModelName;
  readonly text: string;
  /** Positions of the text's tokens that are hidden from the model, in the order in which they were hidden. */
  readonly hidden: readonly number[];
  /** The user's own translation; null while the model writes it. */
  readonly target: string | null;
  readonly stack: Stack;
  /** Zero-based, as in the engine; views and the address show it one-based. */
  readonly layer: number;
  readonly head: number;
  /** Which heads the grid shows; null for all. */
  readonly roleFilter: RoleFilter | null;
  readonly headSort: HeadSort;
  readonly stage: Stage;
  readonly locked: Cell | null;
  /** Tokens that are looked at together; null for none. */
  readonly picked: Picked | null;
  /** Weights between tokens, or between the words that they make up. */
  readonly unit: (typeof UNITS)[number];
  /** Whether pictures have rows and columns of special tokens. */
  readonly specials: (typeof SPECIALS)[number];
  /** Whether a token that swallows the weight is left out, and the others divided by what they add up to. */
  readonly sink: (typeof SINKS)[number];
  readonly picture: Picture;
  /** The part of a matrix that is shown, in the picture's own rows and columns; null for all of it. */
  readonly region: Region | null;
  /** The links that are drawn as lines hold this percentage of each query's weight, 1 to 100. */
  readonly mass: number;
  /** Heads of the same layer whose lines are drawn beside those of the chosen one. */
  readonly beside: readonly number[];
  /** The number of the block's steps that is looked at; null for the one that goes with the pair. */
  readonly number: StepCell | null;
  readonly edits: EditLists;
  /** The part of the bench that is open; null for none. */
  readonly bench: Bench | null;
  /** What is set in the laboratories of the bench, as the address has it; null where all are as they open. */
  readonly labs: string | null;
  /** What is on the workbench; null for the example that it opens on. */
  readonly numbers: MatrixInputs | null;
  /** Null for a run that stands alone. */
  readonly compare: Comparison | null;
  /** The text and the model beside; null for those of the run that is shown. */
  readonly otherText: string | null;
  readonly otherModel: ModelName | null;
  readonly aligned: AlignedBy;
  /** Counterparts that the reader chose instead of those that were found. */
  readonly pairs: readonly HandPair[];
  /** The step of the tour that the reader is on; null for one who is on none. */
  readonly tour: TourStep | null;
  /** Which backend of the engine computes. */
  readonly backend: (typeof BACKENDS)[number];
  /** The colour map of weights. */
  readonly colours: Palette;
  readonly theme: Theme;
  /** Null follows the browser. */
  readonly language: Language | null;
}

export const NO_EDITS: EditLists = {
  masks: [],
  heads: [],
  blocks: [],
  attention: [],
  positions: [],
};

/** Whether a model comes with the page. */
export function isBundled(model: ModelName): model is BundledModel {
  return BUNDLED_MODELS.some((bundled) => bundled === model);
}

/** Whether a model is a folder from the reader's own disk. */
export function isOpened(model: ModelName): model is OpenedModel {
  return model.startsWith("opened/");
}

/** The model that a page names: a bundled one by its name, any other by the URL of its folder or its hub id. */
export function modelNamed(text: string): ModelName {
  return BUNDLED_MODELS.find((bundled) => bundled === text) ?? `at/${text}`;
}

/** What a first visit shows. */
export const DEFAULT_STATE: State = {
  model: "models/en-fr",
  text: "She gave him the book that he wanted to read.",
  hidden: [],
  target: null,
  stack: "cross",
  layer: 1,
  head: 4,
  roleFilter: null,
  headSort: "place",
  stage: "weights",
  locked: null,
  picked: null,
  unit: "token",
  specials: "shown",
  sink: "kept",
  picture: "heatmap",
  region: null,
  mass: 90,
  beside: [],
  number: null,
  edits: NO_EDITS,
  bench: null,
  labs: null,
  numbers: null,
  compare: null,
  otherText: null,
  otherModel: null,
  aligned: "words",
  pairs: [],
  tour: null,
  backend: "cpu",
  colours: "blue",
  theme: "system",
  language: null,
};

/** The tokens with one more, or one less; null when none is left. Others of the other text give way. */
export function togglePicked(picked: Picked | null, side: Side, index: number): Picked | null {
  const { pool, looking } = picked ?? { pool: "sum", looking: "from" };
  const before = picked?.side === side ? picked.tokens : [];
  const tokens = before.includes(index)
    ? before.filter((other) => other !== index)
    : [...before, index];
  return tokens.length === 0 ? null : { side, tokens, pool, looking };
}
