import type { MaskEdit, MaskPreset } from "../data/index.js";
import { decodeIndices } from "./place-codec.js";
import {
  MASK_MODES,
  NUMBER_RANGES,
  PRESET_KINDS,
  PRESET_PARTS,
  presetOf,
  type PresetNumber,
  type PresetValues,
} from "./mask-rules.js";

/*
 * A preset in an address, behind the scope that it holds for: `d.~or-not-window(w2o)`.
 *
 *   rule  = "~" [ mode "-" ] [ "not-" ] kind [ "(" part* ")" ] | "~fill"     mode: or, replace
 *   part  = letter number | "t" [ token *( "." token ) ] | "o"               tokens count from one, "o" is one-sided
 *
 * `~fill` is −1e9 in the place of −∞.
 */

const LETTERS: Readonly<Record<PresetNumber, string>> = {
  width: "w",
  dilation: "d",
  length: "n",
  keys: "k",
  seed: "s",
  size: "b",
  stride: "r",
};
const RULE = /^~(?:(or|replace)-)?(not-)?([a-z]+)(?:\(((?:[a-z][\d.]*)*)\))?$/;

/** The part of an edit that is a preset or a fill; empty for one that has neither. */
export function encodeRule({ mode = "and", invert, preset, fill }: MaskEdit): string {
  if (preset === undefined) return fill === "-1e9" ? "~fill" : "";
  return `~${mode === "and" ? "" : `${mode}-`}${invert ? "not-" : ""}${preset.kind}${encodeParts(preset)}`;
}

/** Reads it; undefined when it is none. */
export function decodeRule(
  text: string,
): Pick<MaskEdit, "mode" | "invert" | "preset" | "fill"> | undefined {
  if (text === "~fill") return { fill: "-1e9" };
  const [, written, not, name, parts = ""] = RULE.exec(text) ?? [];
  const kind = PRESET_KINDS.find((candidate) => candidate === name);
  const values = kind && decodeParts(kind, parts);
  const mode = MASK_MODES.find((candidate) => candidate === written);
  return (
    values && {
      ...(mode && { mode }),
      ...(not !== undefined && { invert: true }),
      preset: presetOf(values),
    }
  );
}

function encodeParts(preset: MaskPreset): string {
  const values: PresetValues = preset;
  const { numbers, tokens, oneSided } = PRESET_PARTS[preset.kind];
  const written = [
    ...numbers.map((name) => `${LETTERS[name]}${values[name] ?? 0}`),
    ...(tokens ? [`t${(values.tokens ?? []).map((token) => token + 1).join(".")}`] : []),
    ...(oneSided && values.oneSided ? ["o"] : []),
  ];
  return written.length === 0 ? "" : `(${written.join("")})`;
}

function isInRange(name: PresetNumber, value: number): boolean {
  const { least, most } = NUMBER_RANGES[name];
  return value >= least && value <= most;
}

function decodeParts(kind: PresetValues["kind"], text: string): PresetValues | undefined {
  const { numbers, tokens, oneSided } = PRESET_PARTS[kind];
  const values: PresetValues = { kind };
  for (const [, letter, value = ""] of text.matchAll(/([a-z])([\d.]*)/g)) {
    const name = numbers.find((candidate) => LETTERS[candidate] === letter);
    if (name && /^\d+$/.test(value) && isInRange(name, Number(value))) values[name] = Number(value);
    else if (letter === "o" && oneSided && value === "") values.oneSided = true;
    else if (letter === "t" && tokens) {
      const listed = decodeIndices(value.replaceAll(".", ","));
      if (!listed) return undefined;
      values.tokens = listed;
    } else return undefined;
  }
  return values;
}
