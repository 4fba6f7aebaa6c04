/**
 * The format of a lesson: steps, each with the State that it shows, its words, the part of the page
 * that it is about, and perhaps a task that the page marks by itself. The lessons of the page and
 * those of its users are the same JSON; `read-lesson.ts` checks it, `docs/lessons.md` describes it.
 */
import type { Cell, HeadRef, Role, StepCell } from "../data/index.js";
import { type Language, language } from "../i18n/index.js";
import type { EditList, State } from "../state/index.js";

/** The version of the format that this page writes. */
export const LESSON_VERSION = 1;

/** A text in one language, or in several by their tags. */
export type Words = string | Readonly<Partial<Record<Language, string>>>;

/** The parts of the page that a step can be about, by the tags of their elements. */
export const LOOKS = {
  text: "headscope-sentence-bar",
  heads: "headscope-heads-panel",
  picture: "headscope-picture-panel",
  inspector: "headscope-inspector",
  edits: "headscope-edits-panel",
  experiments: "headscope-experiments",
  training: "headscope-training",
} as const;
export type Look = keyof typeof LOOKS;
export const LOOK_NAMES = Object.keys(LOOKS) as Look[];

/** The stages of a head whose numbers a task can read. */
export const READ_STAGES = ["raw", "scores", "masked", "weights"] as const;

/** The matrices of the calculator whose numbers a task can read. */
export const CALCULATED = ["query", "key", "value", "raw", "scores", "weights", "context"] as const;

/** A number of the present run. */
export type Reading =
  /** A number of a pair in the head that is shown. */
  | { of: "weight"; cell: Cell; stage: (typeof READ_STAGES)[number] }
  /** A number of the steps of the head's block. */
  | { of: "number"; number: StepCell }
  /** The probability of a token among the likeliest at the pinned query; 0 if it is not listed. */
  | { of: "probability"; token: string }
  /** The mean entropy of the rows of the chosen head, in nats. */
  | { of: "entropy" }
  /** The score of the chosen head in a role. */
  | { of: "role"; role: Role }
  /** What a key adds to the selected logit through the shown head, in the picture of layers. */
  | { of: "adds"; key: number }
  /** The cells of the pattern that is shown: queries times keys. */
  | { of: "cells" }
  /** A number that the calculator computes, of its first head. */
  | { of: "calculated"; matrix: (typeof CALCULATED)[number]; cell: Cell }
  /** A number of the short answer of an experiment, by its name in it. */
  | { of: "answer"; demo: string; name: string };

/** A statement about the run and the State; the page says whether it is so. */
export type Check =
  | { is: "between"; reading: Reading; least: number; most: number }
  /** Whether a key has the largest weight of a query's row in the head that is shown. */
  | { is: "strongest"; query: number; key: number }
  /** Whether the chosen head has a role. */
  | { is: "role"; role: Role }
  /** Whether the State has an edit of a list. */
  | { is: "edited"; list: EditList }
  | { is: "ablated"; head: HeadRef }
  /** Whether a token is the likeliest at the pinned query. */
  | { is: "predicted"; token: string }
  /** Whether what the model writes has a text in it. */
  | { is: "written"; text: string }
  /** Whether what the model writes differs from what it writes without the edits. */
  | { is: "changed" }
  /** Whether the State has these values. */
  | { is: "shown"; state: Partial<State> }
  /** Whether the long work of an experiment has an answer. */
  | { is: "answered"; demo: string }
  | { is: "not"; check: Check };

/** A possible answer, and the statement that makes it right. */
export interface Choice {
  words: Words;
  check: Check;
}

/** What a reader guesses before the page marks it. */
export type Guess =
  | { kind: "choices"; choices: readonly Choice[] }
  /** A number, right within `within` of that of the run. */
  | { kind: "number"; reading: Reading; within: number };

/** What a reader does; with a State the page does it at the press of a button. */
export interface Act {
  words: Words;
  check: Check;
  state: Partial<State> | null;
}

export interface Task {
  ask: Words;
  guess: Guess;
  /** What the reader does before the guess is marked; null for nothing. */
  act: Act | null;
  /** What is said after the marks. */
  then: Words | null;
}

export interface LessonStep {
  title: Words;
  words: Words;
  /** The fields of the State in which the step differs from a first visit. */
  state: Partial<State>;
  look: Look;
  /** The name of the model of one's own that the step needs; null for a bundled one. */
  needs: string | null;
  task: Task | null;
}

export interface Lesson {
  title: Words;
  steps: readonly LessonStep[];
}

/** A text in the present language, or else in the first one that it has. */
export function wordsOf(words: Words): string {
  if (typeof words === "string") return words;
  return words[language()] ?? Object.values(words)[0] ?? "";
}
