/** Steps of lessons for the card of the tour: opens and checks a lesson, and renders its tasks. */
import { html } from "lit";
import { message } from "../../i18n/index.js";
import { arrivalIn, isNeeded } from "../../lessons/arrival.js";
import { type Lesson, type LessonStep, LOOKS, wordsOf } from "../../lessons/format.js";
import { type LessonPlace, lessonOf, placeOf, textOf } from "../../lessons/list.js";
import { taskName } from "../../lessons/progress.js";
import { describeFailure } from "../../session/run/failures.js";
import type { Session } from "../../session/session.js";
import { isElsewhere, stateOf } from "../../session/tour-steps.js";
import type { State } from "../../state/index.js";
import type { Station } from "../tour/station.js";
import "./lesson-task.js";

/** The lesson and the step that a State names; null if they cannot be read. */
function stepAt(text: string): { place: LessonPlace; lesson: Lesson; step: LessonStep } | null {
  const place = placeOf(text);
  try {
    const lesson = lessonOf(place);
    const step = lesson.steps[place.step];
    return step ? { place, lesson, step } : null;
  } catch {
    return null; // `openLesson` says why.
  }
}

/**
 * Opens the lesson that a State names: shows the State of its step, where the State has nothing
 * but that name; `isNew` says that it was not shown before, since its reader may also come to such
 * a State. A lesson that cannot be read is left, with the reason. Returns whether the State was
 * changed.
 */
export function openLesson(session: Session, isNew: boolean): boolean {
  const { store, state, notices } = session;
  if (state.lesson === null) return false;
  const place = placeOf(state.lesson);
  let lesson: Lesson;
  try {
    lesson = lessonOf(place);
  } catch (thrown) {
    const { sentence: reason, code } = session.locale.within(() => describeFailure(thrown));
    notices.post("notice.lesson", { reason }, { code });
    // A file that was opened is one step; a link has replaced what was there.
    if (store.undoes === "lesson") store.undo();
    else store.amend({ lesson: null });
    return true;
  }
  notices.remove("notice.lesson");
  if (!isNew || isElsewhere({ ...state, lesson: null }, stateOf({}, state))) return false;
  const arrival = arrivalIn(lesson, place, state);
  if (!isElsewhere(state, arrival)) return false;
  store.amend(arrival);
  return true;
}

/** The station of the step that the State names; null if there is none. */
export function lessonStation(session: Session): Station | null {
  const { state } = session;
  const found = stepAt(state.lesson ?? "");
  if (!found) return null;
  const { place, lesson, step } = found;
  const arrivalOf = (at: number): State | null =>
    at >= 0 && at < lesson.steps.length ? arrivalIn(lesson, { ...place, step: at }, state) : null;
  const isLacking = step.needs !== null && !isNeeded(step.needs, state);
  const needs = isLacking ? `${message("lesson.needs", { name: step.needs ?? "" })} ` : "";
  const arrival = arrivalIn(lesson, place, state);
  const name = taskName(place.lesson, place.step);
  return {
    name: textOf(place),
    place: { step: place.step + 1, count: lesson.steps.length },
    title: `${wordsOf(lesson.title)} · ${wordsOf(step.title)}`,
    words: needs + wordsOf(step.words),
    part: LOOKS[step.look],
    arrival,
    action: null,
    answer: null,
    task: step.task
      ? html`<headscope-lesson-task
          .task=${step.task}
          .name=${name}
          .arrival=${arrival}
        ></headscope-lesson-task>`
      : null,
    before: arrivalOf(place.step - 1),
    after: arrivalOf(place.step + 1),
    list: "lessons",
  };
}
