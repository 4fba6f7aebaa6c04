import type { LengthLine, LengthName } from "./length-study.js";

/**
 * How a scheme fares within the longest text of training and beyond it. Losses are means, in nats. Of a translator that is the
 * longest translation: its sources are read all at once, beyond those of training from the first row on.
 */
export interface Fare {
  name: LengthName;
  /** Up to there. */
  within: number;
  /** Behind it; null where nothing could be read. */
  beyond: number | null;
  /**
   * How much more it loses behind it than before it, each against the same tokens read anew: so a text that is harder to
   * foresee further on is not held against it.
   */
  rise: number | null;
  /** How much more it loses before it than the same tokens read anew. */
  cost: number;
  /** How many rows could be read. */
  rows: number;
  /** Whether the engine refused the text, so that only what has room was read. */
  refused: boolean;
}

/** More than so many nats is said to break, or to cost too much: tokens become less than half as likely. */
export const BREAKS = Math.LN2;

export function fareOf(
  { name, losses, refused }: LengthLine,
  anew: LengthLine,
  trained: number,
): Fare {
  const against = losses.map((loss, row) => loss - (anew.losses[row] ?? NaN));
  const behind = losses.length > trained;
  return {
    name,
    within: mean(losses.slice(0, trained)),
    beyond: behind ? mean(losses.slice(trained)) : null,
    rise: behind ? mean(against.slice(trained)) - mean(against.slice(0, trained)) : null,
    cost: mean(against.slice(0, trained)),
    rows: losses.length,
    refused,
  };
}

/** Means of so many neighbours, each at the middle of its own; the places are how many tokens were read. */
export function smoothed(losses: readonly number[], window: number): { x: number; y: number }[] {
  return Array.from({ length: Math.ceil(losses.length / window) }, (_, index) => {
    const own = losses.slice(index * window, (index + 1) * window);
    return { x: index * window + (own.length + 1) / 2, y: mean(own) };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
