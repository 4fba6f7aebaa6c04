/** A text that a model's chat template wrote: it has its special tokens, and none are added. */
import type { Token } from "../../data/index.js";
import type { Model, TokenizeOptions } from "../../headscope.js";
import type { State } from "../../state/index.js";

type Reader = Pick<Model, "hasChatTemplate" | "tokenize">;

/** How a model reads the State's texts; a model without a template has no chats. */
export function readingOf(
  { hasChatTemplate }: Pick<Model, "hasChatTemplate">,
  { chat }: Pick<State, "chat">,
): TokenizeOptions {
  return hasChatTemplate && chat === "on" ? { specialTokens: false } : {};
}

/** The function that cuts the State's texts into tokens. */
export function tokenizerOf(
  model: Reader,
  state: Pick<State, "chat">,
): { tokenize: (text: string) => Token[] } {
  const reading = readingOf(model, state);
  return { tokenize: (text) => model.tokenize(text, undefined, reading) };
}
