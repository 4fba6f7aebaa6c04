import type { Token } from "../../data/index.js";
import { wordsOf } from "../../reduce/words.js";
import type { AlignedBy } from "../../state/index.js";
import { commonPairs } from "../word-diff.js";

/** Which token of one text stands for which of another: each for one at most. Null where a token has no counterpart. */
export interface Alignment {
  /** By position in the first text, the position in the second. */
  toOther: (number | null)[];
  /** By position in the second text, the position in the first. */
  toOne: (number | null)[];
}

/** A word as it is compared, with its tokens. */
interface Unit {
  key: string;
  indices: number[];
}

type Match = [one: number, other: number];

/**
 * Aligns two texts, by position or by words. Words in common come first, in their order; then a word that moved, if it stands only once in what
 * is left of both; then words that were exchanged for as many others between two that are aligned. Tokens of a word
 * are paired in their order. What a reader paired by hand comes before everything.
 */
export function align(
  one: readonly Token[],
  other: readonly Token[],
  by: AlignedBy = "words",
  byHand: readonly { one: number; other: number }[] = [],
): Alignment {
  const alignment: Alignment = { toOther: one.map(() => null), toOne: other.map(() => null) };
  for (const [at, to] of by === "positions"
    ? samePlaces(one.length, other.length)
    : sameWords(one, other))
    join(alignment, at, to);
  for (const pair of byHand)
    if (pair.one < one.length && pair.other < other.length) join(alignment, pair.one, pair.other);
  return alignment;
}

function samePlaces(length: number, otherLength: number): Match[] {
  return range(0, Math.min(length, otherLength)).map((at) => [at, at]);
}

/** The tokens of words that correspond, piece by piece. */
function sameWords(one: readonly Token[], other: readonly Token[]): Match[] {
  const [units, otherUnits] = [unitsOf(one), unitsOf(other)];
  return matchWords(units, otherUnits).flatMap(([at, to]) => {
    const [pieces, otherPieces] = [units[at]?.indices ?? [], otherUnits[to]?.indices ?? []];
    return range(0, Math.min(pieces.length, otherPieces.length)).map(
      (index): Match => [pieces[index] ?? 0, otherPieces[index] ?? 0],
    );
  });
}

/** Pairs two tokens; whoever had one of them as counterpart has none any more. */
function join({ toOther, toOne }: Alignment, one: number, other: number): void {
  const [before, otherBefore] = [toOne[other], toOther[one]];
  if (typeof before === "number") toOther[before] = null;
  if (typeof otherBefore === "number") toOne[otherBefore] = null;
  toOther[one] = other;
  toOne[other] = one;
}

/** Several longest common subsequences may be equally long: the order of the two texts must not decide which is taken. */
function matchWords(one: readonly Unit[], other: readonly Unit[]): Match[] {
  const [keys, otherKeys] = [one, other].map((units) => units.map(({ key }) => key));
  if (!keys || !otherKeys) return [];
  const swapped = JSON.stringify(keys) > JSON.stringify(otherKeys);
  const found = swapped ? matchKeys(otherKeys, keys) : matchKeys(keys, otherKeys);
  return swapped ? found.map(([a, b]) => [b, a]) : found;
}

function matchKeys(one: readonly string[], other: readonly string[]): Match[] {
  const common = commonPairs(one, other);
  const matches = [...common, ...movedWords(one, other, common)];
  return [...matches, ...exchangedWords(one.length, other.length, matches, common)];
}

/** Words that stand once in what is left of both texts. */
function movedWords(
  one: readonly string[],
  other: readonly string[],
  matches: readonly Match[],
): Match[] {
  const left = placesOf(one, new Set(matches.map(([at]) => at)));
  const otherLeft = placesOf(other, new Set(matches.map(([, at]) => at)));
  return [...left].flatMap(([key, [at, ...more]]): Match[] => {
    const [to, ...others] = otherLeft.get(key) ?? [];
    return at !== undefined && to !== undefined && more.length + others.length === 0
      ? [[at, to]]
      : [];
  });
}

function placesOf(keys: readonly string[], taken: ReadonlySet<number>): Map<string, number[]> {
  const places = new Map<string, number[]>();
  keys.forEach((key, at) => {
    if (!taken.has(at)) places.set(key, [...(places.get(key) ?? []), at]);
  });
  return places;
}

/** Between two words in common, as many words of one text as of the other. */
function exchangedWords(
  length: number,
  otherLength: number,
  matches: readonly Match[],
  common: readonly Match[],
): Match[] {
  const taken = new Set(matches.map(([at]) => at));
  const otherTaken = new Set(matches.map(([, at]) => at));
  const exchanged: Match[] = [];
  let [from, otherFrom] = [0, 0];
  for (const [to, otherTo] of [...common, [length, otherLength] as const]) {
    const left = range(from, to).filter((at) => !taken.has(at));
    const otherLeft = range(otherFrom, otherTo).filter((at) => !otherTaken.has(at));
    if (left.length === otherLeft.length)
      left.forEach((at, index) => exchanged.push([at, otherLeft[index] ?? 0]));
    [from, otherFrom] = [to + 1, otherTo + 1];
  }
  return exchanged;
}

function unitsOf(tokens: readonly Token[]): Unit[] {
  return wordsOf(tokens).map(({ indices }) => ({
    key: indices.map((index) => keyOf(tokens[index])).join(""),
    indices,
  }));
}

/** A capital at the beginning of a sentence makes no other word, and a hidden token is still the one that it hides. */
function keyOf(token: Token | undefined): string {
  if (!token) return "";
  if (token.hiddenText !== undefined) return token.hiddenText.trim().toLowerCase();
  // Special tokens are of one kind when they do the same, whatever a model calls them.
  if (token.special) return `<${token.role ?? token.text}>`;
  return token.text.trim().toLowerCase();
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
