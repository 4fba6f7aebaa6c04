import type { Cell, CoreInfo } from "../../data/index.js";
import type { ModelName, State } from "../../state/index.js";
import { MODEL_CARDS, type Sample } from "./bundled-models.js";
import { cardOf } from "./models.js";

export function samplesOf(model: ModelName): readonly Sample[] {
  return cardOf(model)?.samples ?? [];
}

export function pairSamplesOf(model: ModelName): readonly (Sample & { other: string })[] {
  return cardOf(model)?.pairs ?? [];
}

/** The sample of this model with the given text, if any. */
export function sampleOf(model: ModelName, text: string): Sample | undefined {
  return samplesOf(model).find((sample) => sample.text === text);
}

/** Whether a text is a sample of any model. */
export function isSample(text: string): boolean {
  return MODEL_CARDS.some(({ name }) => sampleOf(name, text) !== undefined);
}

/** The number of ids in a sample of ids. */
const SAMPLE_IDS = 8;

/**
 * The sample text of a model without a tokenizer, which consists of ids: some of its vocabulary,
 * without those that begin, end or fill up a text.
 */
export function sampleIds(info: CoreInfo): string {
  const { vocabSize, maxTokens, startToken, endTokens, padToken } = info;
  const special = [startToken, padToken, ...endTokens];
  const step = Math.max(1, Math.floor(vocabSize / (SAMPLE_IDS + 1)));
  const ids = Array.from({ length: SAMPLE_IDS }, (_, at) => (at + 1) * step);
  const usual = ids.filter((id) => id < vocabSize && !special.includes(id));
  return usual.slice(0, maxTokens).join(" ") || "0";
}

/** The other text of a pair of samples. */
export function partnerOf(model: ModelName, text: string): string | null {
  const pair = pairSamplesOf(model).find((one) => one.text === text || one.other === text);
  return pair ? (pair.text === text ? pair.other : pair.text) : null;
}

/**
 * The fields of the State that a sample sets, or a text with a head. Tokens picked and paired by
 * hand belong to another text.
 */
export function stateOf(
  sample: Omit<Sample, "locked" | "note"> & { locked: Cell | null },
): Partial<State> {
  const { text, stack, layer, head, locked, masked = [], other } = sample;
  const texts = { otherText: other ?? null, otherTarget: null, otherModel: null };
  const beside = { ...texts, compare: "other" } as const;
  const shown = { text, masked, stack, layer, head, locked };
  const none = { target: null, picked: null, region: null, pairs: [] };
  return { ...none, ...(other !== undefined && beside), ...shown };
}
