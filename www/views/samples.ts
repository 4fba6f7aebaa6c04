import type { HeadRef } from "../data/index.js";
import type { MessageKey } from "../i18n/index.js";
import { isBundled, type BundledModel, type ModelName, type State } from "../state/index.js";

/** A text that shows something of a model, and where to look for it. */
export interface Sample {
  text: string;
  /** What it shows, in one sentence that stays under the text until that is changed. */
  note: MessageKey;
  look: HeadRef;
  /** Positions of tokens to hide, in a model that fills gaps. */
  hidden?: readonly number[];
}

/** The samples of each bundled model, looked at by hand; the first is what another model's sample is exchanged for. */
const SAMPLES: Readonly<Record<BundledModel, readonly Sample[]>> = {
  "models/en-fr": [
    {
      text: "She gave him the book that he wanted to read.",
      note: "sample.en-fr.alignment",
      look: { stack: "cross", layer: 1, head: 4 },
    },
    {
      text: "The boy loves the girl.",
      note: "sample.en-fr.order",
      look: { stack: "cross", layer: 1, head: 4 },
    },
    {
      text: "The girl loves the boy.",
      note: "sample.en-fr.order",
      look: { stack: "cross", layer: 1, head: 4 },
    },
    {
      text: "The dog bites the man.",
      note: "sample.en-fr.bite",
      look: { stack: "cross", layer: 1, head: 4 },
    },
    {
      text: "The man bites the dog.",
      note: "sample.en-fr.bite",
      look: { stack: "cross", layer: 1, head: 4 },
    },
    {
      text: "I have a black cat and a white dog.",
      note: "sample.en-fr.adjective",
      look: { stack: "cross", layer: 2, head: 5 },
    },
    {
      text: "The white house is old.",
      note: "sample.en-fr.agreement",
      look: { stack: "cross", layer: 2, head: 0 },
    },
    {
      text: "I put the book on the table because it was heavy.",
      note: "sample.en-fr.it",
      look: { stack: "encoder", layer: 1, head: 2 },
    },
    {
      text: "The bank is on the bank of the river.",
      note: "sample.en-fr.bank",
      look: { stack: "encoder", layer: 2, head: 6 },
    },
    {
      text: "The girl who knows the boys is happy.",
      note: "sample.en-fr.distance",
      look: { stack: "encoder", layer: 1, head: 5 },
    },
    {
      text: "He does not speak French.",
      note: "sample.en-fr.negation",
      look: { stack: "cross", layer: 1, head: 7 },
    },
  ],
  "models/tiny-gpt": [
    {
      text: "I don't want to go to school. I don't want to go to",
      note: "sample.gpt.induction",
      look: { stack: "decoder", layer: 2, head: 2 },
    },
    {
      text: "She lives in a small house near the river. She lives in a small",
      note: "sample.gpt.induction",
      look: { stack: "decoder", layer: 1, head: 1 },
    },
    {
      text: "I don't like milk, but I like",
      note: "sample.gpt.negation",
      look: { stack: "decoder", layer: 2, head: 2 },
    },
    {
      text: "The bank is on the bank of the",
      note: "sample.gpt.bank",
      look: { stack: "decoder", layer: 1, head: 1 },
    },
    {
      text: "The girl who knows the boys",
      note: "sample.gpt.distance",
      look: { stack: "decoder", layer: 1, head: 3 },
    },
    {
      text: "The dog chased the cat because it",
      note: "sample.gpt.it",
      look: { stack: "decoder", layer: 3, head: 2 },
    },
  ],
  "models/tiny-bert": [
    {
      text: "He does not speak French.",
      note: "sample.bert.object",
      look: { stack: "encoder", layer: 3, head: 1 },
      hidden: [4],
    },
    {
      text: "He is taller than his brother.",
      note: "sample.bert.comparison",
      look: { stack: "encoder", layer: 2, head: 3 },
      hidden: [4],
    },
    {
      text: "I don't like milk.",
      note: "sample.bert.negation",
      look: { stack: "encoder", layer: 2, head: 0 },
      hidden: [5],
    },
    {
      text: "The dog bites the man.",
      note: "sample.bert.order",
      look: { stack: "encoder", layer: 1, head: 3 },
      hidden: [2],
    },
    {
      text: "The bank is on the bank of the river.",
      note: "sample.bert.bank",
      look: { stack: "encoder", layer: 1, head: 3 },
      hidden: [6],
    },
    {
      text: "The books that my brother bought are on the table.",
      note: "sample.bert.distance",
      look: { stack: "encoder", layer: 3, head: 2 },
      hidden: [7],
    },
  ],
};

/** The samples of a model; a folder from a disk has none. */
export function samplesOf(model: ModelName): readonly Sample[] {
  return isBundled(model) ? SAMPLES[model] : [];
}

/** The sample that a text is, if it is one of this model's. */
export function sampleOf(model: ModelName, text: string): Sample | undefined {
  return samplesOf(model).find((sample) => sample.text === text);
}

/** What of the State a sample decides. What was picked and paired by hand was so in another text. */
export function stateOf({ text, look, hidden = [] }: Sample): Partial<State> {
  return {
    text,
    target: null,
    hidden,
    locked: null,
    picked: null,
    region: null,
    pairs: [],
    ...look,
  };
}
