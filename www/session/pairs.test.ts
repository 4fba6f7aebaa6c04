// What of a comparison is named, and what of it can be saved: both runs as the page shows
// them, and nothing in between.
import { describe, expect, it } from "vitest";
import { DEFAULT_STATE } from "../state/index.js";
import { Pairs } from "./pairs.js";
import type { ExportSubject } from "./subject.js";

const RUN = { tokens: [], targetTokens: [] };
const FIGURES = { head: { stack: "encoder", layer: 0, head: 1 } };
const PAIRED = { one: FIGURES, other: { run: RUN, head: { stack: "encoder", layer: 2, head: 3 } } };
const SUBJECT = {
  figures: FIGURES,
  info: { architecture: "encoder" },
  state: { ...DEFAULT_STATE, text: "one" },
  target: "un",
} as unknown as ExportSubject;
const STATE = { ...DEFAULT_STATE, text: "one", otherText: "two", compare: "other" as const };
const COMPARED = {
  state: STATE,
  text: "two",
  paired: PAIRED,
  stale: false,
  translation: "deux",
  names: { one: "one", other: "two" },
  alignment: null,
  sameModel: true,
  words: [{ other: 1 }, { other: null }],
  other: { run: RUN, model: {}, failure: null },
};

/** What is saved of a comparison of which only these values are known. */
const exported = (known: object, subject: ExportSubject | null = SUBJECT) =>
  Pairs.prototype.exported.call({ ...COMPARED, ...known } as unknown as Pairs, subject);

it.each<[string, object, object, one: string, other: string]>([
  ["of edits", { compare: "original" }, {}, "With your edits", "Without your edits"],
  ["of two texts", {}, {}, "one", "two"],
  ["of one text twice", {}, { text: "one" }, "one", "one"],
  [
    "of two translations of one text",
    { target: "un", otherTarget: "une" },
    { text: "one" },
    "un",
    "une",
  ],
  ["of two texts, translated", { target: "un", otherTarget: "deux" }, {}, "one", "two"],
  [
    "of two models",
    { otherModel: "models/tiny-gpt" },
    { text: "one" },
    "English → French",
    "Tiny GPT",
  ],
  [
    "of two models and texts",
    { otherModel: "models/tiny-gpt" },
    {},
    "English → French · one",
    "Tiny GPT · two",
  ],
  [
    "of two heads",
    {},
    { text: "one", paired: PAIRED },
    "Encoder · layer 1 · head 2",
    "Encoder · layer 3 · head 4",
  ],
])("the sides %s are named after what distinguishes them", (_, state, known, one, other) => {
  const of = { ...COMPARED, paired: null, ...known, state: { ...STATE, ...state } };
  expect(Reflect.get(Pairs.prototype, "names", of)).toEqual({ one, other });
});

describe("the subject of a comparison", () => {
  it("is there while both pictures are those of the request", () => {
    expect(exported({})?.compared?.reading).toMatchObject({ text: "two", layer: 2, head: 3 });
  });

  it.each<[string, object]>([
    ["before the second run", { other: { ...COMPARED.other, run: null } }],
    ["before the second model", { other: { ...COMPARED.other, model: null } }],
    ["after a failure", { other: { ...COMPARED.other, failure: new Error("no") } }],
    ["while the second run answers an earlier request", { stale: true }],
    ["before both heads are read", { paired: null }],
    ["while the first picture is of another head", { paired: { ...PAIRED, one: {} } }],
    ["while the second picture is of another run", { paired: { ...PAIRED, other: { run: {} } } }],
  ])("is absent %s", (_, known) => {
    expect(exported(known)).toBeNull();
    expect(exported({}, null)).toBeNull();
  });

  it("has the text, the model and the target of the second run", () => {
    const reading = (known: object): object | undefined => exported(known)?.compared?.reading;
    expect(reading({})).toMatchObject({ target: "deux" });
    const same = { text: "one", state: { ...STATE, target: "eigen" } };
    expect(reading(same)).toMatchObject({ text: "one", target: "eigen" });
    expect(reading({ ...same, translation: null })).toMatchObject({ target: null });
    expect(reading({ state: { ...STATE, compare: "original" } })).toMatchObject({
      text: "one",
      target: "un",
    });
    const models = { ...STATE, otherModel: "models/tiny-gpt" as const };
    expect(reading({ state: models })).toMatchObject({ model: "tiny-gpt" });
  });

  it("has the words on the screen that have a counterpart, of one model alone", () => {
    expect(exported({})?.compared?.shownWords).toEqual([{ other: 1 }]);
    expect(exported({ sameModel: false })?.compared?.shownWords).toEqual([]);
  });
});
