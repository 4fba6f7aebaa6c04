import { type AddedToken, Tokenizer } from "@huggingface/tokenizers";
import type { Token, TokenRole } from "../../data/index.js";
import type { DecodeOptions } from "../contract.js";
import { describe, refuse } from "../errors.js";
import { parseDescription, repair, spellingOf } from "./description.js";
import { readable, type Spelling, visible, withNamedBytes } from "./readable.js";

export interface Encoded {
  tokens: Token[];
  /** Which of the two texts each token belongs to. */
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
 * A model's tokenizer: the library's components, driven word by word so that each token knows
 * its word and an unknown one the characters that it stands for.
 */
export class ModelTokenizer {
  readonly #library: Tokenizer;
  readonly #spelling: Spelling;
  readonly #added: ReadonlyMap<number, AddedToken>;
  readonly #unknown: number | undefined;

  /** @param json the text of tokenizer.json */
  constructor(json: string) {
    const description = parseDescription(json);
    try {
      this.#library = new Tokenizer(repair(description), { clean_up_tokenization_spaces: false });
    } catch (thrown) {
      const expected = "a tokenizer of a known kind";
      throw refuse("load/bad-tokenizer", "tokenizer.json", expected, describe(thrown), undefined, {
        cause: thrown,
      });
    }
    this.#spelling = spellingOf(description);
    this.#added = this.#library.get_added_tokens_decoder();
    this.#unknown = this.#library.model?.unk_token_id;
  }

  /** Ids of the tokens that stand for no piece of a text. */
  get specialIds(): number[] {
    return [...this.#added.values()].filter(({ special }) => special).map(({ id }) => id);
  }

  /** The token that stands for a hidden word, if there is one. */
  get maskId(): number | null {
    return this.specialIds.find((id) => this.#special(id).role === "mask") ?? null;
  }

  encode(text: string, textPair: string | null): Encoded {
    const first = this.#encodeText(text, 0);
    const second =
      textPair === null
        ? null
        : this.#encodeText(textPair, 1 + Math.max(-1, ...first.map(({ word }) => word)));
    return this.#withSpecial(first, second);
  }

  /** Tokens of bare ids, with the words that their text has; where reading that text gives other ids, words are guessed from the spelling. */
  tokens(ids: number[]): Token[] {
    const plain = ids.filter((id) => !this.#isSpecial(id));
    const read = this.#encodeText(this.decode(plain), 0);
    const same = read.length === plain.length && read.every((token, at) => token.id === plain[at]);
    let word = -1;
    let at = 0;
    return ids.map((id) => {
      if (this.#isSpecial(id)) return this.#special(id);
      const piece = this.#library.id_to_token(id) ?? "";
      const wordRead = same ? read[at++]?.word : undefined;
      if (word < 0 || this.#startsWord(piece)) word += 1;
      return { id, text: this.text(id), word: wordRead ?? word, special: false, role: null };
    });
  }

  #isSpecial(id: number): boolean {
    return this.#added.get(id)?.special === true || this.#library.id_to_token(id) === undefined;
  }

  /** What one token reads as, outside any text. */
  text(id: number): string {
    const piece = this.#library.id_to_token(id);
    if (piece === undefined) return `#${id}`;
    return this.#added.has(id) ? visible(piece) : readable(piece, this.#spelling);
  }

  /** Whether a token, outside any text, goes on with the word before it. Signs such as a full stop do not. */
  continuesWord(id: number): boolean {
    const piece = this.#library.id_to_token(id);
    return (
      piece !== undefined &&
      !this.#added.has(id) &&
      !this.#startsWord(piece) &&
      /^[\p{L}\p{M}\p{N}]/u.test(this.text(id))
    );
  }

  /** The text that ids spell, special tokens left out. Bytes that make no whole character are U+FFFD, or named. */
  decode(ids: number[], { nameBytes = false }: DecodeOptions = {}): string {
    const plain = ids.filter((id) => !this.#isSpecial(id));
    if (plain.length === 0) return "";
    const text = this.#library.decode(plain, { skip_special_tokens: true });
    return nameBytes && text.includes("\uFFFD") ? this.#decodeNaming(plain) : text;
  }

  /** Decodes as the library does, except that bytes which form no character are named. */
  #decodeNaming(ids: number[]): string {
    const { decoder, model } = this.#library;
    const pieces = withNamedBytes(
      ids.map((id) => this.#library.id_to_token(id) ?? ""),
      this.#spelling,
    );
    if (decoder === null) return pieces.join(" ");
    const text = this.#spelling.kind === "byte-level" ? pieces.join("") : decoder.decode(pieces);
    // The library takes the ends of words out of what any decoder gives.
    const suffix = model?.end_of_word_suffix;
    return suffix ? text.replaceAll(suffix, " ").trim() : text;
  }

  #encodeText(text: string, firstWord: number): Token[] {
    const { normalizer } = this.#library;
    const [literal, afterNormalizing] = this.#addedTokens();
    let word = firstWord;
    return cutAtAdded(text, literal).flatMap((section, index) => {
      if (section.added !== null) return [this.#addedToken(section.added, () => word++)];
      const normalized = normalizer === null ? section.text : normalizer.normalize(section.text);
      return cutAtAdded(normalized, afterNormalizing).flatMap((part) => {
        if (part.added !== null) return [this.#addedToken(part.added, () => word++)];
        return this.#words(part.text, index).flatMap((piece) => this.#encodeWord(piece, word++));
      });
    });
  }

  /** Those that are looked for in the text as it is, and those looked for once it is normalised. */
  #addedTokens(): [AddedToken[], AddedToken[]] {
    const added = [...this.#added.values()];
    const late = ({ normalized }: AddedToken): boolean =>
      normalized && this.#library.normalizer !== null;
    return [added.filter((token) => !late(token)), added.filter(late)];
  }

  #words(text: string, sectionIndex: number): string[] {
    return (
      this.#library.pre_tokenizer?.pre_tokenize(text, { section_index: sectionIndex }) ?? [text]
    );
  }

  #encodeWord(source: string, word: number): Token[] {
    const { model } = this.#library;
    if (model === null) return [];
    const pieces = model._call([source]);
    const ids = pieces.map((piece) => model.tokens_to_ids.get(piece) ?? model.unk_token_id ?? 0);
    const spelt = surfaces(source, pieces, (piece) =>
      model.tokens_to_ids.get(piece) === this.#unknown ? null : this.#bare(piece),
    );
    return ids.map((id, at) =>
      id === this.#unknown
        ? {
            id,
            text: readable(spelt[at] ?? "", this.#spelling),
            word,
            special: false,
            role: "unknown",
          }
        : { id, text: this.text(id), word, special: false, role: null },
    );
  }

  /** Puts the model's special tokens around one or two texts, by its own template. */
  #withSpecial(first: Token[], second: Token[] | null): Encoded {
    const { post_processor } = this.#library;
    const plain: Encoded = {
      tokens: [...first, ...(second ?? [])],
      typeIds: [...first.map(() => 0), ...(second ?? []).map(() => 1)],
    };
    if (post_processor === null) return plain;
    // The library works on strings: a key that no vocabulary has stands for each token.
    const key = (_: Token, at: number): string => `\u0000${at}`;
    const processed = post_processor.post_process(
      first.map(key),
      second?.map((_, at) => `\u0000${first.length + at}`) ?? null,
      true,
    );
    const tokens = processed.tokens.map((entry) => {
      if (entry.startsWith("\u0000")) return plain.tokens[Number(entry.slice(1))];
      const id = this.#library.token_to_id(entry);
      return id === undefined ? undefined : this.#special(id);
    });
    const known = tokens.filter((token) => token !== undefined);
    // A post-processor that drops the second text has nothing to add to it.
    return known.length < plain.tokens.length
      ? plain
      : { tokens: known, typeIds: processed.token_type_ids ?? plain.typeIds };
  }

  #addedToken(added: AddedToken, nextWord: () => number): Token {
    return added.special
      ? this.#special(added.id)
      : {
          id: added.id,
          text: visible(added.content),
          word: nextWord(),
          special: false,
          role: null,
        };
  }

  #special(id: number): Token {
    const piece = this.#library.id_to_token(id) ?? `#${id}`;
    return {
      id,
      text: piece,
      word: -1,
      special: true,
      role: id === this.#unknown ? "unknown" : (NAMED_ROLES[piece] ?? null),
    };
  }

  #startsWord(piece: string): boolean {
    switch (this.#spelling.kind) {
      case "metaspace":
        return piece.startsWith(this.#spelling.replacement);
      case "byte-level":
        return piece.startsWith("Ġ");
      case "word-piece":
        return !piece.startsWith(this.#spelling.prefix);
      case "plain":
        return true;
    }
  }

  /** A known piece as it stands in its word, padding characters kept. */
  #bare(piece: string): string {
    const spelling = this.#spelling;
    if (spelling.kind === "word-piece" && piece.startsWith(spelling.prefix))
      return piece.slice(spelling.prefix.length);
    if (spelling.kind === "plain" && spelling.suffix !== "" && piece.endsWith(spelling.suffix))
      return piece.slice(0, -spelling.suffix.length);
    return piece;
  }
}

/** A stretch of text, or an added token that stands in it. */
type Section = { text: string; added: null } | { text: string; added: AddedToken };

/** Cuts a text at the added tokens that it spells out, the longest first. */
function cutAtAdded(text: string, added: readonly AddedToken[]): Section[] {
  if (added.length === 0) return text === "" ? [] : [{ text, added: null }];
  const byContent = new Map(added.map((token) => [token.content, token]));
  const contents = [...byContent.keys()].sort((a, b) => b.length - a.length).map(escape);
  const sections = text
    .split(new RegExp(`(${contents.join("|")})`, "u"))
    .map((part): Section => ({ text: part, added: byContent.get(part) ?? null }));
  for (const [at, { added: token }] of sections.entries()) {
    const before = sections[at - 1];
    const after = sections[at + 1];
    if (token?.lstrip === true && before !== undefined)
      before.text = before.text.replace(/\p{White_Space}+$/u, "");
    if (token?.rstrip === true && after !== undefined)
      after.text = after.text.replace(/^\p{White_Space}+/u, "");
  }
  return sections.filter((section) => section.text !== "");
}

function escape(content: string): string {
  return content.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/**
 * What each piece of a word spells, so that an unknown piece can show the characters that it
 * stands for. `spell` gives the text of a known piece, null for an unknown one.
 */
function surfaces(
  word: string,
  pieces: readonly string[],
  spell: (piece: string) => string | null,
): string[] {
  const known = pieces.map(spell);
  let at = 0;
  return known.map((text, index) => {
    if (text !== null) {
      at += text.length;
      return text;
    }
    const start = at;
    const next = known[index + 1];
    if (next === undefined) at = word.length;
    else if (next !== null) at = Math.max(start, word.indexOf(next, start + 1));
    // Several unknown pieces in a row stand for one character each, the last for what is left.
    else at = start + (Array.from(word.slice(start, start + 2))[0]?.length ?? 0);
    return word.slice(start, at);
  });
}
