import { decodeState, encodeState } from "../../state/index.js";
import type { MessageKey } from "../../i18n/index.js";
import type { Decoded, Guide, State } from "../../state/index.js";

export const HELP_PARTS = ["questions", "terms", "keys"] as const;
/** A part of the help dialog. */
export type HelpPart = (typeof HELP_PARTS)[number];

/** Fields that the tour does not change. */
const APPEARANCE = ["backend", "colours", "theme", "language"] as const;

const PIANO = "model=models/tiny-bert&text=My brother plays the piano every day.&stack=encoder";
/** The head whose “plays” attends to “brother”. */
const SUBJECT = `${PIANO}&layer=3&head=4&cell=4-3`;
const WOMAN = "stack=encoder&picture=positions&text=The woman knows the man.";
const CAR = "text=He has an old car. He has an old&cell=11-10";
const GPT = "model=models/tiny-gpt&stack=decoder&layer=1&head=2";

const SCHOOL = "model=models/tiny-gpt&text=I don't want to go to school. I don't want to go to";
const HOUSE = "model=models/tiny-gpt&text=She lives in a small house near the river.&stack=decoder";
const CATS = "text=I have a black cat and a white dog.";
const STEPS_OF_LE = "picture=steps&cell=5-5&number";

/** The part of the page that a step or a question is about. */
type Part =
  | "headscope-heads-panel"
  | "headscope-picture-panel"
  | "headscope-inspector"
  | "headscope-edits-panel"
  | "headscope-bench";

/**
 * What each step of the tour and each question is about, and its address; all that their words say of the models is
 * tested against their numbers (tests/node/tour.test.ts).
 */
export const STEPS: Readonly<Record<Guide, readonly [Part, address: string]>> = {
  row: ["headscope-picture-panel", `${PIANO}&layer=1&head=2&cell=4-3`],
  match: ["headscope-inspector", `${SUBJECT}&stage=raw`],
  softmax: ["headscope-picture-panel", `${SUBJECT}&stage=scores`],
  heads: ["headscope-heads-panel", `${PIANO}&layer=2&head=1`],
  mask: [
    "headscope-picture-panel",
    `${GPT}&text=Tom and Mary went to the station.&picture=mask&cell=4-5`,
  ],
  order: ["headscope-picture-panel", WOMAN],
  cross: ["headscope-picture-panel", ""],
  edit: ["headscope-heads-panel", `${GPT}&${CAR}`],
  it: [
    "headscope-picture-panel",
    "text=He took the apple and ate it.&stack=encoder&layer=3&head=3&cell=7-4",
  ],
  unscaled: [
    "headscope-edits-panel",
    `${CATS}&layer=3&head=6&cell=6-4&bench=kinds&edits={'attention':[{'scale':'none'}]}`,
  ],
  future: [
    "headscope-edits-panel",
    `${HOUSE}&layer=1&head=2&bench=masks&labs=masks(open-cheat)&edits={'masks':[{'stack':'decoder','mode':'replace','preset':{'kind':'none'}}]}`,
  ],
  unordered: [
    "headscope-picture-panel",
    "text=The girl loves the boy.&edits={'positions':[{'stack':'encoder','scheme':'none'}]}",
  ],
  previous: ["headscope-heads-panel", `${HOUSE}&layer=1&head=2&role=previous&cell=6-5`],
  important: [
    "headscope-bench",
    `${SCHOOL} school&stack=decoder&layer=1&head=2&bench=heads&labs=heads(room-ranking)effect(word-17)`,
  ],
  translation: ["headscope-picture-panel", "cell=5-5"],
  sink: ["headscope-picture-panel", `${HOUSE}&layer=3&head=1&cell=8-1`],
  cost: ["headscope-bench", "stack=encoder&bench=masks&labs=masks(open-cost)"],
  vectors: ["headscope-picture-panel", "picture=dimensions&cell=5-5"],
  weights: ["headscope-picture-panel", `${STEPS_OF_LE}=weights.5-5`],
  output: ["headscope-picture-panel", `${STEPS_OF_LE}=attended.5-1`],
  residual: ["headscope-picture-panel", `${STEPS_OF_LE}=normed.5-1`],
  padding: ["headscope-bench", "stack=encoder&bench=masks&labs=masks(open-pad)"],
  schemes: ["headscope-bench", "stack=encoder&bench=positions&labs=places(open-yes)"],
  induction: ["headscope-picture-panel", `${SCHOOL}&stack=decoder&layer=3&head=3&cell=17-9`],
  meaning: [
    "headscope-picture-panel",
    "model=models/tiny-bert&text=She sits on the bank of the river.&compare=other&other=She has money in the bank.&stack=encoder&layer=2&head=4&cell=7-10",
  ],
  sparse: [
    "headscope-edits-panel",
    "stack=encoder&layer=3&bench=kinds&edits={'attention':[{'stack':'encoder','layers':[0],'kind':'sliding'},{'stack':'encoder','layers':[1],'kind':'blocks'},{'stack':'encoder','layers':[2],'kind':'linear'}]}",
  ],
  rank: ["headscope-inspector", "stack=encoder&layer=3&head=7"],
};

/** What a card offers to do: its name, and the address of the State after it. */
export const ACTIONS: Readonly<Partial<Record<Guide, readonly [MessageKey, address: string]>>> = {
  softmax: ["stage.weights", SUBJECT],
  order: ["tour.order.action", WOMAN.replace("woman knows the man", "man knows the woman")],
  edit: [
    "head.silence",
    `${GPT}&${CAR}&edits={'heads':[{'stack':'decoder','layers':[0],'heads':[1],'gate':0}]}`,
  ],
};

type Appearance = Pick<State, (typeof APPEARANCE)[number]>;

/** The State of an address; appearance and backend stay. */
export function stateAt(address: string, { backend, colours, theme, language }: Appearance): State {
  return { ...decodeState(address).state, backend, colours, theme, language };
}

/** The State at the beginning of a step or of a question, or at another address of it. */
export function arrivalAt(step: Guide, appearance: Appearance, address = STEPS[step][1]): State {
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

/** The part of the page that a step or a question is about. */
export function placeOf(step: Guide): Part {
  return STEPS[step][0];
}
