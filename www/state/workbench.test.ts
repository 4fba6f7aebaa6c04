import { describe, expect, it } from "vitest";
import {
  headChoices,
  laidOver,
  maskOf,
  misfitOf,
  MOST_SIDE,
  NUMBER_MASKS,
  NUMBER_PRESET_NAMES,
  NUMBER_PRESETS,
  resize,
  shapeOf,
  sizeOf,
  TUTORIAL,
  withMatrix,
} from "./workbench.js";

describe("presets", () => {
  it("go together", () => {
    for (const name of NUMBER_PRESET_NAMES) {
      const preset = NUMBER_PRESETS[name];
      expect(misfitOf(preset), name).toBeNull();
      expect(headChoices(sizeOf(preset, "keys"), sizeOf(preset, "values"))).toContain(preset.heads);
    }
  });

  it("of masks say who may look at whom", () => {
    const open = (kind: (typeof NUMBER_MASKS)[number]): string =>
      maskOf(kind, 3)
        .map((row) => row.map((cell) => (cell === 0 ? "o" : "x")).join(""))
        .join(" ");
    expect(NUMBER_MASKS.map(open)).toEqual([
      "ooo ooo ooo",
      "oxx oox ooo",
      "oox ooo xoo",
      "oox oox oox",
    ]);
  });
});

describe("a change of size", () => {
  it("reaches every matrix that has the side, and what was there stays", () => {
    const two = NUMBER_PRESETS.heads;
    for (const [size, name, axis] of [
      ["words", "x", "rows"],
      ["inner", "query", "rows"],
      ["keys", "key", "columns"],
      ["values", "output", "rows"],
      ["out", "output", "columns"],
    ] as const) {
      for (const by of [1, -1]) {
        const changed = resize(two, name, axis, sizeOf(two, size) + by);
        expect(sizeOf(changed, size)).toBe(sizeOf(two, size) + by);
        expect(misfitOf(changed), `${size} ${by}`).toBeNull();
        expect(changed.words).toHaveLength(changed.x.length);
        expect(headChoices(sizeOf(changed, "keys"), sizeOf(changed, "values"))).toContain(
          changed.heads,
        );
      }
    }
    const longer = resize(TUTORIAL, "x", "rows", 5);
    expect(longer.x.slice(0, 4)).toEqual(TUTORIAL.x);
    expect([longer.x[4], longer.words[4]]).toEqual([[0, 0, 0], "w5"]);
  });

  it("never goes where nothing can be shown", () => {
    for (const to of [0, -1, 1.5, NaN, MOST_SIDE + 1])
      expect(resize(TUTORIAL, "x", "rows", to)).toBe(TUTORIAL);
  });

  it("keeps as many heads as can share the columns", () => {
    expect(resize(NUMBER_PRESETS.heads, "query", "columns", 5).heads).toBe(1);
    expect(resize(NUMBER_PRESETS.heads, "query", "columns", 6).heads).toBe(2);
  });
});

describe("whole matrices", () => {
  it("are taken as they come, and the one that does not go with the others is named with both shapes", () => {
    const inputs = withMatrix(TUTORIAL, "query", [
      [1, 2],
      [3, 4],
    ]);
    expect(misfitOf(inputs)).toEqual({ name: "query", shape: [2, 2], wanted: [3, null] });
    expect(misfitOf(withMatrix(TUTORIAL, "mask", [[0]]))).toEqual({
      name: "mask",
      shape: [1, 1],
      wanted: [4, 4],
    });
    expect(misfitOf(withMatrix(TUTORIAL, "key", [[1], [1], [1]]))).toMatchObject({
      name: "key",
      wanted: [3, 3],
    });
    expect(misfitOf({ ...TUTORIAL, output: [[1]] })).toMatchObject({
      name: "output",
      wanted: [3, null],
    });
  });

  it("leave as many heads as can share the columns", () => {
    const four = NUMBER_PRESETS.heads;
    const wide = (columns: number): number[][] =>
      four.x[0]?.map(() => Array.from({ length: columns }, () => 1)) ?? [];
    expect(four.heads).toBe(2);
    expect([
      withMatrix(four, "query", wide(3)).heads,
      withMatrix(four, "value", wide(3)).heads,
      withMatrix(four, "query", wide(6)).heads,
      withMatrix(four, "mask", [[0]]).heads,
    ]).toEqual([1, 1, 2, 2]);
  });

  it("bring names for the words, or leave those that were there", () => {
    expect(
      withMatrix(
        TUTORIAL,
        "x",
        [
          [1, 0, 0],
          [0, 1, 0],
        ],
        ["the", "dog"],
      ).words,
    ).toEqual(["the", "dog"]);
    expect(withMatrix(TUTORIAL, "x", [[1], [2], [3], [4], [5]]).words).toEqual([
      "w₁",
      "w₂",
      "w₃",
      "w₄",
      "w5",
    ]);
  });

  it("are laid over others from a cell on, and never grow too large", () => {
    expect(
      laidOver(
        [
          [1, 2],
          [3, 4],
        ],
        [[9, 8]],
        { row: 1, column: 1 },
      ),
    ).toEqual([
      [1, 2, 0],
      [3, 9, 8],
    ]);
    const block = Array.from({ length: 40 }, () => Array.from({ length: 40 }, () => 1));
    expect(shapeOf(laidOver([[1]], block, { row: 3, column: 0 }))).toEqual([MOST_SIDE, MOST_SIDE]);
  });
});
