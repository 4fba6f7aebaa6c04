import type { CoreInfo, Prediction, Token, TokenRole } from "../data/index.js";
import type { DecodeOptions } from "./contract.js";
import { demand, refuse } from "./errors.js";
import type { Encoded, ModelTokenizer } from "./tokenizer/tokenizer.js";

/** A change concerns at most the texts and targets before and after it. */
const MOST_ENCODED = 4;

/** The model's tokens by name, with what is known of them from its config. */
export class Vocabulary {
  readonly hasTokenizer: boolean;
  /** The texts that were tokenised last, the newest at the end: the page, the request and the continuation need the same. */
  readonly #encoded = new Map<string, Encoded>();

  constructor(
    private readonly tokenizer: ModelTokenizer | null,
    private readonly info: CoreInfo,
  ) {
    this.hasTokenizer = tokenizer !== null;
  }

  get maskToken(): number | null {
    return this.tokenizer?.maskId ?? null;
  }

  /** The ids that the tokenizer calls special; without one those that the config names. */
  get specialIds(): number[] {
    const { startToken, endToken, padToken } = this.info;
    return (
      this.tokenizer?.specialIds ?? [startToken, endToken, padToken].filter((id) => id !== null)
    );
  }

  encode(text: string, textPair?: string): Encoded {
    demand("a string", text, "the text");
    if (textPair !== undefined) demand("a string", textPair, "the second text");
    if (this.tokenizer === null) {
      const expected = "a tokenizer.json beside the model, or ids instead of text";
      throw refuse("input/missing-tokenizer", "reading the text", expected, "neither");
    }
    const key = JSON.stringify([text, textPair]);
    let encoded = this.#encoded.get(key);
    if (encoded === undefined) {
      const { tokens, typeIds } = this.tokenizer.encode(text, textPair ?? null);
      encoded = { tokens: tokens.map(this.#withRole), typeIds };
      this.#encoded.set(key, encoded);
      const [oldest = ""] = this.#encoded.keys();
      if (this.#encoded.size > MOST_ENCODED) this.#encoded.delete(oldest);
    }
    return { ...encoded, tokens: [...encoded.tokens] };
  }

  tokens(ids: number[]): Token[] {
    const tokens = this.tokenizer?.tokens(ids) ?? ids.map((id, word) => nameless(id, word));
    return tokens.map(this.#withRole);
  }

  /** As {@link tokens}, where the first one starts the target, whatever else it stands for. */
  targetTokens(ids: number[]): Token[] {
    return this.tokens(ids).map((token, position) =>
      position === 0 && token.id === this.info.startToken
        ? { ...token, role: "start", special: true, word: -1 }
        : token,
    );
  }

  text(id: number): string {
    return this.tokenizer?.text(id) ?? nameless(id, 0).text;
  }

  named<Candidate extends { id: number }>(
    candidate: Candidate,
  ): Candidate & Pick<Prediction, "text" | "continuesWord"> {
    const continuesWord = this.tokenizer?.continuesWord(candidate.id);
    return { ...candidate, text: this.text(candidate.id), ...(continuesWord && { continuesWord }) };
  }

  decode(ids: number[], options?: DecodeOptions): string {
    demand("a list of ids", ids, "the ids");
    return this.tokenizer?.decode(ids, options) ?? ids.map((id) => nameless(id, 0).text).join(" ");
  }

  readonly #withRole = (token: Token, position: number): Token => {
    const role = token.role ?? this.#roleOf(token.id, position);
    return role === token.role ? token : { ...token, role };
  };

  #roleOf(id: number, position: number): TokenRole | null {
    const { startToken, endToken, padToken } = this.info;
    // GPT-2 has one token for both: in front of a text it begins it.
    if (id === endToken) return id === startToken && position === 0 ? "start" : "end";
    if (id === padToken) return "pad";
    return id === startToken ? "start" : null;
  }
}

function nameless(id: number, word: number): Token {
  return { id, text: `#${id}`, word, special: false, role: null };
}
