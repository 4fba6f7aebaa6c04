/** The lessons that come with the page, in their order, and the lesson that a State names. */
import { HeadscopeError } from "../headscope.js";
import { encodeJson } from "../state/json.js";
import attention from "./data/attention.json" with { type: "json" };
import cost from "./data/cost.json" with { type: "json" };
import dots from "./data/dots.json" with { type: "json" };
import heads from "./data/heads.json" with { type: "json" };
import induction from "./data/induction.json" with { type: "json" };
import layers from "./data/layers.json" with { type: "json" };
import masks from "./data/masks.json" with { type: "json" };
import meaning from "./data/meaning.json" with { type: "json" };
import positions from "./data/positions.json" with { type: "json" };
import translation from "./data/translation.json" with { type: "json" };
import type { Lesson } from "./format.js";
import { parseLesson, readLesson } from "./read-lesson.js";

/** The JSON of each lesson by its name in the address. */
export const LESSON_FILES: Readonly<Record<string, unknown>> = {
  dots,
  attention,
  heads,
  masks,
  positions,
  translation,
  layers,
  meaning,
  cost,
  induction,
};
export const LESSON_NAMES = Object.keys(LESSON_FILES);

/** A step of a lesson as a State names it. */
export interface LessonPlace {
  /** The name of the lesson, or the whole lesson as JSON. */
  lesson: string;
  /** The index of the step. */
  step: number;
}

export function placeOf(text: string): LessonPlace {
  const at = text.lastIndexOf(".");
  return { lesson: text.slice(0, at), step: Number(text.slice(at + 1)) - 1 };
}

export function textOf({ lesson, step }: LessonPlace): string {
  return `${lesson}.${step + 1}`;
}

/** The text that names the first step of a lesson that a user has as JSON. */
export function ownLesson(json: unknown): string {
  return textOf({ lesson: encodeJson(json), step: 0 });
}

const read = new Map<string, Lesson>();

/**
 * The lesson of a place.
 *
 * @throws HeadscopeError `lesson/…` for a lesson that does not exist or cannot be read.
 */
export function lessonOf({ lesson: name, step }: LessonPlace): Lesson {
  const lesson = read.get(name) ?? found(name);
  // A page shows few lessons of its users' own at a time.
  if (read.size > 2 * LESSON_NAMES.length) read.clear();
  read.set(name, lesson);
  if (step < lesson.steps.length) return lesson;
  throw unknown(`${short(name)}.${step + 1}`, `1 … ${lesson.steps.length}`);
}

function found(name: string): Lesson {
  if (name.startsWith("{")) return parseLesson(name);
  if (!LESSON_NAMES.includes(name)) throw unknown(name, LESSON_NAMES.join(" | "));
  return readLesson(LESSON_FILES[name]);
}

const short = (name: string): string => (name.startsWith("{") ? "{…}" : name);

function unknown(got: string, expected: string): HeadscopeError {
  const doing = "Opening a lesson";
  const message = `${doing}: expected ${expected}, found ${got}.`;
  return new HeadscopeError({ code: "lesson/unknown", doing, expected, got, message });
}
