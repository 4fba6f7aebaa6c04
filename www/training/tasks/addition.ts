/** Addition: two numbers of as many digits, and their sum with a digit more, zeros in front. */
import { Random } from "../random.js";
import { DIGITS, drawnIn, type Exercise, type Split, type Task, type TaskKind } from "./task.js";

export const ADDITION: TaskKind = {
  kinds: ["decoder", "encoder", "encoder-decoder"],
  lengths: { least: 2, usual: 2, most: 6 },
  open,
};

/** The task for numbers of so many digits. */
function open(digits: number): Task {
  const draw = (random: Random, split: Split) =>
    drawnIn(
      split,
      () => {
        const [one, other] = [random.below(10 ** digits), random.below(10 ** digits)];
        const question = [...written(one, digits), "+", ...written(other, digits), "="];
        return { question, answer: written(one + other, digits + 1), from: 0 };
      },
      ({ question }) => summandsOf(question),
    );
  return {
    symbols: [...DIGITS, "+", "="],
    cut: "spaces",
    ends: true,
    longest: { question: 2 * digits + 2, answer: digits + 1 },
    draw,
    shown: draw(new Random(digits), "heldOut"),
  };
}

const written = (number: number, digits: number): string[] =>
  Array.from(String(number).padStart(digits, "0"));

/** The two numbers of a question in order: 3 + 5 would give 5 + 3 away. */
function summandsOf(question: Exercise["question"]): string[] {
  return question.join("").replace("=", "").split("+").toSorted();
}
