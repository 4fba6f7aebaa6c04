/** Copy, reverse and sort: the answer has the symbols of the question, in another order. */
import { Random } from "../random.js";
import { ARROW, DIGITS, drawnIn, LETTERS, type Split, type Task, type TaskKind } from "./task.js";

/** The answer repeats the question: a head that looks back by a fixed distance does it. */
export const COPY = rewriting(LETTERS, (letters) => letters);

/** The answer is the question from its end: the distance grows with each letter. */
export const REVERSE = rewriting(LETTERS, (letters) => letters.toReversed());

/** The answer has the digits of the question in order. */
export const SORT = rewriting(DIGITS, (digits) => digits.toSorted());

function rewriting(
  symbols: readonly string[],
  rewrite: (symbols: readonly string[]) => readonly string[],
): TaskKind {
  return {
    kinds: ["decoder", "encoder", "encoder-decoder"],
    lengths: { least: 3, usual: 8, most: 24 },
    open: (length) => open(length, symbols, rewrite),
  };
}

function open(
  length: number,
  symbols: readonly string[],
  rewrite: (symbols: readonly string[]) => readonly string[],
): Task {
  const draw = (random: Random, split: Split) =>
    drawnIn(split, () => {
      const given = Array.from({ length }, () => random.pick(symbols));
      return { question: [...given, ARROW], answer: rewrite(given), from: 0 };
    });
  return {
    symbols: [...symbols, ARROW],
    cut: "spaces",
    ends: true,
    longest: { question: length + 1, answer: length },
    draw,
    shown: draw(new Random(length), "heldOut"),
  };
}
