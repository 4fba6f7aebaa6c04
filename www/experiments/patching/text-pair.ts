/**
 * Two texts between which activations are patched: whether their tokens have counterparts, what the
 * model predicts in both, and the run inputs of a grid of patches.
 */
import type { Edits, Prediction, Token } from "../../data/index.js";
import { predictionLabel, tokenLabel } from "../../elements/shared/templates.js";
import {
  HeadscopeError,
  type Model,
  type Run,
  type RunInput,
  type TokenizeOptions,
} from "../../headscope.js";
import { message } from "../../i18n/index.js";
import { modelLabel } from "../../session/models/models.js";
import { isMaskable } from "../../session/run/selection.js";
import { type EditLists, sentEdits, type State } from "../../state/index.js";

/** The predictions of each text that the page offers as targets. */
const OFFERED = 10;

/** Words that change the sense of a sentence little, in the order in which they are tried. */
const NEUTRAL = ["very", "really", "just", "now", "also", "so", "too"] as const;

/** The text on which the model does what is studied, or the one on which it does not. */
export type TextRole = "clean" | "corrupted";

export type Both<Value> = Readonly<Record<TextRole, Value>>;

/** The texts that are compared, as the State has them. */
export interface AskedTexts {
  texts: Both<string>;
  /** The positions of masked tokens, in both texts. */
  masked: readonly number[];
  /** A translation that the user gave for the clean text; null while the model writes it. */
  target: string | null;
  /** The edits of both runs, without patches. */
  edits: EditLists;
  /** How both texts are read. */
  reading: TokenizeOptions;
}

/** What both runs tell of a pair of texts of as many tokens. */
export interface TextPair {
  model: Model;
  /** The inputs of both runs, as ids, so that they are the same however the page writes them. */
  inputs: Both<RunInput>;
  /** The tokens of the clean text and, of a model with a decoder, those that the decoder reads. */
  tokens: readonly Token[];
  targetTokens: readonly Token[];
  /** The translation of the clean text; null in models that do not translate. */
  translation: string | null;
  /** The position that predicts. */
  position: number;
  /** The likeliest entries there, best first. */
  predictions: Both<Prediction[]>;
}

/** The texts of a grid of patches, and the target that is read in them. */
export interface PatchTask {
  model: Model;
  inputs: Both<RunInput>;
  tokens: readonly Token[];
  targetTokens: readonly Token[];
  position: number;
  id: number;
  /** The token whose logit is taken off; null for a log-probability. */
  minus: number | null;
  /** The target in words. */
  target: string;
  /** The model's folder, both texts and the masked positions, for saved files. */
  folder: string;
  texts: Both<string>;
  masked: readonly number[];
  /** The translation of the clean text; null in models that do not translate. */
  translation: string | null;
}

/** A token of which both texts have another one. */
export interface Differing {
  position: number;
  clean: string;
  corrupted: string;
}

/** The tokens of both texts that differ, by position. */
export function differing(model: Pick<Model, "tokenize">, texts: Both<string>): Differing[] {
  const clean = model.tokenize(texts.clean);
  const corrupted = model.tokenize(texts.corrupted);
  return clean.flatMap((token, position) => {
    const other = corrupted[position];
    return other === undefined || other.id === token.id
      ? []
      : [{ position, clean: tokenLabel(token), corrupted: tokenLabel(other) }];
  });
}

/** The numbers of tokens of two texts, and the first token that differs. */
export interface Lengths {
  counts: Both<number>;
  first: number;
}

/** How the lengths of two texts differ; null for texts of as many tokens. */
export function lengthsOf(model: Pick<Model, "tokenize">, texts: Both<string>): Lengths | null {
  const clean = model.tokenize(texts.clean);
  const corrupted = model.tokenize(texts.corrupted);
  if (clean.length === corrupted.length) return null;
  const first = clean.findIndex(({ id }, at) => id !== corrupted[at]?.id);
  const counts = { clean: clean.length, corrupted: corrupted.length };
  return { counts, first: first < 0 ? Math.min(clean.length, corrupted.length) : first };
}

/** The shorter of two texts with a neutral word before the first word in which they differ. */
export interface Padded {
  role: TextRole;
  word: string;
  text: string;
}

/** The shorter text, padded to as many tokens as the other; null if no neutral word fits. */
export function padded(model: Pick<Model, "tokenize">, texts: Both<string>): Padded | null {
  const lengths = lengthsOf(model, texts);
  if (!lengths) return null;
  const { clean, corrupted } = lengths.counts;
  const role: TextRole = clean < corrupted ? "clean" : "corrupted";
  const goal = Math.max(clean, corrupted);
  const missing = Math.abs(clean - corrupted);
  const words = texts[role].split(" ");
  const others = texts[role === "clean" ? "corrupted" : "clean"].split(" ");
  const differs = words.findIndex((word, at) => word !== others[at]);
  // A word behind the last sign would continue the sentence; before it is always a place.
  const place = differs < 0 ? words.length - 1 : differs;
  for (const word of NEUTRAL) {
    const added = Array.from({ length: missing }, () => word);
    const text = words.toSpliced(place, 0, ...added).join(" ");
    if (model.tokenize(text).length === goal) return { role, word: added.join(" "), text };
  }
  return null;
}

/**
 * The refusal of a corrupted text that another model reads, as a comparison of models has it: a
 * patch leads from one run of a model to another of the same. Null where one model reads both.
 */
export function otherModelRefusal({
  model,
  otherModel,
}: Pick<State, "model" | "otherModel">): HeadscopeError | null {
  if (otherModel === null || otherModel === model) return null;
  const [expected, got] = [modelLabel(model), modelLabel(otherModel)];
  const message = `Patching: expected ${expected}, found ${got}.`;
  return new HeadscopeError({
    code: "selection/other-model",
    doing: "patching",
    expected,
    got,
    message,
  });
}

/** Whether the target is read at a masked token, and none is masked. */
export function lacksMask(model: Model, { texts, masked }: AskedTexts): boolean {
  const tokens = model.tokenize(texts.clean);
  return (
    model.info.architecture === "encoder" &&
    !masked.some((position) => isMaskable(model.info, tokens[position]))
  );
}

/** The position of the last word of a text that can be masked; null if there is none. */
export function lastWord({ info, tokenize }: Pick<Model, "info" | "tokenize">, text: string) {
  const tokens = tokenize(text);
  const found = tokens.findLastIndex(
    (token) => isMaskable(info, token) && /[\p{L}\p{N}]/u.test(token.text),
  );
  return found < 0 ? null : found;
}

/** Runs both texts, and reads what the model predicts in them. The runs are released. */
export async function readTextPair(
  model: Model,
  { texts, masked, target, edits, reading }: AskedTexts,
  signal: AbortSignal,
): Promise<TextPair> {
  const runs: Run[] = [];
  const run = async (role: TextRole): Promise<Run> => {
    const tokens = model.tokenize(texts[role], undefined, reading);
    const gaps = masked.filter((position) => isMaskable(model.info, tokens[position]));
    const input: RunInput = {
      text: texts[role],
      ...reading,
      ...(gaps.length > 0 && { masked: gaps }),
      ...(role === "clean" && target !== null && { target }),
      edits: sentEdits({ ...edits, patches: [] }),
      lenient: true,
    };
    const found = await model.run(input, { signal });
    runs.push(found);
    return found;
  };
  try {
    const clean = await run("clean");
    const corrupted = await run("corrupted");
    const position = predictingPosition(model, clean, corrupted);
    const topK = Math.min(OFFERED, model.info.vocabSize);
    const best = async (of: Run): Promise<Prediction[]> =>
      (await of.predictions({ positions: [position], topK }))[0] ?? [];
    const translates = model.info.architecture === "encoder-decoder";
    const prefix = translates ? clean.targetTokens.slice(0, position + 1) : null;
    const edited = clean.fit()?.edits ?? {};
    const inputOf = (of: Run): RunInput => ({
      ids: idsOf(of.tokens),
      ...(prefix && { targetIds: idsOf(prefix) }),
      ...(hasAny(edited) && { edits: edited }),
    });
    return {
      model,
      inputs: { clean: inputOf(clean), corrupted: inputOf(corrupted) },
      tokens: clean.tokens,
      targetTokens: prefix ?? clean.targetTokens,
      translation: translates ? clean.targetText : null,
      position,
      predictions: { clean: await best(clean), corrupted: await best(corrupted) },
    };
  } finally {
    for (const one of runs) one.release();
  }
}

const idsOf = (tokens: readonly Token[]): number[] => tokens.map(({ id }) => id);

const hasAny = (edits: Edits): boolean => Object.values(edits).some((list) => list.length > 0);

/**
 * The position at which both texts are asked for a token: the last masked one, the last of a text
 * that is continued, and in a translation the one before the first token that differs.
 */
function predictingPosition({ info }: Model, clean: Run, corrupted: Run): number {
  if (info.architecture === "encoder")
    return clean.tokens.findLastIndex(({ maskedId }) => maskedId !== undefined);
  const last = clean.targetTokens.length - 1;
  if (info.architecture === "decoder") return last;
  const first = clean.targetTokens.findIndex(({ id }, at) => id !== corrupted.targetTokens[at]?.id);
  return first < 1 ? last : first - 1;
}

/** The tokens that a target can be, and the chosen ones. */
export interface Targets {
  /** The likeliest entries of both texts, those of the clean one first. */
  entries: readonly Prediction[];
  /** The likeliest entry of each text. */
  usual: { id: number; minus: number | null };
}

export function targetsOf({ predictions: { clean, corrupted } }: TextPair): Targets {
  const entries = [...new Map([...clean, ...corrupted].map((one) => [one.id, one])).values()];
  const id = clean[0]?.id ?? 0;
  const minus = corrupted[0]?.id ?? id;
  return { entries, usual: { id, minus: minus === id ? null : minus } };
}

/** The target in words: a log-probability, or with `minus` the difference of two logits. */
export function targetWords(
  pair: TextPair,
  { id, minus }: { id: number; minus?: number | null },
): string {
  const token = nameOfEntry(pair, id);
  return minus === undefined || minus === null
    ? message("patching.target.probability", { token })
    : message("patching.target.difference", { token, other: nameOfEntry(pair, minus) });
}

/** An entry of the vocabulary, as the model writes it where both texts are asked for a token. */
export function nameOfEntry(
  { predictions, model, targetTokens, tokens, position }: TextPair,
  id: number,
): string {
  const texts = targetTokens.length > 0 ? targetTokens : tokens;
  const at = texts[position];
  const entry = [...predictions.clean, ...predictions.corrupted].find((one) => one.id === id) ?? {
    id,
    text: model.decode([id]),
    logit: 0,
    probability: 0,
  };
  return at ? predictionLabel(entry, at, model.info) : entry.text;
}
