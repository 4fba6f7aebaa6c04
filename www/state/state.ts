import {
  JOINED,
  PALETTES,
  type Region,
  ROLES,
  type Role,
  SHARES,
  type Stage,
  STEPS,
} from "../data/index.js";
import type { Cell, DepthPlace, HeadRef, Stack, StepCell } from "../data/index.js";
import { LANGUAGES } from "../i18n/index.js";
import { type EditLists, NO_EDITS, STACKS } from "./edits.js";
import { decodeEdits, decodeNumbers, encodeEdits, encodeJson } from "./json.js";
import type { MatrixInputs } from "./matrix-inputs.js";
import {
  BUNDLED_MODELS,
  linkedName,
  MODEL_FORM,
  type ModelName,
  readLinkedModel,
} from "./model-names.js";
import { type Sampling, sampling } from "./sampling.js";

/** The version of the State that this page writes into its address. */
export const STATE_VERSION = 1;

export const STAGES = ["raw", "scores", "masked", "weights"] as const satisfies readonly Stage[];
/** The stages of a head and what each key adds through it. */
export const SHOWN_STAGES = [...STAGES, ...SHARES] as const;
export const PICTURES = [
  "heatmap",
  "image",
  "lines",
  "dimensions",
  "steps",
  "mask",
  "positions",
  "layers",
] as const;
/** The numbers that colour the predictions of layers. */
export const SHADES = ["probability", "entropy", "divergence", "rank"] as const;
export const UNITS = ["token", "word"] as const;
export const BACKENDS = ["cpu", "webgpu"] as const;
export const THEMES = ["light", "dark", "system"] as const;
/** The steps of the tour in order; the address counts them from one. */
export const TOUR = ["row", "match", "softmax", "heads", "mask", "order", "cross", "edit"] as const;
/** Learners' questions that a State answers, by their names in the address. */
export const QUESTIONS = [
  "it",
  "unscaled",
  "future",
  "unordered",
  "previous",
  "important",
  "translation",
  "sink",
  "cost",
  "vectors",
  "weights",
  "output",
  "residual",
  "padding",
  "schemes",
  "induction",
  "meaning",
  "sparse",
  "rank",
  "patches",
  "layers",
  "explanation",
  "temperature",
  "beams",
  "writing",
  "forming",
] as const;
const ROLE_NAMES = ROLES.map(({ role }) => role);
export type RoleFilter = Role | "none";
export const ROLE_FILTERS: readonly RoleFilter[] = [...ROLE_NAMES, "none"];
/**
 * The order of heads: by layer and head, by a measure on this text, by divergence from the chosen
 * head, or by a role's score.
 */
export type HeadSort = "place" | "entropy" | "divergence" | Role;
export const HEAD_SORTS: readonly HeadSort[] = ["place", "entropy", "divergence", ...ROLE_NAMES];
export const EXPERIMENTS = [
  "masks",
  "positions",
  "variants",
  "heads",
  "patching",
  "decoding",
  "calculator",
] as const;
/** The alignments of the tokens of two texts: corresponding words, or the same position. */
export const ALIGNMENTS = ["words", "positions"] as const;
export const POOLS = ["sum", "mean"] as const;
export const LOOKINGS = ["from", "to"] as const;

export type Picture = (typeof PICTURES)[number];
export type ShownStage = (typeof SHOWN_STAGES)[number];
export type Shade = (typeof SHADES)[number];
export type TourStep = (typeof TOUR)[number];
export type Question = (typeof QUESTIONS)[number];
/** A guide: the text of a card above the State that it shows. */
export type Guide = TourStep | Question;
/** The other run of a comparison: the run without edits, or another text or model. */
export type Comparison = "original" | "other";
export type Experiment = (typeof EXPERIMENTS)[number];
export type AlignedBy = (typeof ALIGNMENTS)[number];
/** One of the two texts: the one that is read, or the one that is generated. */
export type Side = "source" | "target";

/** Selected tokens of one text, whose attention is summed. */
export interface Picked {
  side: Side;
  /** The positions of the tokens, in the order of selection; at least one. */
  tokens: readonly number[];
  pool: (typeof POOLS)[number];
  /**
   * The direction, if the text is on both axes: the tokens attended to, or those that attend to the
   * selected ones.
   */
  looking: (typeof LOOKINGS)[number];
}

/**
 * A user's pair of a token and its counterpart in the other text, or in the texts generated from
 * both.
 */
export interface HandPair {
  readonly side: Side;
  readonly one: number;
  readonly other: number;
}

/** The written form of a value in the address. */
interface Kind<Value> {
  /** An example of the form, the same in every language. */
  form: string;
  encode: (value: Value) => string;
  /** Reads a text; undefined if it is not readable. */
  decode: (text: string) => Value | undefined;
}

/** A field of the State: its name in the address, its default, and its written form. */
type Field<Value> = Kind<Value> & { name: string; usual: Value };

function field<Value>(name: string, usual: Value, kind: Kind<Value>): Field<Value> {
  return { name, usual, ...kind };
}

function orNull<Value>(name: string, kind: Kind<Value>): Field<Value | null> {
  return field<Value | null>(name, null, kind as Kind<Value | null>);
}

const anyText: Kind<string> = { form: "…", encode: (value) => value, decode: (text) => text };

function oneOf<Value extends string>(...allowed: readonly Value[]): Kind<Value> {
  return {
    form: allowed.join(" | "),
    encode: (value) => value,
    decode: (text) => allowed.find((value) => value === text),
  };
}

/**
 * The written form of a model; one from a disk is left out, since readers of the address do not
 * have it.
 */
const linked: Kind<ModelName> = {
  form: MODEL_FORM,
  encode: (value) => linkedName(value) ?? BUNDLED_MODELS[0],
  decode: readLinkedModel,
};

/** The written form of a second model; one that no address can hold is written as none. */
const linkedOrNone: Kind<ModelName | null> = {
  form: linked.form,
  encode: (value) => (value === null ? "" : (linkedName(value) ?? "")),
  decode: (text) => (text === "" ? null : linked.decode(text)),
};

/** The written form of a number from 0, which the address and the page count from one. */
const index: Kind<number> = {
  form: "1, 2, 3 …",
  encode: (value) => String(value + 1),
  decode: (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : 0;
    return number >= 1 && Number.isSafeInteger(number) ? number - 1 : undefined;
  },
};

/** The written form of an entry of the vocabulary, by its id. */
const entry: Kind<number> = {
  form: "0, 1, 2 …",
  encode: String,
  decode: (text) => (/^\d{1,8}$/.test(text) ? Number(text) : undefined),
};

/**
 * The written form of a list separated by commas, each value once; undefined if one is not
 * readable.
 */
function listOf<Value>({ encode, decode }: Kind<Value>, form: string): Kind<readonly Value[]> {
  return {
    form,
    encode: (list) => list.map(encode).join(","),
    decode: (text) => {
      const list = text === "" ? [] : text.split(",").map(decode);
      return list.every((one) => one !== undefined) ? [...new Set(list)] : undefined;
    },
  };
}

const positions = listOf(index, "2,4");

/** The written form of a whole number from 1 to 100. */
const percentage: Kind<number> = {
  form: "1 … 100",
  encode: String,
  decode: (text) => (/^([1-9]\d?|100)$/.test(text) ? Number(text) : undefined),
};

const guide: Kind<Guide> = {
  form: `1 … ${TOUR.length} | ${QUESTIONS.join(" | ")}`,
  encode: (of) => {
    const at = TOUR.findIndex((step) => step === of);
    return at < 0 ? of : index.encode(at);
  },
  decode: (text) =>
    TOUR[index.decode(text) ?? -1] ?? QUESTIONS.find((question) => question === text),
};

/** The written form of a step of a lesson, which the lessons check when they open. */
const lessonStep: Kind<string> = {
  ...anyText,
  form: "dots.2",
  decode: (text) => (/^([a-z]+|\{.+\})\.[1-9]\d?$/s.test(text) ? text : undefined),
};

const side: Kind<Side> = {
  form: "s | t",
  encode: (value) => value.charAt(0),
  decode: (letter) => (letter === "s" ? "source" : letter === "t" ? "target" : undefined),
};
const step = oneOf(...STEPS);

/**
 * The written form of an object by a template such as `{query}-{key}` of its fields: a side is a
 * letter, a step a word, all others are numbers from 0.
 */
function placed<Value extends object>(form: string, template: string): Kind<Value> {
  const FIELD = /\{(\w+)\}/g;
  const kindOf = (name: string): Kind<unknown> =>
    (name === "side" ? side : name === "step" ? step : index) as Kind<unknown>;
  const pattern = template
    .replace(".", "\\.")
    .replace(FIELD, (_, name: string) =>
      name === "side" ? "(?<side>[st])" : name === "step" ? "(?<step>[a-z-]+)" : `(?<${name}>\\d+)`,
    );
  return {
    form,
    encode: (value) =>
      template.replace(FIELD, (_, name: string) => kindOf(name).encode(value[name as keyof Value])),
    decode: (text) => {
      const parts = Object.entries(new RegExp(`^${pattern}$`).exec(text)?.groups ?? {});
      const read = parts.map(([name, part]) => [name, kindOf(name).decode(part)] as const);
      const isWhole = read.length > 0 && read.every(([, value]) => value !== undefined);
      return isWhole ? (Object.fromEntries(read) as Value) : undefined;
    },
  };
}

const corners = placed<Record<"top" | "bottom" | "left" | "right", number>>(
  "11-40x1-30",
  "{top}-{bottom}x{left}-{right}",
);
const region: Kind<Region> = {
  form: corners.form,
  encode: ({ query, key, rows, columns }) =>
    corners.encode({ top: query, bottom: query + rows - 1, left: key, right: key + columns - 1 }),
  decode: (text) => {
    const { top = 0, bottom = -1, left = 0, right = -1 } = corners.decode(text) ?? {};
    return bottom < top || right < left
      ? undefined
      : { query: top, key: left, rows: bottom - top + 1, columns: right - left + 1 };
  },
};

/** The written form of a head: its stack, its layer and its place in the layer. */
const headRef: Kind<HeadRef> = {
  form: "cross.2-5",
  encode: ({ stack, layer, head }) => `${stack}.${index.encode(layer)}-${index.encode(head)}`,
  decode: (text) => {
    const [, name, row = "", column = ""] = /^(\w+)\.(\d+)-(\d+)$/.exec(text) ?? [];
    const stack = STACKS.find((one): one is Stack => one === name);
    const [layer, head] = [row, column].map(index.decode);
    return stack && layer !== undefined && head !== undefined ? { stack, layer, head } : undefined;
  },
};

const picked: Kind<Picked> = {
  form: "s2,5",
  encode: ({ side: of, tokens, pool, looking }) =>
    `${side.encode(of)}${positions.encode(tokens)}${pool === "mean" ? ".mean" : ""}${looking === "to" ? ".to" : ""}`,
  decode: (text) => {
    const [, letter = "", list = "", mean, to] =
      /^([st])([\d,]+)(\.mean)?(\.to)?$/.exec(text) ?? [];
    const of = side.decode(letter);
    const tokens = positions.decode(list);
    return (
      of && tokens && { side: of, tokens, pool: mean ? "mean" : "sum", looking: to ? "to" : "from" }
    );
  },
};

const edits: Kind<EditLists> = {
  form: "{'heads':[{'stack':'cross','layers':[1],'gate':0}]}",
  encode: encodeEdits,
  decode: decodeEdits,
};

const numbers: Kind<MatrixInputs> = {
  form: "{'words':['a','b'],'x':[[1,0],[0,1]],…}",
  encode: encodeJson,
  decode: decodeNumbers,
};

/** The written form of the demos' settings, which each demo checks when it opens. */
const demos: Kind<string> = {
  ...anyText,
  form: "waves(dim-128)",
  decode: (text) => (/^(?:\w+\([\w.,-]*\))+$/.test(text) ? text : undefined),
};

/** The written form of a training's settings, which the part of the page checks when it opens. */
const training: Kind<string> = {
  ...anyText,
  form: "induction(layers-2)",
  decode: (text) => (/^[\w.,:;()-]*$/.test(text) ? text : undefined),
};

/**
 * The table of the State's fields: everything that decides what the page shows, with the values of
 * a first visit and the form in the address. A field at its default is not written.
 */
export const FIELDS = {
  model: field<ModelName>("model", "models/en-fr", linked),
  // An image that a model reads in place of the text is too large for an address: links open with
  // the sample.
  text: field("text", "She gave him the book that he wanted to read.", anyText),
  /**
   * Whether the text is a chat as the model's chat template wrote it, with its special tokens:
   * none are added around it.
   */
  chat: field("chat", "off", oneOf("off", "on")),
  /**
   * Positions of the text's tokens that are masked, in the order in which they were
   * masked.
   */
  masked: field("masked", [], positions),
  /** The user's own translation; null while the model writes it. */
  target: orNull("target", anyText),
  /** How the model draws the tokens that it writes; null for the likeliest ones. */
  sampling: orNull<Sampling>("sampling", sampling),
  stack: field("stack", "cross", oneOf(...STACKS)),
  layer: field("layer", 1, index),
  head: field("head", 4, index),
  /** The role of the heads that the grid shows; null for all heads. */
  roleFilter: orNull("role", oneOf(...ROLE_FILTERS)),
  headSort: field("sort", "place", oneOf(...HEAD_SORTS)),
  /** Several heads whose patterns a heatmap shows as one, in place of the head; null for none. */
  joined: orNull("joined", oneOf(...JOINED)),
  stage: field("stage", "weights", oneOf(...SHOWN_STAGES)),
  locked: orNull("cell", placed<Cell>("3-5", "{query}-{key}")),
  picked: orNull("picked", picked),
  /** Whether weights are shown between tokens or between words. */
  unit: field("by", "token", oneOf(...UNITS)),
  /** Whether pictures have rows and columns of special tokens. */
  specials: field("specials", "shown", oneOf("shown", "hidden")),
  /** Whether an attention sink is left out and the other weights are divided by their sum. */
  sink: field("sink", "kept", oneOf("kept", "out")),
  picture: field("picture", "heatmap", oneOf(...PICTURES)),
  /**
   * The region of a matrix that is shown, in the picture's rows and columns; null for all of it.
   */
  region: orNull("region", region),
  /** The percentage of each query's weight that the drawn lines hold. */
  mass: field("mass", 90, percentage),
  /** Heads of the same layer whose lines are drawn beside the chosen one's. */
  beside: field("beside", [], positions),
  /** The selected number of the block's steps; null for the one of the focused pair. */
  number: orNull("number", placed<StepCell>("context.2-3", "{step}.{row}-{column}")),
  /** The number that colours the predictions of layers. */
  shade: field("shade", "probability", oneOf(...SHADES)),
  /** The selected prediction: its depth and its position; null for the last of both. */
  depth: orNull("depth", placed<DepthPlace>("3-5", "{layer}-{position}")),
  /** The entry of the vocabulary that layers are asked about; null for the likeliest at the end. */
  entry: orNull("entry", entry),
  /**
   * The entry whose logit is taken off that of the chosen one; null for none, in a grid of patches
   * for the likeliest of the corrupted text.
   */
  against: orNull("against", entry),
  edits: field("edits", NO_EDITS, edits),
  /** The open part of the experiments; null for none. */
  experiment: orNull("experiment", oneOf(...EXPERIMENTS)),
  /** The settings of the demos, as in the address; null if all are at their defaults. */
  demos: orNull("demos", demos),
  /** The calculator's matrices; null for its first example. */
  numbers: orNull("numbers", numbers),
  compare: orNull("compare", oneOf("original", "other")),
  /** The compared text and model; null for those of the shown run. */
  otherText: orNull("other", anyText),
  /** The translation of the compared run beside the user's own one; null for the same. */
  otherTarget: orNull("othertarget", anyText),
  otherModel: field("othermodel", null, linkedOrNone),
  /** The compared head; null for the shown one. */
  otherHead: orNull("otherhead", headRef),
  aligned: field("aligned", "words", oneOf(...ALIGNMENTS)),
  /** Counterparts that the user chose in place of the computed ones. */
  pairs: field("pairs", [], listOf(placed<HandPair>("s3-4", "{side}{one}-{other}"), "s3-4,t2-5")),
  /**
   * The settings of the training that the page shows in place of a model; empty for those of a
   * first visit, null while no training is open.
   */
  training: orNull("training", training),
  tour: orNull("tour", guide),
  /**
   * The step of a lesson: the lesson's name, or the whole lesson as JSON, and the number of the
   * step, with a full stop between them.
   */
  lesson: orNull("lesson", lessonStep),
  backend: field("backend", "cpu", oneOf(...BACKENDS)),
  colours: field("colours", "blue", oneOf(...PALETTES)),
  theme: field("theme", "system", oneOf(...THEMES)),
  language: orNull("language", oneOf(...LANGUAGES.map(({ code }) => code))),
};

/**
 * The one value from which all views are computed; the address, undo and a shared link are this
 * value, written down.
 */
export type State = {
  readonly [Key in keyof typeof FIELDS]: (typeof FIELDS)[Key]["usual"];
};

export const FIELD_KEYS = Object.keys(FIELDS) as (keyof State)[];

export const DEFAULT_STATE = Object.fromEntries(
  FIELD_KEYS.map((key) => [key, FIELDS[key].usual]),
) as State;

/** A list with one more item, or without it if it is present. */
export const toggled = <Item>(list: readonly Item[], item: Item): Item[] =>
  list.includes(item) ? list.filter((other) => other !== item) : [...list, item];

/**
 * The selected tokens with one more, or one less; null if none is left. Selected tokens of the
 * other text are dropped.
 */
export function togglePicked(before: Picked | null, side: Side, token: number): Picked | null {
  const { pool, looking } = before ?? { pool: "sum", looking: "from" };
  const tokens = toggled(before?.side === side ? before.tokens : [], token);
  return tokens.length === 0 ? null : { side, tokens, pool, looking };
}
