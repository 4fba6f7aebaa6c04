import { expect, test } from "vitest";
import type { BeamBranch, BeamStep } from "../data/index.js";
import { branchBeside, branchTable, pathTo, rankingTable, treeOf } from "./beam-tree.js";

const branch = (id: number, parent: number | null, fate: BeamBranch["fate"]): BeamBranch => {
  const token = { id: id + 10, text: `t${id}`, logit: 1, probability: 0.5 };
  return { id, parent, token, logProbability: -0.5, sum: -id, fate };
};

const STEPS: BeamStep[] = [
  {
    kind: "expand",
    step: 0,
    branches: [branch(0, null, "kept"), branch(1, null, "kept"), branch(2, null, "dropped")],
  },
  {
    kind: "expand",
    step: 1,
    branches: [branch(3, 1, "finished"), branch(4, 0, "kept"), branch(5, 1, "dropped")],
  },
];
const tree = treeOf(STEPS);

test("a tree has each branch at its step and its place", () => {
  expect([tree.steps, tree.rows, tree.branches.size]).toEqual([2, 3, 6]);
  expect(tree.branches.get(5)).toMatchObject({ step: 1, row: 2, parent: 1 });
  expect(treeOf([])).toMatchObject({ steps: 0, rows: 0 });
});

test("a path leads from the first step to a branch", () => {
  expect(pathTo(tree, 3).map(({ id }) => id)).toEqual([1, 3]);
  expect(pathTo(tree, null)).toEqual([]);
  expect(pathTo(tree, 99)).toEqual([]);
});

test.each([
  ["ArrowLeft", 5, 1],
  ["ArrowLeft", 1, null],
  ["ArrowRight", 1, 3],
  ["ArrowRight", 2, null],
  ["ArrowUp", 4, 3],
  ["ArrowUp", 3, null],
  ["ArrowDown", 4, 5],
  ["ArrowDown", 5, null],
  ["Home", 5, 3],
  ["End", 0, 2],
  ["Enter", 0, null],
  ["Home", 99, null],
])("%s leads from branch %i to %s", (key, id, expected) => {
  expect(branchBeside(tree, id, key)).toBe(expected);
});

test("the tables have the numbers of branches and of complete texts", () => {
  const { columns, rows } = branchTable(tree);
  expect(Object.fromEntries(columns.map((name, at) => [name, rows[3]?.[at]]))).toEqual({
    branch: 3,
    parent: 1,
    step: 2,
    token: "t3",
    log_probability: -0.5,
    sum: -3,
    fate: "finished",
  });
  const one = { branch: 3, ids: [11, 13], text: "t1 t3", sum: -3, score: -1.5, rankBySum: 1 };
  expect(rankingTable([one]).rows).toEqual([[1, 2, -1.5, -3, 2, "t1 t3", 3]]);
});
