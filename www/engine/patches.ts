import type {
  EditMisfit,
  Edits,
  PatchEdit,
  PatchReceiver,
  RunRequest,
  Stacks,
} from "../data/index.js";
import type { Run, RunInput } from "./contract.js";
import { demand, failureOf, refuse } from "./errors.js";
import { checkReceiver, pathPatches, receiversOf, rowsOf, type SentPath } from "./paths.js";

/*
 * Patches whose numbers come from another input. That input is run first, once for all patches that
 * name it, and each patch gets the numbers at its address. The core knows numbers alone. A patch
 * with a receiver becomes one of the receiver, by the run under all patches without one.
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
  /** The stacks of the model. */
  stacks: Stacks;
  /** Whether the model writes the target: then its tokens are not known before the run. */
  writesTarget: boolean;
}

/**
 * Computes the numbers of patches whose source is an input. A lenient request leaves out patches
 * without counterparts in the model or the text.
 */
export async function placePatches(patched: Patched, compute: Compute): Promise<PlacedPatches> {
  const { input, edits, request, stacks } = patched;
  const { patches } = edits;
  // The core refuses what is no list.
  if (!Array.isArray(patches)) return { edits, placed: [], misfits: [] };
  for (const [index, patch] of patches.entries()) {
    demand("an object", patch, `patch ${index}`);
    demand("an object", patch.from, `the source of patch ${index}`);
    if (patch.to !== undefined) checkReceiver(patch.to, `the receiver of patch ${index}`);
  }
  const runs = new Map<string, Promise<Run>>();
  const runNamed = (name: string, from: RunInput): Promise<Run> => {
    const run = runs.get(name) ?? compute(from);
    runs.set(name, run);
    return run;
  };
  const valuesOf = async ({ at, from }: PatchEdit, index: number): Promise<Values> => {
    if (hasValues(from)) return from;
    const source = inputOf(from, input);
    const run = await runNamed(JSON.stringify(source), source);
    demandCounterparts(run, patched, at, index);
    return { values: rowsOf(await run.activation(at)) };
  };
  const found: PatchEdit[] = [];
  const under = (more: readonly PatchEdit[]): Promise<Run> => {
    const all = [...found, ...more];
    return runNamed(`under ${JSON.stringify(more)}`, withPatches(patched, all));
  };
  try {
    const misfits: EditMisfit[] = [];
    const leaving = async (index: number, place: () => Promise<unknown>): Promise<void> => {
      try {
        await place();
      } catch (thrown) {
        const misfit = request.lenient === true ? misfitOf(thrown, index) : null;
        if (misfit === null) throw thrown;
        misfits.push(misfit);
      }
    };
    const paths: { sender: PatchEdit; to: PatchReceiver; index: number }[] = [];
    for (const [index, { at, from, to }] of patches.entries())
      await leaving(index, async () => {
        const own = { at, from: await valuesOf({ at, from }, index) };
        if (to === undefined) found.push(own);
        else paths.push({ sender: own, to, index });
      });
    const sent: SentPath[] = [];
    for (const { sender, to, index } of paths)
      await leaving(index, async () => {
        const { stack, layer } = sender.at;
        demandTarget(patched, sender.at, index);
        const receivers = await receiversOf(stacks, [stack, to], await under([]), layer);
        sent.push({ sender, to: receivers });
      });
    const arrived = sent.length > 0 ? await pathPatches(await under([]), sent, under) : [];
    const isPlaced = (_: PatchEdit, at: number): boolean =>
      !misfits.some(({ index }) => index === at);
    return {
      edits: { ...edits, patches: [...found, ...arrived] },
      placed: patches.filter(isPlaced),
      misfits: misfits.sort((one, other) => one.index - other.index),
    };
  } finally {
    for (const run of await Promise.allSettled(runs.values()))
      if (run.status === "fulfilled") run.value.release();
  }
}

/** The input of the patched run with other patches. It writes no more than it must. */
function withPatches({ input, edits, writesTarget }: Patched, patches: PatchEdit[]): RunInput {
  const aside = { ...input, edits: { ...edits, patches } };
  if (writesTarget) aside.generate = { max_new_tokens: 1 };
  else delete aside.generate;
  return aside;
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

/**
 * The input of a source: without a target of its own it reads that of the patched run, and its
 * edits are cut down as those of that run are.
 */
function inputOf(
  from: Exclude<Source, Values>,
  { target, targetIds, lenient }: RunInput,
): RunInput {
  const own = { ...from, ...(lenient === true && from.edits && { lenient }) };
  if ("target" in from || "targetIds" in from) return own;
  return { ...(target !== undefined && { target }), ...(targetIds && { targetIds }), ...own };
}

/** Refuses a source with another number of tokens: its tokens have no counterparts. */
function demandCounterparts(run: Run, patched: Patched, at: PatchEdit["at"], index: number): void {
  const { ids, targetIds } = patched.request;
  const doing = (what: string): string => `${what} of the source of patch ${index}`;
  const than = "the patched run";
  // Of an image the core counts the tokens.
  if (ids.length > 0) demandAsMany(doing("the text"), run.tokens, than, tokensOf(ids));
  if (targetIds !== undefined)
    demandAsMany(doing("the target"), run.targetTokens, than, tokensOf(targetIds));
  else if (!at.positions) demandTarget(patched, at, index);
}

/** Refuses a patch of a target that the model writes: its tokens are not known before the run. */
function demandTarget({ writesTarget }: Patched, { stack }: PatchEdit["at"], index: number): void {
  if (!writesTarget || stack === "encoder") return;
  throw refuse(
    "selection/other-length",
    `the target of the source of patch ${index}`,
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
