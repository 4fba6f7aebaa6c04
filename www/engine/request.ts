import type { CoreInfo, RunRequest, Token } from "../data/index.js";
import type { RunInput } from "./contract.js";
import { refuse } from "./errors.js";
import { demandList, demandObject, demandText } from "./form.js";
import { hide } from "./hide.js";
import type { Vocabulary } from "./vocabulary.js";

/** A request for the core, and the source's tokens where they are known from the text. */
interface Prepared {
  request: RunRequest;
  tokens: Token[] | null;
}

/** Turns what a person gave into ids. Their values are checked by the core. */
export function prepare(input: RunInput, info: CoreInfo, vocabulary: Vocabulary): Prepared {
  demandObject(input, "the input");
  const { request, tokens } = hiding(source(input, vocabulary), input.hidden, vocabulary);
  if (input.attentionMask !== undefined) request.attentionMask = input.attentionMask;
  if (input.edits !== undefined) request.edits = input.edits;
  const targetIds = target(input, info, vocabulary);
  if (targetIds !== null) request.targetIds = targetIds;
  else if (info.architecture === "encoder-decoder") request.generate = {};
  return { request, tokens };
}

/** The source with some of its tokens behind the mask token. */
function hiding(
  { request, tokens }: Prepared,
  hidden: number[] | undefined,
  vocabulary: Vocabulary,
): Prepared {
  if (hidden === undefined) return { request, tokens };
  demandList(request.ids, "the ids");
  const left = hide(tokens ?? vocabulary.tokens(request.ids), hidden, vocabulary);
  return { request: { ...request, ids: left.map(({ id }) => id) }, tokens: left };
}

function source(input: RunInput, vocabulary: Vocabulary): Prepared {
  const { text, textPair, ids, tokenTypeIds } = input;
  if (ids !== undefined) {
    if (text !== undefined || textPair !== undefined) {
      throw refuse("input/malformed", "the input", "either a text or ids", "both");
    }
    return { request: tokenTypeIds === undefined ? { ids } : { ids, tokenTypeIds }, tokens: null };
  }
  if (text === undefined) throw refuse("input/empty", "the input", "a text or ids", "neither");
  const encoded = vocabulary.encode(text, textPair);
  const request: RunRequest = { ids: encoded.tokens.map(({ id }) => id) };
  const types = tokenTypeIds ?? (textPair === undefined ? undefined : encoded.typeIds);
  if (types !== undefined) request.tokenTypeIds = types;
  return { request, tokens: encoded.tokens };
}

/** A target text is read by the decoder from its start token on, without the end token. */
function target(
  { target: text, targetIds }: RunInput,
  info: CoreInfo,
  vocabulary: Vocabulary,
): number[] | null {
  if (targetIds !== undefined) {
    if (text !== undefined)
      throw refuse("input/malformed", "the target", "either a text or ids", "both");
    return targetIds;
  }
  if (text === undefined) return null;
  if (info.startToken === null) {
    throw refuse(
      "input/unexpected-target",
      "the target",
      "a model that reads a source and writes a target",
      `one with the architecture "${info.architecture}"`,
    );
  }
  demandText(text, "the target");
  const ids = vocabulary.encode(text).tokens.map(({ id }) => id);
  if (ids.at(-1) === info.endToken) ids.pop();
  return [info.startToken, ...ids];
}
