/**
 * Small pictures of the effects of heads on a logit. The engine makes those of weights and norms
 * itself; effects it gives cell by cell, of all heads by one descent through the model for each
 * row, so of a large stack or a long text only the chosen layer is read.
 */
import type { ModelInfo, Tensor } from "../../data/index.js";
import type { Run } from "../../headscope.js";
import { isExpected } from "./failures.js";
import { THUMBNAIL_SIZE } from "./head.js";
import type { AskedThumbnails } from "./other-numbers.js";
import { tokensOf } from "./selection.js";

/** The most rows of layers that are descended through for all layers. */
const MOST_ROWS = 1600;
/** The most cells that are read at once: 16 MiB. */
const MOST_CELLS = 1 << 22;

type AskedEffects = Extract<AskedThumbnails, { of: "effects" }>;

/** The last small pictures of a run that have all its heads, with what they are of. */
const whole = new WeakMap<Run, { of: string; thumbnails: Tensor }>();

/** The small pictures of the page: those of weights where a model has no effects. */
export async function shownEffects(
  run: Run,
  asked: AskedEffects,
  stacks: ModelInfo["stacks"],
): Promise<Tensor> {
  try {
    return await readEffects(run, asked, stacks);
  } catch (thrown) {
    if (isExpected(thrown)) throw thrown;
    return run.thumbnails({ stack: asked.stack, size: THUMBNAIL_SIZE });
  }
}

/**
 * The small pictures of the effects of all heads, `[layer, head, query, key]`; in a large stack
 * NaN for those of other layers.
 */
export async function readEffects(
  run: Run,
  { stack, entry, layer: chosen }: AskedEffects,
  stacks: ModelInfo["stacks"],
): Promise<Tensor> {
  const { layers = 0, heads = 0 } = stacks[stack] ?? {};
  const { queries, keys } = tokensOf(run, stack);
  const [rows, columns] = [queries.length, keys.length];
  const isLarge = layers * rows > MOST_ROWS || layers * heads * rows * columns > MOST_CELLS;
  // A run that writes grows.
  const of = [stack, entry, rows].join(" ");
  const known = whole.get(run);
  if (known?.of === of) return known.thumbnails;
  const size = THUMBNAIL_SIZE;
  const place = isLarge ? { stack, layer: chosen } : { stack };
  const { data: cells } = await run.effects({ ...place, ...(entry !== null && { id: entry }) });
  const data = new Float32Array(layers * heads * size * size).fill(NaN);
  const first = isLarge ? chosen * heads : 0;
  const count = rows * columns;
  for (let index = 0; index * count < cells.length; index += 1) {
    const head = {
      data: cells.subarray(index * count, (index + 1) * count),
      shape: [rows, columns],
    };
    data.set(signedThumbnail(head, size), (first + index) * size * size);
  }
  const shape = [layers, heads, size, size];
  const thumbnails: Tensor = { data, shape, axes: ["layer", "head", "query", "key"] };
  if (!isLarge) whole.set(run, { of, thumbnails });
  return thumbnails;
}

/** A matrix with `size` cells a side; a cell is the number of largest size that it covers. */
export function signedThumbnail(
  { data, shape }: Pick<Tensor, "data" | "shape">,
  size: number,
): Float32Array {
  const [rows = 0, columns = 0] = shape;
  const small = new Float32Array(size * size);
  for (let cell = 0; cell < small.length; cell += 1) {
    const [top, bottom] = covered(Math.floor(cell / size), size, rows);
    const [left, right] = covered(cell % size, size, columns);
    let most = 0;
    for (let row = top; row < bottom; row += 1)
      for (let column = left; column < right; column += 1) {
        const value = data[row * columns + column] ?? 0;
        if (Math.abs(value) > Math.abs(most)) most = value;
      }
    small[cell] = most;
  }
  return small;
}

/** The rows or columns of `count` that a small one covers: at least one. */
function covered(index: number, size: number, count: number): [from: number, to: number] {
  const from = Math.floor((index * count) / size);
  return [from, Math.min(count, Math.max(from + 1, Math.ceil(((index + 1) * count) / size)))];
}
