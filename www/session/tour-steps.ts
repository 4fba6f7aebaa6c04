import { decodeState, encodeState } from "../state/index.js";
import type { MessageKey } from "../i18n/index.js";
import type { Decoded, Guide, State } from "../state/index.js";
import guides from "./guides.json" with { type: "json" };

export const HELP_PARTS = ["questions", "terms", "keys"] as const;
/** A part of the help dialog. */
export type HelpPart = (typeof HELP_PARTS)[number];

/** Fields that the tour does not change. */
const APPEARANCE = ["backend", "colours", "theme", "language"] as const;

/** A step of the tour or a question. */
interface Guidance {
  /** The tag of the part of the page that it is about. */
  part: string;
  address: string;
  /** What its card offers to do, and the address after it. */
  action?: readonly [name: MessageKey, address: string];
}

/**
 * All that their words say of the models is tested against their numbers (tests/node/tour.test.ts).
 */
export const GUIDES = guides as unknown as Readonly<Record<Guide, Guidance>>;

type Appearance = Pick<State, (typeof APPEARANCE)[number]>;

/** The State of an address; appearance and backend stay. */
export function stateAt(address: string, { backend, colours, theme, language }: Appearance): State {
  return { ...decodeState(address).state, backend, colours, theme, language };
}

/** The State at the beginning of a step or of a question, or at another address of it. */
export function arrivalAt(
  step: Guide,
  appearance: Appearance,
  address = GUIDES[step].address,
): State {
  return { ...stateAt(address, appearance), tour: step };
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
