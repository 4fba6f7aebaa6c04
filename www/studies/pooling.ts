/**
 * Sums over many texts: of heads' measures, with the role scores that follow, and of patched
 * targets, with the effects that follow. Sums are added first and divided last, so that a long text
 * weighs more than a short one (docs/roles.md).
 */
import { type RoleScores, ROLES, type Stack, type Step, type Tally } from "../data/index.js";
import type { ByHead, PatchBlock } from "./study.js";

type Mean = Tally["entropy"];

const addMeans = (one: Mean, other: Mean): Mean => ({
  sum: one.sum + other.sum,
  count: one.count + other.count,
});

const addLists = (one: readonly Mean[], others: readonly Mean[]): Mean[] =>
  one.map((mean, at) => addMeans(mean, others[at] ?? { sum: 0, count: 0 }));

/** The sums over the texts of two tallies of one head. */
export function addTallies(one: Tally, other: Tally): Tally {
  return {
    means: addLists(one.means, other.means),
    offsets: addLists(one.offsets, other.offsets),
    entropy: addMeans(one.entropy, other.entropy),
    distance: addMeans(one.distance, other.distance),
    nQueries: one.nQueries + other.nQueries,
  };
}

/** The sums over the texts of two lists of tallies of the same heads. */
export function addByHead(one: ByHead<Tally>, other: ByHead<Tally>): ByHead<Tally> {
  const stacks = Object.entries(other) as [Stack, Tally[][]][];
  return Object.fromEntries(
    stacks.map(([stack, layers]) => [
      stack,
      layers.map((heads, layer) =>
        heads.map((tally, head) => {
          const known = one[stack]?.[layer]?.[head];
          return known ? addTallies(known, tally) : tally;
        }),
      ),
    ]),
  );
}

const valueOf = ({ sum, count }: Mean): number | null => (count > 0 ? sum / count : null);

/** The role scores of a head with these sums. */
export function scoresOfTally({ means, offsets, nQueries }: Tally): RoleScores {
  // An offset that few queries have would be reached by chance.
  const competing = offsets.filter(({ count }) => 2 * count >= nQueries && count > 0);
  const shares = competing.map(({ sum, count }) => sum / count);
  const positional = shares.length > 0 ? Math.max(...shares) : null;
  const scores = ROLES.map(({ role }, at) => {
    const mean = means[at];
    const score = mean ? valueOf(mean) : null;
    return [role, role === "positional" ? positional : score];
  });
  return Object.fromEntries(scores) as RoleScores;
}

/** Where a cell of a pooled grid is: a head of a layer, or a position of it. */
export interface PooledCell {
  layer: number;
  /** The head of the layer, or the position. */
  column: number;
  /** The recovered effect over all pairs of texts; null where it is not defined. */
  recovered: number | null;
  /** The number of pairs of texts. */
  count: number;
}

/** The effects of the patches of one kind, over the pairs of texts of a study. */
export interface PooledGrid
  extends Required<Pick<PatchBlock, "direction" | "measure">>, Pick<PatchBlock, "receiver"> {
  stack: Stack;
  step: Step;
  of: "heads" | "positions";
  cells: PooledCell[];
}

interface PatchSum extends Omit<PooledCell, "recovered"> {
  /** The sums of the target with the patch, and in both texts. */
  value: number;
  clean: number;
  corrupted: number;
}

/**
 * The effects of patches over all blocks: of each cell the sums of the target are added first and
 * divided last, so that a pair of texts that hardly differ in the target does not outweigh others.
 */
export function addPatches(blocks: readonly PatchBlock[]): PooledGrid[] {
  const grids = new Map<string, Omit<PooledGrid, "cells"> & { sums: Map<string, PatchSum> }>();
  for (const { cells = [], clean = 0, corrupted = 0, direction, measure, receiver } of blocks) {
    // A pair that could not be read has none of them.
    if (!direction || !measure) continue;
    const to = JSON.stringify(receiver);
    for (const { at, value } of cells) {
      const { stack, layer, step, head, positions } = at;
      const of = head === undefined ? "positions" : "heads";
      const column = head ?? positions?.[0] ?? 0;
      const key = [stack, step, of, direction, measure, to].join(" ");
      const grid = grids.get(key) ?? {
        stack,
        step,
        of,
        direction,
        measure,
        ...(receiver && { receiver }),
        sums: new Map<string, PatchSum>(),
      };
      grids.set(key, grid);
      const place = `${layer} ${column}`;
      const none = { layer, column, count: 0, value: 0, clean: 0, corrupted: 0 };
      const sum = grid.sums.get(place) ?? none;
      grid.sums.set(place, {
        ...sum,
        count: sum.count + 1,
        value: sum.value + value,
        clean: sum.clean + clean,
        corrupted: sum.corrupted + corrupted,
      });
    }
  }
  return [...grids.values()].map(({ sums, ...grid }) => ({
    ...grid,
    cells: [...sums.values()].map(pooledCell),
  }));
}

function pooledCell({ value, clean, corrupted, ...place }: PatchSum): PooledCell {
  const recovered = (value - corrupted) / (clean - corrupted);
  return { ...place, recovered: Number.isFinite(recovered) ? recovered : null };
}
