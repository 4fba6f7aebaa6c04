/** What the card shows: a step of the tour, a question of a learner, or a step of a lesson. */
import type { TemplateResult } from "lit";
import { message } from "../../i18n/index.js";
import type { AnswerItem } from "../../session/answer-items.js";
import { GUIDES } from "../../session/guides.js";
import type { Session } from "../../session/session.js";
import { arrivalAt, type HelpPart } from "../../session/tour-steps.js";
import { type Guide, type Question, QUESTIONS, type State, TOUR } from "../../state/index.js";
import { ANSWERS } from "./answers.js";

export interface Station {
  /** The name of the station: equal for the same step, another for each other step. */
  name: string;
  /** The place among other steps; null for a step that stands alone. */
  place: { step: number; count: number } | null;
  title: string;
  words: string;
  /** The tag of the part of the page that it is about. */
  part: string;
  /** The State at its start. */
  arrival: State;
  /** The action that the card offers, and the State after it. */
  action: { name: string; state: State } | null;
  /** The numbers or texts that answer it, empty until they are there; null for none. */
  answer: readonly AnswerItem[] | null;
  /** What stands below its words; null for nothing. */
  task: TemplateResult | null;
  /** The States of the steps before and after it; null at an end. */
  before: State | null;
  after: State | null;
  /** The part of the help that lists all of its kind; null for none. */
  list: HelpPart | null;
}

/** The station of a step of the tour or of a question. */
export function guideStation(step: Guide, session: Session): Station {
  const { state } = session;
  const at = TOUR.findIndex((one) => one === step);
  const { part, action } = GUIDES[step];
  const arrivalOf = (index: number): State | null => {
    const other = at < 0 ? undefined : TOUR[index];
    return other ? arrivalAt(other, state) : null;
  };
  return {
    name: step,
    place: at < 0 ? null : { step: at + 1, count: TOUR.length },
    title: message(`tour.${step}.title`),
    words: message(`tour.${step}.words`),
    part,
    arrival: arrivalAt(step, state),
    action: action
      ? { name: message(action.name), state: arrivalAt(step, state, action.state) }
      : null,
    answer: isQuestion(step) ? ANSWERS[step](session) : null,
    task: null,
    before: arrivalOf(at - 1),
    after: arrivalOf(at + 1),
    list: at < 0 ? "questions" : null,
  };
}

const isQuestion = (guide: Guide): guide is Question =>
  (QUESTIONS as readonly Guide[]).includes(guide);
