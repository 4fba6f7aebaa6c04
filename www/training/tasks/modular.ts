/**
 * Modular addition: `a + b` modulo a number, each number a token. A model learns the trained sums
 * by heart long before it computes the others ("grokking").
 *
 * Sources: A. Power et al. 2022, "Grokking"; N. Nanda et al. 2023, "Progress measures for grokking
 * via mechanistic interpretability".
 */
import { Random } from "../random.js";
import { type Exercise, listed, type Task, type TaskKind } from "./task.js";

export const MODULAR: TaskKind = {
  kinds: ["decoder", "encoder"],
  lengths: { least: 11, usual: 29, most: 59 },
  open,
};

/** The share of all pairs of numbers that is trained. */
const TRAINED = 0.7;

/** The task for a modulus. Which sums are trained is the same for every seed of a training. */
function open(modulus: number): Task {
  const numbers = Array.from({ length: modulus }, (_, number) => number);
  const pairs = numbers.flatMap((one) => numbers.slice(one).map((other) => [one, other] as const));
  const order = new Random(modulus).shuffled(pairs);
  const end = Math.round(TRAINED * order.length);
  // `a + b` stands with `b + a`, which would give it away.
  const sums = (some: typeof order): Exercise[] =>
    some.flatMap(([one, other]) => {
      const orders =
        one === other
          ? [[one, other]]
          : [
              [one, other],
              [other, one],
            ];
      return orders.map(([a = 0, b = 0]) => ({
        question: [String(a), "+", String(b), "="],
        answer: [String((a + b) % modulus)],
        from: 0,
      }));
    });
  const lists = { training: sums(order.slice(0, end)), heldOut: sums(order.slice(end)) };
  return listed(lists, [...numbers.map(String), "+", "="], false);
}
