/** What a special token is for, where the tokenizer says so. */
export type TokenRole = "start" | "end" | "pad" | "mask" | "unknown";

/** One token of a text, as the page shows it. */
export interface Token {
  id: number;
  /** Readable, never U+FFFD. A special token carries its raw name, such as `</s>`. */
  text: string;
  /** Index of the word that the token belongs to; -1 for a special token. */
  word: number;
  special: boolean;
  role: TokenRole | null;
  /** Of a token that was hidden behind the mask token: what is read there otherwise. */
  hiddenText?: string;
  /** And its id. */
  hiddenId?: number;
}
