import type { Cell, HeadRef, Stack } from "../data/index.js";
import type { MessageKey } from "../i18n/index.js";
import { isBundled, type BundledModel, type ModelName, type State } from "../state/index.js";

/** A text that shows something of a model, and the head and the cell to see it in. */
export interface Sample {
  text: string;
  look: HeadRef & { locked: Cell };
  /** What it shows, in one sentence that stays under the text until that is changed. */
  note?: MessageKey;
  /** Positions of tokens to mask, in a masked language model. */
  hidden?: readonly number[];
  /** The text to compare it with. */
  other?: string;
}

/** Text, note, a cell of a head (stack, layer, head, query, key), and the position of a masked token. */
type Row = [text: string, note: MessageKey, cell: CellPlace, hidden?: number];
type CellPlace = `${Stack} ${number} ${number} ${number} ${number}`;

const SCHOOL = "I don't want to go to";
const HOUSE = "She lives in a small";

/** The samples of each bundled model; the first replaces a sample of another model. */
const SAMPLES: Readonly<Record<BundledModel, readonly Row[]>> = {
  "models/en-fr": [
    ["She gave him the book that he wanted to read.", "sample.en-fr.alignment", "cross 1 4 4 4"],
    ["The boy loves the girl.", "sample.en-fr.order", "cross 1 4 1 1"],
    ["The girl loves the boy.", "sample.en-fr.order", "cross 1 4 1 1"],
    ["The dog bites the man.", "sample.en-fr.bite", "cross 1 4 1 1"],
    ["The man bites the dog.", "sample.en-fr.bite", "cross 1 4 6 5"],
    ["I have a black cat and a white dog.", "sample.en-fr.adjective", "cross 2 5 5 3"],
    ["The white house is old.", "sample.en-fr.agreement", "cross 2 0 0 2"],
    ["He took the apple and ate it.", "sample.en-fr.it", "encoder 2 2 6 3"],
    ["The bank is on the bank of the river.", "sample.en-fr.bank", "encoder 2 6 5 8"],
    ["The girl who knows the boys is happy.", "sample.en-fr.distance", "encoder 1 5 6 1"],
    ["He does not speak French.", "sample.en-fr.negation", "cross 1 7 1 2"],
  ],
  "models/tiny-gpt": [
    [`${SCHOOL} school. ${SCHOOL}`, "sample.gpt.induction", "decoder 2 2 16 8"],
    [`${HOUSE} house near the river. ${HOUSE}`, "sample.gpt.induction", "decoder 1 1 15 6"],
    ["I don't like milk, but I like", "sample.gpt.negation", "decoder 2 2 9 5"],
    ["The bank is on the bank of the", "sample.gpt.bank", "decoder 1 1 8 6"],
    ["The girl who knows the boys", "sample.gpt.distance", "decoder 1 3 6 2"],
    ["My dog is big, but it is gentle.", "sample.gpt.it", "decoder 3 2 7 2"],
  ],
  "models/tiny-bert": [
    ["He does not speak French.", "sample.bert.object", "encoder 3 1 4 5", 4],
    ["He is taller than his brother.", "sample.bert.comparison", "encoder 2 3 4 3", 4],
    ["I don't like milk.", "sample.bert.negation", "encoder 2 0 5 2", 5],
    ["The dog bites the man.", "sample.bert.order", "encoder 1 3 2 6", 2],
    ["The bank is on the bank of the river.", "sample.bert.bank", "encoder 1 3 6 9", 6],
    [
      "The books that my brother bought are on the table.",
      "sample.bert.distance",
      "encoder 3 2 7 6",
      7,
    ],
  ],
};

const ORDER = ["The dog bites the man.", "The man bites the dog."] as const;
const BANK = ["She sits on the bank of the river.", "She has money in the bank."] as const;

/** Pairs of texts of each bundled model: words that change places, and a word with two meanings. */
const PAIRS: Readonly<Record<BundledModel, readonly [string, string, CellPlace][]>> = {
  "models/en-fr": [
    [...ORDER, "cross 1 4 1 1"],
    [...BANK, "encoder 2 6 5 8"],
  ],
  "models/tiny-gpt": [
    ["The dog bites the man", "The man bites the dog", "decoder 1 1 5 2"],
    ["She sits on the bank of the river", "She has money in the bank", "decoder 1 1 8 6"],
  ],
  "models/tiny-bert": [
    [...ORDER, "encoder 1 3 6 2"],
    [...BANK, "encoder 1 3 6 9"],
  ],
};

function sampleAt(text: string, place: CellPlace): Pick<Sample, "text" | "look"> {
  const [stack, ...numbers] = place.split(" ");
  const [layer = 0, head = 0, query = 0, key = 0] = numbers.map(Number);
  return { text, look: { stack: stack as Stack, layer, head, locked: { query, key } } };
}

export function samplesOf(model: ModelName): readonly Sample[] {
  if (!isBundled(model)) return [];
  return SAMPLES[model].map(([text, note, place, hidden]) => ({
    ...sampleAt(text, place),
    note,
    ...(hidden !== undefined && { hidden: [hidden] }),
  }));
}

export function pairSamplesOf(model: ModelName): readonly (Sample & { other: string })[] {
  if (!isBundled(model)) return [];
  return PAIRS[model].map(([text, other, place]) => ({ ...sampleAt(text, place), other }));
}

/** The sample that a text is, if it is one of this model's. */
export function sampleOf(model: ModelName, text: string): Sample | undefined {
  return samplesOf(model).find((sample) => sample.text === text);
}

/** The text of a pair beside another one. */
export function partnerOf(model: ModelName, text: string): string | null {
  const pair = pairSamplesOf(model).find((one) => one.text === text || one.other === text);
  return pair ? (pair.text === text ? pair.other : pair.text) : null;
}

/** What of the State a sample decides. Tokens picked and paired by hand belong to another text. */
export function stateOf({ text, look, hidden = [], other }: Sample): Partial<State> {
  const beside = { otherText: other ?? null, otherModel: null, compare: "other" } as const;
  const none = { target: null, picked: null, region: null, pairs: [] };
  return { ...none, text, hidden, ...(other !== undefined && beside), ...look };
}
