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
  const { attentionMask, edits, lenient } = input;
  const targetIds = targetOf(input, info, vocabulary);
  const written = targetIds === null && info.architecture === "encoder-decoder";
  return {
    request: {
      ...request,
      ...(attentionMask !== undefined && { attentionMask }),
      ...(edits !== undefined && { edits }),
      ...(lenient !== undefined && { lenient }),
      ...(targetIds !== null && { targetIds }),
      ...(written && { generate: {} }),
    },
    tokens,
  };
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
  const types = tokenTypeIds ?? (textPair === undefined ? undefined : typeIds);
  const request = { ids: tokens.map(({ id }) => id), ...(types && { tokenTypeIds: types }) };
  return { request, tokens };
}

/** A target text is read by the decoder from its start token on, without the end token. */
function targetOf(
  { target: text, targetIds }: RunInput,
  { startToken, endToken, architecture }: CoreInfo,
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
  const id = vocabulary.maskToken;
  if (id === null) {
    const expected = "none, since this model's tokenizer has no mask token";
    const got = `${hidden.length} of them`;
    throw refuse("input/no-mask-token", "the hidden tokens", expected, got);
  }
  for (const position of hidden as unknown[]) {
    const number = typeof position === "number" ? position : null;
    const token = number === null ? undefined : tokens[number];
    const range = `positions from 0 to ${tokens.length - 1}`;
    if (token === undefined)
      throw refused(range, number === null ? kindOf(position) : String(number));
    if (token.special)
      throw refused(
        "positions of ordinary tokens",
        `position ${String(position)}, where ${token.text} stands`,
      );
  }
  const mask: Token = { id, text: vocabulary.text(id), word: -1, special: true, role: "mask" };
  return tokens.map((token, position) =>
    hidden.includes(position) ? { ...mask, hiddenText: token.text, hiddenId: token.id } : token,
  );
}
