import { layoutMatrix } from "../draw/layout.js";
import { layoutSteps } from "../draw/steps.js";
import { layoutStrip } from "../draw/position-matrix.js";

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
/** Height of a positional encoding's single waves. */
const WAVES = 300;
const WIDTH_OF_MODEL = 128;
/** The controls above a block's strip, and what makes the number under it. */
const SUM = { controls: 44, height: 380 };
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
  "headscope-positions": ({ width, tokens }: Guess) =>
    layoutStrip(tokens, WIDTH_OF_MODEL, width, 1).height + HEADING + FOOT + WAVES,
  "headscope-steps": ({ tokens }: Guess) =>
    SUM.controls +
    layoutSteps(
      [{ step: "input", rows: tokens, columns: WIDTH_OF_MODEL }],
      LABELS.queryLabel,
      false,
    ).height +
    FOOT +
    SUM.height,
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
