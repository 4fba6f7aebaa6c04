/** Hugging Face's tokenizers, in a separate wasm file that only users' own models need. */

import { describe, isTrap, refuse } from "../errors.js";
import type { WasmPackage } from "../protocol.js";
import { started } from "../start-wasm.js";
import type { Description } from "./description.js";
import type { AddedToken, EncodedText, TokenizerEngine } from "./engine.js";

/** A tokenizer in wasm; the crate `tokenizer` documents each method. */
interface WasmTokenizer {
  encode(text: string, pair: string | undefined, addsSpecial: boolean): EncodedText;
  decode(ids: Uint32Array, skipsSpecial: boolean): string;
  decodePieces(pieces: string[]): string;
  piece(id: number): string | undefined;
  id(piece: string): number | undefined;
  addedTexts(): string[];
  addedIds(): Uint32Array;
  addedSpecial(): Uint8Array;
}

export type WasmTokenizerClass = new (
  json: string,
  pieces: string[],
  ids: Uint32Array,
) => WasmTokenizer;

export interface WasmTokenizers extends WasmPackage {
  WasmTokenizer: WasmTokenizerClass;
  __wbg_reset_state: () => void;
}

/** The number of starts of the wasm: objects from before the last start are gone. */
let starts = 0;

/** Loads the library and reads a tokenizer.json with it. */
export async function openLibrary(
  json: string,
  description: Description,
): Promise<TokenizerEngine> {
  const file = new URL("../wasm/tokenizer/headscope_tokenizer_bg.wasm?no-inline", import.meta.url);
  const wasm = await started(() => import("../wasm/tokenizer/headscope_tokenizer.js"), file.href);
  return new LibraryEngine(wasm, json, description);
}

export class LibraryEngine implements TokenizerEngine {
  readonly added: readonly AddedToken[];
  /** The ids that differ from a piece's place in its vocabulary. */
  readonly #renumbered: Readonly<Record<string, number>>;
  readonly #json: string;
  #tokenizer: WasmTokenizer;
  #start = starts;

  /** @throws load/bad-tokenizer with the library's sentence */
  constructor(
    private readonly wasm: WasmTokenizers,
    json: string,
    { unread, ...others }: Description,
  ) {
    // Headscope's own field is removed: the library reads no unknown fields.
    this.#json = unread === undefined ? json : JSON.stringify(others);
    this.#renumbered = unread ?? {};
    this.#tokenizer = this.#open();
    const [texts, ids, special] = this.#ask((tokenizer) => [
      tokenizer.addedTexts(),
      tokenizer.addedIds(),
      tokenizer.addedSpecial(),
    ]);
    this.added = texts.map((content, at) => {
      return { id: ids[at] ?? 0, content, special: special[at] === 1 };
    });
  }

  encode(text: string, pair: string | null, addsSpecial: boolean): EncodedText {
    return this.#ask((tokenizer) => tokenizer.encode(text, pair ?? undefined, addsSpecial));
  }

  decode(ids: readonly number[]): string {
    return this.#ask((tokenizer) => tokenizer.decode(Uint32Array.from(ids), true));
  }

  decodePieces(pieces: readonly string[]): string {
    return this.#ask((tokenizer) => tokenizer.decodePieces([...pieces]));
  }

  piece(id: number): string | undefined {
    return this.#ask((tokenizer) => tokenizer.piece(id));
  }

  id(piece: string): number | undefined {
    return this.#ask((tokenizer) => tokenizer.id(piece));
  }

  #open(): WasmTokenizer {
    const pieces = Object.keys(this.#renumbered);
    const ids = Uint32Array.from(Object.values(this.#renumbered));
    let expected = "a tokenizer that Hugging Face's library reads";
    try {
      const tokenizer = new this.wasm.WasmTokenizer(this.#json, pieces, ids);
      expected = "parts with which the library cuts a text and a pair, such as `post_processor`,";
      tokenizer.encode("a", undefined, true);
      tokenizer.encode("a", "a", true);
      return tokenizer;
    } catch (thrown) {
      const got = this.#reason(thrown);
      const options = { cause: thrown };
      throw refuse("load/bad-tokenizer", "tokenizer.json", expected, got, undefined, options);
    }
  }

  #ask<T>(question: (tokenizer: WasmTokenizer) => T): T {
    if (this.#start !== starts) {
      this.#tokenizer = this.#open();
      this.#start = starts;
    }
    try {
      return question(this.#tokenizer);
    } catch (thrown) {
      const got = this.#reason(thrown);
      const expected = "a text that the model's tokenizer can cut; try a shorter one";
      const options = { cause: thrown };
      throw refuse("tokenizer/failed", "reading the text", expected, got, undefined, options);
    }
  }

  /**
   * The reason why the wasm failed. After a trap the wasm is restarted, since its memory cannot be
   * trusted.
   */
  #reason(thrown: unknown): string {
    if (typeof thrown === "string") return thrown;
    if (!isTrap(thrown)) throw thrown;
    this.wasm.__wbg_reset_state();
    starts += 1;
    return `one at which it stops (${describe(thrown)})`;
  }
}
