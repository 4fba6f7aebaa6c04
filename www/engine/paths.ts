import type { At, PatchEdit, Stack, Stacks, Step, Tensor } from "../data/index.js";
import { type HeadReceiver, type PatchReceiver, partsOf, sendingLayers } from "../data/paths.js";
import type { Run } from "./contract.js";
import { demand, demandFields, demandOneOf, failureOf, refuse } from "./errors.js";

/*
 * Patches of paths (Wang et al. 2022, section 3.1): a head's output of another run reaches one
 * receiver alone, through the residual stream. What arrives there is the answer of the question
 * `direct`, and the path becomes a patch of the receiver with these numbers. Paths to one receiver
 * arrive together, each from the run without any path.
 */

const RECEIVER: Readonly<Record<keyof HeadReceiver, true>> = {
  stack: true,
  layer: true,
  head: true,
  part: true,
};

/** The steps at which a head's queries, keys and values enter the products, the last one first. */
const ENTERING = {
  query: ["query-rotated", "query-normed", "query"],
  key: ["key-rotated", "key-normed", "key"],
  value: ["value"],
} as const;

/** The steps that may be the last of a block, the last one first. */
const LEAVING = [
  "convolved-normed",
  "ff-normed",
  "ff-sum",
  "ff-output-normed",
  "ff-output",
] as const;

/** Refuses what is no receiver; `what` names it. */
export function checkReceiver(receiver: unknown, what: string): void {
  if (receiver === "logits") return;
  demand("an object", receiver, what);
  const head = receiver as HeadReceiver;
  demandFields("input/unsupported-option", what, head, RECEIVER);
  if (head.part !== undefined) demandOneOf(ENTERING, head.part, `the part of ${what}`);
}

/**
 * The addresses that a receiver has in a run, once heads of a stack have a path to it; only those
 * of one layer where it is given.
 */
export async function receiversOf(
  stacks: Stacks,
  [sender, receiver]: readonly [sender: Stack, receiver: PatchReceiver],
  run: Run,
  layer = 0,
): Promise<At[]> {
  if (layer >= sendingLayers(stacks, sender, receiver)) {
    const name = receiver === "logits" ? receiver : Object.values(receiver).join(" ");
    const expected = `a receiver that a direct path leads to from heads of the stack ${sender}`;
    throw refuse("selection/bad-layer", "the receiver", expected, name);
  }
  const stepOf = async (place: Omit<At, "step">, steps: readonly Step[]): Promise<At> => {
    for (const step of steps) {
      const at = { ...place, step };
      try {
        await run.activation({ ...at, positions: [0] });
        return at;
      } catch (thrown) {
        // A step that this block does not have.
        if (failureOf(thrown).code !== "selection/bad-stage") throw thrown;
      }
    }
    throw refuse("selection/bad-stage", "the receiver", `one of ${steps.join(", ")}`, "none");
  };
  if (receiver === "logits") {
    const stack = stacks.decoder ? "decoder" : "encoder";
    return [await stepOf({ stack, layer: (stacks[stack]?.layers ?? 0) - 1 }, LEAVING)];
  }
  const { stack, layer: own, head } = receiver;
  const found: At[] = [];
  for (const part of partsOf(sender, receiver))
    found.push(await stepOf({ stack, layer: own, head }, ENTERING[part]));
  return found;
}

/** A path with the numbers that its sender has in the other run. */
export interface SentPath {
  /** The patch of the sender. */
  sender: PatchEdit;
  /** The addresses that the receiver has. */
  to: readonly At[];
}

/**
 * The patches of the receivers of some paths in a run; `under` computes the run that also has some
 * patches of senders.
 */
export async function pathPatches(
  run: Run,
  paths: readonly SentPath[],
  under: (senders: readonly PatchEdit[]) => Promise<Run>,
): Promise<PatchEdit[]> {
  const arriving = new Map<string, { to: At; senders: PatchEdit[] }>();
  for (const { sender, to: receivers } of paths)
    for (const to of receivers) {
      const name = JSON.stringify(to);
      const { senders } = arriving.get(name) ?? { senders: [] };
      arriving.set(name, { to, senders: [...senders, sender] });
    }
  const patches: PatchEdit[] = [];
  for (const { to, senders } of arriving.values()) {
    const other = await under(senders);
    patches.push(await received(run, { from: senders.map(({ at }) => at), to, other }));
  }
  return patches;
}

/** The patch of a receiver with what direct paths carry to it from heads of another run. */
export async function received(
  run: Run,
  path: { from: At[]; to: At; other: Run },
): Promise<PatchEdit> {
  return { at: path.to, from: { values: rowsOf(await run.direct(path)) } };
}

/** A matrix as the values of a patch. */
export function rowsOf({ data, shape: [rows = 0, columns = 0] }: Tensor): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from(data.subarray(row * columns, (row + 1) * columns)),
  );
}
