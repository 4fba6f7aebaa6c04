import { expect, it } from "vitest";
import { ROLES, type RoleScores } from "../../data/index.js";
import type { HeadSort, RoleFilter } from "../../state/index.js";
import { type KnownHeads, rankHeads, roleInQuestion } from "./head-order.js";

const NO_SCORES = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores;
const scores = (some: Partial<RoleScores>): RoleScores => ({ ...NO_SCORES, ...some });
const at = (index: number): { layer: number; head: number } => ({
  layer: Math.floor(index / 2),
  head: index % 2,
});

const KNOWN: KnownHeads = {
  heldOut: [
    [scores({ previous: 0.6, self: 0.1 }), scores({ previous: 0.9 })],
    [scores({ self: 0.7 }), scores({ previous: 0.2 })],
  ],
  measures: [2, 0.5, null, 1].map((entropy, index) => {
    const roles = scores({ previous: index / 10 });
    return { ...at(index), entropy, distance: 1, roles };
  }),
  likeness: [0.3, 0, 0.1, null].map((divergence, index) => ({ ...at(index), divergence })),
};
const FOREIGN = { ...KNOWN, heldOut: null };

it.each<[RoleFilter | null, HeadSort, KnownHeads, string[] | null]>([
  [null, "place", KNOWN, null],
  // By held-out scores, with those on this text beside them; heads without a number end the list.
  [
    null,
    "previous",
    KNOWN,
    ["0.1 0.90 · 0.10", "0.0 0.60 · 0.00", "1.1 0.20 · 0.30", "1.0 – · 0.20"],
  ],
  [null, "entropy", KNOWN, ["0.1 0.50", "1.1 1.00", "0.0 2.00", "1.0 –"]],
  [null, "likeness", KNOWN, ["0.1 0.00", "1.0 0.10", "0.0 0.30", "1.1 –"]],
  ["previous", "entropy", KNOWN, ["0.1 0.50", "0.0 2.00"]],
  // Without held-out scores nothing is filtered out, and those on this text count.
  ["previous", "place", FOREIGN, null],
  ["previous", "previous", FOREIGN, ["1.1 0.30", "1.0 0.20", "0.1 0.10", "0.0 0.00"]],
])("heads filtered by %s and sorted by %s", (filter, sort, known, expected) => {
  const ranked = rankHeads({ layers: 2, heads: 2 }, filter, sort, known);
  expect(ranked?.map(({ layer, head, note }) => `${layer}.${head} ${note}`) ?? null).toEqual(
    expected,
  );
});

it("the role in question is that of the sort, or else of the filter", () => {
  expect(roleInQuestion("previous", "entropy")).toBeNull();
  expect(roleInQuestion("previous", "self")).toBe("self");
  expect(roleInQuestion("previous", "place")).toBe("previous");
});
