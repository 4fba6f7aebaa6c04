/** The settings of a training: one object, its checks, and the edits that belong to it. */
import type { Edits } from "../data/index.js";
import { type HeadscopeError, refuse } from "../engine/errors.js";
import { formOf, NORMS, PLACES, POSITIONS } from "./forms.js";
import { KINDS, type Kind, type TaskName, TASKS } from "./tasks/index.js";

export const ACTIVATIONS = ["relu", "gelu", "silu"] as const;
export const METHODS = ["adamw", "sgd"] as const;
export const SCHEDULES = ["constant", "cosine"] as const;
export const WIDTHS = [16, 32, 48, 64, 96, 128] as const;
export const HEADS = [1, 2, 4, 8] as const;

/** The settings of a training: with the seed they determine every number of it. */
export interface TrainingSettings {
  task: TaskName;
  /** What the task counts: symbols of a question, digits of a number, tokens of a text. */
  length: number;
  kind: Kind;
  /** The number of blocks; of an encoder–decoder, of each of its stacks. */
  layers: number;
  /** The width of the residual stream; the feed-forward networks are 4 times as wide. */
  width: number;
  /** The number of heads of an attention site. */
  heads: number;
  positions: (typeof POSITIONS)[number];
  /** Layer norm, or RMS norm, with which the feed-forward network has a gate. */
  norm: (typeof NORMS)[number];
  /** Whether norms stand before the sublayers, or after the sums. */
  place: (typeof PLACES)[number];
  activation: (typeof ACTIVATIONS)[number];
  /** Whether scores are divided by `√d_h`. */
  scale: boolean;
  /** Whether the input of a sublayer is added to its output. */
  residuals: boolean;
  /** Whether later tokens are masked in a decoder. */
  mask: boolean;
  /** The share of attention weights that is dropped in a step. */
  dropout: number;
  /** The share of each target's probability that is spread over all tokens. */
  labelSmoothing: number;
  method: (typeof METHODS)[number];
  learningRate: number;
  /** The decays of the moments of AdamW. */
  beta1: number;
  beta2: number;
  /** The term `ε` of the divisor of AdamW. */
  epsilon: number;
  /** The decay of weights of AdamW. */
  weightDecay: number;
  /** The share of the former step that SGD keeps. */
  momentum: number;
  /** The number of steps over which the learning rate rises. */
  warmUp: number;
  /** What the learning rate does afterwards: it stays, or falls to 0 along half a cosine. */
  schedule: (typeof SCHEDULES)[number];
  /** The greatest length of a gradient, to which longer ones are scaled; null for no limit. */
  clip: number | null;
  /** The number of exercises in a step. */
  batch: number;
  /** The number of steps after which the training stops. */
  steps: number;
  /** The seed of the first weights, of the exercises and of the dropout. */
  seed: number;
}

type Value = TrainingSettings[keyof TrainingSettings];

/** What a setting may be: its usual value, words for the values that fit, and their test. */
interface Field {
  readonly usual: Value;
  readonly expected: string;
  fits(value: unknown): boolean;
  /** The value that a text of a link stands for. */
  read(text: string): unknown;
}

const number = (text: string): unknown => (text.trim() === "" ? text : Number(text));

const oneOf = (names: readonly Value[], usual: Value): Field => ({
  usual,
  expected: `one of ${names.join(", ")}`,
  fits: (value) => names.includes(value as Value),
  read: typeof usual === "number" ? number : (text) => text,
});

const whole = (least: number, most: number, usual: number): Field => ({
  usual,
  expected: `a whole number from ${least} to ${most}`,
  fits: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  read: number,
});

const real = (least: number, most: number, usual: number): Field => ({
  usual,
  expected: `a number from ${least} to ${most}`,
  fits: (value) => typeof value === "number" && value >= least && value <= most,
  read: number,
});

const flag = (usual: boolean): Field => ({
  usual,
  expected: "true or false",
  fits: (value) => typeof value === "boolean",
  read: (text) => ({ true: true, false: false })[text] ?? text,
});

const limit = (least: number, most: number, usual: number | null): Field => ({
  usual,
  expected: `a number from ${least} to ${most}, or none`,
  fits: (value) => value === null || real(least, most, most).fits(value),
  read: (text) => (text === "none" ? null : number(text)),
});

const LONGEST_LENGTH = 256;

/** Every setting, in the order in which they are checked and written. */
const FIELDS: Readonly<Record<keyof TrainingSettings, Field>> = {
  task: oneOf(Object.keys(TASKS) as TaskName[], "copy"),
  length: whole(1, LONGEST_LENGTH, 8),
  kind: oneOf(KINDS, "decoder"),
  layers: whole(1, 4, 2),
  width: oneOf(WIDTHS, 64),
  heads: oneOf(HEADS, 4),
  positions: oneOf(POSITIONS, "learned"),
  norm: oneOf(NORMS, "layer"),
  place: oneOf(PLACES, "pre"),
  activation: oneOf(ACTIVATIONS, "gelu"),
  scale: flag(true),
  residuals: flag(true),
  mask: flag(true),
  dropout: real(0, 0.9, 0),
  labelSmoothing: real(0, 0.9, 0),
  method: oneOf(METHODS, "adamw"),
  learningRate: real(1e-6, 10, 3e-3),
  beta1: real(0, 0.9999, 0.9),
  beta2: real(0, 0.99999, 0.98),
  epsilon: real(1e-12, 0.01, 1e-8),
  weightDecay: real(0, 10, 0),
  momentum: real(0, 0.9999, 0.9),
  warmUp: whole(0, 100_000, 50),
  schedule: oneOf(SCHEDULES, "constant"),
  clip: limit(1e-4, 1000, 1),
  batch: whole(1, 512, 16),
  steps: whole(1, 100_000, 1000),
  seed: whole(0, 2 ** 31 - 1, 1),
};

const NAMES = Object.keys(FIELDS) as (keyof TrainingSettings)[];

const USUAL = Object.fromEntries(
  NAMES.map((name) => [name, FIELDS[name].usual]),
) as unknown as TrainingSettings;

/** The usual settings of a task. */
export function usualSettings(task: TaskName): TrainingSettings {
  const { kinds, lengths } = TASKS[task];
  return { ...USUAL, task, kind: kinds[0], length: lengths.usual };
}

/**
 * Checks settings: each by itself, then those that depend on each other.
 * @throws training/bad-setting for a value that no training has, training/contradiction for values
 *   that no model has together
 */
export function checkSettings(settings: TrainingSettings): void {
  const problem = problemOf(settings);
  if (problem !== null) throw problem.error;
}

/** A setting that cannot be as it is, and why. */
export interface SettingProblem {
  setting: keyof TrainingSettings;
  error: HeadscopeError;
}

/** What is wrong with settings, or null. */
export function problemOf(settings: TrainingSettings): SettingProblem | null {
  for (const name of NAMES) {
    const field = FIELDS[name];
    const value: unknown = settings[name];
    if (!field.fits(value)) return badSetting(name, field.expected, String(value));
  }
  const { lengths, kinds } = TASKS[settings.task];
  const { length, kind } = settings;
  if (length < lengths.least || length > lengths.most) {
    const expected = `${lengths.least} to ${lengths.most} for the task ${settings.task}`;
    return badSetting("length", expected, String(length));
  }
  if (!kinds.includes(kind)) {
    const expected = `${kinds.join(" or ")} for the task ${settings.task}`;
    return contradiction("kind", expected, kind);
  }
  if (kind === "encoder" && !settings.mask)
    return contradiction("mask", "true, since an encoder masks no token,", "false");
  if (settings.warmUp > settings.steps) {
    const expected = `at most the number of steps, ${settings.steps}`;
    return contradiction("warmUp", expected, String(settings.warmUp));
  }
  const form = formOf(settings);
  return typeof form === "string" ? null : contradiction("positions", form.expected, form.got);
}

const problemWith =
  (code: string) =>
  (setting: keyof TrainingSettings, expected: string, got: string): SettingProblem => ({
    setting,
    error: refuse(code, "the settings of the training", `${expected} as \`${setting}\``, got),
  });

const badSetting = problemWith("training/bad-setting");
const contradiction = problemWith("training/contradiction");

/**
 * The settings as text for a link: the task, then each setting that differs from the usual one, in
 * characters that no address changes.
 */
export function encodeSettings(settings: TrainingSettings): string {
  const usual = usualSettings(settings.task);
  const changed = NAMES.filter((name) => settings[name] !== usual[name]);
  return [
    settings.task,
    ...changed.map((name) => `${name}.${String(settings[name] ?? "none")}`),
  ].join("_");
}

/**
 * The settings that a text of a link stands for.
 * @throws training/bad-link for a text that no settings have, and the errors of `checkSettings`
 */
export function decodeSettings(text: string): TrainingSettings {
  const [task = "", ...parts] = text.split("_");
  const refused = (expected: string, got: string) =>
    refuse("training/bad-link", "the settings of the link", expected, got);
  if (!Object.hasOwn(TASKS, task))
    throw refused(`a task: ${Object.keys(TASKS).join(", ")}`, task.slice(0, 40));
  const settings: TrainingSettings = usualSettings(task as TaskName);
  for (const part of parts) {
    const at = part.indexOf(".");
    const name = part.slice(0, Math.max(at, 0)) as keyof TrainingSettings;
    if (!Object.hasOwn(FIELDS, name) || name === "task")
      throw refused(`the name of a setting: ${NAMES.slice(1).join(", ")}`, part.slice(0, 40));
    Object.assign(settings, { [name]: FIELDS[name].read(part.slice(at + 1)) });
  }
  checkSettings(settings);
  return settings;
}

/**
 * The edits that belong to settings, while the model is trained and when it is opened: what no
 * config.json says. With a step also the dropout of that step, which a trained model does not have.
 */
export function editsOf(settings: TrainingSettings, step?: number): Edits {
  const { scale, dropout, residuals, mask, positions, seed } = settings;
  const drops = step !== undefined && dropout > 0;
  const isTable = positions === "none" || positions === "sinusoidal";
  const attention = {
    ...(!scale && { scale: "none" as const }),
    ...(drops && { dropout: { rate: dropout, seed: dropoutSeed(seed, step) } }),
  };
  return {
    ...(!mask && {
      masks: [{ stack: "decoder", preset: { kind: "none" }, mode: "replace" }],
    }),
    ...(!residuals && { blocks: [{ residual: false }] }),
    ...((!scale || drops) && { attention: [attention] }),
    ...(isTable && { positions: [{ scheme: positions }] }),
  };
}

/** The seed of a step's dropout, below 2³¹. */
const dropoutSeed = (seed: number, step: number): number => (seed * 1_000_003 + step) % 2 ** 31;
