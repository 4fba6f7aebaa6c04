import {
  type HeadRef,
  type MaskEdit,
  type MaskFill,
  type MaskMode,
  type MaskPreset,
  MOST_RANDOM_KEYS,
  type Scope,
} from "../data/index.js";
import type { EditLists } from "./state.js";

/*
 * Presets of masks as a person makes them: each with the numbers that it has, every one of them within what the core
 * takes. A rule is an edit with a preset; edits of masks hold in the order in which they are listed.
 */

export type PresetKind = MaskPreset["kind"];
export const PRESET_KINDS = [
  "window",
  "dilated",
  "global",
  "random",
  "block",
  "strided",
  "prefix",
  "causal",
  "padding",
  "none",
] as const satisfies readonly PresetKind[];
export const MASK_MODES = ["and", "or", "replace"] as const satisfies readonly MaskMode[];

/** A preset with any of the numbers that presets have. */
export interface PresetValues {
  kind: PresetKind;
  width?: number;
  dilation?: number;
  length?: number;
  keys?: number;
  seed?: number;
  size?: number;
  stride?: number;
  tokens?: readonly number[];
  oneSided?: boolean;
}

export type PresetNumber = "width" | "dilation" | "length" | "keys" | "seed" | "size" | "stride";

/** The range of a number, and what it is at first. */
export const NUMBER_RANGES: Readonly<
  Record<PresetNumber, { least: number; most: number; usual: number }>
> = {
  width: { least: 0, most: 9999, usual: 2 },
  dilation: { least: 1, most: 9999, usual: 2 },
  length: { least: 0, most: 9999, usual: 4 },
  keys: { least: 0, most: MOST_RANDOM_KEYS, usual: 2 },
  seed: { least: 0, most: 9999, usual: 1 },
  size: { least: 1, most: 9999, usual: 4 },
  stride: { least: 1, most: 9999, usual: 4 },
};

/** What each preset is made of. */
export const PRESET_PARTS: Readonly<
  Record<PresetKind, { numbers: readonly PresetNumber[]; tokens?: true; oneSided?: true }>
> = {
  none: { numbers: [] },
  causal: { numbers: [] },
  padding: { numbers: ["length"] },
  prefix: { numbers: ["length"] },
  window: { numbers: ["width"], oneSided: true },
  dilated: { numbers: ["width", "dilation"], oneSided: true },
  global: { numbers: ["width"], tokens: true, oneSided: true },
  random: { numbers: ["width", "keys", "seed"], tokens: true, oneSided: true },
  block: { numbers: ["size"] },
  strided: { numbers: ["stride"], oneSided: true },
};

/** The preset that has these numbers; one that is missing or no number is as at first, one out of range at its end. */
export function presetOf(values: PresetValues): MaskPreset {
  const { kind, tokens = [0], oneSided = false } = values;
  const number = (name: PresetNumber): number => {
    const { least, most, usual } = NUMBER_RANGES[name];
    const value = Math.round(values[name] ?? usual);
    return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : usual;
  };
  const side = oneSided ? { oneSided } : {};
  const global = [...new Set(tokens)].sort((one, other) => one - other);
  switch (kind) {
    case "none":
    case "causal":
      return { kind };
    case "padding":
    case "prefix":
      return { kind, length: number("length") };
    case "window":
      return { kind, width: number("width"), ...side };
    case "dilated":
      return { kind, width: number("width"), dilation: number("dilation"), ...side };
    case "global":
      return { kind, tokens: global, width: number("width"), ...side };
    case "random":
      return {
        kind,
        keys: number("keys"),
        seed: number("seed"),
        width: number("width"),
        tokens: global,
        ...side,
      };
    case "block":
      return { kind, size: number("size") };
    case "strided":
      return { kind, stride: number("stride"), ...side };
  }
}

/** An edit of masks by a preset, with its place among all edits of masks. */
export interface MaskRule extends Scope {
  index: number;
  mode: MaskMode;
  invert: boolean;
  preset: MaskPreset;
}

/** The rules in the order in which they hold. */
export function rulesOf({ masks }: EditLists): MaskRule[] {
  return masks.flatMap(({ preset, mode = "and", invert = false, stack, layers, heads }, index) =>
    preset ? [{ index, mode, invert, preset, ...scope({ stack, layers, heads }) }] : [],
  );
}

/** With one more rule, after all others. */
export function addRule(edits: EditLists, rule: Omit<MaskRule, "index">): EditLists {
  return { ...edits, masks: [...edits.masks, editOf(rule)] };
}

/** With a rule in the place of the one that has its index. */
export function changeRule(edits: EditLists, rule: MaskRule): EditLists {
  return { ...edits, masks: edits.masks.with(rule.index, editOf(rule)) };
}

/** What forbidden cells add to their scores, where one thing is said for all heads. */
export function fillOf({ masks }: EditLists): MaskFill {
  return masks.findLast(isFill)?.fill ?? "-inf";
}

/** With this number for every forbidden cell. */
export function withFill(edits: EditLists, fill: MaskFill): EditLists {
  const masks = edits.masks.filter((edit) => !isFill(edit));
  return { ...edits, masks: fill === "-inf" ? masks : [...masks, { fill }] };
}

/** Where a rule holds, seen from a head. */
export const REACHES = ["head", "layer", "stack", "everywhere"] as const;
export type Reach = (typeof REACHES)[number];

export function scopeAt(reach: Reach, { stack, layer, head }: HeadRef): Scope {
  if (reach === "everywhere") return {};
  if (reach === "stack") return { stack };
  return reach === "layer" ? { stack, layers: [layer] } : { stack, layers: [layer], heads: [head] };
}

/** How far a scope reaches from a head; null for one that is not about this head alone or what it is part of. */
export function reachOf(found: Scope, head: HeadRef): Reach | null {
  const written = ({ stack, layers, heads }: Scope): string =>
    JSON.stringify([stack, layers, heads]);
  return REACHES.find((reach) => written(scopeAt(reach, head)) === written(found)) ?? null;
}

function isFill({ fill, preset, block, allow, stack, layers, heads }: MaskEdit): boolean {
  return fill !== undefined && !preset && !block && !allow && !stack && !layers && !heads;
}

function editOf({ mode, invert, preset, stack, layers, heads }: Omit<MaskRule, "index">): MaskEdit {
  return {
    ...scope({ stack, layers, heads }),
    ...(mode !== "and" && { mode }),
    ...(invert && { invert }),
    preset,
  };
}

/** Without the parts that say nothing. */
function scope({
  stack,
  layers,
  heads,
}: { [Part in keyof Scope]: Scope[Part] | undefined }): Scope {
  return { ...(stack && { stack }), ...(layers && { layers }), ...(heads && { heads }) };
}
