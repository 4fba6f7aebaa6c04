// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import type { Token } from "../../data/index.js";
import { testInks } from "../../draw/testing/inks.js";
import { recorder } from "../../draw/testing/recorder.js";
import { printTokens } from "./print.js";

const word = (text: string, at: number): Token => ({
  id: at,
  text,
  word: at,
  special: false,
  role: null,
});

describe("the tokens of a text apart from the page", () => {
  it("stand in lines that are no wider than the paper, under the names of the texts", () => {
    const tokens = Array.from({ length: 60 }, (_, at) => word(`word${at}`, at));
    const print = printTokens(
      [
        { name: "First", tokens },
        { name: "Second", tokens: tokens.slice(0, 2) },
      ],
      testInks,
    );
    const { brush, done } = recorder();
    print?.paint(brush);
    const texts = done("fillText").map(({ args }) => String(args[0]));
    expect(texts).toEqual(["First", ...tokens.map(({ text }) => text), "Second", "word0", "word1"]);
    const chips = done("fillRect").map(({ args }) => args.map(Number));
    expect(chips).toHaveLength(62);
    for (const [x = 0, , width = 0] of chips)
      expect(x + width).toBeLessThanOrEqual(print?.width ?? 0);
    expect(new Set(chips.map(([, y]) => y)).size).toBeGreaterThan(3);
  });

  it("say what is hidden and strike it out, and part a word that is wider than a line", () => {
    const hidden: Token = {
      id: 9,
      text: "[MASK]",
      word: -1,
      special: true,
      role: "mask",
      hiddenText: "dog",
    };
    const pieces = Array.from(
      { length: 12 },
      (_, at): Token => ({ id: at, text: "donaudampfschiff", word: 1, special: false, role: null }),
    );
    const print = printTokens([{ name: "Text", tokens: [hidden, ...pieces] }], testInks);
    const { brush, done } = recorder();
    print?.paint(brush);
    expect(done("fillText").map(({ args }) => args[0])).toContain("dog");
    expect(done("fillRect").filter(({ args }) => args[3] === 1)).toHaveLength(1);
    for (const { args } of done("fillRect"))
      expect(Number(args[0]) + Number(args[2])).toBeLessThanOrEqual(print?.width ?? 0);
  });

  it("are no picture where there are none", () => {
    expect(printTokens([{ name: "Text", tokens: [] }], testInks)).toBeNull();
  });
});
