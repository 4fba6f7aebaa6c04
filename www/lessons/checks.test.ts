// The numbers and statements of tasks, on values as a session has them.
import { describe, expect, it } from "vitest";
import { matrixOf } from "../elements/testing/mount.js";
import { DEFAULT_STATE, NO_EDITS } from "../state/index.js";
import { holds, read, type Readable } from "./checks.js";
import type { Check, Reading, Task } from "./format.js";
import { isActed, markOf } from "./marking.js";

const known = (of: object = {}): Readable =>
  ({ state: DEFAULT_STATE, settled: true, demoAnswers: new Map(), ...of }) as unknown as Readable;

const WEIGHTS = matrixOf(3, [0.1, 0.2, 0.7, 0.5, 0.25, 0.25]);
const RAW = matrixOf(3, [1, 2, 3, 4, 5, 6]);
const FIGURES = { figures: { stages: { weights: WEIGHTS, raw: RAW } } };
const LIKELY = {
  expectation: {
    predictions: [
      { text: " car", probability: 0.7 },
      { text: "man", probability: 0.1 },
    ],
  },
};
const HEAD = { stack: "decoder", layer: 0, head: 1 } as const;
const SCORES = { knownRoles: { scores: [[{}, { induction: 0.9, first: 0.2 }]] }, chosen: HEAD };
const NUMBERS = { step: "sum", row: 1, column: 2 } as const;

describe("a reading", () => {
  it.each<[Reading, object, number]>([
    [{ of: "weight", cell: { query: 1, key: 0 }, stage: "weights" }, FIGURES, 0.5],
    [{ of: "weight", cell: { query: 1, key: 2 }, stage: "raw" }, FIGURES, 6],
    [{ of: "cells" }, FIGURES, 6],
    [
      { of: "number", number: NUMBERS },
      { block: { steps: [{ step: "input" }, { step: "sum", tensor: RAW }] } },
      6,
    ],
    [{ of: "probability", token: "car" }, LIKELY, 0.7],
    [{ of: "probability", token: "dog" }, LIKELY, 0],
    [{ of: "entropy" }, { measured: { entropy: 1.5 } }, 1.5],
    [{ of: "role", role: "first" }, SCORES, 0.2],
    [{ of: "adds", key: 1 }, { attribution: { keys: [{ value: 1 }, { value: -2 }] } }, -2],
    [
      { of: "calculated", matrix: "raw", cell: { query: 1, key: 0 } },
      { calculation: { query: [[9]], heads: [{ raw: [[1], [2]] }, { raw: [[3], [4]] }] } },
      2,
    ],
    [
      { of: "calculated", matrix: "query", cell: { query: 0, key: 0 } },
      { calculation: { query: [[9]], heads: [] } },
      9,
    ],
    [
      { of: "answer", demo: "variant", name: "b" },
      { demoAnswers: new Map([["variant", [{}, { numbers: { a: 1, b: 2 } }]]]) },
      2,
    ],
  ])("of %j", (reading, of, value) => {
    expect(read(reading, known(of))).toBeCloseTo(value, 6);
    // What was not read is no number.
    if (reading.of !== "probability" || reading.token === "car")
      expect(read(reading, known())).toBeNull();
  });

  it("of a cell or a number that the run does not have is none", () => {
    const cell = { query: 2, key: 0 };
    expect(read({ of: "weight", cell, stage: "weights" }, known(FIGURES))).toBeNull();
    const block = { steps: [{ step: "sum", tensor: matrixOf(2, [1, 2]) }] };
    expect(read({ of: "number", number: NUMBERS }, known({ block }))).toBeNull();
  });
});

describe("a statement", () => {
  const cells: Reading = { of: "cells" };
  const ablated = { ...DEFAULT_STATE, edits: { ...NO_EDITS, heads: [{ ...HEADS(), gate: 0 }] } };
  const texts = (output: string, unedited: string): object => ({
    computation: { output: { of: "a", words: output }, unedited: { of: "a", words: unedited } },
  });
  it.each<[Check, object, boolean]>([
    [{ is: "between", reading: cells, least: 6, most: Infinity }, FIGURES, true],
    [{ is: "between", reading: cells, least: 7, most: Infinity }, FIGURES, false],
    [{ is: "between", reading: cells, least: -Infinity, most: 5 }, FIGURES, false],
    [{ is: "strongest", query: 0, key: 2 }, FIGURES, true],
    [{ is: "strongest", query: 1, key: 2 }, FIGURES, false],
    [{ is: "role", role: "induction" }, SCORES, true],
    [{ is: "role", role: "first" }, SCORES, false],
    [{ is: "edited", list: "heads" }, { state: ablated }, true],
    [{ is: "edited", list: "masks" }, { state: ablated }, false],
    [{ is: "ablated", head: HEAD }, { state: ablated }, true],
    [{ is: "ablated", head: { ...HEAD, head: 2 } }, { state: ablated }, false],
    [{ is: "predicted", token: "car" }, LIKELY, true],
    [{ is: "predicted", token: "man" }, LIKELY, false],
    [{ is: "written", text: "chat" }, texts("un chat", ""), true],
    [{ is: "written", text: "chien" }, texts("un chat", ""), false],
    [{ is: "changed" }, texts("un chat", "un chien"), true],
    [{ is: "changed" }, texts("un chat", "un chat"), false],
    [{ is: "shown", state: { layer: 1, locked: null } }, {}, true],
    [{ is: "shown", state: { layer: 2 } }, {}, false],
    [{ is: "answered", demo: "training" }, { demoAnswers: new Map([["training", [{}]]]) }, true],
    [{ is: "answered", demo: "training" }, {}, false],
    [{ is: "not", check: { is: "edited", list: "heads" } }, {}, true],
  ])("%j, of what is known: %s", (check, of, is) => {
    expect(holds(check, known(of))).toBe(is);
  });

  it.each<Check>([
    { is: "between", reading: cells, least: 6, most: 7 },
    { is: "strongest", query: 0, key: 0 },
    { is: "role", role: "first" },
    { is: "predicted", token: "car" },
    { is: "not", check: { is: "predicted", token: "car" } },
  ])("%j is not known before the run", (check) => {
    expect(holds(check, known({ computation: { output: null, unedited: null } }))).toBeNull();
  });

  it("about both texts waits until they are of one run", () => {
    const computation = { output: { of: "b", words: "x" }, unedited: { of: "a", words: "y" } };
    expect(holds({ is: "changed" }, known({ computation }))).toBeNull();
    expect(holds({ is: "changed" }, known({ computation: { output: null } }))).toBeNull();
    const late = { output: { of: "a", words: "x", run: "before" }, unedited: null, run: "now" };
    expect(holds({ is: "written", text: "x" }, known({ computation: late }))).toBeNull();
  });
});

function HEADS(): { stack: "decoder"; layers: number[]; heads: number[] } {
  return { stack: "decoder", layers: [0], heads: [1] };
}

describe("a guess", () => {
  const choices: Task = {
    ask: "?",
    guess: {
      kind: "choices",
      choices: [
        { words: "a", check: { is: "strongest", query: 0, key: 1 } },
        { words: "b", check: { is: "strongest", query: 0, key: 2 } },
      ],
    },
    act: null,
    then: null,
  };
  const guess = { kind: "number", reading: { of: "cells" }, within: 1 } as const;
  const number: Task = { ...choices, guess };

  it("at choices is right where its statement is so; else the right one is named", () => {
    expect(markOf(choices, 1, known(FIGURES))).toEqual({ guess: 1, right: true, found: 1 });
    expect(markOf(choices, 0, known(FIGURES))).toEqual({ guess: 0, right: false, found: 1 });
    const other = { figures: { stages: { weights: matrixOf(3, [0.9, 0.1, 0]) } } };
    expect(markOf(choices, 0, known(other))).toEqual({ guess: 0, right: false, found: null });
  });

  it("at a number is right near that of the run", () => {
    expect(markOf(number, 5, known(FIGURES))).toEqual({ guess: 5, right: true, found: 6 });
    expect(markOf(number, 4, known(FIGURES))).toEqual({ guess: 4, right: false, found: 6 });
  });

  it("is marked once the run is read and all is done", () => {
    expect(markOf(choices, 1, known())).toBeNull();
    expect(markOf(choices, 1, known({ ...FIGURES, settled: false }))).toBeNull();
    const act = { words: "do", check: { is: "edited", list: "masks" }, state: null } as const;
    const acted = { ...choices, act };
    expect([isActed(acted, known(FIGURES)), isActed(choices, known())]).toEqual([false, true]);
    expect(markOf(acted, 1, known(FIGURES))).toBeNull();
    const edits = { ...NO_EDITS, masks: [{ mode: "add" as const, block: [] }] };
    const state = { ...DEFAULT_STATE, edits };
    expect(markOf(acted, 1, known({ ...FIGURES, state }))?.right).toBe(true);
  });
});
