import { describe, expect, it } from "vitest";
import { Random } from "../random.js";
import { type Exercise, type Split, TASKS, type TaskName } from "./index.js";

const NAMES = Object.keys(TASKS) as TaskName[];

const drawn = (name: TaskName, split: Split, count: number, length = TASKS[name].lengths.usual) => {
  const task = TASKS[name].open(length);
  const random = new Random(11, split.length);
  return Array.from({ length: count }, () => task.draw(random, split));
};

const given = ({ question, answer, from }: Exercise) =>
  [...question, "|", ...answer.slice(0, from)].join(" ");

describe.each(NAMES)("the task %s", (name) => {
  const { least, usual, most } = TASKS[name].lengths;

  it("holds out what is never trained, the shown exercise among it", () => {
    const trained = new Set(drawn(name, "training", 3000).map(given));
    const heldOut = drawn(name, "heldOut", 1000).map(given);
    expect(heldOut.filter((one) => trained.has(one))).toEqual([]);
    expect(trained.has(given(TASKS[name].open(usual).shown))).toBe(false);
    expect(new Set(heldOut).size).toBeGreaterThan(20);
  });

  it("has exercises of its own symbols, in its limits, at each length", () => {
    for (const length of [least, usual, most]) {
      const { symbols, longest, shown } = TASKS[name].open(length);
      const known = new Set(symbols);
      expect(known.size).toBe(symbols.length);
      for (const exercise of [...drawn(name, "training", 50, length), shown]) {
        const { question, answer, from } = exercise;
        expect([...question, ...answer].filter((symbol) => !known.has(symbol))).toEqual([]);
        expect(question.length).toBeLessThanOrEqual(longest.question);
        expect(answer.length).toBeLessThanOrEqual(longest.answer);
        expect(from).toBeLessThan(answer.length);
      }
    }
  });

  it("has the same exercises for the same stream, and others for another", () => {
    const task = TASKS[name].open(usual);
    const batch = (seed: number) => {
      const random = new Random(seed);
      return Array.from({ length: 8 }, () => task.draw(random, "training"));
    };
    expect(batch(1)).toEqual(batch(1));
    expect(batch(1)).not.toEqual(batch(2));
  });
});

describe("what is right", () => {
  const questionOf = ({ question }: Exercise) => question.slice(0, -1);

  it("is the question in the task copy", () => {
    for (const exercise of drawn("copy", "training", 200))
      expect(exercise.answer).toEqual(questionOf(exercise));
  });

  it("is what followed the letter before, in the task induction", () => {
    const periods = new Set<number>();
    for (const { answer, from } of drawn("induction", "training", 200)) {
      periods.add(from - 1);
      for (let at = from; at < answer.length; at += 1) {
        const before = answer.lastIndexOf(answer[at - 1] ?? "", at - 2);
        expect(before).toBeGreaterThanOrEqual(0);
        expect(answer[at]).toBe(answer[before + 1]);
      }
      expect(new Set(answer.slice(0, from - 1)).size).toBe(from - 1);
    }
    // No fixed distance leads to the earlier letter.
    expect(periods.size).toBeGreaterThan(5);
  });
});
