/** The State in which a step of a lesson begins. */
import { modelLabel } from "../session/models/models.js";
import { stateOf } from "../session/tour-steps.js";
import { isBundled, type State } from "../state/index.js";
import type { Lesson } from "./format.js";
import { type LessonPlace, textOf } from "./list.js";

/** The State of a step, in the appearance of the present one. */
export function arrivalIn(lesson: Lesson, place: LessonPlace, now: State): State {
  const step = lesson.steps[place.step];
  // What one's own model needs is opened by its user, and stays.
  const needs = step?.needs ?? null;
  const own = needs !== null && isNeeded(needs, now) ? { model: now.model } : {};
  return { ...stateOf({}, now), ...step?.state, ...own, lesson: textOf(place) };
}

/** Whether the present model is the one of its user that a step needs. */
export const isNeeded = (needs: string, { model }: State): boolean =>
  !isBundled(model) && modelLabel(model) === needs;
