/**
 * Small pictures of the effects of heads on a logit, made of their effects one after the other. The
 * engine makes those of weights and norms itself, of all heads at once; effects take a descent
 * through the model for each row of each head, so of a large stack only the chosen layer is read.
 */
import type { ModelInfo, Tensor } from "../../data/index.js";
import { HeadscopeError, type Run } from "../../headscope.js";
import { isExpected } from "./failures.js";
import { THUMBNAIL_SIZE } from "./head.js";
import type { AskedThumbnails } from "./other-numbers.js";
import { tokensOf } from "./selection.js";

/** The most rows of heads of which all layers are read. */
const MOST_ROWS = 1600;

type AskedEffects = Extract<AskedThumbnails, { of: "effects" }>;

/** The last small pictures of a run that have all its heads, with what they are of. */
const whole = new WeakMap<Run, { of: string; thumbnails: Tensor }>();

/**
 * The small pictures of the page: those of weights where a model has no effects, since its picture
 * says why. Rejects as an aborted run once `isWanted` is false.
 */
export async function shownEffects(
  run: Run,
  asked: AskedEffects,
  stacks: ModelInfo["stacks"],
  isWanted: () => boolean,
): Promise<Tensor> {
  try {
    return await readEffects(run, asked, stacks, isWanted);
  } catch (thrown) {
    if (isExpected(thrown)) throw thrown;
    return run.thumbnails({ stack: asked.stack, size: THUMBNAIL_SIZE });
  }
}

/**
 * The small pictures of the effects of all heads, `[layer, head, query, key]`; in a large stack
 * NaN for those of other layers. Rejects as an aborted run once `isWanted` is false.
 */
export async function readEffects(
  run: Run,
  { stack, entry, layer: chosen }: AskedEffects,
  stacks: ModelInfo["stacks"],
  isWanted = (): boolean => true,
): Promise<Tensor> {
  const { layers = 0, heads = 0 } = stacks[stack] ?? {};
  const rows = tokensOf(run, stack).queries.length;
  const isLarge = layers * heads * rows > MOST_ROWS;
  // A run that writes grows.
  const of = [stack, entry, rows].join(" ");
  const known = whole.get(run);
  if (known?.of === of) return known.thumbnails;
  const size = THUMBNAIL_SIZE;
  const shape = [layers, heads, size, size];
  const data = new Float32Array(layers * heads * size * size).fill(NaN);
  for (let index = 0; index < layers * heads; index += 1) {
    const layer = Math.floor(index / heads);
    if (isLarge && layer !== chosen) continue;
    if (!isWanted()) throw replaced();
    const id = entry === null ? {} : { id: entry };
    const effects = await run.effects({ stack, layer, head: index % heads, ...id });
    data.set(signedThumbnail(effects, size), index * size * size);
  }
  const thumbnails: Tensor = { data, shape, axes: ["layer", "head", "query", "key"] };
  if (!isLarge) whole.set(run, { of, thumbnails });
  return thumbnails;
}

/** A matrix with `size` cells a side; a cell is the number of largest size that it covers. */
export function signedThumbnail({ data, shape }: Tensor, size: number): Float32Array {
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

/** The failure of a read that a newer one replaces. */
function replaced(): HeadscopeError {
  const message = "Other small pictures are wanted.";
  return new HeadscopeError({ code: "run/aborted", message, doing: "", expected: "", got: "" });
}
