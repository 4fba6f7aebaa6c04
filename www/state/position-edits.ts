import type * as data from "../data/index.js";
import { covers, type EditLists } from "./edits.js";

/** The numbers of positional schemes, with their ranges and defaults. */
export type PositionNumber = "base" | "seed" | "buckets" | "maxDistance";

/** The positional schemes, the model's own first, with the numbers of each in order. */
export const SCHEME_NUMBERS: Readonly<Record<data.PositionScheme, readonly PositionNumber[]>> = {
  model: [],
  none: [],
  sinusoidal: ["base"],
  learned: ["seed"],
  rotary: ["base"],
  alibi: [],
  t5: ["buckets", "maxDistance", "seed"],
  "transformer-xl": ["seed"],
};
export const SCHEMES = Object.keys(SCHEME_NUMBERS) as data.PositionScheme[];

/**
 * The origin of the numbers that a stack's positions add; `own` is the model's own scheme. Schemes
 * without such numbers do not use it.
 */
export function positionOrigin(
  own: string,
  edits: EditLists,
  stack: data.BlockStack,
): data.PositionOrigin {
  const { scheme = "model", parameters } = placementOf(edits, stack);
  if (scheme === "learned")
    return own === "learned" && parameters?.seed === undefined ? "learnt" : "drawn";
  const isWave = scheme === "sinusoidal" || (scheme === "model" && own.startsWith("sinusoidal"));
  return isWave ? "wave" : "learnt";
}

/** Whether a scheme adds relative-position terms to scores. */
export function isRelative({ scheme }: data.PositionEdit): boolean {
  return scheme === "alibi" || scheme === "t5" || scheme === "transformer-xl";
}

/** The placement of a stack: the last scheme and the last order that edits give. */
export function placementOf({ positions }: EditLists, stack: data.BlockStack): data.PositionEdit {
  const own = positions.filter((edit) => covers(edit, { stack }));
  const { scheme, parameters } = own.findLast((edit) => edit.scheme !== undefined) ?? {};
  const order = own.findLast((edit) => edit.order !== undefined)?.order;
  return {
    stack,
    ...(scheme && { scheme }),
    ...(parameters && { parameters }),
    ...(order && { order }),
  };
}

/**
 * From each token's position to the token at each position, and back: the inverse of a permutation.
 */
export function standing(order: readonly number[]): number[] {
  const row = order.map(() => 0);
  order.forEach((position, token) => (row[position] = token));
  return row;
}
