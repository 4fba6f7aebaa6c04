import type { ModelInfo, Token, TokenRole } from "../data/index.js";
import { refuse } from "./errors.js";
import { demandList, demandText } from "./form.js";
import type { Encoded, ModelTokenizer } from "./tokenizer/tokenizer.js";

/** The model's tokens by name, with what is known of them from its config. */
export class Vocabulary {
  readonly #tokenizer: ModelTokenizer | null;
  readonly #info: ModelInfo;

  constructor(tokenizer: ModelTokenizer | null, info: ModelInfo) {
    this.#tokenizer = tokenizer;
    this.#info = info;
  }

  get hasTokenizer(): boolean {
    return this.#tokenizer !== null;
  }

  encode(text: string, textPair?: string): Encoded {
    demandText(text, "the text");
    if (textPair !== undefined) demandText(textPair, "the second text");
    if (this.#tokenizer === null) {
      throw refuse("input/missing-tokenizer", "reading the text", "a tokenizer.json beside the model, or ids instead of text", "neither");
    }
    const { tokens, typeIds } = this.#tokenizer.encode(text, textPair ?? null);
    return { tokens: tokens.map((token) => this.#withRole(token)), typeIds };
  }

  /** Tokens of ids that came without a text. */
  tokens(ids: number[]): Token[] {
    const tokens = this.#tokenizer?.tokens(ids) ?? ids.map((id, word) => nameless(id, word));
    return tokens.map((token) => this.#withRole(token));
  }

  /** As {@link tokens}, where the first one starts the target, whatever else it stands for. */
  targetTokens(ids: number[]): Token[] {
    return this.tokens(ids).map((token, position) =>
      position === 0 && token.id === this.#info.startToken ? { ...token, role: "start", special: true, word: -1 } : token,
    );
  }

  text(id: number): string {
    return this.#tokenizer?.text(id) ?? nameless(id, 0).text;
  }

  decode(ids: number[]): string {
    demandList(ids, "the ids");
    return this.#tokenizer?.decode(ids) ?? ids.map((id) => nameless(id, 0).text).join(" ");
  }

  #withRole(token: Token): Token {
    const role = token.role ?? this.#roleOf(token.id);
    return role === token.role ? token : { ...token, role };
  }

  #roleOf(id: number): TokenRole | null {
    if (id === this.#info.endToken) return "end";
    if (id === this.#info.padToken) return "pad";
    return id === this.#info.startToken ? "start" : null;
  }
}

function nameless(id: number, word: number): Token {
  return { id, text: `#${id}`, word, special: false, role: null };
}
