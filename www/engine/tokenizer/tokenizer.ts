/** The tokenizer of a model for the page: tokens with labels, words and roles, from any engine. */

import type { Token, TokenRole } from "../../data/index.js";
import type { DecodeOptions } from "../contract.js";
import { BundledEngine, isBundled } from "./bundled.js";
import { type Description, parseDescription, spellingOf } from "./description.js";
import type { AddedToken, TokenizerEngine } from "./engine.js";
import { readable, type Spelling, visible, withNamedBytes } from "./readable.js";
import { numberWords } from "./words.js";

export interface Encoded {
  tokens: Token[];
  /** The token types: which of the two texts each token belongs to. */
  typeIds: number[];
}

const NAMED_ROLES: Readonly<Record<string, TokenRole>> = {
  "[CLS]": "start",
  "<s>": "start",
  "[SEP]": "end",
  "</s>": "end",
  "[PAD]": "pad",
  "<pad>": "pad",
  "[MASK]": "mask",
  "<mask>": "mask",
};

/**
 * Opens the tokenizer of a tokenizer.json: the bundled models' own, or Hugging Face's library.
 * @throws load/bad-tokenizer, tokenizer/bad-field, and what fetching the library throws
 */
export async function openTokenizer(json: string): Promise<ModelTokenizer> {
  const description = parseDescription(json);
  if (isBundled(json)) return new ModelTokenizer(description, new BundledEngine(description));
  const { openLibrary } = await import("./library.js");
  return new ModelTokenizer(description, await openLibrary(json, description));
}

export class ModelTokenizer {
  readonly #spelling: Spelling;
  readonly #added: ReadonlyMap<number, AddedToken>;
  readonly #unknown: number | undefined;
  /** Whether the library returns a text of several words as one word. */
  readonly #leavesWhole: boolean;
  /** The ids of special tokens, which stand for no part of a text. */
  readonly specialIds: number[];
  /** The id of the mask token, if there is one. */
  readonly maskId: number | null;

  constructor(
    description: Description,
    private readonly engine: TokenizerEngine,
  ) {
    const { unk_token, unk_id } = description.model;
    this.#spelling = spellingOf(description);
    this.#added = new Map(engine.added.map((token) => [token.id, token]));
    this.#unknown = unk_id ?? (unk_token ? engine.id(unk_token) : undefined);
    this.#leavesWhole = new Set(Array.from(engine.encode("a a", null, false).words)).size === 1;
    this.specialIds = engine.added.filter(({ special }) => special).map(({ id }) => id);
    this.maskId = this.specialIds.find((id) => this.#special(id).role === "mask") ?? null;
  }

  /** @param addsSpecial whether the special tokens that belong around a text are added */
  encode(text: string, textPair: string | null, addsSpecial = true): Encoded {
    return this.#encode(text, textPair, addsSpecial);
  }

  /**
   * The tokens of some ids, with the words of their text; if that text has other ids, words are
   * guessed from the spelling.
   */
  tokens(ids: number[]): Token[] {
    const plain = ids.filter((id) => !this.#isSpecial(id));
    const read = this.#encode(this.decode(plain), null, false).tokens;
    const same = read.length === plain.length && read.every((token, at) => token.id === plain[at]);
    let word = -1;
    let at = 0;
    return ids.map((id) => {
      if (this.#isSpecial(id)) return this.#special(id);
      if (word < 0 || this.#startsWord(this.engine.piece(id) ?? "")) word += 1;
      return this.#plain(id, this.text(id), (same ? read[at++]?.word : undefined) ?? word);
    });
  }

  #isSpecial(id: number): boolean {
    return this.#added.get(id)?.special === true || this.engine.piece(id) === undefined;
  }

  /** A token as readable text, outside any text. */
  text(id: number): string {
    const piece = this.engine.piece(id);
    if (piece === undefined) return `#${id}`;
    return this.#added.has(id) ? visible(piece) : readable(piece, this.#spelling);
  }

  /** Whether a token, outside any text, continues the word before it. Punctuation does not. */
  continuesWord(id: number): boolean {
    const piece = this.engine.piece(id);
    const isPiece = piece !== undefined && !this.#added.has(id);
    return isPiece && !this.#startsWord(piece) && /^[\p{L}\p{M}\p{N}]/u.test(this.text(id));
  }

  /**
   * The text of some ids, without special tokens. Bytes of incomplete characters are U+FFFD, or
   * named.
   */
  decode(ids: number[], { nameBytes = false }: DecodeOptions = {}): string {
    const plain = ids.filter((id) => !this.#isSpecial(id));
    if (plain.length === 0) return "";
    const text = this.engine.decode(plain);
    return nameBytes && text.includes("\uFFFD") ? this.#decodeNaming(plain) : text;
  }

  /** Decodes as the library does, except that bytes of incomplete characters are named. */
  #decodeNaming(ids: number[]): string {
    const spelt = ids.map((id) => this.engine.piece(id) ?? "");
    const pieces = withNamedBytes(spelt, this.#spelling);
    return this.#spelling.bytes ? pieces.join("") : this.engine.decodePieces(pieces);
  }

  #encode(text: string, pair: string | null, addsSpecial: boolean): Encoded {
    const { ids, types, words, texts } = this.engine.encode(text, pair, addsSpecial);
    const tokens = Array.from(ids, (id, at): Token => {
      const [word, spelt] = [words[at] ?? -1, texts[at] ?? ""];
      // A special token in the user's text is special too; the unknown token may also replace a
      // text without a piece.
      const isUnknown = id === this.#unknown && word >= 0 && spelt.trim() !== this.#content(id);
      if (isUnknown) {
        const label =
          this.#spelling.space === "" ? visible(spelt) : readable(spelt, this.#spelling);
        return { ...this.#plain(id, label, word), role: "unknown" };
      }
      return word < 0 || this.#isSpecial(id)
        ? this.#special(id)
        : this.#plain(id, this.text(id), word);
    });
    return { tokens: this.#numbered(tokens), typeIds: Array.from(types) };
  }

  #content(id: number): string | undefined {
    return this.#added.get(id)?.content;
  }

  /**
   * Tokens with words counted from 0 without gaps; a text that the library returns as one word is
   * split into words.
   */
  #numbered(tokens: readonly Token[]): Token[] {
    const isOf = (token: Token | undefined, word: number): boolean => token?.word === word;
    const made: Token[] = [];
    let next = 0;
    for (let at = 0; at < tokens.length;) {
      const token = tokens[at];
      if (token === undefined) break;
      if (token.special) {
        made.push(token);
        at += 1;
        continue;
      }
      let end = at;
      while (isOf(tokens[end], token.word) && tokens[end]?.special === false) end += 1;
      const word = tokens.slice(at, end);
      const read = word.map(({ id, text }) => ({ text, piece: this.engine.piece(id) ?? "" }));
      const numbers = this.#leavesWhole
        ? numberWords(read, this.#spelling, next)
        : word.map(() => next);
      made.push(...word.map((one, place) => ({ ...one, word: numbers[place] ?? next })));
      next = 1 + (numbers.at(-1) ?? next);
      at = end;
    }
    return made;
  }

  #plain(id: number, text: string, word: number): Token {
    return { id, text, word, special: false, role: null };
  }

  #special(id: number): Token {
    const text = this.engine.piece(id) ?? `#${id}`;
    const role = id === this.#unknown ? "unknown" : (NAMED_ROLES[text] ?? null);
    return { id, text, word: -1, special: true, role };
  }

  #startsWord(piece: string): boolean {
    const { space, prefix } = this.#spelling;
    if (space !== "") return piece.startsWith(space);
    return prefix === "" || !piece.startsWith(prefix);
  }
}
