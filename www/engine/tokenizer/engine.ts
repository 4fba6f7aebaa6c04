/**
 * What turns texts into tokens and back: Hugging Face's library, or the small one of the bundled
 * models.
 */

/** Tokens of a text or of two; all lists have an entry for each. */
export interface EncodedText {
  ids: ArrayLike<number>;
  /** Which of two texts a token belongs to, as the model's template says it. */
  types: ArrayLike<number>;
  /** Words, counted on from the first text to the second; −1 for a token that the template adds. */
  words: ArrayLike<number>;
  /** What stands in the text where a token is. */
  texts: ArrayLike<string>;
}

/** A token that a text may spell out. */
export interface AddedToken {
  id: number;
  content: string;
  /** Whether it stands for no part of a text. */
  special: boolean;
}

export interface TokenizerEngine {
  readonly added: readonly AddedToken[];
  encode(text: string, pair: string | null, addsSpecial: boolean): EncodedText;
  /** The text that ids spell, special tokens left out. */
  decode(ids: readonly number[]): string;
  /** The text that pieces spell. */
  decodePieces(pieces: readonly string[]): string;
  piece(id: number): string | undefined;
  id(piece: string): number | undefined;
}
