// Which tokens of a text stand together in one row or column of a picture.
import type { Token } from "../data/index.js";
import { wordsOf } from "./words.js";

/** The tokens of each row or column that is shown, by their positions. */
export type Groups = readonly (readonly number[])[];

/** What of a text is shown, and how it is joined. */
export interface Grouping {
  byWord: boolean;
  /** Whether special tokens are left out. */
  ordinaryOnly: boolean;
  /** One position that is left out besides. */
  without: number | null;
}

/** Whether a token is the tokenizer's own. One that was hidden behind the mask token is still the reader's. */
export function isSpecial({ special, hiddenText }: Token): boolean {
  return special && hiddenText === undefined;
}

/** The rows or columns of a text. Where there would be none, special tokens stay: an empty picture says nothing. */
export function groupsOf(
  tokens: readonly Token[],
  { byWord, ordinaryOnly, without }: Grouping,
): Groups {
  const joined = byWord
    ? wordsOf(tokens).map(({ indices }) => indices)
    : tokens.map((_, index) => [index]);
  const keep = (index: number, leaveSpecials: boolean): boolean => {
    const token = tokens[index];
    return token !== undefined && index !== without && !(leaveSpecials && isSpecial(token));
  };
  const kept = (leaveSpecials: boolean): Groups =>
    joined
      .map((group) => group.filter((index) => keep(index, leaveSpecials)))
      .filter(({ length }) => length > 0);
  const ordinary = kept(ordinaryOnly);
  return ordinary.length > 0 ? ordinary : kept(false);
}

/** Whether each of so many tokens has a row or column of its own, in their order. */
export function isWhole(groups: Groups, count: number): boolean {
  return (
    groups.length === count && groups.every((group, at) => group.length === 1 && group[0] === at)
  );
}

/** What each group is called: a word is its pieces, one behind the other. */
export function groupTokens(tokens: readonly Token[], groups: Groups): Token[] {
  return groups.flatMap((group) => {
    const [first, ...more] = group.flatMap((index) => tokens[index] ?? []);
    if (!first) return [];
    return more.length === 0
      ? [first]
      : [{ ...first, text: [first, ...more].map(({ text }) => text).join(""), role: null }];
  });
}
