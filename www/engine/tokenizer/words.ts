/**
 * Words of tokenizers that leave a text whole, as those of Llama 2 and Gemma do: the library calls
 * such a text one word. Here a word begins at a piece that has the mark of a space in front, and
 * where letters meet other signs, as with the tokenizers that cut a text at spaces and punctuation
 * first.
 */

import type { Spelling } from "./readable.js";

/** A piece, and what it reads as. */
export interface ReadPiece {
  piece: string;
  text: string;
}

/** Whether a word begins at a piece, given the one before it in the same stretch of text. */
export function beginsWord({ piece, text }: ReadPiece, before: ReadPiece, space: string): boolean {
  const isMarked = space !== "" && piece.startsWith(space);
  // A mark that is a piece by itself belongs to what it stands in front of.
  const isOnlyMarks = space !== "" && before.piece.replaceAll(space, "") === "";
  if (isMarked) return !(isOnlyMarks && piece.replaceAll(space, "") === "");
  const [kind, last] = [kindOf(Array.from(text)[0]), kindOf(Array.from(before.text).at(-1))];
  return !isOnlyMarks && kind !== null && last !== null && kind !== last;
}

/**
 * What a character is to the words of a text; null for the sign of a byte, which is part of any.
 */
function kindOf(character = ""): "letter" | "sign" | null {
  if (character === "" || "⟨⟩".includes(character)) return null;
  return /[\p{L}\p{M}\p{N}_]/u.test(character) ? "letter" : "sign";
}

/** The number of each piece's word, counted from `first`. */
export function numberWords(
  pieces: readonly ReadPiece[],
  { space }: Spelling,
  first: number,
): number[] {
  let word = first;
  return pieces.map((piece, at) => {
    const before = pieces[at - 1];
    if (before !== undefined && beginsWord(piece, before, space)) word += 1;
    return word;
  });
}
