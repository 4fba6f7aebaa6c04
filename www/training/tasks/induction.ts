/**
 * Induction: a block of random letters, repeated. Nothing but the earlier copy says which letter
 * comes next, and the block's length is random, so that no fixed distance does.
 *
 * Source: C. Olsson et al. 2022, "In-context Learning and Induction Heads".
 */
import { Random } from "../random.js";
import { drawnIn, LETTERS, type Split, type Task, type TaskKind } from "./task.js";

export const INDUCTION: TaskKind = {
  kinds: ["decoder"],
  lengths: { least: 12, usual: 32, most: 32 },
  open,
};

/** The task for texts of a length. The letters of a block differ from each other. */
function open(length: number): Task {
  const [least, most] = [Math.floor(length / 4), Math.floor(length / 2)];
  const draw = (random: Random, split: Split) =>
    drawnIn(split, () => {
      const block = random.shuffled(LETTERS).slice(0, random.between(least, most));
      const answer = Array.from({ length }, (_, at) => block[at % block.length] ?? "");
      // That a block ends is known from its first letter, which comes again.
      return { question: [], answer, from: block.length + 1 };
    });
  return {
    symbols: LETTERS,
    cut: "spaces",
    ends: false,
    longest: { question: 0, answer: length },
    draw,
    shown: draw(new Random(length), "heldOut"),
  };
}
