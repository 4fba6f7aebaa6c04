/** The States of the tour's steps and of the questions, in the user's appearance. */
import { DEFAULT_STATE, editLists, encodeState } from "../state/index.js";
import type { Decoded, Guide, State } from "../state/index.js";
import { type Example, guidanceOf } from "./guidance.js";

export const HELP_PARTS = ["questions", "lessons", "terms", "keys"] as const;
/** A part of the help dialog. */
export type HelpPart = (typeof HELP_PARTS)[number];

/** The fields that the tour does not change. */
const APPEARANCE = ["backend", "colours", "theme", "language"] as const;

type Appearance = Pick<State, (typeof APPEARANCE)[number]>;

/** The State of an example, in an appearance. */
export function stateOf(
  example: Example,
  { backend, colours, theme, language }: Appearance,
): State {
  const edits = editLists(example.edits ?? {});
  return { ...DEFAULT_STATE, ...example, edits, backend, colours, theme, language };
}

/**
 * The State at the start of a step or of a question, or after its action. Until the guides are
 * loaded it is that of a first visit.
 */
export function arrivalAt(
  step: Guide,
  appearance: Appearance,
  example: Example = guidanceOf(step)?.state ?? {},
): State {
  return { ...stateOf(example, appearance), tour: step };
}

/** Whether an address names only a step, and so stands for the State of that step. */
export const isBareStep = ({ state, named }: Decoded): boolean =>
  state.tour !== null && named.every((field) => ["tour", ...APPEARANCE].includes(field));

/** The State of an address; an address with only a step has the State of that step. */
export function stateOfAddress(decoded: Decoded): State {
  const { state } = decoded;
  return state.tour !== null && isBareStep(decoded) ? arrivalAt(state.tour, state) : state;
}

/** Whether the State differs from that of its step of the tour, or from another one. */
export function isElsewhere(
  state: State,
  arrival = state.tour && arrivalAt(state.tour, state),
): boolean {
  if (arrival === null) return false;
  // An address does not name a model that was opened from a disk.
  return state.model !== arrival.model || encodeState(state) !== encodeState(arrival);
}
