/**
 * A lesson that is being made: the JSON of a lesson, in which texts may still be missing. It stays
 * in the browser until its user begins another one.
 */
import { isRecord, jsonIn } from "../data/shape.js";
import { language } from "../i18n/index.js";
import { fileOf } from "../state/file.js";
import { DEFAULT_STATE, isBundled, type State } from "../state/index.js";
import { LESSON_VERSION, type Look, type Words } from "./format.js";
import { LESSON_FIELD } from "./read-lesson.js";

const KEY = "headscope.lesson-draft";

export interface DraftChoice {
  words: Words;
  check: object;
}

export interface DraftTask {
  ask: Words;
  choices?: readonly DraftChoice[];
  number?: { reading: object; within: number };
  act?: { words: Words; check: object; state?: object };
  then?: Words;
}

export interface DraftStep {
  title: Words;
  words: Words;
  state: Readonly<Record<string, unknown>>;
  look: Look;
  needs?: string;
  task?: DraftTask;
}

export interface Draft {
  readonly [LESSON_FIELD]: number;
  title: Words;
  steps: readonly DraftStep[];
}

export const EMPTY_DRAFT: Draft = { [LESSON_FIELD]: LESSON_VERSION, title: "", steps: [] };

/** What a step shows: the page as it is, without its looks and without the lesson around it. */
function shownIn(
  state: State,
  nameOf: (state: State) => string,
): Pick<DraftStep, "state" | "needs"> {
  const { backend, colours, theme, language: spoken } = DEFAULT_STATE;
  const bare = { ...state, backend, colours, theme, language: spoken, lesson: null, tour: null };
  const { model, ...fields } = fileOf(bare);
  if (!isBundled(state.model)) return { state: fields, needs: nameOf(state) };
  return { state: model === undefined ? fields : { model, ...fields } };
}

/** A draft with one more step that shows a State. */
export function recorded(
  draft: Draft,
  state: State,
  title: string,
  nameOf: (state: State) => string,
): Draft {
  const step = { title, words: "", look: "picture" as const, ...shownIn(state, nameOf) };
  return { ...draft, steps: [...draft.steps, step] };
}

/** A draft in which a step shows another State. */
export function reshown(
  draft: Draft,
  at: number,
  state: State,
  nameOf: (state: State) => string,
): Draft {
  const { needs: _, ...step } = draft.steps[at] ?? {};
  return changed(draft, at, { ...(step as DraftStep), ...shownIn(state, nameOf) });
}

export function changed(draft: Draft, at: number, step: DraftStep): Draft {
  return { ...draft, steps: draft.steps.with(at, step) };
}

export function removed(draft: Draft, at: number): Draft {
  return { ...draft, steps: draft.steps.toSpliced(at, 1) };
}

/** A draft with a step moved by some places; the same draft at an end. */
export function moved(draft: Draft, at: number, by: number): Draft {
  const { steps } = draft;
  const step = steps[at];
  if (!step || steps[at + by] === undefined) return draft;
  return { ...draft, steps: steps.toSpliced(at, 1).toSpliced(at + by, 0, step) };
}

/** A text with other words in the present language; those in other languages stay. */
export function reworded(before: Words, text: string): Words {
  return typeof before === "string" ? text : { ...before, [language()]: text };
}

/** The draft that the browser has kept; an empty one without it. */
export function keptDraft(): Draft {
  try {
    const draft = jsonIn(localStorage.getItem(KEY) ?? "");
    const isDraft = isRecord(draft) && "title" in draft && Array.isArray(draft.steps);
    return isDraft ? (draft as unknown as Draft) : EMPTY_DRAFT;
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Keeps a draft in the browser; returns whether it could be. */
export function keepDraft(draft: Draft): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}
