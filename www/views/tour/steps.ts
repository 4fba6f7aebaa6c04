import { decodeState, encodeState } from "../../state/index.js";
import type { Decoded, State, TourStep } from "../../state/index.js";

/** Fields that the tour does not change. */
const APPEARANCE = ["backend", "colours", "theme", "language"] as const;

const PIANO = "model=models/tiny-bert&text=My brother plays the piano every day.&stack=encoder";
/** The head whose “plays” attends to “brother”. */
const SUBJECT = `${PIANO}&layer=3&head=4&cell=4-3`;
const GPT = "model=models/tiny-gpt&stack=decoder&layer=1&head=2";

/** The part of the page that a step can be about. */
type Part = "headscope-heads-panel" | "headscope-picture-panel" | "headscope-inspector";

/** What each step is about, and its address; all that its words say of the models is tested against their numbers. */
const STEPS: Readonly<Record<TourStep, readonly [Part, address: string]>> = {
  row: ["headscope-picture-panel", `${PIANO}&layer=1&head=2&cell=4-3`],
  match: ["headscope-inspector", `${SUBJECT}&stage=raw`],
  softmax: ["headscope-picture-panel", `${SUBJECT}&stage=scores`],
  heads: ["headscope-heads-panel", `${PIANO}&layer=2&head=1`],
  mask: [
    "headscope-picture-panel",
    `${GPT}&text=Tom and Mary went to the station.&picture=mask&cell=4-5`,
  ],
  order: [
    "headscope-picture-panel",
    "text=The woman knows the man.&stack=encoder&picture=positions",
  ],
  cross: ["headscope-picture-panel", ""],
  edit: ["headscope-heads-panel", `${GPT}&text=He has an old car. He has an old&cell=11-10`],
};

/** The State at the beginning of a step; appearance and backend stay. */
export function arrivalAt(
  step: TourStep,
  { backend, colours, theme, language }: Pick<State, (typeof APPEARANCE)[number]>,
): State {
  const { state } = decodeState(STEPS[step][1]);
  return { ...state, tour: step, backend, colours, theme, language };
}

/** The State of an address; an address with a step alone has the State of that step. */
export function stateOfAddress({ state, named }: Decoded): State {
  const isBare = named.every((field) => ["tour", ...APPEARANCE].includes(field));
  return state.tour !== null && isBare ? arrivalAt(state.tour, state) : state;
}

/** Whether the page shows something else than the step. */
export function isElsewhere(state: State): boolean {
  if (state.tour === null) return false;
  const arrival = arrivalAt(state.tour, state);
  // An address says nothing of a model that was opened from a disk.
  return state.model !== arrival.model || encodeState(state) !== encodeState(arrival);
}

/** The part of the page that a step is about. */
export function placeOf(step: TourStep): Part {
  return STEPS[step][0];
}
