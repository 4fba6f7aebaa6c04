/**
 * Mask rules: edits with a preset, each with the numbers of its kind, in the core's ranges. Mask
 * edits apply in the order of their list.
 */
import { type MaskMode, type MaskPreset, type Scope } from "../data/index.js";

export const MASK_MODES = ["and", "or", "replace"] as const satisfies readonly MaskMode[];
type PresetKind = MaskPreset["kind"];
export type PresetNumber = "width" | "dilation" | "length" | "keys" | "seed" | "size" | "stride";

export interface PresetValues extends Partial<Record<PresetNumber, number>> {
  kind: PresetKind;
  tokens?: readonly number[];
  oneSided?: boolean;
}

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
