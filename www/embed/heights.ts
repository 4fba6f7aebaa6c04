import { layoutMatrix } from "../draw/layout.js";

/** What is known of a figure before anything is loaded for it. */
export interface Guess {
  /** The element's width in CSS pixels. */
  width: number;
  /** About how many tokens its text has. */
  tokens: number;
}

/** The words under a picture, and what keeps them apart from it. */
const FOOT = 32;
const LABELS = { queryLabel: 64, keyLabel: 56 };
const COMFORTABLE_HEIGHT = 440;
/** Figures with a row for each token scroll beyond the comfortable height. */
const ROW = 28;
const HEADING = 40;
/** A positional encoding: what is around the rows, their height, and that of the single waves. */
const POSITIONS = { around: 66, row: 16, rows: 288, waves: 300 };
/** A block: the captions, the controls above its strip, the rows, and what makes the number under it. */
const STEPS = { captions: 76, controls: 44, row: 20, rows: 380, sum: 380 };
/** Grids of the bundled models have as many layers or twice as many. */
const GRID = { layers: 4, row: 64 };
/** Two plots of one height side by side, each under its heading and over two lines of words; below each other where it is too narrow. */
const SPECTRUM = { height: 140, narrow: 224, gap: 16 };
const CHIPS = { height: 30, perRow: 90 };

/** The figures that work alone, each with the height that it will need, about: a page keeps it free, so that nothing moves when the picture comes. */
export const HEIGHTS = {
  "headscope-heatmap": (guess: Guess) => matrix(guess, 48) + FOOT,
  "headscope-difference": (guess: Guess) => matrix(guess, 48) + FOOT,
  "headscope-lines": (guess: Guess) => rows(guess) + HEADING + FOOT,
  "headscope-dimensions": (guess: Guess) => rows(guess) + HEADING + FOOT,
  "headscope-mask": (guess: Guess) => matrix(guess, null) + FOOT,
  "headscope-positions": ({ tokens }: Guess) =>
    POSITIONS.around +
    Math.max(1, Math.floor(Math.min(POSITIONS.row, POSITIONS.rows / tokens))) * tokens +
    HEADING +
    FOOT +
    POSITIONS.waves,
  "headscope-steps": ({ tokens }: Guess) =>
    STEPS.controls + STEPS.captions + Math.min(STEPS.rows, STEPS.row * tokens) + FOOT + STEPS.sum,
  "headscope-spectrum": ({ width }: Guess) =>
    width < SPECTRUM.narrow ? 2 * SPECTRUM.height + SPECTRUM.gap : SPECTRUM.height,
  "headscope-grid": () => GRID.layers * GRID.row + FOOT,
  "headscope-tokens": ({ width, tokens }: Guess) =>
    Math.ceil((tokens * CHIPS.perRow) / Math.max(width, CHIPS.perRow)) * CHIPS.height,
} as const;

export type FigureTag = keyof typeof HEIGHTS;

export function isFigureTag(tag: string): tag is FigureTag {
  return Object.hasOwn(HEIGHTS, tag);
}

/** About how many tokens a text has: a subword tokenizer makes a little more than one of each word and sign. */
export function guessTokens(text: string): number {
  const pieces =
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu,
    ) ?? [];
  return Math.ceil(pieces.length * 1.1) + 1;
}

function matrix({ width, tokens }: Guess, legendText: number | null): number {
  const marginalText = legendText === null ? null : 96;
  return layoutMatrix({
    rows: tokens,
    columns: tokens,
    width,
    ratio: 1,
    comfortableHeight: COMFORTABLE_HEIGHT,
    ...LABELS,
    legendText,
    marginalText,
  }).height;
}

function rows({ tokens }: Guess): number {
  return Math.min(COMFORTABLE_HEIGHT, tokens * ROW) + HEADING;
}
