/**
 * The interface of tokenizer engines: Hugging Face's library, and the small one of the bundled
 * models.
 */

/** The encoding of a text or a pair of texts; all lists have an entry for each token. */
export interface EncodedText {
  ids: ArrayLike<number>;
  /** The token types: which of two texts a token belongs to, by the model's template. */
  types: ArrayLike<number>;
  /**
   * The words, counted on from the first text to the second; −1 for a token that the template adds.
   */
  words: ArrayLike<number>;
  /** The part of the text that each token covers. */
  texts: ArrayLike<string>;
}

/** An added token, which a text may contain literally. */
export interface AddedToken {
  id: number;
  content: string;
  /** Whether the token is special, that is stands for no part of a text. */
  special: boolean;
}

export interface TokenizerEngine {
  readonly added: readonly AddedToken[];
  encode(text: string, pair: string | null, addsSpecial: boolean): EncodedText;
  /** The text of some ids, without special tokens. */
  decode(ids: readonly number[]): string;
  /** The text of some pieces. */
  decodePieces(pieces: readonly string[]): string;
  piece(id: number): string | undefined;
  id(piece: string): number | undefined;
}
