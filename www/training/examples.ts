/** Exercises as a model reads them: numbers of tokens, and the positions that it predicts. */
import { SPACE } from "./byte-pairs.js";
import type { Cut, Exercise, Kind } from "./tasks/index.js";
import { SPECIAL } from "./vocabulary.js";

/** A text to learn from, in the form of a trainer. */
export interface Example {
  /** The text that the model reads. */
  ids: number[];
  /** What the decoder of an encoder–decoder reads, its start token included. */
  targetIds?: number[];
  /** The positions whose prediction is learned, each with the token that is right. */
  targets: [position: number, id: number][];
}

/** The reading of exercises by a model of a kind. */
export interface Reading {
  readonly kind: Kind;
  readonly ends: boolean;
  /** The number of each symbol. */
  readonly ids: ReadonlyMap<string, number>;
}

/**
 * The example of an exercise. A decoder reads the question with its answer and predicts the next
 * token, an encoder reads the question with a mask for each symbol of the answer, and the decoder
 * of an encoder–decoder reads the answer up to the symbol that it predicts.
 */
export function exampleOf({ question, answer, from }: Exercise, reading: Reading): Example {
  const { kind, ends, ids } = reading;
  const numbers = (symbols: readonly string[]) => symbols.map((symbol) => numberOf(ids, symbol));
  const given = numbers(question);
  const right = numbers(answer);
  if (kind === "encoder") {
    const masked = right.map((id, at) => (at < from ? id : SPECIAL.mask));
    const first = 1 + given.length;
    return {
      ids: [SPECIAL.begin, ...given, ...masked],
      targets: predicted(right, from).map(([at, id]) => [first + at, id]),
    };
  }
  const whole = ends ? [...right, SPECIAL.end] : right;
  const isOfTwo = kind === "encoder-decoder";
  const read = [SPECIAL.begin, ...(isOfTwo ? [] : given), ...whole.slice(0, -1)];
  const first = isOfTwo ? 0 : given.length;
  const targets = predicted(whole, from).map(([at, id]): [number, number] => [first + at, id]);
  if (!isOfTwo) return { ids: read, targets };
  return { ids: [...given, SPECIAL.end], targetIds: read, targets };
}

/** The text and, for an encoder–decoder, the translation that a person would type. */
export function textsOf(
  { question, answer, from }: Exercise,
  kind: Kind,
  cut: Cut,
): [string, string | null] {
  const joined = (symbols: readonly string[]) => {
    const text = symbols.join(cut === "spaces" ? " " : "");
    return typeof cut === "string" ? text : text.replaceAll(SPACE, " ").replace(/^ /, "");
  };
  if (kind === "encoder-decoder") return [joined(question), joined(answer)];
  const seen =
    kind === "encoder" ? answer.map((symbol, at) => (at < from ? symbol : "<mask>")) : answer;
  return [joined([...question, ...seen]), null];
}

/** The places of an answer that are predicted, with their tokens. */
function predicted(ids: readonly number[], from: number): [number, number][] {
  return ids.map((id, at): [number, number] => [at, id]).slice(from);
}

function numberOf(ids: ReadonlyMap<string, number>, symbol: string): number {
  const id = ids.get(symbol);
  if (id === undefined) throw new Error(`the task has no symbol "${symbol}"`);
  return id;
}
