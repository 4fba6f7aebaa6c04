import type { Token } from "../data/index.js";
import { refuse } from "./errors.js";
import { isList, isNumber, kindOf } from "./form.js";
import type { Vocabulary } from "./vocabulary.js";

/** Tokens with some of them hidden: the mask token stands in their place and keeps what it hides. */
export function hide(tokens: readonly Token[], hidden: number[], vocabulary: Vocabulary): Token[] {
  const doing = "the hidden tokens";
  if (!isList(hidden))
    throw refuse("input/bad-hidden", doing, "a list of positions", kindOf(hidden));
  if (hidden.length === 0) return [...tokens];
  const mask = vocabulary.maskToken;
  if (mask === null)
    throw refuse(
      "input/no-mask-token",
      doing,
      "none, since this model's tokenizer has no mask token",
      `${hidden.length} of them`,
    );
  for (const position of hidden) {
    const token = isNumber(position) ? tokens[position] : undefined;
    if (token === undefined)
      throw refuse(
        "input/bad-hidden",
        doing,
        `positions from 0 to ${tokens.length - 1}`,
        isNumber(position) ? String(position) : kindOf(position),
      );
    if (token.special)
      throw refuse(
        "input/bad-hidden",
        doing,
        "positions of ordinary tokens",
        `position ${position}, where ${token.text} stands`,
      );
  }
  const places = new Set(hidden);
  const text = vocabulary.text(mask);
  return tokens.map((token, position) =>
    places.has(position)
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
