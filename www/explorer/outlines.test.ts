// @vitest-environment happy-dom
// What the parts of the page show of a session, and what each of their controls changes. Sentences
// stand as their names and values, so that other words are no other outline. `npm run golden`
// writes the file; read the difference before you commit it.
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { LitElement } from "lit";
import { GoldenSections } from "../../tests/golden/golden.js";
import { FAKE_INFO, FAKE_READER, FAKE_WRITER, FakeModel } from "../../tests/support/fake-model.js";
import { follow, WALK_MILLIS, walkOf } from "../../tests/support/walk.js";
import { stubPainting } from "../elements/testing/painted.js";
import type { ModelInfo, ModelNotes } from "../data/index.js";
import { mount } from "../elements/testing/mount.js";
import {
  type EditLists,
  type Experiment,
  NO_EDITS,
  paintCells,
  type State,
} from "../state/index.js";
import { withSetting } from "../state/experiment-edits.js";
import { configure } from "../session/models/home.js";
import { EDIT_LABELS, PAIRS, type SessionPart } from "../session/session.js";
import { newSession, provide } from "../session/testing/session.js";
import { fakeDemoCore } from "../experiments/calculator/testing/worked.js";
import { HeadscopeExperiments } from "../experiments/experiments.js";
import { HeadscopeEditsPanel } from "../panels/edits-panel.js";
import { HeadscopeExportSheet } from "../panels/export/export-sheet.js";
import { HeadscopeHeadsPanel } from "../panels/heads-panel.js";
import { HeadscopeInspector } from "../panels/inspector.js";
import { HeadscopeModelPicker } from "../panels/menus.js";
import { HeadscopeNotices } from "../panels/notices.js";
import { HeadscopePageFooter } from "../panels/page-frame.js";
import { HeadscopeOtherBar, HeadscopePairsPanel } from "../panels/pairs-panel.js";
import { HeadscopePicturePanel } from "../panels/picture-panel.js";
import { HeadscopeSentenceBar } from "../panels/sentence-bar.js";
import { HeadscopeSettingsSheet } from "../panels/settings-sheet.js";
import { HeadscopeShareSheet } from "../panels/share-sheet.js";
import { HeadscopeTopBar } from "../panels/top-bar.js";
import { keepDraft } from "../lessons/draft.js";
import { HeadscopeLessonBuilder } from "./lessons/builder.js";
import { HeadscopeLessonList } from "./lessons/lesson-list.js";
import { HeadscopeTraining } from "../training/page/training-page.js";
import { fakeTraining, memory } from "../training/testing/fake-training.js";
import { HeadscopeTourCard } from "./tour/card.js";

vi.mock("../i18n/index.js", async (original) => {
  const message = (key: string, values: Readonly<Record<string, unknown>> = {}): string => {
    const all = Object.entries(values).map(([name, value]) => `${name}=${String(value)}`);
    return all.length > 0 ? `${key}(${all.join(", ")})` : key;
  };
  type Message = typeof message;
  const laterMessage = (_: string, ...said: Parameters<Message>): string => message(...said);
  return { ...(await original<object>()), message, laterMessage };
});

vi.mock("../headscope.js", async (original) => ({
  ...(await original<object>()),
  demoCore: () => fakeDemoCore()(),
}));

/** What goes on in time: a study of many texts, a file, a figure that plays. */
const LONG_WORK = /roles\.study|export\.save|play/;

interface Case {
  /** Whether its controls are left alone: only what is shown is written. */
  looks?: true;
  make: () => SessionPart;
  state?: Partial<State>;
  model?: () => FakeModel;
  /** Controls that are not used. */
  without?: RegExp;
}

/** A model with few heads, so that an outline has few lines. */
function small(info: ModelInfo, notes: ModelNotes | null = null): FakeModel {
  const size = { layers: 2, heads: 3, kvHeads: 3, headDim: 24 };
  const stacks = Object.fromEntries(Object.keys(info.stacks).map((stack) => [stack, size]));
  return Object.assign(new FakeModel({ ...info, stacks, vocabSize: 2000 }), { notes });
}
const translator = (): FakeModel => small(FAKE_INFO);
const reader = (): FakeModel => small(FAKE_READER);
const HEAD = { stack: "cross", layer: 1, head: 2 } as const;
const EDITED = withSetting(NO_EDITS, [HEAD], "gate", 0.5, FAKE_INFO.stacks);
const RULED: EditLists = {
  ...NO_EDITS,
  masks: [{ preset: { kind: "window", width: 2, oneSided: true }, layers: [1] }],
};
/** What is known of a writer's heads on held-out text. */
const NOTES: ModelNotes = {
  version: 1,
  heldOut: { sentences: 24, seed: 1, note: "" },
  roles: {},
  unigrams: [],
  sentences: [{ text: "one two three" }],
};
const TEXT = { text: "one two three", ...HEAD } as const;

const READING = { model: "models/tiny-bert", text: "one two", stack: "encoder" } as const;
const WRITING = { model: "models/tiny-gpt", text: "one two", stack: "decoder" } as const;
const PAIR = { query: 1, key: 2 };
const BLOCKED = paintCells(NO_EDITS, HEAD, [PAIR], "block", null, "head", ["cross"]);
const part = (make: Case["make"], state: Partial<State> = {}, model?: Case["model"]): Case => ({
  make,
  state: { ...TEXT, ...state },
  ...(model && { model }),
});
const picture = (state: Partial<State>): Case => part(() => new HeadscopePicturePanel(), state);
const inspector = (state: Partial<State>): Case => part(() => new HeadscopeInspector(), state);
const decoding = (demos: string | null, state: Partial<State> = {}, info = FAKE_WRITER): Case =>
  part(
    () => new HeadscopeExperiments(),
    { ...(info === FAKE_WRITER && WRITING), ...state, experiment: "decoding", demos },
    () => small({ ...info, maxTokens: 6 }),
  );
const training = (links: string): Case =>
  part(() => new HeadscopeTraining(fakeTraining(), memory()), { training: links });
const experiment = (name: Experiment, state: Partial<State> = {}): Case =>
  part(() => new HeadscopeExperiments(), { experiment: name, ...state });
const tour = (name: State["tour"]): Case => part(() => new HeadscopeTourCard(), { tour: name });

const STRONGEST = { is: "strongest", query: 2, key: 3 } as const;
/** A lesson that is being made: a step with answers, one with a number, and one without a task. */
const DRAFT = {
  "headscope-lesson": 1,
  title: "Mine",
  steps: [
    {
      title: { en: "One", "zh-CN": "一" },
      words: "Look.",
      look: "heads",
      state: { head: "2" },
      task: {
        ask: "Which?",
        choices: [
          { words: "this", check: STRONGEST },
          { words: "that", check: { is: "not", check: STRONGEST } },
        ],
        act: { words: "Ablate it", check: { is: "edited", list: "heads" } },
        then: "So it is.",
      },
    },
    {
      title: "Two",
      words: "Guess.",
      look: "picture",
      state: {},
      task: { ask: "How many?", number: { reading: { of: "cells" }, within: 1 } },
    },
    { title: "Three", words: "Read.", look: "text", state: {} },
  ],
} as const;
/** The controls of the builder that close the step that is open. */
const CLOSING = /^button (One|Two)$|builder\.(up|down|anew|noTask|record|delete:)/;
/** The builder of lessons with a step of the draft open; with no draft where there is no step. */
const builder = (step: number | null, without = LONG_WORK): Case => ({
  without,
  ...part(
    () => {
      localStorage.clear();
      if (step !== null) keepDraft(DRAFT);
      const made = new HeadscopeLessonBuilder();
      const names = (): NodeListOf<HTMLElement> => made.renderRoot.querySelectorAll(".name");
      if (step !== null) void made.updateComplete.then(() => names()[step]?.click());
      return made;
    },
    { locked: PAIR },
  ),
});

const CASES: Readonly<Record<string, Case>> = {
  "top bar": part(() => new HeadscopeTopBar()),
  "top bar of a page": part(() => Object.assign(new HeadscopeTopBar(), { page: true })),
  "model picker": part(() => new HeadscopeModelPicker()),
  "sentence of a translator": part(() => new HeadscopeSentenceBar()),
  "sentence of a reader": part(() => new HeadscopeSentenceBar(), READING, reader),
  heads: part(() => new HeadscopeHeadsPanel(), { edits: EDITED }),
  "heads with roles, in order": part(
    () => new HeadscopeHeadsPanel(),
    { ...WRITING, roleFilter: "induction", headSort: "entropy" },
    () => small(FAKE_WRITER, NOTES),
  ),
  "picture: heatmap": picture({ locked: PAIR }),
  "picture: scores with an edit": picture({ stage: "scores", edits: EDITED, locked: PAIR }),
  "picture: lines": picture({ picture: "lines" }),
  "picture: dimensions": picture({ picture: "dimensions", locked: PAIR }),
  "picture: steps": picture({ picture: "steps" }),
  "picture: mask": picture({ picture: "mask", edits: EDITED }),
  "picture: positions": picture({ picture: "positions" }),
  "picture: layers": picture({ picture: "layers" }),
  "picture: words without the sink": picture({ unit: "word", sink: "out", specials: "hidden" }),
  "inspector of a pair": inspector({ locked: PAIR }),
  "inspector of an edited head": inspector({ edits: EDITED }),
  "inspector of several tokens": inspector({
    picked: { side: "source", tokens: [0, 2], pool: "sum", looking: "from" },
  }),
  "inspector of a cell that a mask blocks": inspector({ edits: BLOCKED, locked: PAIR }),
  "inspector of a writer": part(
    () => new HeadscopeInspector(),
    { ...WRITING, locked: { query: 1, key: 0 } },
    () => small(FAKE_WRITER, NOTES),
  ),
  "inspector of layers": inspector({ picture: "layers" }),
  edits: part(() => new HeadscopeEditsPanel(), { edits: EDITED }),
  settings: part(() => new HeadscopeSettingsSheet()),
  "share sheet": part(() => new HeadscopeShareSheet()),
  "export sheet": part(() => Object.assign(new HeadscopeExportSheet(), { open: true }), {
    locked: PAIR,
  }),
  lessons: part(() => new HeadscopeLessonList()),
  "builder of lessons, empty": builder(null),
  "builder of lessons: answers": builder(0, CLOSING),
  "builder of lessons: a number": builder(1, CLOSING),
  "builder of lessons: no task": builder(2),
  "page footer": part(() => new HeadscopePageFooter()),
  notices: part(() => new HeadscopeNotices(), { edits: EDITED }),
  "pair of a run and its original": part(() => new HeadscopePairsPanel(), {
    compare: "original",
    edits: EDITED,
  }),
  "pair of two texts, as lines": part(() => new HeadscopePairsPanel(), {
    compare: "other",
    otherText: "one four three",
    picture: "lines",
    locked: PAIR,
  }),
  "pair of two texts, as steps": part(() => new HeadscopePairsPanel(), {
    compare: "other",
    otherText: "one four three",
    picture: "steps",
  }),
  "other text": part(() => new HeadscopeOtherBar(), {
    compare: "other",
    otherText: "one four three",
  }),
  "tour: row": tour("row"),
  "tour: edit": tour("edit"),
  "question: it": tour("it"),
  "question: cost": tour("cost"),
  "experiment: masks": experiment("masks", { edits: RULED }),
  "experiment: masks without a rule": experiment("masks"),
  "experiment: positions": experiment("positions"),
  "experiment: variants": experiment("variants"),
  "experiment: heads": experiment("heads", { edits: EDITED }),
  "experiment: patching": experiment("patching", { compare: "other", otherText: "one four three" }),
  "experiment: calculator": experiment("calculator"),
  "experiment: decoding": decoding(null),
  "experiment: decoding, of another token": {
    ...decoding("decoding(step-1,turn-2,token-1002,line-branch)"),
    looks: true,
  },
  "experiment: decoding, of a translator": {
    ...decoding("decoding(step-1)", {}, FAKE_INFO),
    looks: true,
  },
  "experiment: decoding, of a given text": {
    ...decoding("decoding(mode-given,given-three_four)", {}, FAKE_INFO),
    looks: true,
  },
  training: training("copy"),
  "two trainings": { ...training("copy_kind.encoder:modular_method.sgd_clip.none"), looks: true },
};

beforeAll(async () => {
  stubPainting(600);
  configure({ home: "https://example.org/" });
  // What happy-dom lacks.
  const nothing = (): void => undefined;
  Object.assign(HTMLElement.prototype, { showPopover: nothing, hidePopover: nothing });
  await Promise.all([EDIT_LABELS.come(), PAIRS.come()]);
  vi.useFakeTimers();
});
afterEach(() => document.body.replaceChildren());

async function walk({ make, state, model, looks, without = LONG_WORK }: Case): Promise<string[]> {
  const session = newSession(state, (model ?? translator)());
  const settle = (): Promise<void> => follow(() => session.busy);
  await settle();
  provide(session);
  const element = await mount(make() as LitElement, {});
  const lines = await walkOf(element, session, settle, looks ? /./ : without);
  document.body.replaceChildren();
  session.end();
  return lines;
}

const file = new GoldenSections("outlines.txt");
afterAll(() => file.end());

it.each(Object.entries(CASES))(
  "%s: what is shown and changed is in the golden file",
  async (name, one) => {
    const lines = await walk(one);
    expect(lines).toEqual(file.textOf(name, lines.join("\n")).split("\n"));
  },
  WALK_MILLIS,
);
