import { filled, sized, TUTORIAL, type BroughtNumbers, type Rows } from "./workbench.js";

/** Where one starts: the example, two words that are the same, one where all are alike, and two heads. */
export const NUMBER_PRESETS = {
  tutorial: TUTORIAL,
  twins: twins(),
  uniform: uniform(),
  heads: twoHeads(),
} as const satisfies Record<string, BroughtNumbers>;
export type NumberPreset = keyof typeof NUMBER_PRESETS;
export const NUMBER_PRESET_NAMES = [
  "tutorial",
  "twins",
  "uniform",
  "heads",
] as const satisfies readonly NumberPreset[];

/** The first and the last word are the same: nothing but a position or a mask could tell them apart. */
function twins(): BroughtNumbers {
  return {
    ...TUTORIAL,
    words: ["same", "other", "third", "same"],
    x: [
      [1, 0, 2],
      [0, 1, 0],
      [1, 1, 0],
      [1, 0, 2],
    ],
  };
}

/** All queries are zero: every word looks evenly at all. */
function uniform(): BroughtNumbers {
  return { ...TUTORIAL, query: filled(3, 3, 0) };
}

/** Four columns for two heads of two: one looks at the same word, one at the others. */
function twoHeads(): BroughtNumbers {
  return {
    words: ["the", "dog", "bites", "him"],
    x: [
      [1, 0, 0, 1],
      [0, 1, 0, 1],
      [0, 0, 1, 1],
      [1, 1, 0, 0],
    ],
    query: [
      [2, 0, 1, 0],
      [0, 2, 0, 1],
      [1, 1, 0, 1],
      [0, 1, 1, 0],
    ],
    key: [
      [2, 0, -1, 0],
      [0, 2, 0, -1],
      [1, 1, 1, 0],
      [0, 0, 0, 1],
    ],
    value: [
      [1, 0, 0, 1],
      [0, 1, 1, 0],
      [1, 1, 0, 0],
      [0, 0, 1, 1],
    ],
    output: [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ],
    mask: filled(4, 4, 0),
    heads: 2,
    divisor: "root",
  };
}

/** Masks that can be laid over the words. */
export const NUMBER_MASKS = ["open", "causal", "window", "padding"] as const;
export type NumberMask = (typeof NUMBER_MASKS)[number];

/** One of them for so many words: a window looks one word to each side, padding hides the last word. */
export function maskOf(kind: NumberMask, words: number): Rows {
  const open = {
    open: () => true,
    causal: (query: number, key: number) => key <= query,
    window: (query: number, key: number) => Math.abs(key - query) <= 1,
    padding: (_: number, key: number) => key < words - 1,
  }[kind];
  return sized(words, words, (query, key) => (open(query, key) ? 0 : -Infinity));
}
