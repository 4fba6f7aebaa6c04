/**
 * The tokenizers of the bundled models in a few kilobytes, so that a first visit does not fetch
 * Hugging Face's library. Only the components in their descriptions are implemented, with the same
 * ids as the library's.
 */

import { refuse } from "../errors.js";
import type { Component, Description } from "./description.js";
import type { AddedToken, EncodedText, TokenizerEngine } from "./engine.js";
import { bytesOf, decodeUtf8, LETTER_OF_BYTE } from "./readable.js";

/** The descriptions of the bundled models, by length and 32 bits of FNV-1a. */
const BUNDLED: ReadonlySet<string> = new Set([
  "159935 1756552957",
  "53201 545788403",
  "102132 1572820882",
]);

/** Whether a tokenizer.json belongs to a bundled model. */
export function isBundled(json: string): boolean {
  return BUNDLED.has(fingerprint(json));
}

export function fingerprint(json: string): string {
  let hashed = 0x811c9dc5;
  for (let at = 0; at < json.length; at += 1)
    hashed = Math.imul(hashed ^ json.charCodeAt(at), 0x01000193);
  return `${json.length} ${hashed >>> 0}`;
}

interface Piece {
  id: number;
  text: string;
}

const PUNCTUATION = /[\p{P}!-/:-@[-`{-~]/u;
const HAN =
  /[\u4E00-\u9FFF\u3400-\u4DBF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\uF900-\uFAFF\u{2F800}-\u{2FA1F}]/gu;
const GPT_2 =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

/** The function of each normalizer. */
const NORMALIZERS: Readonly<Record<string, (text: string, component: Component) => string>> = {
  NFKC: (text) => text.normalize("NFKC"),
  Replace: (text) => text.replaceAll(/\p{White_Space}+/gu, " "),
  Strip: (text) => text.replaceAll(/^\p{White_Space}+|\p{White_Space}+$/gu, ""),
  BertNormalizer: (text) => {
    const clean = text
      .replaceAll(/[\0\uFFFD]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}]/gu, "")
      .replaceAll(/\p{White_Space}/gu, " ");
    const spaced = clean
      .replaceAll(HAN, " $& ")
      .normalize("NFD")
      .replaceAll(/\p{Mn}/gu, "");
    // Character by character: the lower case of a sigma does not depend on its neighbours.
    return Array.from(spaced, (character) => character.toLowerCase()).join("");
  },
};

/** The function of each pre-tokenizer, which splits a section of a text. */
const CUTS: Readonly<Record<string, (text: string, component: Component) => string[]>> = {
  Metaspace: (text) => {
    const marked = text.replaceAll(" ", "▁");
    return (marked.startsWith("▁") || marked === "" ? marked : `▁${marked}`).split(/(?=▁)/);
  },
  Punctuation: isolated,
  BertPreTokenizer: (text) => text.split(/\p{White_Space}+/u).flatMap(isolated),
  ByteLevel: (text) => {
    const spaced = text.startsWith(" ") || text === "" ? text : ` ${text}`;
    return (spaced.match(GPT_2) ?? []).map((word) =>
      Array.from(new TextEncoder().encode(word), (byte) => LETTER_OF_BYTE[byte]).join(""),
    );
  },
};

function isolated(text: string): string[] {
  return text.split(new RegExp(`(${PUNCTUATION.source})`, "u"));
}

const DECODERS: Readonly<Record<string, (pieces: readonly string[]) => string>> = {
  Metaspace: (pieces) =>
    pieces
      .map((piece, at) => (at === 0 ? piece.replace(/^▁/, "") : piece).replaceAll("▁", " "))
      .join(""),
  WordPiece: (pieces) =>
    pieces
      .map((piece, at) => {
        const joined = piece.startsWith("##") ? piece.slice(2) : ` ${piece}`;
        return tidy(at === 0 ? piece : joined);
      })
      .join(""),
  ByteLevel: (pieces) => decodeUtf8(pieces.flatMap(bytesOf)),
};

/** The clean-up of the library's WordPiece decoder, applied to each piece. */
function tidy(text: string): string {
  const changes = [
    [" .", "."],
    [" ?", "?"],
    [" !", "!"],
    [" ,", ","],
    [" ' ", "'"],
    [" n't", "n't"],
    [" 'm", "'m"],
    [" do not", " don't"],
    [" 's", "'s"],
    [" 've", "'ve"],
    [" 're", "'re"],
  ] as const;
  return changes.reduce((tidied, [from, to]) => tidied.replaceAll(from, to), text);
}

/** The parts of a sequence in order, or a single component. */
function partsOf(component?: Component | null): Component[] {
  if (component?.type !== "Sequence") return component ? [component] : [];
  return [...(component.normalizers ?? []), ...(component.pretokenizers ?? [])];
}

function known<T>(table: Readonly<Record<string, T>>, { type }: Component): T {
  const found = Object.hasOwn(table, type) ? table[type] : undefined;
  if (found !== undefined) return found;
  throw refuse("load/bad-tokenizer", "tokenizer.json", "that of a bundled model", type);
}

export class BundledEngine implements TokenizerEngine {
  readonly added: readonly AddedToken[];
  readonly #ids: ReadonlyMap<string, number>;
  readonly #pieces: ReadonlyMap<number, string>;
  /** The rank of each merge, by its two parts with a space between. */
  readonly #ranks: ReadonlyMap<string, number>;
  readonly #specialIds: ReadonlySet<number>;

  constructor(private readonly description: Description) {
    const { added_tokens, normalizer, pre_tokenizer, decoder, model } = description;
    for (const part of partsOf(normalizer)) known(NORMALIZERS, part);
    for (const part of partsOf(pre_tokenizer)) known(CUTS, part);
    if (decoder) known(DECODERS, decoder);
    this.added = (added_tokens ?? []).map(({ id, content, special = false }) => ({
      id,
      content,
      special,
    }));
    this.#specialIds = new Set(this.added.filter(({ special }) => special).map(({ id }) => id));
    const tokens = this.added.map(({ content, id }): [string, number] => [content, id]);
    this.#ids = new Map([...Object.entries(model.vocab as Record<string, number>), ...tokens]);
    this.#pieces = new Map(Array.from(this.#ids, ([piece, id]) => [id, piece]));
    const merges = (model.merges ?? []).map((merge) =>
      typeof merge === "string" ? merge : merge.join(" "),
    );
    this.#ranks = new Map(merges.map((merge, rank) => [merge, rank]));
  }

  encode(text: string, pair: string | null, addsSpecial: boolean): EncodedText {
    const texts = pair === null ? [text] : [text, pair];
    let words = 0;
    const read = texts.map((one) => {
      const made = this.#read(one, words);
      words = 1 + made.reduce((last, { word }) => Math.max(last, word), words - 1);
      return made;
    });
    const template = pair === null ? "single" : "pair";
    const places = (addsSpecial ? this.description.post_processor?.[template] : undefined) ?? [
      { Sequence: { id: "A" } },
      { Sequence: { id: "B", type_id: 1 } },
    ];
    const tokens = places.flatMap(({ Sequence, SpecialToken }) => {
      const type = Sequence?.type_id ?? SpecialToken?.type_id ?? 0;
      const id = this.#ids.get(SpecialToken?.id ?? "");
      const own = id === undefined ? [] : [{ id, text: "", word: -1 }];
      const part = Sequence === undefined ? own : (read[Sequence.id === "A" ? 0 : 1] ?? []);
      return part.map((token) => ({ ...token, type }));
    });
    return {
      ids: tokens.map(({ id }) => id),
      types: tokens.map(({ type }) => type),
      words: tokens.map(({ word }) => word),
      texts: tokens.map((token) => token.text),
    };
  }

  decode(ids: readonly number[]): string {
    const pieces: string[] = [];
    // A loop that calls nothing for a token: a page decodes its text for each candidate.
    for (const id of ids) {
      const piece = this.#specialIds.has(id) ? undefined : this.#pieces.get(id);
      if (piece !== undefined) pieces.push(piece);
    }
    return this.decodePieces(pieces);
  }

  decodePieces(pieces: readonly string[]): string {
    const { decoder } = this.description;
    return decoder ? known(DECODERS, decoder)(pieces) : pieces.join(" ");
  }

  piece(id: number): string | undefined {
    return this.#pieces.get(id);
  }

  id(piece: string): number | undefined {
    return this.#ids.get(piece);
  }

  /** The tokens of one text, with words counted from `first`. */
  #read(text: string, first: number): (Piece & { word: number })[] {
    const { normalizer, pre_tokenizer } = this.description;
    let word = first;
    return this.#sections(text).flatMap((section) => {
      const id = this.added.find(({ content }) => content === section)?.id;
      if (id !== undefined) return [{ id, text: section, word: word++ }];
      const normalized = partsOf(normalizer).reduce(
        (made, part) => known(NORMALIZERS, part)(made, part),
        section,
      );
      const words = partsOf(pre_tokenizer).reduce(
        (made, part) => made.flatMap((one) => known(CUTS, part)(one, part)),
        [normalized],
      );
      return words
        .filter((one) => one !== "")
        .flatMap((one) => {
          const pieces = this.description.model.type === "BPE" ? this.#merge(one) : this.#fit(one);
          const number = word++;
          return pieces.map((piece) => ({ ...piece, word: number }));
        });
    });
  }

  /** A text split at the added tokens in it, the longest first. */
  #sections(text: string): string[] {
    const contents = this.added.map(({ content }) => content).sort((a, b) => b.length - a.length);
    const escaped = contents.map((content) => content.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
    const sections = text.split(new RegExp(`(${escaped.join("|")})`, "u"));
    return sections.filter((section) => section !== "");
  }

  /**
   * A word by byte-pair encoding: of all neighbouring pairs the one with the lowest merge rank is
   * merged, until none is left.
   */
  #merge(word: string): Piece[] {
    const unknown = this.#ids.get(this.description.model.unk_token ?? "");
    const pieces = Array.from(word, (text) => ({ id: this.#ids.get(text), text }));
    for (;;) {
      let best = -1;
      let least = Infinity;
      for (let at = 1; at < pieces.length; at += 1) {
        const rank = this.#ranks.get(`${pieces[at - 1]?.text} ${pieces[at]?.text}`);
        if (rank !== undefined && rank < least) [best, least] = [at, rank];
      }
      if (best < 0) break;
      const text = `${pieces[best - 1]?.text}${pieces[best]?.text}`;
      pieces.splice(best - 1, 2, { id: this.#ids.get(text), text });
    }
    const made: Piece[] = [];
    for (const { id = unknown, text } of pieces) {
      if (id === undefined) continue;
      const last = made.at(-1);
      // Neighbouring characters outside the vocabulary become one token.
      const isFused = this.description.model.fuse_unk === true && id === unknown;
      if (isFused && last?.id === unknown) last.text += text;
      else made.push({ id, text });
    }
    return made;
  }

  /**
   * A word by WordPiece: the longest piece at each place; the whole word is unknown if one place
   * has none.
   */
  #fit(word: string): Piece[] {
    const { continuing_subword_prefix = "##", max_input_chars_per_word = 100 } =
      this.description.model;
    const unknown = this.#ids.get(this.description.model.unk_token ?? "") ?? 0;
    const letters = Array.from(word);
    const pieces: Piece[] = [];
    if (letters.length > max_input_chars_per_word) return [{ id: unknown, text: word }];
    for (let start = 0; start < letters.length;) {
      let end = letters.length;
      const spelt = (): string => letters.slice(start, end).join("");
      const prefix = start === 0 ? "" : continuing_subword_prefix;
      while (end > start && !this.#ids.has(prefix + spelt())) end -= 1;
      if (end === start) return [{ id: unknown, text: word }];
      pieces.push({ id: this.#ids.get(prefix + spelt()) ?? unknown, text: spelt() });
      start = end;
    }
    return pieces;
  }
}
