import { describe, expect, it } from "vitest";
import { Random } from "../random.js";
import { type Exercise, type Split, TASKS, type TaskName } from "./index.js";

const TEXT = Array.from({ length: 900 }, (_, at) => at.toString(7)).join("\n");
// What a passage of a text asks is where it stands, which its test looks at.
const NAMES = (Object.keys(TASKS) as TaskName[]).filter((name) => !("needsText" in TASKS[name]));

const drawn = (name: TaskName, split: Split, count: number, length = TASKS[name].lengths.usual) => {
  const task = TASKS[name].open(length, TEXT);
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
    expect(trained.has(given(TASKS[name].open(usual, TEXT).shown))).toBe(false);
    expect(new Set(heldOut).size).toBeGreaterThan(20);
  });

  it("has exercises of its own symbols, in its limits, at each length", () => {
    for (const length of [least, usual, most]) {
      const { symbols, longest, shown } = TASKS[name].open(length, TEXT);
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
    const task = TASKS[name].open(usual, TEXT);
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

  it("has the symbols of the question in the tasks copy, reverse and sort", () => {
    for (const exercise of drawn("copy", "training", 200))
      expect(exercise.answer).toEqual(questionOf(exercise));
    for (const { question, answer } of drawn("reverse", "training", 200))
      answer.forEach((symbol, at) => expect(symbol).toBe(question[answer.length - 1 - at]));
    for (const exercise of drawn("sort", "training", 200)) {
      const { answer } = exercise;
      expect(new Set(answer)).toEqual(new Set(questionOf(exercise)));
      const count = (symbols: readonly string[], one: string) =>
        symbols.filter((symbol) => symbol === one).length;
      for (const digit of answer)
        expect(count(answer, digit)).toBe(count(questionOf(exercise), digit));
      answer.slice(1).forEach((digit, at) => expect(digit >= (answer[at] ?? "")).toBe(true));
    }
  });

  it("is the sum in the task addition, and its order of summands gives nothing away", () => {
    const summands = ({ question }: Exercise) => question.join("").slice(0, -1).split("+");
    for (const exercise of drawn("addition", "training", 200)) {
      const [one = "", other = ""] = summands(exercise);
      expect(Number(exercise.answer.join(""))).toBe(Number(one) + Number(other));
    }
    const trained = drawn("addition", "training", 4000).map(summands);
    const known = new Set(trained.map((pair) => pair.join("+")));
    const turned = drawn("addition", "heldOut", 500).map((one) => summands(one).reverse());
    expect(turned.filter((pair) => known.has(pair.join("+")))).toEqual([]);
  });

  it("is the remainder in the task modular, whose sums are all trained or held out", () => {
    const all = [...drawn("modular", "training", 6000), ...drawn("modular", "heldOut", 4000)];
    const sums = new Map(all.map(({ question, answer }) => [question.join(" "), answer[0]]));
    expect(sums.size).toBe(29 ** 2);
    for (let a = 0; a < 29; a += 1)
      for (let b = 0; b < 29; b += 1)
        expect(Number(sums.get(`${a} + ${b} =`)) - a - b).toSatisfy((rest: number) => {
          return rest % 29 === 0;
        });
    const trained = new Set(drawn("modular", "training", 6000).map(given));
    // The smaller part of them is held out.
    const heldOut = new Set(drawn("modular", "heldOut", 4000).map(given));
    expect(heldOut.size).toBeLessThan(trained.size / 2);
    const turned = ({ question: [a, plus, b, is], ...rest }: Exercise) =>
      given({ ...rest, question: [b, plus, a, is].map(String) });
    expect(drawn("modular", "heldOut", 500).filter((one) => trained.has(turned(one)))).toEqual([]);
  });

  it("closes every bracket that is open, and no other, in the task brackets", () => {
    const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
    const depths = new Set<number>();
    for (const exercise of drawn("brackets", "training", 500)) {
      const open: string[] = [];
      for (const bracket of [...questionOf(exercise), ...exercise.answer]) {
        const closes = closing[bracket];
        if (closes === undefined) expect(open.pop()).toBe(bracket);
        else open.push(closes);
      }
      expect(open).toEqual([]);
      expect(exercise.answer.every((bracket) => closing[bracket] === undefined)).toBe(true);
      depths.add(exercise.answer.length);
    }
    expect(depths.size).toBeGreaterThan(4);
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

describe("the task translation", () => {
  const all = [...drawn("translation", "training", 6000), ...drawn("translation", "heldOut", 2000)];
  const pairs = new Map(
    all.map(({ question, answer }) => [question.join(" "), answer.join(" ")] as const),
  );
  const heldOut = new Set(drawn("translation", "heldOut", 2000).map(given));

  it("has 500 pairs of sentences, of which 100 are held out", () => {
    expect([pairs.size, heldOut.size]).toEqual([500, 100]);
  });

  it("trains every word that it holds out", () => {
    const trained = drawn("translation", "training", 6000);
    const words = new Set(trained.flatMap(({ question, answer }) => [...question, ...answer]));
    const tested = drawn("translation", "heldOut", 2000);
    const unknown = tested.flatMap(({ question, answer }) => [...question, ...answer]);
    expect(unknown.filter((word) => !words.has(word))).toEqual([]);
  });

  it("agrees in gender, number and person", () => {
    const forms: Readonly<Record<string, RegExp>> = {
      el: /o$/,
      un: /o$/,
      los: /os$/,
      unos: /os$/,
      la: /(a|flor|mujer)$/,
      una: /(a|flor|mujer)$/,
      las: /(as|flores|mujeres)$/,
      unas: /(as|flores|mujeres)$/,
    };
    for (const [english, spanish] of pairs) {
      const words = spanish.replace(" .", "").split(" ");
      const articles = words.flatMap((word, at) => (word in forms ? [at] : []));
      expect(articles).toHaveLength(2);
      for (const at of articles) {
        const [article = "", noun = "", described] = words.slice(at);
        expect(noun).toMatch(forms[article] ?? /never/);
        if (/^(roj|pequeñ|nuev|negr)/.test(described ?? ""))
          expect(described).toMatch(
            new RegExp(`${/^l?[ao]s|^un[ao]s/.test(article) ? "s" : "[ao]"}$`),
          );
      }
      const verb = words[(articles[1] ?? 0) - 1] ?? "";
      expect(verb.endsWith("n")).toBe(/^(los|las|unos|unas)$/.test(words[0] ?? ""));
      expect(/(see|want|find|paint) /.test(english)).toBe(verb.endsWith("n"));
    }
  });
});

describe.each(["characters", "pieces"] as const)("the task %s", (name) => {
  // A piece of the text has its mark in place of a space, and this text has none.
  const read = ({ answer }: Exercise) => answer.join("").replace(/^▁/, "");

  it("trains the first part of a text, and holds out the last", () => {
    const { shown } = TASKS[name].open(32, TEXT);
    const middle = TEXT.lastIndexOf(read(shown));
    expect(middle).toBeGreaterThan(TEXT.length / 2);
    for (const exercise of drawn(name, "training", 500)) {
      expect(TEXT.slice(0, middle).includes(read(exercise))).toBe(true);
    }
    for (const exercise of drawn(name, "heldOut", 500))
      expect(TEXT.slice(middle).includes(read(exercise))).toBe(true);
  });

  it.each([
    ["training/text-too-short", "too short"],
    [
      "training/text-alphabet",
      Array.from({ length: 5000 }, (_, at) => String.fromCodePoint(256 + at)).join(""),
    ],
  ])("refuses a text with %s", (code, text) => {
    expect(() => TASKS[name].open(32, text)).toThrow(expect.objectContaining({ code }));
  });
});
