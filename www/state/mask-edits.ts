/**
 * Mask rules: edits with a preset, each with the numbers of its kind, in the core's ranges. Mask
 * edits apply in the order of their list.
 */
import {
  LARGEST_WHOLE,
  type MaskMode,
  type MaskPreset,
  MOST_RANDOM_KEYS,
  type Scope,
} from "../data/index.js";
import type { NumberRange } from "./edits.js";

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

/** A mask edit with a preset, and its place among all mask edits. */
export interface MaskRule extends Scope {
  index: number;
  mode: MaskMode;
  invert: boolean;
  preset: MaskPreset;
}
