import {
  DEFAULT_STATE,
  encodeState,
  type Decoded,
  type State,
  type TourStep,
} from "../../state/index.js";
import { samplesOf, stateOf } from "../samples.js";

/** Fields that the tour does not change: colours, theme, language and backend. */
const LOOKS = [
  "backend",
  "colours",
  "theme",
  "language",
] as const satisfies readonly (keyof State)[];
type Look = (typeof LOOKS)[number];

/** A part of the page that a step can be about. */
export type Place = "headscope-heads-panel" | "headscope-picture-panel" | "headscope-inspector";

interface Step {
  place: Place;
  /** All other fields are as on a first visit. */
  shows: Partial<Omit<State, Look | "tour">>;
}

const PIANO = {
  model: "models/tiny-bert",
  text: "My brother plays the piano every day.",
  stack: "encoder",
} as const;
/** The head whose “plays” attends to “brother”. */
const SUBJECT = { ...PIANO, layer: 2, head: 3, locked: { query: 3, key: 2 } } as const;
const [ALIGNED] = samplesOf("models/en-fr");

/** What each step shows; all that its words say of the models is tested against their numbers. */
const STEPS: Readonly<Record<TourStep, Step>> = {
  row: {
    place: "headscope-picture-panel",
    shows: { ...PIANO, layer: 0, head: 1, locked: { query: 3, key: 2 } },
  },
  match: { place: "headscope-inspector", shows: { ...SUBJECT, stage: "raw" } },
  softmax: { place: "headscope-picture-panel", shows: { ...SUBJECT, stage: "scores" } },
  heads: { place: "headscope-heads-panel", shows: { ...PIANO, layer: 1, head: 0 } },
  mask: {
    place: "headscope-picture-panel",
    shows: {
      model: "models/tiny-gpt",
      text: "Tom and Mary went to the station.",
      stack: "decoder",
      layer: 0,
      head: 1,
      picture: "mask",
      locked: { query: 3, key: 4 },
    },
  },
  order: {
    place: "headscope-picture-panel",
    shows: {
      model: "models/en-fr",
      text: "The woman knows the man.",
      stack: "encoder",
      picture: "positions",
    },
  },
  cross: {
    place: "headscope-picture-panel",
    shows: { model: "models/en-fr", ...(ALIGNED && stateOf(ALIGNED)) },
  },
  edit: {
    place: "headscope-heads-panel",
    shows: {
      model: "models/tiny-gpt",
      text: "He has an old car. He has an old",
      stack: "decoder",
      layer: 0,
      head: 1,
      locked: { query: 10, key: 9 },
    },
  },
};

/** The State at the beginning of a step; appearance and backend stay. */
export function arrivalAt(
  step: TourStep,
  { backend, colours, theme, language }: Pick<State, Look>,
): State {
  return { ...DEFAULT_STATE, ...STEPS[step].shows, tour: step, backend, colours, theme, language };
}

/** The State of an address; an address with a step alone has the State of that step. */
export function stateOfAddress({ state, said }: Decoded): State {
  const bare = said.every((field) => field === "tour" || LOOKS.some((look) => look === field));
  return state.tour !== null && bare ? arrivalAt(state.tour, state) : state;
}

/** Whether the page shows something else than the step. */
export function isElsewhere(state: State): boolean {
  if (state.tour === null) return false;
  const arrival = arrivalAt(state.tour, state);
  // An address says nothing of a model that was opened from a disk.
  return state.model !== arrival.model || encodeState(state) !== encodeState(arrival);
}

/** The part of the page that a step is about. */
export function placeOf(step: TourStep): Place {
  return STEPS[step].place;
}
