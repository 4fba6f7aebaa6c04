import type { Edits, PatchEdit, RunRequest, Tensor } from "../data/index.js";
import type { Run, RunInput } from "./contract.js";
import { demand, refuse } from "./errors.js";

/*
 * Patches whose numbers come from another input. That input is run first, once for all patches that
 * name it, and each patch gets the numbers at its address. The core knows numbers alone.
 */

type Source = PatchEdit["from"];
type Values = Extract<Source, { values: unknown }>;

/** Computes the run of an input. */
type Compute = (input: RunInput) => Promise<Run>;

/** The edits of a request with numbers in place of the inputs of its patches. */
export async function editsWithValues(
  input: RunInput,
  edits: Edits,
  request: RunRequest,
  compute: Compute,
): Promise<Edits> {
  const { patches } = edits;
  // The core refuses what is no list.
  if (!Array.isArray(patches)) return edits;
  for (const [index, patch] of patches.entries()) {
    demand("an object", patch, `patch ${index}`);
    demand("an object", patch.from, `the source of patch ${index}`);
  }
  if (patches.every((patch) => hasValues(patch.from))) return edits;
  const runs = new Map<string, Promise<Run>>();
  const runOf = (from: RunInput): Promise<Run> => {
    const name = JSON.stringify(from);
    const run = runs.get(name) ?? compute(from);
    runs.set(name, run);
    return run;
  };
  const withValues = async (patch: PatchEdit, index: number): Promise<PatchEdit> => {
    const { at, from } = patch;
    if (hasValues(from)) return patch;
    const run = await runOf(withTarget(from, input));
    demandCounterparts(run, request, index);
    return { at, from: { values: rowsOf(await run.activation(at)) } };
  };
  try {
    const found: PatchEdit[] = [];
    for (const [index, patch] of patches.entries()) found.push(await withValues(patch, index));
    return { ...edits, patches: found };
  } finally {
    for (const run of await Promise.allSettled(runs.values()))
      if (run.status === "fulfilled") run.value.release();
  }
}

function hasValues(from: Source): from is Values {
  return "values" in from;
}

/** The input of a source: without a target of its own it reads that of the patched run. */
function withTarget(from: Exclude<Source, Values>, input: RunInput): RunInput {
  const { target, targetIds } = input;
  if ("target" in from || "targetIds" in from) return from;
  return { ...(target !== undefined && { target }), ...(targetIds && { targetIds }), ...from };
}

/** Refuses a source with another number of tokens: its tokens have no counterparts. */
function demandCounterparts(run: Run, { ids, targetIds }: RunRequest, index: number): void {
  const other = run.tokens.map(({ id }) => id);
  demandAsMany("the text", other, ids, index);
  if (targetIds !== undefined) {
    const otherTarget = run.targetTokens.map(({ id }) => id);
    demandAsMany("the target", otherTarget, targetIds, index);
  }
}

function demandAsMany(what: string, other: number[], own: number[], index: number): void {
  if (other.length === own.length) return;
  const first = other.findIndex((id, at) => id !== own[at]);
  const from = (first < 0 ? Math.min(other.length, own.length) : first) + 1;
  const expected =
    `${own.length} tokens, as the patched run has; they differ from token ${from} on: exchange a word ` +
    "for one of as many tokens, or add a neutral word to the shorter one";
  const doing = `${what} of the source of patch ${index}`;
  throw refuse("selection/other-length", doing, expected, `${other.length} tokens`);
}

function rowsOf({ data, shape: [rows = 0, columns = 0] }: Tensor): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from(data.subarray(row * columns, (row + 1) * columns)),
  );
}
