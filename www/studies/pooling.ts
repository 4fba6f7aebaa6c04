/**
 * Sums of heads' measures over many texts, and the role scores that follow: sums are added first
 * and divided last, so that a long text weighs more than a short one (docs/roles.md).
 */
import { type RoleScores, ROLES, type Stack, type Tally } from "../data/index.js";
import type { ByHead } from "./study.js";

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
