// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { golden } from "../../../tests/golden/golden.js";
import { LANGUAGES, message, PAGE_LOCALE, type MessageKey } from "../../i18n/index.js";
import {
  type Decoded,
  decodeState,
  DEFAULT_STATE,
  encodeState,
  type Guide,
  NO_EDITS,
  QUESTIONS,
  type State,
  TOUR,
  type TourStep,
} from "../../state/index.js";
import { GUIDES } from "../../session/guides.js";
import type { Example } from "../../session/guidance.js";
import { arrivalAt, isElsewhere, stateOf, stateOfAddress } from "../../session/tour-steps.js";
import { MODEL_CARDS } from "../../session/models/bundled-models.js";
import { stateOf as sampleState } from "../../session/models/samples.js";
import { TERMS } from "./terms.js";

afterEach(() => {
  PAGE_LOCALE.speak("en");
});

const arrival = (step: Guide): State => arrivalAt(step, DEFAULT_STATE);

const EXAMPLES = [...Object.values(GUIDES).map(({ state }) => state), ...Object.values(TERMS)];

it.each(EXAMPLES)("a link carries the example %j", (example) => {
  const state = stateOf(example, DEFAULT_STATE);
  expect(decodeState(encodeState(state))).toMatchObject({ state, unread: [] });
});

// `npm run golden` writes the file; read the difference before you commit it.
it("each step, question, term and sample leads to the address in the golden file", () => {
  const address = (state: Example): string => encodeState(stateOf(state, DEFAULT_STATE));
  const found = [
    ...Object.entries(GUIDES).flatMap(([step, { part, state, action, starts }]) => [
      `${step} ${part} ${address(state)}`,
      ...(action ? [`  ${action.name} ${address(action.state)}`] : []),
      ...(starts === undefined ? [] : [`  starts ${starts}`]),
    ]),
    ...Object.entries(TERMS).map(([term, state]) => `term ${term} ${address(state)}`),
    ...MODEL_CARDS.flatMap(({ name: model, samples, pairs }) =>
      [...samples, ...pairs].map((sample) =>
        ["sample", address({ model, ...sampleState(sample) } as Example), sample.note ?? ""]
          .join(" ")
          .trim(),
      ),
    ),
  ];
  expect(found).toEqual(golden("examples.txt", found.join("\n")).split("\n"));
});

it.each([...TOUR, ...QUESTIONS])(
  "the address of %s alone opens it, in the user's own theme",
  (step) => {
    const looks = { theme: "dark", backend: "webgpu" } as const;
    const state = { ...DEFAULT_STATE, tour: step, ...looks };
    const named: Decoded["named"] = ["tour", "theme", "backend"];
    const expected = { ...arrival(step), ...looks };
    expect(stateOfAddress({ state, named, unread: [], newer: false })).toEqual(expected);
  },
);

it.each<[boolean, Partial<State>]>([
  [false, {}],
  [false, { theme: "dark", language: "zh-CN", backend: "webgpu" }],
  [true, { head: 7 }],
  [true, { text: "typed" }],
  [true, { locked: { query: 0, key: 0 } }],
  [true, { edits: { ...NO_EDITS, heads: [{ gate: 0 }] } }],
  [true, { model: "opened/my-own" }],
])("a step is left (%s) by %o", (left, change) => {
  for (const step of TOUR) expect(isElsewhere({ ...arrival(step), ...change })).toBe(left);
});

describe.each(LANGUAGES)("the words in $name", ({ code }) => {
  it.each<[TourStep, MessageKey]>([
    ["softmax", "stage.weights"],
    ["mask", "block.mode"],
    ["edit", "head.ablate"],
    ["edit", "edits.undo"],
  ])("of the step %s call what is to be pressed as the page does: %s", (step, key) => {
    PAGE_LOCALE.speak(code);
    expect(message(`tour.${step}.words`)).toContain(`“${message(key)}”`);
  });
});
