import { expect } from "vitest";
import type { Model, Run, Tensor } from "../../www/headscope.js";
import type { Answers } from "./reference.js";

// The reference is f32 from the same stored weights: what is left is the order of sums.
const ABSOLUTE = 1e-4;
const RELATIVE = 1e-5;

/** By how much numbers of which this is the largest may differ. */
type Tolerance = (largest: number) => number;

const plain: Tolerance = (largest) => ABSOLUTE + RELATIVE * largest;

/** Of runs with edits: what edits change is small. */
export const ofEdits: Tolerance = (largest) => RELATIVE * Math.max(1, largest);

/** Fails where a number is further from the reference than rounding explains. */
function expectClose(
  actual: Tensor,
  expected: { shape: number[]; data: Float32Array },
  what: string,
  tolerance: Tolerance,
): void {
  expect(actual.shape, what).toEqual(expected.shape);
  const largest = expected.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const furthest = expected.data.reduce((most, value, at) => {
    const distance = Math.abs(value - (actual.data[at] ?? NaN));
    return Number.isNaN(distance) ? Infinity : Math.max(most, distance);
  }, 0);
  expect(furthest, what).toBeLessThanOrEqual(tolerance(largest));
}

/** Compares every tensor that a run has of those in the reference of a case; `positions` are the rows of its logits. */
export async function expectAsReference(
  run: Run,
  model: Model,
  name: string,
  answers: Answers,
  positions?: number[],
  tolerance = plain,
): Promise<void> {
  const keys = [...answers.keys()].filter(
    (key) => key.startsWith(`${name}.`) && key !== `${name}.top_logits`,
  );
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) {
    const expected = answers.get(key);
    const part = key.slice(name.length + 1);
    if (expected !== undefined)
      expectClose(await read(run, model, part, positions), expected, part, tolerance);
  }
}

/** Reads the tensor that a reference's name says: `encoder.hidden.2`, `cross.attention.0`, `logits`. */
async function read(
  run: Run,
  model: Model,
  part: string,
  positions: number[] | undefined,
): Promise<Tensor> {
  const [stack, kind, index] = part.split(".");
  if (stack === "logits") return run.logits(positions === undefined ? {} : { positions });
  if (stack !== "encoder" && stack !== "decoder" && stack !== "cross")
    throw new Error(`unknown part ${part}`);
  const layer = Number(index);
  if (kind === "hidden" && stack !== "cross") return run.hidden({ stack, layer });
  const heads = model.info.stacks[stack]?.heads ?? 0;
  const patterns = await Promise.all(
    Array.from({ length: heads }, (_, head) => run.attention({ stack, layer, head })),
  );
  const [first] = patterns;
  const data = Float32Array.from(patterns.flatMap((pattern) => [...pattern.data]));
  return { data, shape: [heads, ...(first?.shape ?? [])], axes: ["head", ...(first?.axes ?? [])] };
}
