import { describe, expect, it } from "vitest";
import { ROLES, type RoleScores } from "../../data/index.js";
import { rankHeads, roleInQuestion, type KnownHeads } from "./head-order.js";

const SIZE = { layers: 2, heads: 2 };
const scores = (some: Partial<RoleScores>): RoleScores => ({
  ...(Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores),
  ...some,
});
const at = (index: number): { layer: number; head: number } => ({
  layer: Math.floor(index / 2),
  head: index % 2,
});

const KNOWN: KnownHeads = {
  heldOut: [
    [scores({ previous: 0.6, self: 0.1 }), scores({ previous: 0.9 })],
    [scores({ self: 0.7 }), scores({ previous: 0.2 })],
  ],
  measures: [2, 0.5, null, 1].map((entropy, index) => ({
    ...at(index),
    entropy,
    distance: 1,
    roles: scores({ previous: index / 10 }),
  })),
  likeness: [0.3, 0, 0.1, null].map((divergence, index) => ({ ...at(index), divergence })),
};

const ranked = (
  ...[filter, sort, known = KNOWN]: [
    Parameters<typeof rankHeads>[1],
    Parameters<typeof rankHeads>[2],
    KnownHeads?,
  ]
): string[] | null =>
  rankHeads(SIZE, filter, sort, known)?.map(({ layer, head, note }) =>
    `${layer}.${head} ${note}`.trim(),
  ) ?? null;

describe("the order of heads", () => {
  it("is their place as long as nobody asks for another", () => {
    expect(ranked(null, "place")).toBeNull();
  });

  it("by a role begins with the highest held-out score, with the one on this text beside it", () => {
    expect(ranked(null, "previous")).toEqual([
      "0.1 0.90 · 0.10",
      "0.0 0.60 · 0.00",
      "1.1 0.20 · 0.30",
      "1.0 – · 0.20",
    ]);
  });

  it("by entropy begins with the sharpest, by likeness with the most alike; heads without a number end it", () => {
    expect(ranked(null, "entropy")).toEqual(["0.1 0.50", "1.1 1.00", "0.0 2.00", "1.0 –"]);
    expect(ranked(null, "likeness")).toEqual(["0.1 0.00", "1.0 0.10", "0.0 0.30", "1.1 –"]);
  });

  it("filters and sorts at once", () => {
    expect(ranked("previous", "entropy")).toEqual(["0.1 0.50", "0.0 2.00"]);
    expect(roleInQuestion("previous", "entropy")).toBeNull();
    expect(roleInQuestion("previous", "self")).toBe("self");
  });

  it("of a model without held-out scores is by those on this text, and nothing is filtered out", () => {
    const foreign = { ...KNOWN, heldOut: null };
    expect(ranked("previous", "place", foreign)).toBeNull();
    expect(ranked("previous", "previous", foreign)).toEqual([
      "1.1 0.30",
      "1.0 0.20",
      "0.1 0.10",
      "0.0 0.00",
    ]);
  });
});
