import type { ModelInfo, Tensor } from "../../data/index.js";
import { theLab, type Model } from "../../headscope.js";
import { MOST_POSITIONS, PAPER_BASE } from "./fields.js";
import { withRun } from "./study.js";

/** The most numbers of a table that the engine takes. */
const LARGEST_TABLE = 1 << 19;
/** An id that every vocabulary has; which one it is makes no difference to positions. */
const ANY = 0;

/** How many positions of a model can be shown. */
export function mostPositions({ maxTokens, dModel }: ModelInfo): number {
  return Math.min(maxTokens, MOST_POSITIONS, Math.floor(LARGEST_TABLE / dModel));
}

/** All positions that can be shown are read at once, so that another length needs no run. */
const read = new WeakMap<Model, Promise<Tensor>>();

/** All positions of a model that can be shown, `[position, model_dim]`, read once; what failed is tried anew. */
export function wholeTable(model: Model): Promise<Tensor> {
  const known = read.get(model);
  if (known) return known;
  const table = readTable(model);
  read.set(model, table);
  table.catch(() => read.delete(model));
  return table;
}

/** The first rows of a table. */
export function firstRows({ data, shape: [, width = 0], axes }: Tensor, count: number): Tensor {
  return { data: data.subarray(0, count * width), shape: [count, width], axes };
}

/** The table that a model adds to its tokens, as a run of so many has it. */
function readTable(model: Model): Promise<Tensor> {
  const { architecture, stacks, startToken } = model.info;
  const ids = new Array<number>(mostPositions(model.info)).fill(ANY);
  // One token is as short as a target can be: it has nothing to do with the encoder's table.
  const targetIds = architecture === "encoder-decoder" ? [startToken ?? ANY] : null;
  return withRun(model, { ids, ...(targetIds && { targetIds }) }, (run) =>
    run.positions({ stack: stacks.encoder ? "encoder" : "decoder" }),
  );
}

/** How far a computed table is from what the engine computes for its size: the largest difference of two numbers. */
export async function distanceFromWaves(
  { data, shape: [length = 0, dim = 0] }: Tensor,
  { positions }: ModelInfo,
  signal: AbortSignal,
): Promise<number> {
  const { table } = await (await theLab()).ask(
    "waves",
    { length, dim, base: PAPER_BASE, halves: positions === "sinusoidal (split halves)" },
    { signal },
  );
  return table.reduce(
    (most, number, at) => Math.max(most, Math.abs(number - (data[at] ?? NaN))),
    0,
  );
}
