import type { Token } from "../data/index.js";

/** A word of the text with the indices of its tokens; a special token stands alone. */
export interface Word {
  special: boolean;
  indices: number[];
}

/** Joins neighbours that belong to the same word. */
export function wordsOf(tokens: readonly Token[]): Word[] {
  const words: Word[] = [];
  tokens.forEach((token, index) => {
    const last = words.at(-1);
    const before = tokens[index - 1];
    if (last && !token.special && !last.special && token.word >= 0 && before?.word === token.word)
      last.indices.push(index);
    else words.push({ special: token.special, indices: [index] });
  });
  return words;
}
