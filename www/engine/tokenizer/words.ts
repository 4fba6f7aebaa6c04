/**
 * Word boundaries for tokenizers that do not split a text into words, such as Llama 2's and
 * Gemma's: the library calls such a text one word. Here a word begins at a piece with the mark of a
 * space in front, and between letters and other characters, as in tokenizers that split at spaces
 * and punctuation first.
 */

import type { Spelling } from "./readable.js";

/** A piece and its readable text. */
export interface ReadPiece {
  piece: string;
  text: string;
}

/** Whether a word begins at a piece, given the piece before it in the same section of text. */
export function beginsWord({ piece, text }: ReadPiece, before: ReadPiece, space: string): boolean {
  const isMarked = space !== "" && piece.startsWith(space);
  // A mark that is a piece by itself belongs to the piece behind it.
  const isOnlyMarks = space !== "" && before.piece.replaceAll(space, "") === "";
  if (isMarked) return !(isOnlyMarks && piece.replaceAll(space, "") === "");
  const [kind, last] = [kindOf(Array.from(text)[0]), kindOf(Array.from(before.text).at(-1))];
  return !isOnlyMarks && kind !== null && last !== null && kind !== last;
}

/**
 * The class of a character for word boundaries; null for the sign of a byte, which continues any
 * word.
 */
function kindOf(character = ""): "letter" | "sign" | null {
  if (character === "" || "⟨⟩".includes(character)) return null;
  return /[\p{L}\p{M}\p{N}_]/u.test(character) ? "letter" : "sign";
}

/** The word index of each piece, counted from `first`. */
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
