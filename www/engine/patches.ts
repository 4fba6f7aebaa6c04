import type { EditMisfit, Edits, PatchEdit, RunRequest, Tensor } from "../data/index.js";
import type { Run, RunInput } from "./contract.js";
import { demand, failureOf, refuse } from "./errors.js";

/*
 * Patches whose numbers come from another input. That input is run first, once for all patches that
 * name it, and each patch gets the numbers at its address. The core knows numbers alone.
 */

type Source = PatchEdit["from"];
type Values = Extract<Source, { values: unknown }>;

/** Computes the run of an input. */
type Compute = (input: RunInput) => Promise<Run>;

/** The edits of a request with numbers in place of the inputs of its patches. */
export interface PlacedPatches {
  edits: Edits;
  /** The patches, as they were sent, whose numbers are placed. */
  placed: PatchEdit[];
  /** The patches that a lenient request leaves out. */
  misfits: EditMisfit[];
}

/** A request with patches, and what its answer needs. */
interface Patched {
  input: RunInput;
  edits: Edits;
  request: RunRequest;
  /** Whether the model writes the target: then its tokens are not known before the run. */
  writesTarget: boolean;
}

/**
 * Computes the numbers of patches whose source is an input. A lenient request leaves out patches
 * without counterparts in the model or the text.
 */
export async function placePatches(patched: Patched, compute: Compute): Promise<PlacedPatches> {
  const { input, edits, request } = patched;
  const { patches } = edits;
  // The core refuses what is no list.
  if (!Array.isArray(patches)) return { edits, placed: [], misfits: [] };
  for (const [index, patch] of patches.entries()) {
    demand("an object", patch, `patch ${index}`);
    demand("an object", patch.from, `the source of patch ${index}`);
  }
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
    demandCounterparts(run, patched, patch, index);
    return { at, from: { values: rowsOf(await run.activation(at)) } };
  };
  try {
    const found: PatchEdit[] = [];
    const placed: PatchEdit[] = [];
    const misfits: EditMisfit[] = [];
    for (const [index, patch] of patches.entries())
      try {
        found.push(await withValues(patch, index));
        placed.push(patch);
      } catch (thrown) {
        const misfit = request.lenient === true ? misfitOf(thrown, index) : null;
        if (misfit === null) throw thrown;
        misfits.push(misfit);
      }
    return { edits: { ...edits, patches: found }, placed, misfits };
  } finally {
    for (const run of await Promise.allSettled(runs.values()))
      if (run.status === "fulfilled") run.value.release();
  }
}

/** The reason why a patch is left out, by the refusal of its source; null for other failures. */
function misfitOf(thrown: unknown, index: number): EditMisfit | null {
  const { code } = failureOf(thrown);
  if (!/^(selection|input)\//.test(code)) return null;
  const isOfModel = ["selection/bad-stack", "selection/bad-layer", "selection/bad-head"];
  const reason = isOfModel.includes(code)
    ? ({ code: "edit/not-in-model", says: "otherModel" } as const)
    : ({ code: "edit/not-in-text", says: "inactive" } as const);
  return { list: "patches", index, ...reason, values: [], stacks: [] };
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
function demandCounterparts(
  run: Run,
  { request: { ids, targetIds }, writesTarget }: Patched,
  { at: { stack, positions } }: PatchEdit,
  index: number,
): void {
  const doing = (what: string): string => `${what} of the source of patch ${index}`;
  const than = "the patched run";
  // Of an image the core counts the tokens.
  if (ids.length > 0) demandAsMany(doing("the text"), run.tokens, than, tokensOf(ids));
  if (targetIds !== undefined)
    demandAsMany(doing("the target"), run.targetTokens, than, tokensOf(targetIds));
  else if (writesTarget && stack !== "encoder" && !positions)
    throw refuse(
      "selection/other-length",
      doing("the target"),
      "a target of the patched run, whose tokens are known before it writes: give it one",
      "none",
    );
}

type Ids = readonly { id: number }[];

const tokensOf = (ids: readonly number[]): Ids => ids.map((id) => ({ id }));

/** Refuses tokens of which there are not as many as `than` has. */
export function demandAsMany(doing: string, other: Ids, than: string, own: Ids): void {
  if (other.length === own.length) return;
  const first = other.findIndex(({ id }, at) => id !== own[at]?.id);
  const from = (first < 0 ? Math.min(other.length, own.length) : first) + 1;
  const expected =
    `${own.length} tokens, as ${than} has; they differ from token ${from} on: exchange a word ` +
    "for one of as many tokens, or add a neutral word to the shorter one";
  throw refuse("selection/other-length", doing, expected, `${other.length} tokens`);
}

/** A matrix as the values of a patch. */
export function rowsOf({ data, shape: [rows = 0, columns = 0] }: Tensor): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from(data.subarray(row * columns, (row + 1) * columns)),
  );
}
