/**
 * One's own text: the next token is predicted, which is a character or a piece that byte-pair
 * encoding found in the text.
 */
import { refuse } from "../../engine/errors.js";
import { learnBytePairs } from "../byte-pairs.js";
import type { Random } from "../random.js";
import type { Exercise, Split, Task, TaskKind } from "./task.js";

/** A token for each character. */
export const CHARACTERS: TaskKind = {
  kinds: ["decoder"],
  lengths: { least: 8, usual: 32, most: 128 },
  needsText: true,
  open: (length, text) => {
    const tokens = Array.from(text);
    const symbols = [...new Set(tokens)].toSorted();
    return passages({ tokens, symbols, cut: "characters" }, length);
  },
};

/** A token for each piece. */
export const PIECES: TaskKind = {
  ...CHARACTERS,
  open: (length, text) => {
    const { pieces, merges, text: tokens } = learnBytePairs(text, PIECES_OF_TEXT);
    return passages({ tokens, symbols: pieces, cut: { merges } }, length);
  },
};

/** The number of pieces, characters among them. */
const PIECES_OF_TEXT = 512;

/** The share of the text that is trained; its end is held out. */
const TRAINED = 7 / 8;

/** The most different symbols. */
const MOST_SYMBOLS = 4096;

/** A text as tokens. */
interface Tokens extends Pick<Task, "symbols" | "cut"> {
  readonly tokens: readonly string[];
}

/**
 * The task for passages of a length. No passage is of both parts of the text.
 * @throws training/text-too-short, training/text-alphabet
 */
function passages({ tokens, symbols, cut }: Tokens, length: number): Task {
  const least = Math.ceil((length + 1) / (1 - TRAINED));
  if (tokens.length < least) {
    const expected = `at least ${least} tokens for passages of ${length}`;
    throw refuse("training/text-too-short", "the text", expected, String(tokens.length));
  }
  if (symbols.length > MOST_SYMBOLS) {
    const expected = `at most ${MOST_SYMBOLS} different characters`;
    throw refuse("training/text-alphabet", "the text", expected, String(symbols.length));
  }
  const middle = Math.floor(TRAINED * tokens.length);
  const parts: Readonly<Record<Split, readonly [start: number, end: number]>> = {
    training: [0, middle],
    heldOut: [middle, tokens.length],
  };
  const passage = (start: number): Exercise => ({
    question: [],
    answer: tokens.slice(start, start + length),
    // Where a passage begins is not known.
    from: 1,
  });
  return {
    symbols,
    cut,
    ends: false,
    longest: { question: 0, answer: length },
    draw: (random: Random, split: Split) => {
      const [start, end] = parts[split];
      return passage(random.between(start, end - length));
    },
    shown: passage(middle),
  };
}
