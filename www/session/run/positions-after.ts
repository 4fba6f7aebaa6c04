/** Positions of a text after a change: masked tokens and the locked pair move along with it. */
import type { Cell, HeadRef } from "../../data/index.js";
import type { Model } from "../../headscope.js";
import type { State } from "../../state/index.js";
import { tokenizerOf } from "./chat.js";
import { axisOf } from "./selection.js";

type Tokenized = Pick<Model, "hasChatTemplate" | "info" | "tokenize">;

/**
 * The masked positions after a change of the text: those before and after the change move along. A
 * model without a mask token drops them; without a model they stay.
 */
export function maskedAfter(
  { text, chat, masked }: Pick<State, "text" | "chat" | "masked">,
  changed: string,
  model: Tokenized | null,
): readonly number[] {
  if (!model || masked.length === 0) return masked;
  if (model.info.maskToken === null) return [];
  const moved = movedBy(text, changed, tokenizerOf(model, { chat }));
  return masked.flatMap((position) => moved(position) ?? []);
}

/**
 * The locked pair after a change of the text; null if the change took away one of its tokens. A
 * token of the other text, which the model writes, keeps its position.
 */
export function lockedAfter(
  { text, chat, locked }: Pick<State, "text" | "chat" | "locked">,
  head: HeadRef | null,
  changed: string,
  model: Tokenized | null,
): Cell | null {
  if (!model || !locked || !head) return locked;
  const axis = axisOf("source", head.stack, model.info);
  const isAlone = head.stack !== "cross" && axis !== null;
  const moved = movedBy(text, changed, tokenizerOf(model, { chat }));
  const query = axis === "query" ? moved(locked.query) : locked.query;
  const key = axis === "key" || isAlone ? moved(locked.key) : locked.key;
  return query === null || key === null ? null : { query, key };
}

/** Where a position of a text is after a change; null if the change took it away. */
function movedBy(
  text: string,
  changed: string,
  model: Pick<Tokenized, "tokenize">,
): (position: number) => number | null {
  const [before, after] = [text, changed].map((one) => model.tokenize(one).map(({ id }) => id)) as [
    number[],
    number[],
  ];
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return (position) => {
    if (position < head) return position;
    const isAfter = position < before.length && position >= before.length - tail;
    return isAfter ? position + after.length - before.length : null;
  };
}
