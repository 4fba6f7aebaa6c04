import type { Part, Stack, Stacks } from "./generated.js";

/*
 * Direct paths from heads through the residual stream (Wang et al. 2022; Goldowsky-Dill et al.
 * 2023): which heads have one to a receiver.
 */

/** The input of a head that a path patch changes; without a part, all of its inputs. */
export interface HeadReceiver {
  /** The stack of the head. */
  stack: Stack;
  /** The block of the head, from 0. */
  layer: number;
  /** The index of the head in its block, from 0. */
  head: number;
  /** What the head makes of its input; by default all that a path leads to. */
  part?: Part;
}

/** The end of a path: a head's input, or the stream that the output head reads. */
export type PatchReceiver = HeadReceiver | "logits";

const PARTS = ["query", "key", "value"] as const;

/** The parts of a receiver that the heads of a stack have a direct path to. */
export function partsOf(sender: Stack, { stack, part }: HeadReceiver): Part[] {
  const parts = part === undefined ? PARTS : [part];
  const isInEncoder = sender === "encoder";
  if (stack === "cross") return parts.filter((one) => (one === "query") !== isInEncoder);
  return isInEncoder === (stack === "encoder") ? [...parts] : [];
}

/** The number of first blocks of a stack whose heads have a direct path to a receiver. */
export function sendingLayers(stacks: Stacks, sender: Stack, receiver: PatchReceiver): number {
  const layers = stacks[sender]?.layers ?? 0;
  if (receiver === "logits") return sender === "encoder" && stacks.decoder ? 0 : layers;
  if (partsOf(sender, receiver).length === 0) return 0;
  const isMemory = sender === "encoder" && receiver.stack === "cross";
  // Self-attention comes before cross-attention in a block.
  const isInBlock = sender === "decoder" && receiver.stack === "cross";
  return isMemory ? layers : Math.min(layers, receiver.layer + (isInBlock ? 1 : 0));
}
