import type { CoreInfo, RunRequest, Token } from "../data/index.js";
import type { RunInput } from "./contract.js";
import { demand, kindOf, refuse } from "./errors.js";
import type { Vocabulary } from "./vocabulary.js";

/** A request for the core, and the source's tokens where they are known from the text. */
interface Prepared {
  request: RunRequest;
  tokens: Token[] | null;
}

/** Turns what a person gave into ids. Their values are checked by the core. */
export function prepare(input: RunInput, info: CoreInfo, vocabulary: Vocabulary): Prepared {
  demand("an object", input, "the input");
  let { request, tokens } = sourceOf(input, vocabulary);
  if (input.hidden !== undefined) {
    demand("a list of ids", request.ids, "the ids");
    tokens = hide(tokens ?? vocabulary.tokens(request.ids), input.hidden, vocabulary);
    request = { ...request, ids: tokens.map(({ id }) => id) };
  }
  if (input.attentionMask !== undefined) request.attentionMask = input.attentionMask;
  if (input.edits !== undefined) request.edits = input.edits;
  if (input.lenient !== undefined) request.lenient = input.lenient;
  const targetIds = targetOf(input, info, vocabulary);
  if (targetIds !== null) request.targetIds = targetIds;
  else if (info.architecture === "encoder-decoder") request.generate = {};
  return { request, tokens };
}

function sourceOf(input: RunInput, vocabulary: Vocabulary): Prepared {
  const { text, textPair, ids, tokenTypeIds } = input;
  if (ids !== undefined) {
    if (text !== undefined || textPair !== undefined)
      throw refuse("input/malformed", "the input", "either a text or ids", "both");
    return { request: tokenTypeIds === undefined ? { ids } : { ids, tokenTypeIds }, tokens: null };
  }
  if (text === undefined) throw refuse("input/empty", "the input", "a text or ids", "neither");
  const { tokens, typeIds } = vocabulary.encode(text, textPair);
  const request: RunRequest = { ids: tokens.map(({ id }) => id) };
  const types = tokenTypeIds ?? (textPair === undefined ? undefined : typeIds);
  if (types !== undefined) request.tokenTypeIds = types;
  return { request, tokens };
}

/** A target text is read by the decoder from its start token on, without the end token. */
function targetOf(
  { target: text, targetIds }: RunInput,
  { startToken, endToken, architecture }: CoreInfo,
  vocabulary: Vocabulary,
): number[] | null {
  if (targetIds !== undefined) {
    if (text !== undefined)
      throw refuse("input/malformed", "the target", "either a text or ids", "both");
    return targetIds;
  }
  if (text === undefined) return null;
  if (startToken === null) {
    const expected = "a model that reads a source and writes a target";
    const got = `one with the architecture "${architecture}"`;
    throw refuse("input/unexpected-target", "the target", expected, got);
  }
  demand("a string", text, "the target");
  const ids = vocabulary.encode(text).tokens.map(({ id }) => id);
  if (ids.at(-1) === endToken) ids.pop();
  return [startToken, ...ids];
}

/** Tokens with some of them hidden: the mask token stands in their place and keeps what it hides. */
function hide(tokens: readonly Token[], hidden: unknown, vocabulary: Vocabulary): Token[] {
  const refused = (expected: string, got: string): Error =>
    refuse("input/bad-hidden", "the hidden tokens", expected, got);
  if (!Array.isArray(hidden)) throw refused("a list of positions", kindOf(hidden));
  if (hidden.length === 0) return [...tokens];
  const mask = vocabulary.maskToken;
  if (mask === null) {
    const expected = "none, since this model's tokenizer has no mask token";
    const got = `${hidden.length} of them`;
    throw refuse("input/no-mask-token", "the hidden tokens", expected, got);
  }
  for (const position of hidden as unknown[]) {
    const isNumber = typeof position === "number";
    const token = isNumber ? tokens[position] : undefined;
    if (token === undefined)
      throw refused(
        `positions from 0 to ${tokens.length - 1}`,
        isNumber ? String(position) : kindOf(position),
      );
    if (token.special)
      throw refused(
        "positions of ordinary tokens",
        `position ${String(position)}, where ${token.text} stands`,
      );
  }
  const text = vocabulary.text(mask);
  return tokens.map((token, position) =>
    hidden.includes(position)
      ? {
          id: mask,
          text,
          word: -1,
          special: true,
          role: "mask",
          hiddenText: token.text,
          hiddenId: token.id,
        }
      : token,
  );
}
