/**
 * The receiver of path patches on the page: the input of one head, or the logits. The State has it
 * as a text: the stack, the layer and the head, from 0, and the part, or `logits`.
 */
import type { HeadReceiver, PatchReceiver } from "../../data/index.js";
import { nameOfHead } from "../../state/index.js";

const HEAD = /^(encoder|decoder|cross) (\d{1,5}) (\d{1,5})(?: (query|key|value))?$/;

/** The receiver that a text of the State names; null for any other text. */
export function receiverIn(text: string): PatchReceiver | null {
  if (text === "logits") return text;
  const [, stack, layer, head, part] = HEAD.exec(text) ?? [];
  if (stack === undefined) return null;
  const found = { stack, layer: Number(layer), head: Number(head), ...(part && { part }) };
  return found as HeadReceiver;
}

/** The text of a receiver in the State. */
export function receiverText(receiver: HeadReceiver): string {
  const { part } = receiver;
  return part === undefined ? nameOfHead(receiver) : `${nameOfHead(receiver)} ${part}`;
}
