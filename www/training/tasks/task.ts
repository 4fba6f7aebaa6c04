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

/** A task: where its exercises come from. */
export interface Task {
  /** The symbols of questions and answers, each of which is a token. */
  readonly symbols: readonly string[];
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
  /** The task for exercises of a length. */
  open(length: number): Task;
}

/** The letters of tasks whose symbols mean nothing. */
export const LETTERS: readonly string[] = Array.from("abcdefghijklmnop");

/** The symbol between question and answer. */
export const ARROW = ">";

/** One exercise in this many is held out. */
const HELD_OUT_OF = 8;

/**
 * An exercise of a split, from exercises as they come. What decides is what was asked, so that an
 * exercise that is trained is never held out, in any batch of any seed.
 */
export function drawnIn(split: Split, make: () => Exercise): Exercise {
  for (;;) {
    const exercise = make();
    const given = [...exercise.question, ...exercise.answer.slice(0, exercise.from)];
    const isHeldOut = hashOf(given) % HELD_OUT_OF === 0;
    if (isHeldOut === (split === "heldOut")) return exercise;
  }
}
