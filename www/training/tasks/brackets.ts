/** Brackets: the answer closes what is open, the innermost bracket first. */
import { Random } from "../random.js";
import { ARROW, drawnIn, type Split, type Task, type TaskKind } from "./task.js";

export const BRACKETS: TaskKind = {
  kinds: ["decoder", "encoder-decoder"],
  lengths: { least: 6, usual: 12, most: 32 },
  open,
};

const PAIRS = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
] as const;

/** The task for questions of so many brackets. */
function open(length: number): Task {
  const draw = (random: Random, split: Split) =>
    drawnIn(split, () => {
      const { question, open } = opened(random, length);
      return { question: [...question, ARROW], answer: open.toReversed(), from: 0 };
    });
  return {
    symbols: [...PAIRS.flat(), ARROW],
    cut: "spaces",
    ends: true,
    longest: { question: length + 1, answer: length },
    draw,
    shown: draw(new Random(length), "heldOut"),
  };
}

/** The beginning of a text of brackets, and what closes those that are open, outermost first. */
function opened(random: Random, length: number): { question: string[]; open: string[] } {
  const question: string[] = [];
  const open: string[] = [];
  while (question.length < length) {
    // At least one stays open.
    const closes = open.length > 1 && random.below(2) === 0;
    const last = closes ? open.pop() : undefined;
    const [opening, closing] = random.pick(PAIRS);
    question.push(last ?? opening);
    if (last === undefined) open.push(closing);
  }
  return { question, open };
}
