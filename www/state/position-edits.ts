import * as data from "../data/index.js";
import { covers, type EditLists, type NumberRange } from "./edits.js";

/** The numbers of positional schemes, with their ranges and defaults. */
type PositionNumber = "base" | "seed" | "buckets" | "maxDistance";
export const POSITION_NUMBERS: Readonly<Record<PositionNumber, NumberRange>> = {
  base: { least: data.SMALLEST_BASE, most: data.LARGEST_BASE, usual: 10000, fraction: true },
  seed: { least: 0, most: data.LARGEST_WHOLE, usual: 1 },
  buckets: { least: 4, most: data.MOST_BUCKETS, usual: 32 },
  maxDistance: { least: 3, most: data.LARGEST_DISTANCE, usual: 128 },
};

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

/** Whether the numbers of an edit are drawn by seed, that is untrained. */
export function isUntrained({ scheme, parameters }: data.PositionEdit): boolean {
  const isSeeded = scheme === "learned" && parameters?.seed !== undefined;
  return scheme === "t5" || scheme === "transformer-xl" || isSeeded;
}

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

/** Whether rotary positions fit heads of a width: they rotate pairs of dimensions. */
export function turnsIn(headDim: number): boolean {
  return headDim % 2 === 0;
}

/**
 * Whether the number of buckets fits the largest distance: half of the buckets hold single
 * distances.
 */
export function areBuckets({
  buckets = POSITION_NUMBERS.buckets.usual,
  maxDistance = POSITION_NUMBERS.maxDistance.usual,
}: data.PositionParameters): boolean {
  return maxDistance > buckets / 2;
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
 * The edits with another placement of one stack, in one edit; without an edit if it has no effect.
 */
export function withPlacement(
  edits: EditLists,
  stack: data.BlockStack,
  { scheme, parameters, order }: data.PositionEdit,
): EditLists {
  const others = edits.positions.filter((edit) => edit.stack !== stack);
  // An edit of all stacks that stands before has to be overruled by name.
  const reaches = others.some((edit) => edit.stack === undefined);
  const moved = order?.some((position, token) => position !== token) ?? false;
  const named = scheme !== undefined && (scheme !== "model" || reaches);
  const placed: data.PositionEdit = {
    ...(named && { scheme }),
    ...(named && parameters && Object.keys(parameters).length > 0 && { parameters }),
    ...((moved || (order && reaches)) && { order }),
  };
  const own = Object.keys(placed).length > 0 ? [{ stack, ...placed }] : [];
  return { ...edits, positions: [...others, ...own] };
}

/** A token taken to another place of the row in which tokens stand by their positions. */
export function movedTo(order: readonly number[], token: number, place: number): number[] {
  const row = standing(order).filter((one) => one !== token);
  return standing(row.toSpliced(place, 0, token));
}

/**
 * From each token's position to the token at each position, and back: the inverse of a permutation.
 */
export function standing(order: readonly number[]): number[] {
  const row = order.map(() => 0);
  order.forEach((position, token) => (row[position] = token));
  return row;
}

/** The order of all tokens of a text: those that an edit does not name stay where they are. */
export function wholeOrder(order: readonly number[] | undefined, count: number): number[] {
  const named = order && order.length <= count ? order : [];
  return Array.from({ length: count }, (_, token) => named[token] ?? token);
}
