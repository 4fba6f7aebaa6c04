import type { ModelInfo, Tensor } from "../../../../data/index.js";
import { theLab, type Model } from "../../../../headscope.js";

/** Numbers of a table that a laboratory takes, and positions. */
const LARGEST_TABLE = 1 << 19;
const MOST_POSITIONS = 512;
/** An id that every vocabulary has; which one it is makes no difference to positions. */
const ANY = 0;

/** How many positions of a model can be looked at. */
export function mostPositions({ maxTokens, dModel }: ModelInfo): number {
  return Math.min(maxTokens, MOST_POSITIONS, Math.floor(LARGEST_TABLE / dModel));
}

/** The first rows of the table that a model adds to its tokens, `[position, model_dim]`, as a run of so many tokens has it. */
export async function readTable(model: Model, length: number, signal: AbortSignal): Promise<Tensor> {
  const { architecture, stacks, startToken } = model.info;
  const ids = new Array<number>(length).fill(ANY);
  // One token is as short as a target can be: it has nothing to do with the encoder's table.
  const run = await model.run({ ids, ...(architecture === "encoder-decoder" && { targetIds: [startToken ?? ANY] }) }, { signal });
  try {
    return await run.positions({ stack: stacks.encoder ? "encoder" : "decoder" });
  } finally {
    run.release();
  }
}

/** How far a computed table is from what the laboratory computes for its size: the largest difference of two numbers. */
export async function distanceFromWaves({ data, shape: [length = 0, dim = 0] }: Tensor, { positions }: ModelInfo, signal: AbortSignal): Promise<number> {
  const { table } = await (await theLab()).ask("waves", { length, dim, base: PAPER_BASE, halves: positions === "sinusoidal (split halves)" }, { signal });
  return table.reduce((most, number, at) => Math.max(most, Math.abs(number - (data[at] ?? NaN))), 0);
}

/** Vaswani et al. 2017, section 3.5. */
export const PAPER_BASE = 10_000;
