import { layoutMatrix } from "../draw/layout.js";

interface Guess {
  width: number;
  tokens: number;
}

/** The height of the words under a picture, with their distance from it. */
const FOOT = 32;
const HEADING = 40;
const COMFORTABLE_HEIGHT = 440;

const matrix = ({ width, tokens }: Guess, legendText: number | null): number =>
  layoutMatrix({
    rows: tokens,
    columns: tokens,
    width,
    ratio: 1,
    comfortableHeight: COMFORTABLE_HEIGHT,
    labels: { query: 64, key: 56 },
    legendText,
    sumsText: legendText === null ? null : 96,
  }).height + FOOT;

/**
 * The height of a figure with a row for each token, which scrolls beyond the comfortable height.
 */
const rows = ({ tokens }: Guess): number =>
  Math.min(COMFORTABLE_HEIGHT, tokens * 28) + 2 * HEADING + FOOT;

/**
 * The approximate height of each figure that works alone: a page reserves it, so that nothing moves
 * when the picture comes.
 */
export const HEIGHTS = {
  "headscope-heatmap": (guess: Guess) => matrix(guess, 48),
  "headscope-difference": (guess: Guess) => matrix(guess, 48),
  "headscope-image": ({ width }: Guess) => Math.min(COMFORTABLE_HEIGHT, width) + FOOT,
  "headscope-lines": rows,
  "headscope-dimensions": rows,
  "headscope-mask": (guess: Guess) => matrix(guess, null),
  // The parts around the rows, the rows, and the single waves under them.
  "headscope-positions": ({ tokens }: Guess) =>
    66 + Math.max(1, Math.floor(Math.min(16, 288 / tokens))) * tokens + HEADING + FOOT + 300,
  // The controls and captions above the strip, its rows, and the computation of the number under
  // it.
  "headscope-steps": ({ tokens }: Guess) => 44 + 76 + Math.min(380, 20 * tokens) + FOOT + 380,
  // Two plots of one height: side by side, or one below the other if the figure is too narrow.
  "headscope-spectrum": ({ width }: Guess) => (width < 224 ? 2 * 140 + 16 : 140),
  // Grids of the bundled models have four layers or as many twice.
  "headscope-grid": () => 4 * 64 + FOOT,
  // The names of depths above the rows, the legend and the number under them.
  "headscope-lens": ({ tokens }: Guess) => 24 + 22 * tokens + 42 + FOOT,
  "headscope-attribution": () => HEADING + 13 * 24,
  // As many layers as the grid of heads, and the names of heads above them.
  "headscope-effects": () => 4 * 48 + 2 * HEADING + FOOT,
  // A caption, the plot with its axes, and the button under them.
  "headscope-curves": () => 20 + 240 + FOOT,
  "headscope-tokens": ({ width, tokens }: Guess) =>
    Math.ceil((tokens * 90) / Math.max(width, 90)) * 30,
} as const;

/** The least height that a picture is given. */
const LEAST_HEIGHT = 160;
/** The height of the line under a picture, with the room around it. */
const LINE = 40;

/** The height that a picture has in a figure of some height. */
export function pictureIn(height: number): number {
  return Math.max(LEAST_HEIGHT, Math.floor(height - LINE));
}

export type FigureTag = keyof typeof HEIGHTS;

/** The figures that a run of a model fills: curves are of numbers alone. */
export type ModelTag = Exclude<FigureTag, "headscope-curves">;
export const isOfModels = (tag: FigureTag): tag is ModelTag => tag !== "headscope-curves";

/**
 * The approximate number of tokens of a text: a subword tokenizer makes slightly more than one
 * token of each word and sign.
 */
export function guessTokens(text: string): number {
  const pieces =
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu,
    ) ?? [];
  return Math.ceil(pieces.length * 1.1) + 1;
}
