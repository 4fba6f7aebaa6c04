/** Copy: the answer repeats the question. */
import { Random } from "../random.js";
import { ARROW, drawnIn, LETTERS, type Split, type Task, type TaskKind } from "./task.js";

export const COPY: TaskKind = {
  kinds: ["decoder", "encoder", "encoder-decoder"],
  lengths: { least: 3, usual: 8, most: 24 },
  open: (length) => rewriting(length, LETTERS, (letters) => letters),
};

/** A task whose answer is made of the symbols of its question. */
export function rewriting(
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
    ends: true,
    longest: { question: length + 1, answer: length },
    draw,
    shown: draw(new Random(length), "heldOut"),
  };
}
