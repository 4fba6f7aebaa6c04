/** Which of the two texts: what is read, or what is written. */
export type Side = "source" | "target";

export const POOLS = ["sum", "mean"] as const;
export const LOOKINGS = ["from", "to"] as const;

/** Tokens of one text that are looked at together. */
export interface Picked {
  side: Side;
  /** Their positions, in the order in which they were picked; at least one. */
  tokens: readonly number[];
  /** What they have together, or on the average. */
  pool: (typeof POOLS)[number];
  /** What they look at, or what looks at them, where their text is on both axes. */
  looking: (typeof LOOKINGS)[number];
}

/** The tokens with one more, or one less; null when none is left. Others of the other text give way. */
export function togglePicked(picked: Picked | null, side: Side, index: number): Picked | null {
  const { pool, looking } = picked ?? { pool: "sum", looking: "from" };
  const before = picked?.side === side ? picked.tokens : [];
  const tokens = before.includes(index)
    ? before.filter((other) => other !== index)
    : [...before, index];
  return tokens.length === 0 ? null : { side, tokens, pool, looking };
}
