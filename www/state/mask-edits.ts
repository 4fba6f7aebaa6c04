/**
 * Mask rules: edits with a preset, each with the numbers of its kind, in the core's ranges. Mask
 * edits apply in the order of their list.
 */
import {
  LARGEST_WHOLE,
  type MaskEdit,
  type MaskFill,
  type MaskMode,
  type MaskPreset,
  MOST_RANDOM_KEYS,
  type Scope,
} from "../data/index.js";
import { type EditLists, type NumberRange, scopeIn, withEdit, within } from "./edits.js";

export const MASK_MODES = ["and", "or", "replace"] as const satisfies readonly MaskMode[];
type PresetKind = MaskPreset["kind"];
type PresetNumber = "width" | "dilation" | "length" | "keys" | "seed" | "size" | "stride";

export interface PresetValues extends Partial<Record<PresetNumber, number>> {
  kind: PresetKind;
  tokens?: readonly number[];
  oneSided?: boolean;
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

/** The fields of each kind of preset, in the order of the page's list. */
export const PRESET_PARTS: Readonly<
  Record<PresetKind, { numbers: readonly PresetNumber[]; tokens?: true; oneSided?: true }>
> = {
  window: { numbers: ["width"], oneSided: true },
  dilated: { numbers: ["width", "dilation"], oneSided: true },
  global: { numbers: ["width"], tokens: true, oneSided: true },
  random: { numbers: ["width", "keys", "seed"], tokens: true, oneSided: true },
  block: { numbers: ["size"] },
  strided: { numbers: ["stride"], oneSided: true },
  prefix: { numbers: ["length"] },
  causal: { numbers: [] },
  padding: { numbers: ["length"] },
  none: { numbers: [] },
};
export const PRESET_KINDS = Object.keys(PRESET_PARTS) as PresetKind[];

export function presetOf({ kind, ...values }: PresetValues): MaskPreset {
  const { numbers, tokens, oneSided } = PRESET_PARTS[kind];
  return {
    kind,
    ...(tokens && { tokens: [...new Set(values.tokens ?? [0])].sort((one, other) => one - other) }),
    ...Object.fromEntries(numbers.map((name) => [name, within(values[name], NUMBER_RANGES[name])])),
    ...(oneSided && values.oneSided && { oneSided }),
  } as MaskPreset;
}

/** A mask edit with a preset, and its place among all mask edits. */
export interface MaskRule extends Scope {
  index: number;
  mode: MaskMode;
  invert: boolean;
  preset: MaskPreset;
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
