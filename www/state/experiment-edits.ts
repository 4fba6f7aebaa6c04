/** What experiments read of the edits of masks, positions and heads, and change in them. */
import {
  LARGEST_BASE,
  LARGEST_DISTANCE,
  MOST_BUCKETS,
  SMALLEST_BASE,
  type BlockEdit,
  type BlockStack,
  type FixedPattern,
  type HeadRef,
  LARGEST_WHOLE,
  type MaskEdit,
  type MaskFill,
  type MaskPreset,
  MOST_RANDOM_KEYS,
  type PositionEdit,
  type PositionParameters,
  rowOf,
  type Scope,
  type Tensor,
} from "../data/index.js";
import {
  covers,
  type EditLists,
  type NumberRange,
  type Part,
  type Reach,
  REACHES,
  scopeAt,
  scopeIn,
  type StackSizes,
  withEdit,
  within,
} from "./edits.js";
import { DRAWN_WHOLE, editsAbout, type PartEdit, partsOf, without } from "./head-edits.js";
import { type MaskRule, PRESET_PARTS, type PresetNumber, type PresetValues } from "./mask-edits.js";
import { type PositionNumber, standing } from "./position-edits.js";

/** Whether the numbers of an edit are drawn by seed, that is untrained. */
export function isUntrained({ scheme, parameters }: PositionEdit): boolean {
  const isSeeded = scheme === "learned" && parameters?.seed !== undefined;
  return scheme === "t5" || scheme === "transformer-xl" || isSeeded;
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
}: PositionParameters): boolean {
  return maxDistance > buckets / 2;
}

/**
 * The edits with another placement of one stack, in one edit; without an edit if it has no effect.
 */
export function withPlacement(
  edits: EditLists,
  stack: BlockStack,
  { scheme, parameters, order }: PositionEdit,
): EditLists {
  const others = edits.positions.filter((edit) => edit.stack !== stack);
  // An edit of all stacks that stands before has to be overruled by name.
  const reaches = others.some((edit) => edit.stack === undefined);
  const moved = order?.some((position, token) => position !== token) ?? false;
  const named = scheme !== undefined && (scheme !== "model" || reaches);
  const placed: PositionEdit = {
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

/** The order of all tokens of a text: those that an edit does not name stay where they are. */
export function wholeOrder(order: readonly number[] | undefined, count: number): number[] {
  const named = order && order.length <= count ? order : [];
  return Array.from({ length: count }, (_, token) => named[token] ?? token);
}

export function presetOf({ kind, ...values }: PresetValues): MaskPreset {
  const { numbers, tokens, oneSided } = PRESET_PARTS[kind];
  return {
    kind,
    ...(tokens && { tokens: [...new Set(values.tokens ?? [0])].sort((one, other) => one - other) }),
    ...Object.fromEntries(numbers.map((name) => [name, within(values[name], NUMBER_RANGES[name])])),
    ...(oneSided && values.oneSided && { oneSided }),
  } as MaskPreset;
}

export function rulesOf({ masks }: EditLists): MaskRule[] {
  return masks.flatMap(({ preset, mode = "and", invert = false, ...edit }, index) =>
    preset ? [{ index, mode, invert, preset, ...scopeIn(edit) }] : [],
  );
}

/** The edits with a rule in place of the one with its index; without an index, at the end. */
export function withRule(
  edits: EditLists,
  { index, mode, invert, preset, ...scope }: Partial<MaskRule> & Pick<MaskRule, "preset">,
): EditLists {
  const joined = { ...(mode && mode !== "and" && { mode }), ...(invert && { invert }) };
  return withEdit(edits, "masks", { ...scopeIn(scope), ...joined, preset }, index);
}

/** The number that masked cells add to their scores, if one fill applies to all heads. */
export function fillOf({ masks }: EditLists): MaskFill {
  return masks.findLast(isFill)?.fill ?? "-inf";
}

export function withFill(edits: EditLists, fill: MaskFill): EditLists {
  const masks = edits.masks.filter((edit) => !isFill(edit));
  return { ...edits, masks: fill === "-inf" ? masks : [...masks, { fill }] };
}

const isFill = (edit: MaskEdit): boolean =>
  edit.fill !== undefined && Object.keys(edit).length === 1;

/** The settings of heads and of sublayers. */
interface Settings {
  /** The factor of a head's output. */
  gate: number;
  /** The fixed pattern of a head; null if the weights are computed. */
  pattern: FixedPattern | null;
  /** Whether a sublayer's input is added to its output. */
  residual: boolean;
  norm: NonNullable<BlockEdit["norm"]>;
}

/** The model's own values, which no edit states. */
const OWN: Readonly<Settings> = { gate: 1, pattern: null, residual: true, norm: "model" };

const listOf = (name: keyof Settings): "heads" | "blocks" =>
  name === "gate" || name === "pattern" ? "heads" : "blocks";

/** The present setting of a head or a sublayer: the last edit decides, but gates multiply. */
export function settingOf<Name extends keyof Settings>(
  edits: EditLists,
  part: Part,
  name: Name,
): Settings[Name] {
  const list: readonly PartEdit[] = edits[listOf(name)];
  const own = list.filter((edit) => edit[name] !== undefined && covers(edit, part));
  const values = own.map((edit) => edit[name] as Settings[Name]);
  return name === "gate"
    ? (values.reduce<number>((product, gate) => product * Number(gate), 1) as Settings[Name])
    : (values.at(-1) ?? OWN[name]);
}

export function withSetting<Name extends keyof Settings>(
  edits: EditLists,
  parts: readonly Part[],
  name: Name,
  value: Settings[Name],
  stacks: StackSizes,
): EditLists {
  const list = listOf(name);
  const all = partsOf(list, stacks);
  const earlier = edits[list].flatMap((edit) => without(edit, name, parts, all));
  const added = value === OWN[name] ? [] : editsAbout(parts, { [name]: value }, all);
  return { ...edits, [list]: [...earlier, ...added] };
}

/**
 * Weights `[query][key]` as a drawing: whole numbers, each row with a sum of about `DRAWN_WHOLE`.
 */
export function drawingOf(weights: Pick<Tensor, "data" | "shape">): number[][] {
  return Array.from({ length: weights.shape[0] ?? 0 }, (_, row) =>
    Array.from(rowOf(weights, row), (weight) => Math.max(0, Math.round(weight * DRAWN_WHOLE)) || 0),
  );
}

export const NUMBER_RANGES: Readonly<Record<PresetNumber, NumberRange>> = {
  width: { least: 0, most: LARGEST_WHOLE, usual: 2 },
  dilation: { least: 1, most: LARGEST_WHOLE, usual: 2 },
  length: { least: 0, most: LARGEST_WHOLE, usual: 4 },
  keys: { least: 0, most: MOST_RANDOM_KEYS, usual: 2 },
  seed: { least: 0, most: LARGEST_WHOLE, usual: 1 },
  size: { least: 1, most: LARGEST_WHOLE, usual: 4 },
  stride: { least: 1, most: LARGEST_WHOLE, usual: 4 },
};

export const POSITION_NUMBERS: Readonly<Record<PositionNumber, NumberRange>> = {
  base: { least: SMALLEST_BASE, most: LARGEST_BASE, usual: 10000, fraction: true },
  seed: { least: 0, most: LARGEST_WHOLE, usual: 1 },
  buckets: { least: 4, most: MOST_BUCKETS, usual: 32 },
  maxDistance: { least: 3, most: LARGEST_DISTANCE, usual: 128 },
};

export function dropsOf(edits: EditLists, head: HeadRef): boolean {
  return edits.attention.some((edit) => edit.dropout !== undefined && covers(edit, head));
}

/** The reach of a scope relative to a head; null for any other scope. */
export function reachOf({ stack, layers, heads }: Scope, head: HeadRef): Reach | null {
  const text = JSON.stringify({ stack, layers, heads });
  return REACHES.find((reach) => JSON.stringify(scopeAt(reach, head)) === text) ?? null;
}
