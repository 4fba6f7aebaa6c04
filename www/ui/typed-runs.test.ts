import { expect, it } from "vitest";
import { TypedRuns } from "./typed-runs.js";

function type(runs: TypedRuns, text: string, more: string): string {
  let typed = text;
  for (const letter of more) {
    runs.typed("insertText", typed, typed + letter);
    typed += letter;
  }
  return typed;
}

it("a run of letters is one step, another kind of input or a moved caret begins another", () => {
  const runs = new TypedRuns();
  type(runs, "", "The dog");
  runs.typed("deleteContentBackward", "The dog", "The do");
  runs.typed("deleteContentBackward", "The do", "The d");
  type(runs, "The d", "uck");
  runs.close();
  type(runs, "The duck", "s");
  expect([runs.undo(), runs.undo(), runs.undo(), runs.undo(), runs.undo()]).toEqual([
    "The duck",
    "The d",
    "The dog",
    "",
    null,
  ]);
  expect([runs.redo(), runs.redo()]).toEqual(["The dog", "The d"]);
  type(runs, "The d", "ay");
  expect([runs.redo(), runs.undo()]).toEqual([null, "The d"]);
  runs.clear();
  expect(runs.undo()).toBeNull();
});
