import type { Cell, HeadRef, Stack } from "../data/index.js";
import type { MessageKey } from "../i18n/index.js";
import type { ModelName, State } from "../state/index.js";
import { cardOf } from "./models.js";

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

function sampleAt(text: string, place: string): Pick<Sample, "text" | "look"> {
  const [stack, ...numbers] = place.split(" ");
  const [layer = 0, head = 0, query = 0, key = 0] = numbers.map(Number);
  return { text, look: { stack: stack as Stack, layer, head, locked: { query, key } } };
}

export function samplesOf(model: ModelName): readonly Sample[] {
  return (cardOf(model)?.samples ?? []).map(([text, note, place, hidden]) => ({
    ...sampleAt(text, place),
    note,
    ...(hidden !== undefined && { hidden: [hidden] }),
  }));
}

export function pairSamplesOf(model: ModelName): readonly (Sample & { other: string })[] {
  return (cardOf(model)?.pairs ?? []).map(([text, other, place]) => ({
    ...sampleAt(text, place),
    other,
  }));
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
