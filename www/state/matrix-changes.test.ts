import { describe, expect, it } from "vitest";
import * as calculator from "./matrix-changes.js";
import * as inputs from "./matrix-inputs.js";

const { laidOver, misfitOf, MOST_SIDE, NUMBER_PRESETS, resize, sizeOf, TUTORIAL, withMatrix } =
  calculator;
const TWO_HEADS = NUMBER_PRESETS.heads;
const ones = (rows: number, columns: number): inputs.Rows => inputs.sized(rows, columns, () => 1);
const headChoices = (typed: typeof TUTORIAL): readonly number[] =>
  inputs.headChoices(sizeOf(typed, "keys"), sizeOf(typed, "values"));

it.each(calculator.NUMBER_PRESET_NAMES)("the preset %s has matrices that fit", (name) => {
  expect(misfitOf(NUMBER_PRESETS[name])).toBeNull();
  expect(headChoices(NUMBER_PRESETS[name])).toContain(NUMBER_PRESETS[name].heads);
});

it("the presets of the mask open these cells", () => {
  const open = calculator.NUMBER_MASKS.map((kind) =>
    calculator
      .maskOf(kind, 3)
      .map((row) => row.map((cell) => (cell === 0 ? "o" : "x")).join(""))
      .join(" "),
  );
  expect(open).toEqual(["ooo ooo ooo", "oxx oox ooo", "oox ooo xoo", "oox oox oox"]);
});

describe("a change of size", () => {
  it.each([
    ["words", "x", "rows"],
    ["inner", "query", "rows"],
    ["values", "output", "rows"],
    ["out", "output", "columns"],
  ] as const)("of %s changes every matrix that has this side", (size, name, axis) => {
    for (const by of [1, -1]) {
      const changed = resize(TWO_HEADS, name, axis, sizeOf(TWO_HEADS, size) + by);
      expect(sizeOf(changed, size)).toBe(sizeOf(TWO_HEADS, size) + by);
      expect(misfitOf(changed)).toBeNull();
      expect(changed.words).toHaveLength(changed.x.length);
      expect(headChoices(changed)).toContain(changed.heads);
    }
  });

  it("keeps the numbers, and as many heads as can share the columns", () => {
    const longer = resize(TUTORIAL, "x", "rows", 5);
    expect(longer.x).toEqual([...TUTORIAL.x, [0, 0, 0]]);
    expect(longer.words[4]).toBe("w5");
    expect([5, 6].map((size) => resize(TWO_HEADS, "query", "columns", size).heads)).toEqual([1, 2]);
    for (const to of [0, 1.5, NaN, MOST_SIDE + 1])
      expect(resize(TUTORIAL, "x", "rows", to)).toBe(TUTORIAL);
  });
});

describe("a whole matrix", () => {
  it.each([
    ["query", ones(2, 2), { shape: [2, 2], wanted: [3, null] }],
    ["mask", ones(1, 1), { shape: [1, 1], wanted: [4, 4] }],
    ["output", ones(1, 1), { shape: [1, 1], wanted: [3, null] }],
  ] as const)("that is %s and does not fit is named with both shapes", (name, matrix, misfit) => {
    expect(misfitOf(withMatrix(TUTORIAL, name, matrix))).toEqual({ name, ...misfit });
  });

  it("has the given words, or the former ones", () => {
    expect(withMatrix(TUTORIAL, "x", ones(2, 3), ["the", "dog"]).words).toEqual(["the", "dog"]);
    expect(withMatrix(TUTORIAL, "x", ones(5, 1)).words).toEqual(["w₁", "w₂", "w₃", "w₄", "w5"]);
  });

  it("replaces another from a cell on, up to the largest size", () => {
    const pasted = laidOver(ones(2, 2), [[9, 8]], { row: 1, column: 1 });
    expect(pasted).toEqual([
      [1, 1, 0],
      [1, 9, 8],
    ]);
    const large = laidOver([[1]], ones(40, 40), { row: 3, column: 0 });
    expect(inputs.shapeOf(large)).toEqual([MOST_SIDE, MOST_SIDE]);
  });
});
