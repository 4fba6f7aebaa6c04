import {
  type AddedToken,
  PrecompiledNormalizer,
  SequenceNormalizer,
  Tokenizer,
} from "@huggingface/tokenizers";
import type { Token, TokenRole } from "../../data/index.js";
import type { DecodeOptions } from "../contract.js";
import { describe, HeadscopeError, refuse } from "../errors.js";
import { type Description, parseDescription, repair, spellingOf } from "./description.js";
import { precompiled } from "./precompiled.js";
import { bare, readable, type Spelling, visible, withNamedBytes } from "./readable.js";
import { numberWords } from "./words.js";

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
  readonly #unread: ReadonlyMap<string, number>;
  /** Whether the library takes a text of several words for one. */
  readonly #leavesWhole: boolean = false;
  /** Ids of the tokens that stand for no piece of a text. */
  readonly specialIds: number[];
  /** The token that stands for a hidden word, if there is one. */
  readonly maskId: number | null;

  /** @param json the text of tokenizer.json */
  constructor(json: string) {
    let description: Description;
    try {
      description = parseDescription(json);
      this.#spelling = spellingOf(description);
      this.#library = new Tokenizer(repair(description), { clean_up_tokenization_spaces: false });
      readCharsmaps(this.#library.normalizer);
    } catch (thrown) {
      if (thrown instanceof HeadscopeError) throw thrown;
      const [expected, got] = ["a tokenizer of a known kind", describe(thrown)];
      const options = { cause: thrown };
      throw refuse("load/bad-tokenizer", "tokenizer.json", expected, got, undefined, options);
    }
    this.#added = this.#library.get_added_tokens_decoder();
    const { model } = this.#library;
    this.#unknown = model?.unk_token_id;
    this.#unread = new Map(Object.entries(description.unread ?? {}));
    for (const [piece, id] of this.#unread) if (model && !model.vocab[id]) model.vocab[id] = piece;
    this.#leavesWhole = new Set(this.#encodeText("a a", 0).map(({ word }) => word)).size === 1;
    const special = [...this.#added.values()].filter((token) => token.special);
    this.specialIds = special.map(({ id }) => id);
    this.maskId = this.specialIds.find((id) => this.#special(id).role === "mask") ?? null;
  }

  encode(text: string, textPair: string | null): Encoded {
    const first = this.#encodeText(text, 0);
    const words = 1 + Math.max(-1, ...first.map(({ word }) => word));
    return this.#withSpecial(first, textPair === null ? null : this.#encodeText(textPair, words));
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
      if (word < 0 || this.#startsWord(this.#library.id_to_token(id) ?? "")) word += 1;
      return this.#plain(id, this.text(id), (same ? read[at++]?.word : undefined) ?? word);
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
    const isPiece = piece !== undefined && !this.#added.has(id);
    return isPiece && !this.#startsWord(piece) && /^[\p{L}\p{M}\p{N}]/u.test(this.text(id));
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
    const spelt = ids.map((id) => this.#library.id_to_token(id) ?? "");
    const pieces = withNamedBytes(spelt, this.#spelling);
    if (decoder === null) return pieces.join(" ");
    const text = this.#spelling.bytes ? pieces.join("") : decoder.decode(pieces);
    // The library takes the ends of words out of what any decoder gives.
    const suffix = model?.end_of_word_suffix;
    return suffix ? text.replaceAll(suffix, " ").trim() : text;
  }

  #encodeText(text: string, firstWord: number): Token[] {
    const { normalizer, pre_tokenizer } = this.#library;
    const added = [...this.#added.values()];
    // Some are searched in the text as it is, others in the normalised text.
    const isLate = (token: AddedToken): boolean => token.normalized && normalizer !== null;
    let word = firstWord;
    return cutAtAdded(
      text,
      added.filter((token) => !isLate(token)),
    ).flatMap((section, index) => {
      if (section.added !== null) return [this.#addedToken(section.added, () => word++)];
      const normalized = normalizer === null ? section.text : normalizer.normalize(section.text);
      return cutAtAdded(normalized, added.filter(isLate)).flatMap((part) => {
        if (part.added !== null) return [this.#addedToken(part.added, () => word++)];
        const words = pre_tokenizer?.pre_tokenize(part.text, { section_index: index });
        return (words ?? [part.text]).flatMap((piece) => {
          const tokens = this.#encodeWord(piece, word);
          word = 1 + (tokens.at(-1)?.word ?? word);
          return tokens;
        });
      });
    });
  }

  #encodeWord(source: string, word: number): Token[] {
    const { model } = this.#library;
    if (model === null) return [];
    const pieces = model._call([source]);
    const spelt = surfaces(source, pieces, (piece) =>
      model.tokens_to_ids.get(piece) === this.#unknown ? null : bare(piece, this.#spelling),
    );
    const tokens = pieces.map((piece, at): Token => {
      const id =
        this.#unread.get(piece) ?? model.tokens_to_ids.get(piece) ?? model.unk_token_id ?? 0;
      if (id !== this.#unknown) return this.#plain(id, this.text(id), word);
      const text = readable(spelt[at] ?? "", this.#spelling);
      return { ...this.#plain(id, text, word), role: "unknown" };
    });
    if (!this.#leavesWhole) return tokens;
    const read = tokens.map(({ text }, at) => ({ text, piece: pieces[at] ?? "" }));
    const words = numberWords(read, this.#spelling, word);
    return tokens.map((token, at) => ({ ...token, word: words[at] ?? word }));
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
    const keys = plain.tokens.map((_, at) => `\u0000${at}`);
    const others = second && keys.slice(first.length);
    const processed = post_processor.post_process(keys.slice(0, first.length), others, true);
    const tokens = processed.tokens.flatMap((entry) => {
      if (entry.startsWith("\u0000")) return plain.tokens[Number(entry.slice(1))] ?? [];
      const id = this.#library.token_to_id(entry);
      return id === undefined ? [] : this.#special(id);
    });
    // A post-processor that drops the second text has nothing to add to it.
    return tokens.length < plain.tokens.length
      ? plain
      : { tokens, typeIds: processed.token_type_ids ?? plain.typeIds };
  }

  #plain(id: number, text: string, word: number): Token {
    return { id, text, word, special: false, role: null };
  }

  #addedToken({ id, special, content }: AddedToken, nextWord: () => number): Token {
    return special ? this.#special(id) : this.#plain(id, visible(content), nextWord());
  }

  #special(id: number): Token {
    const text = this.#library.id_to_token(id) ?? `#${id}`;
    const role = id === this.#unknown ? "unknown" : (NAMED_ROLES[text] ?? null);
    return { id, text, word: -1, special: true, role };
  }

  #startsWord(piece: string): boolean {
    const { space, prefix } = this.#spelling;
    if (space !== "") return piece.startsWith(space);
    return prefix === "" || !piece.startsWith(prefix);
  }
}

/** The library replaces what most tables replace; this does what each one says. */
function readCharsmaps(normalizer: Tokenizer["normalizer"]): void {
  if (normalizer instanceof SequenceNormalizer) normalizer.normalizers.forEach(readCharsmaps);
  if (!(normalizer instanceof PrecompiledNormalizer)) return;
  const { charsmap, config } = normalizer as { charsmap: unknown; config: { longest?: boolean } };
  if (typeof charsmap === "string" && charsmap !== "")
    normalizer.normalize = precompiled(charsmap, config.longest === true);
}

/** A stretch of text, or an added token that stands in it. */
interface Section {
  text: string;
  added: AddedToken | null;
}

/** Cuts a text at the added tokens that it spells out, the longest first. */
function cutAtAdded(text: string, added: readonly AddedToken[]): Section[] {
  if (added.length === 0) return text === "" ? [] : [{ text, added: null }];
  const byContent = new Map(added.map((token) => [token.content, token]));
  const contents = [...byContent.keys()]
    .sort((a, b) => b.length - a.length)
    .map((content) => content.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
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
