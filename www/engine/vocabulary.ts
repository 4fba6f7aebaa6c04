import type { CoreInfo, Prediction, RunRequest, Token, TokenRole } from "../data/index.js";
import type { DecodeOptions, ImageLike, RunInput, TokenizeOptions } from "./contract.js";
import { demand, demandFields, kindOf, refuse } from "./errors.js";
import type { ImageReader } from "./image.js";
import type { Encoded, ModelTokenizer } from "./tokenizer/tokenizer.js";

/**
 * The most cached encodings: a change affects at most the texts and targets before and after it.
 */
const MOST_ENCODED = 4;

/** The model's tokens as text, with their roles from the config. */
export class Vocabulary {
  readonly hasTokenizer: boolean;
  /**
   * The last encoded texts, the newest at the end: the page, the request and the continuation need
   * the same ones.
   */
  readonly #encoded = new Map<string, Encoded>();

  constructor(
    private readonly tokenizer: ModelTokenizer | ImageReader | null,
    readonly info: CoreInfo,
    /** The tokenizer of generated texts, if it differs from that of read texts. */
    private readonly written: ModelTokenizer | null = null,
  ) {
    this.hasTokenizer = tokenizer !== null;
  }

  get #target(): ModelTokenizer | ImageReader | null {
    return this.written ?? this.tokenizer;
  }

  get maskToken(): number | null {
    return this.tokenizer?.maskId ?? null;
  }

  /** The special ids of the tokenizer; without a tokenizer, those that the config names. */
  get specialIds(): number[] {
    const { startToken, endTokens, padToken } = this.info;
    const named = [startToken, ...endTokens, padToken].filter((id) => id !== null);
    return this.tokenizer?.specialIds ?? [...new Set(named)];
  }

  /** The reader of images, in a model of images. */
  get images(): ImageReader | null {
    return this.tokenizer && "classes" in this.tokenizer ? this.tokenizer : null;
  }

  /** Encodes a text; without a tokenizer the text is a list of ids. */
  encode(text: string, textPair?: string, { specialTokens = true }: TokenizeOptions = {}): Encoded {
    demand("a string", text, "the text");
    if (textPair !== undefined) demand("a string", textPair, "the second text");
    if (typeof specialTokens !== "boolean")
      throw refuse("input/malformed", "specialTokens", "true or false", kindOf(specialTokens));
    return this.#encodedBy(this.tokenizer, text, textPair, specialTokens);
  }

  /** Encodes a target: a text in the language that the model generates. */
  encodeTarget(text: string): Encoded {
    demand("a string", text, "the target");
    return this.#encodedBy(this.#target, text);
  }

  #encodedBy(
    tokenizer: ModelTokenizer | ImageReader | null,
    text: string,
    textPair?: string,
    addsSpecial = true,
  ): Encoded {
    const key = JSON.stringify([tokenizer === this.tokenizer, text, textPair, addsSpecial]);
    let encoded = this.#encoded.get(key);
    if (encoded === undefined) {
      const { tokens, typeIds } =
        tokenizer?.encode(text, textPair ?? null, addsSpecial) ?? idsIn(text, textPair);
      encoded = { tokens: tokens.map(this.#withRole), typeIds };
      this.#encoded.set(key, encoded);
      const [oldest = ""] = this.#encoded.keys();
      if (this.#encoded.size > MOST_ENCODED) this.#encoded.delete(oldest);
    }
    return { ...encoded, tokens: [...encoded.tokens] };
  }

  tokens(ids: number[]): Token[] {
    return this.#tokensBy(this.tokenizer, ids);
  }

  #tokensBy(tokenizer: ModelTokenizer | ImageReader | null, ids: number[]): Token[] {
    const tokens = tokenizer?.tokens(ids) ?? ids.map((id, word) => nameless(id, word));
    return tokens.map(this.#withRole);
  }

  /** The tokens of a target, like {@link tokens}, with the role `start` for a first start token. */
  targetTokens(ids: number[]): Token[] {
    return this.#tokensBy(this.#target, ids).map((token, position) =>
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
    const continuesWord = this.#target?.continuesWord(candidate.id);
    const text = this.#target?.text(candidate.id) ?? nameless(candidate.id, 0).text;
    return { ...candidate, text, ...(continuesWord && { continuesWord }) };
  }

  decode(ids: number[], options?: DecodeOptions): string {
    demand("a list of ids", ids, "the ids");
    const tokenizer = options?.target === true ? this.#target : this.tokenizer;
    return tokenizer?.decode(ids, options) ?? ids.map((id) => nameless(id, 0).text).join(" ");
  }

  readonly #withRole = (token: Token, position: number): Token => {
    const role = token.role ?? this.#roleOf(token.id, position);
    return role === token.role ? token : { ...token, role };
  };

  #roleOf(id: number, position: number): TokenRole | null {
    const { startToken, endTokens, padToken } = this.info;
    // GPT-2 has one token for start and end: at the first position it is the start.
    if (endTokens.includes(id)) return id === startToken && position === 0 ? "start" : "end";
    if (id === padToken) return "pad";
    return id === startToken ? "start" : null;
  }
}

/** The encoding of a text that lists ids, `5 17 2`, for a model without a tokenizer. */
function idsIn(text: string, textPair = ""): Encoded {
  const lists = [text, textPair].map((part) => part.split(/[\s,]+/).filter((word) => word !== ""));
  const wrong = lists.flat().find((word) => !/^#?\d+$/.test(word));
  if (wrong !== undefined) {
    const expected = "ids, such as 5 17 2, since the model has no tokenizer";
    throw refuse("input/missing-tokenizer", "reading the text", expected, wrong);
  }
  const named = lists.flatMap((words, type) => words.map((word) => [word, type] as const));
  return {
    tokens: named.map(([word], at) => nameless(Number(word.replace("#", "")), at)),
    typeIds: named.map(([, type]) => type),
  };
}

function nameless(id: number, word: number): Token {
  return { id, text: `#${id}`, word, special: false, role: null };
}

/** A request for the core, and the source's tokens if they are known from the text. */
interface Prepared {
  request: RunRequest;
  tokens: Token[] | null;
  /** The image that is read in place of a text. */
  image?: ImageLike;
}

const INPUT_FIELDS: Readonly<Record<keyof RunInput, true>> = {
  text: true,
  textPair: true,
  specialTokens: true,
  image: true,
  ids: true,
  tokenTypeIds: true,
  attentionMask: true,
  target: true,
  targetIds: true,
  masked: true,
  generate: true,
  edits: true,
  lenient: true,
};

/** Prepares the request of an input. The core checks the values. */
export function prepare(input: RunInput, info: CoreInfo, vocabulary: Vocabulary): Prepared {
  demand("an object", input, "the input");
  demandFields("input/malformed", "the input", input, INPUT_FIELDS);
  const { image } = input;
  const source =
    image === undefined ? sourceOf(input, info, vocabulary) : imageOf(image, input, vocabulary);
  let { request, tokens } = source;
  if (input.masked !== undefined) {
    demand("a list of ids", request.ids, "the ids");
    tokens = hide(tokens ?? vocabulary.tokens(request.ids), input.masked, vocabulary);
    request = { ...request, ids: tokens.map(({ id }) => id) };
  }
  const { attentionMask, edits, lenient, generate } = input;
  const given = targetOf(input, info, vocabulary);
  // A decoder without an output head generates nothing: its target is the start token alone.
  const isSilent = given === null && !info.predicts && info.architecture === "encoder-decoder";
  const targetIds = isSilent && info.startToken !== null ? [info.startToken] : given;
  const written = targetIds === null && info.architecture === "encoder-decoder";
  return {
    request: {
      ...request,
      ...(attentionMask !== undefined && { attentionMask }),
      ...(edits !== undefined && { edits }),
      ...(lenient !== undefined && { lenient }),
      ...(targetIds !== null && { targetIds }),
      ...((generate !== undefined || written) && { generate: generate ?? {} }),
    },
    tokens,
    ...(source.image && { image: source.image }),
  };
}

function imageOf(image: ImageLike, { text, ids }: RunInput, vocabulary: Vocabulary): Prepared {
  if (vocabulary.images === null) {
    const expected = "a text or ids: the model does not read images";
    throw refuse("input/wrong-kind", "the input", expected, "an image");
  }
  if (text !== undefined || ids !== undefined)
    throw refuse("input/malformed", "the input", "either an image or a text", "both");
  const { tokens } = vocabulary.encode("");
  return { request: { ids: [] }, tokens, image };
}

function sourceOf(input: RunInput, info: CoreInfo, vocabulary: Vocabulary): Prepared {
  const { text, textPair, ids, tokenTypeIds, specialTokens = true } = input;
  if (ids !== undefined) {
    if (text !== undefined || textPair !== undefined)
      throw refuse("input/malformed", "the input", "either a text or ids", "both");
    return { request: tokenTypeIds === undefined ? { ids } : { ids, tokenTypeIds }, tokens: null };
  }
  if (text === undefined) throw refuse("input/empty", "the input", "a text or ids", "neither");
  const { tokens, typeIds } = vocabulary.encode(text, textPair, { specialTokens });
  // Token types are sent only to a model that has several, as in Hugging Face.
  const hasTypes = textPair !== undefined && info.tokenTypes > 1;
  const types = tokenTypeIds ?? (hasTypes ? typeIds : undefined);
  const request = { ids: tokens.map(({ id }) => id), ...(types && { tokenTypeIds: types }) };
  return { request, tokens };
}

/** The target ids of a run: a target text with the start token in front, without the end token. */
function targetOf(
  { target: text, targetIds }: RunInput,
  { startToken, endTokens, architecture }: CoreInfo,
  vocabulary: Vocabulary,
): number[] | null {
  if (text === undefined) return targetIds ?? null;
  if (targetIds !== undefined)
    throw refuse("input/malformed", "the target", "either a text or ids", "both");
  if (startToken === null) {
    const expected = "a model that reads a source and writes a target";
    const got = `one with the architecture "${architecture}"`;
    throw refuse("input/unexpected-target", "the target", expected, got);
  }
  const ids = vocabulary.encodeTarget(text).tokens.map(({ id }) => id);
  if (endTokens.includes(ids.at(-1) ?? -1)) ids.pop();
  return [startToken, ...ids];
}

/** Masks some tokens: each is replaced by the mask token, which keeps the replaced text. */
function hide(tokens: readonly Token[], masked: unknown, vocabulary: Vocabulary): Token[] {
  const refused = (expected: string, got: string): Error =>
    refuse("input/bad-masked", "the masked tokens", expected, got);
  if (!Array.isArray(masked)) throw refused("a list of positions", kindOf(masked));
  if (masked.length === 0) return [...tokens];
  const id = vocabulary.maskToken;
  if (id === null) {
    const expected = "none, since this model's tokenizer has no mask token";
    const got = `${masked.length} of them`;
    throw refuse("input/no-mask-token", "the masked tokens", expected, got);
  }
  for (const position of masked as unknown[]) {
    const isNumber = typeof position === "number";
    const token = isNumber ? tokens[position] : undefined;
    const got = isNumber ? String(position) : kindOf(position);
    if (!token) throw refused(`positions from 0 to ${tokens.length - 1}`, got);
    if (token.special)
      throw refused("positions of ordinary tokens", `position ${got}, where ${token.text} stands`);
  }
  const mask: Token = { id, text: vocabulary.text(id), word: -1, special: true, role: "mask" };
  return tokens.map((token, position) =>
    masked.includes(position) ? { ...mask, maskedText: token.text, maskedId: token.id } : token,
  );
}
