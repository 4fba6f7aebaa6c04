/** One's own text, a token for each character: the next character is predicted. */
import { refuse } from "../../engine/errors.js";
import type { Random } from "../random.js";
import type { Exercise, Split, Task, TaskKind } from "./task.js";

export const CHARACTERS: TaskKind = {
  kinds: ["decoder"],
  lengths: { least: 8, usual: 32, most: 128 },
  needsText: true,
  open,
};

/** The share of the text that is trained; its end is held out. */
const TRAINED = 7 / 8;

/** The most different characters. */
const MOST_CHARACTERS = 4096;

/**
 * The task for passages of a length. No passage is of both parts of the text.
 * @throws training/text-too-short, training/text-alphabet
 */
function open(length: number, text: string): Task {
  const characters = Array.from(text);
  const least = Math.ceil((length + 1) / (1 - TRAINED));
  if (characters.length < least) {
    const expected = `at least ${least} characters for passages of ${length}`;
    throw refuse("training/text-too-short", "the text", expected, String(characters.length));
  }
  const symbols = [...new Set(characters)].toSorted();
  if (symbols.length > MOST_CHARACTERS) {
    const expected = `at most ${MOST_CHARACTERS} different characters`;
    throw refuse("training/text-alphabet", "the text", expected, String(symbols.length));
  }
  const middle = Math.floor(TRAINED * characters.length);
  const parts: Readonly<Record<Split, readonly [start: number, end: number]>> = {
    training: [0, middle],
    heldOut: [middle, characters.length],
  };
  const passage = (start: number): Exercise => ({
    question: [],
    answer: characters.slice(start, start + length),
    // Where a passage begins is not known.
    from: 1,
  });
  return {
    symbols,
    cut: "characters",
    ends: false,
    longest: { question: 0, answer: length },
    draw: (random: Random, split: Split) => {
      const [start, end] = parts[split];
      return passage(random.between(start, end - length));
    },
    shown: passage(middle),
  };
}
