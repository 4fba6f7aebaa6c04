/** The branches of a beam search as a tree: where each is drawn, its path, and its numbers. */
import type { BeamBranch, BeamHypothesis, BeamStep } from "../data/index.js";
import type { Table } from "../export/provenance.js";

/** A branch with its place: its step from zero, and its place among the branches of the step. */
export interface TreeBranch extends BeamBranch {
  step: number;
  row: number;
}

/** The branches of a search by their ids, in the order of their steps. */
export interface BeamTree {
  branches: ReadonlyMap<number, TreeBranch>;
  steps: number;
  /** The most branches of a step. */
  rows: number;
}

export function treeOf(found: readonly BeamStep[]): BeamTree {
  const all = found.flatMap(({ step, branches }) =>
    branches.map((branch, row): [number, TreeBranch] => [branch.id, { ...branch, step, row }]),
  );
  const rows = Math.max(0, ...found.map(({ branches }) => branches.length));
  return { branches: new Map(all), steps: found.length, rows };
}

/** The branches from the first step to one, which is the last; empty for an unknown id. */
export function pathTo({ branches }: BeamTree, id: number | null): TreeBranch[] {
  const path: TreeBranch[] = [];
  let at = id === null ? undefined : branches.get(id);
  while (at) {
    path.unshift(at);
    at = at.parent === null ? undefined : branches.get(at.parent);
  }
  return path;
}

/** The keys that move from branch to branch. */
const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

/**
 * The branch that a key leads to from another one: left to its parent, right to the best that
 * continues it, up and down among those of its step; null for a key that leads nowhere.
 */
export function branchBeside({ branches }: BeamTree, id: number, key: string): number | null {
  const at = branches.get(id);
  if (!at || !KEYS.includes(key)) return null;
  const all = [...branches.values()];
  const inStep = all.filter(({ step }) => step === at.step);
  const found = {
    ArrowLeft: at.parent === null ? undefined : branches.get(at.parent),
    ArrowRight: all.find(({ parent }) => parent === id),
    ArrowUp: inStep[at.row - 1],
    ArrowDown: inStep[at.row + 1],
    Home: inStep[0],
    End: inStep.at(-1),
  }[key];
  return found?.id ?? null;
}

/** The numbers of all branches, one in a row. */
export function branchTable({ branches }: BeamTree): Table {
  const columns = ["branch", "parent", "step", "token", "log_probability", "sum", "fate"];
  const rows = [...branches.values()].map((one) => [
    one.id,
    one.parent ?? "",
    one.step + 1,
    one.token.text,
    one.logProbability,
    one.sum,
    one.fate,
  ]);
  return { columns, rows };
}

/** The numbers of the complete texts, the best first. */
export function rankingTable(hypotheses: readonly BeamHypothesis[]): Table {
  return {
    columns: ["rank", "rank_by_sum", "score", "sum", "tokens", "text", "branch"],
    rows: hypotheses.map(({ rankBySum, score, sum, ids, text, branch }, at) => [
      at + 1,
      rankBySum + 1,
      score,
      sum,
      ids.length,
      text,
      branch,
    ]),
  };
}
