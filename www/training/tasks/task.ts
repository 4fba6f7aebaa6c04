/**
 * The interface of a task, and what all tasks share: symbols, exercises, and their division into
 * those that are trained and those that are held out.
 */
import { hashOf, type Random } from "../random.js";

/** The kinds of models. */
export const KINDS = ["decoder", "encoder", "encoder-decoder"] as const;

/** The kind of a model: decoder-only, encoder-only, or an encoder with a decoder. */
export type Kind = (typeof KINDS)[number];

/** The part of a task's exercises: those that are trained, and those that only measure. */
export type Split = "training" | "heldOut";

/** An exercise, as symbols that are tokens of the model. */
export interface Exercise {
  /** What is given. Empty for a text that is continued. */
  readonly question: readonly string[];
  /** What is right. */
  readonly answer: readonly string[];
  /**
   * The first place of the answer that is predicted; 0 but for a text whose beginning cannot be
   * known.
   */
  readonly from: number;
}

/** Where a text is cut into symbols: at spaces, into its characters, or into pieces by merges. */
export type Cut = "spaces" | "characters" | Merges;

/** The merges of byte-pair encoding, in their order. */
export interface Merges {
  readonly merges: readonly (readonly [string, string])[];
}

/** A task: where its exercises come from. */
export interface Task {
  /** The symbols of questions and answers, each of which is a token. */
  readonly symbols: readonly string[];
  /** How a text is cut into symbols. */
  readonly cut: Cut;
  /** Whether an answer ends, so that a model learns to end it. */
  readonly ends: boolean;
  /** The most symbols of a question and of an answer. */
  readonly longest: { readonly question: number; readonly answer: number };
  /** An exercise of a split. */
  draw(random: Random, split: Split): Exercise;
  /** An exercise to look at while a model is trained; it is held out. */
  readonly shown: Exercise;
}

/** What a task is before its settings: which models and lengths it takes. */
export interface TaskKind {
  /** The kinds of models that can learn the task; the usual one is first. */
  readonly kinds: readonly [Kind, ...Kind[]];
  /** The least, the usual and the greatest length; what a length counts is the task's own. */
  readonly lengths: { readonly least: number; readonly usual: number; readonly most: number };
  /** Whether the exercises are passages of a text of one's own. */
  readonly needsText?: true;
  /**
   * The task for exercises of a length.
   * @throws the errors of a text that cannot be trained on
   */
  open(length: number, text: string): Task;
}

/** The letters of tasks whose symbols mean nothing. */
export const LETTERS: readonly string[] = Array.from("abcdefghijklmnop");

/** The symbol between question and answer. */
export const ARROW = ">";

/** The decimal digits. */
export const DIGITS: readonly string[] = Array.from("0123456789");

/** One exercise in this many is held out. */
const HELD_OUT_OF = 8;

/** What was given in an exercise. */
const givenIn = ({ question, answer, from }: Exercise): readonly string[] => [
  ...question,
  ...answer.slice(0, from),
];

/**
 * An exercise of a split, from exercises as they come. What decides is what was asked, so that an
 * exercise that is trained is never held out, in any batch of any seed. `asked` gives exercises the
 * same symbols if one gives the other away.
 */
export function drawnIn(split: Split, make: () => Exercise, asked = givenIn): Exercise {
  for (;;) {
    const exercise = make();
    const isHeldOut = hashOf(asked(exercise)) % HELD_OUT_OF === 0;
    if (isHeldOut === (split === "heldOut")) return exercise;
  }
}

/** A task with a list of exercises for each split. */
export function listed(
  lists: Readonly<Record<Split, readonly Exercise[]>>,
  symbols: readonly string[],
  ends: boolean,
): Task {
  const all = [...lists.training, ...lists.heldOut];
  const longest = (part: "question" | "answer") =>
    all.reduce((most, exercise) => Math.max(most, exercise[part].length), 0);
  const [shown] = lists.heldOut;
  if (shown === undefined) throw new Error("the task holds nothing out");
  return {
    symbols,
    cut: "spaces",
    ends,
    longest: { question: longest("question"), answer: longest("answer") },
    draw: (random, split) => random.pick(lists[split]),
    shown,
  };
}
