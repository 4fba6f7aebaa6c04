import { describe, expect, it } from "vitest";
import { recorder } from "./testing/recorder.js";
import { formatSigned, largeWords, readingWords } from "./number-words.js";
import { fitLabel, formatValue, labelled, labelStep, writeLabel } from "./text.js";
import { placeWords, powerWords, tickWords } from "./ticks.js";

it("the label of a token is written in its own direction, and what comes after it is not turned by it", () => {
  const { brush } = recorder();
  const directions: string[] = [];
  brush.fillText = () => directions.push(brush.direction);
  for (const label of ["dog", "כלב…", "!"]) writeLabel(brush, label, 1, 2);
  expect([...directions, brush.direction]).toEqual(["ltr", "rtl", "ltr", "ltr"]);
});

describe("a number", () => {
  it.each([
    [formatValue, 0.7744, "0.774"],
    [formatValue, -6.8, "−6.800"],
    [formatValue, -0, "0"],
    [formatValue, 0.000012, "1.2 × 10⁻⁵"],
    [formatValue, -3e-12, "−3.0 × 10⁻¹²"],
    [formatValue, 0.0005, "0.001"],
    [formatValue, -Infinity, "−∞"],
    [largeWords, 999_999, "999,999"],
    [largeWords, 1e6, "1 × 10⁶"],
    [largeWords, 16_777_216, "1.68 × 10⁷"],
    [powerWords, 1e10, "10¹⁰"],
    [powerWords, 0.01, "10⁻²"],
    [readingWords, 99.5, "99.500"],
    [readingWords, 512, "512"],
    [readingWords, 1234.56, "1,234.6"],
    [readingWords, -2e7, "−2 × 10⁷"],
    [readingWords, NaN, "–"],
    [readingWords, Infinity, "∞"],
    [formatSigned, 1, "+1.000"],
    [formatSigned, -1, "−1.000"],
    [formatSigned, 0, "0"],
    [placeWords, 64, "64"],
    [placeWords, 0.5, "0.500"],
    [placeWords, 100_000, "100,000"],
  ] as const)("in %o: %d reads %s", (write, value, text) => {
    expect(write(value)).toBe(text);
  });

  it.each([
    [[0, 0.5, 1], "0 0.5 1"],
    [[0, 0.02, 0.04], "0 0.02 0.04"],
    [[0, 200_000, 400_000], "0 200,000 400,000"],
    [[0, 0.00002, 0.00004], "0 2.0 × 10⁻⁵ 4.0 × 10⁻⁵"],
  ])("of an axis %j has as many decimals as its steps", (ticks, words) => {
    expect(tickWords(ticks).join(" ")).toBe(words);
  });
});

describe("labels", () => {
  const measure = (text: string): number => text.length * 10;

  it.each([
    ["cat", 30, "cat"],
    ["elephant", 40, "ele…"],
    ["elephant", 5, "…"],
    ["👩‍👩‍👧b", 60, "…"],
    ["a👍🏽bcdef", 60, "a👍🏽…"],
  ])("%s in %i px is %s", (text, room, fitting) => {
    expect(fitLabel(text, room, measure)).toBe(fitting);
  });

  it("are every one while cells are large, then every second, fifth, tenth", () => {
    const steps = [20, 11, 6, 3, 1.2, 0.3].map((cell) => labelStep(cell, 11));
    expect(steps).toEqual([1, 1, 2, 5, 10, 50]);
    expect([labelled(12, 5), labelled(3, 1), labelled(0, 1)]).toEqual([[0, 5, 10], [0, 1, 2], []]);
  });
});
