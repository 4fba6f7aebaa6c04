// The cell of a step that a term of a sum comes from.
import { expect, it } from "vitest";
import type { TermSource } from "../../data/index.js";
import { termPlace } from "./block.js";

const CELL = { stack: "cross", layer: 1, head: 2, step: "input", row: 3, column: 4 } as const;

it.each<[along: "rows" | "columns", place: object]>([
  ["rows", { row: 5, column: 4 }],
  ["columns", { row: 3, column: 6 }],
])("the third of terms along %s is two cells from the first", (along, place) => {
  const source: TermSource = { kind: "step", ...CELL, along };
  expect(termPlace(source, 2)).toEqual({ ...CELL, ...place });
  expect(termPlace(source, 0)).toEqual(CELL);
});

it("a learned number is in no step", () => {
  expect(termPlace({ kind: "weight" } as TermSource, 0)).toBeNull();
  expect(termPlace(undefined, 0)).toBeNull();
});
