import type { At, PatchEdit, Stack, Step, TokenProbability } from "../data/index.js";
import { sendingLayers } from "../data/paths.js";
import type { Model, PatchCell, PatchGridOptions, PatchTarget, Run, RunInput } from "./contract.js";
import { aborted, demand, demandFields, demandOneOf, refuse } from "./errors.js";
import { demandAsMany } from "./patches.js";
import { checkReceiver, received, receiversOf, rowsOf } from "./paths.js";

/*
 * Activation patching between a clean and a corrupted text (Meng et al. 2022; Wang et al. 2022):
 * one activation of one text's run is put into the run of the other, for each head, or for each
 * position of each layer, and a target is read. The recovered effect of a patch is
 *
 *   (target with the patch − target of the corrupted text) ÷ (clean − corrupted)
 *
 * (Zhang & Nanda 2024, section 2). Both texts are run once; the core computes each patch from them
 * (the question `patched`).
 *
 * With `estimated` a cell also has what one reverse pass says of its patch, to first order (the
 * question `patchEstimates`).
 *
 * With a receiver a cell is a path patch: what the receiver has if the head's output reaches it
 * through the stream alone (the question `direct`) is put there.
 */

const OPTIONS: Readonly<Record<keyof PatchGridOptions, true>> = {
  clean: true,
  corrupted: true,
  target: true,
  what: true,
  direction: true,
  stack: true,
  receiver: true,
  start: true,
  estimated: true,
  signal: true,
};

const TARGET: Readonly<Record<keyof PatchTarget, true>> = { id: true, minus: true, position: true };

/** The step that is patched, and what it is patched for: each head, or each position. */
const PARTS: Readonly<Record<PatchGridOptions["what"], { step: Step; of: "heads" | "positions" }>> =
  {
    head: { step: "context", of: "heads" },
    pattern: { step: "weights", of: "heads" },
    values: { step: "value", of: "heads" },
    "feed-forward": { step: "ff-output", of: "positions" },
    residual: { step: "input", of: "positions" },
  };

const DIRECTIONS = { denoise: true, noise: true } as const;

/** The most cells that are asked for at once. */
const MOST_ASKED = 64;

/** The cells of a grid of patches, layer by layer, the last layer first. */
export async function* patchCells(
  model: Model,
  options: PatchGridOptions,
): AsyncGenerator<PatchCell> {
  checkOptions(options);
  const { target, direction = "denoise", start = 0, signal } = options;
  const { clean, corrupted, release } = await runBoth(model, options);
  try {
    const position = target.position ?? lastPosition(model, clean.run);
    const ids = target.minus === undefined ? [target.id] : [target.id, target.minus];
    const positions = ids.map(() => position);
    const valueOf = async (run: Run): Promise<number> =>
      targetIn(await run.probabilities({ positions, ids }));
    const [ofClean, ofCorrupted] = await Promise.all([valueOf(clean.run), valueOf(corrupted.run)]);
    const ends = { clean: ofClean, corrupted: ofCorrupted };
    const [source, base] = direction === "denoise" ? [clean, corrupted] : [corrupted, clean];
    const stack = stackOf(model, options);
    const addresses = addressesOf(model, { ...options, stack }, base.run);
    const { receiver } = options;
    const to =
      receiver === undefined
        ? null
        : await receiversOf(model.info.stacks, [stack, receiver], base.run);
    const estimates =
      options.estimated === true
        ? await estimatesOf(base.run, source.run, addresses, { ...target, position })
        : null;
    const total = addresses.length;
    if (start > total) throw refuseStart(start, `at most ${total}, the number of cells`);
    const other = source.run;
    const alongPaths = async (from: At, to: readonly At[]): Promise<number> => {
      const patches: PatchEdit[] = [];
      if (receiver !== undefined && hasPaths(base.input))
        // Paths to one receiver arrive together.
        patches.push({
          at: from,
          from: { values: rowsOf(await other.activation(from)) },
          to: receiver,
        });
      else
        for (const at of to)
          patches.push(await received(base.run, { from: [from], to: at, other }));
      const run = await model.run(withPatches(base.input, patches), signal && { signal });
      return valueOf(run).finally(() => run.release());
    };
    /** The values of the first of some cells: as many as the core computes side by side. */
    const valuesOf = async (at: At[]): Promise<number[]> => {
      const found = await base.run.patched({ at, other, position, ids });
      const { length } = ids;
      const ofCell = (cell: number): number =>
        targetIn(found.slice(cell * length, (cell + 1) * length));
      return Array.from({ length: found.length / length }, (_, cell) => ofCell(cell));
    };
    const present = ends[direction === "denoise" ? "corrupted" : "clean"];
    const valuesFrom = (cell: number): Promise<number[]> => {
      const left = addresses.slice(cell, cell + MOST_ASKED);
      const [first] = left;
      const found = to && first ? alongPaths(first, to).then((value) => [value]) : valuesOf(left);
      // A failure of cells that are computed ahead is heard of when they are wanted.
      found.catch(() => undefined);
      return found;
    };
    let done = start;
    let next = done < total ? valuesFrom(done) : null;
    while (next) {
      if (signal?.aborted === true) throw aborted("run");
      const values: number[] = await next;
      const behind = done + values.length;
      // The engine computes the next cells while these are shown.
      next = behind < total ? valuesFrom(behind) : null;
      for (const value of values) {
        const at = addresses[done];
        if (!at) return;
        const change = estimates?.[done];
        const estimate = change !== undefined && {
          estimated: recovery(present + change, ends).recovered,
        };
        done += 1;
        yield { at, done, total, value, ...ends, ...recovery(value, ends), ...estimate };
      }
    }
  } finally {
    release();
  }
}

function checkOptions(options: PatchGridOptions): void {
  demand("an object", options, "the options of patchGrid");
  demandFields("input/unsupported-option", "the options of patchGrid", options, OPTIONS);
  const { clean, corrupted, target, what, direction = "denoise", start = 0 } = options;
  demand("an object", clean, "the clean input");
  demand("an object", corrupted, "the corrupted input");
  demand("an object", target, "the target");
  demandFields("input/unsupported-option", "the target", target, TARGET);
  demandOneOf(PARTS, what, "what is patched");
  demandOneOf(DIRECTIONS, direction, "the direction");
  checkPaths(options);
  if (!Number.isInteger(start) || start < 0) throw refuseStart(start, "a whole number from 0");
}

function checkPaths({ what, receiver, estimated }: PatchGridOptions): void {
  if (receiver === undefined) return;
  if (estimated === true) {
    const expected = "no receiver, since estimates are of patches that reach all that follows";
    throw refuse("input/unsupported-option", "the estimates of a grid", expected, "a receiver");
  }
  if (what !== "head") {
    const expected = "head, whose output a path carries";
    throw refuse("input/unsupported-option", "what is patched for a receiver", expected, what);
  }
  checkReceiver(receiver, "the receiver");
}

function refuseStart(start: number, expected: string): Error {
  return refuse("input/unsupported-option", "the start of a grid", expected, String(start));
}

/** An input and its run. */
interface Read {
  input: RunInput;
  run: Run;
}

/**
 * Runs both texts. A translator reads one target in both, unless each input has its own: that of
 * the input that has one, else what it writes for the clean text.
 */
async function runBoth(
  model: Model,
  { clean, corrupted, signal }: PatchGridOptions,
): Promise<Record<"clean" | "corrupted", Read> & { release: () => void }> {
  const runs: Run[] = [];
  const release = (): void => runs.forEach((run) => run.release());
  const read = async (input: RunInput): Promise<Read> => {
    const run = await model.run(input, signal && { signal });
    runs.push(run);
    return { input, run };
  };
  try {
    const ofClean = await read(withTargetOf(clean, corrupted));
    const target = targetIdsRead(model, ofClean.run);
    const one = { ...ofClean, input: withIds(ofClean.input, target) };
    const other = await read(withIds(corrupted, target));
    demandCounterparts(other.run, one.run);
    return { clean: one, corrupted: other, release };
  } catch (thrown) {
    release();
    throw thrown;
  }
}

/** Refuses texts of which the tokens of one have no counterparts in the other. */
function demandCounterparts(corrupted: Run, clean: Run): void {
  const doing = (what: string): string => `${what} of the corrupted input`;
  const than = "the clean input";
  demandAsMany(doing("the text"), corrupted.tokens, than, clean.tokens);
  demandAsMany(doing("the target"), corrupted.targetTokens, than, clean.targetTokens);
}

const hasPaths = ({ edits }: RunInput): boolean =>
  edits?.patches?.some(({ to }) => to !== undefined) === true;

const hasTarget = ({ target, targetIds }: RunInput): boolean =>
  target !== undefined || targetIds !== undefined;

/** An input with the target of another, if it has none itself. */
function withTargetOf(input: RunInput, { target, targetIds }: RunInput): RunInput {
  if (hasTarget(input)) return input;
  return { ...input, ...(target !== undefined && { target }), ...(targetIds && { targetIds }) };
}

function withIds(input: RunInput, targetIds: number[] | undefined): RunInput {
  return hasTarget(input) || targetIds === undefined ? input : { ...input, targetIds };
}

/**
 * The ids that a translator's decoder read; undefined in other models. If a text filled all
 * positions, its last token was never read.
 */
function targetIdsRead({ info }: Model, { targetTokens }: Run): number[] | undefined {
  if (info.architecture !== "encoder-decoder") return undefined;
  return targetTokens.slice(0, info.maxTokens).map(({ id }) => id);
}

/** The last masked token, else the last token that predicts. */
function lastPosition({ info }: Model, { tokens, targetTokens }: Run): number {
  if (info.image) return 0;
  if (info.architecture !== "encoder") return targetTokens.length - 1;
  const masked = tokens.findLastIndex(({ maskedId }) => maskedId !== undefined);
  return masked < 0 ? tokens.length - 1 : masked;
}

/**
 * The log-probability of a token, or the difference of two logits: that of the log-probabilities,
 * since both have the same sum over the vocabulary.
 */
function targetIn(found: readonly TokenProbability[]): number {
  const [one = Number.NaN, other = 0] = found.map(({ logProbability }) => logProbability);
  return one - other;
}

/** The stack of the patched heads or layers. */
function stackOf({ info: { stacks } }: Model, { stack: asked, receiver }: PatchGridOptions): Stack {
  const present = (Object.keys(stacks) as Stack[]).filter((name) => stacks[name]);
  const usual = stacks.encoder && !(receiver && stacks.decoder) ? "encoder" : "decoder";
  const stack = asked ?? (typeof receiver === "object" ? receiver.stack : usual);
  if (present.includes(stack)) return stack;
  throw refuse("selection/bad-stack", "the stack", `one of ${present.join(", ")}`, stack);
}

function addressesOf(
  { info }: Model,
  { what, stack, receiver }: PatchGridOptions & { stack: Stack },
  { tokens, targetTokens }: Run,
): At[] {
  const { layers: all = 0, heads = 0 } = info.stacks[stack] ?? {};
  const { step, of } = PARTS[what];
  const length = (stack === "encoder" ? tokens : targetTokens).length;
  const columns = of === "heads" ? heads : length;
  const ofLayer = (layer: number): At[] =>
    Array.from({ length: columns }, (_, column): At => {
      const at = { stack, layer, step };
      return of === "heads" ? { ...at, head: column } : { ...at, positions: [column] };
    });
  const sending = receiver === undefined ? all : sendingLayers(info.stacks, stack, receiver);
  const layers = Array.from({ length: sending }, (_, layer) => ofLayer(layer));
  // The cells of the last layer, of which least is computed, are there first.
  return layers.reverse().flat();
}

function withPatches(input: RunInput, patches: readonly PatchEdit[]): RunInput {
  const { edits } = input;
  return { ...input, edits: { ...edits, patches: [...(edits?.patches ?? []), ...patches] } };
}

/**
 * The change of the target that each patch would bring, to first order: attribution patching (Nanda
 * 2023).
 */
function estimatesOf(
  run: Run,
  other: Run,
  at: At[],
  { id, minus, position }: Omit<PatchTarget, "position"> & { position: number },
): Promise<number[]> {
  const difference = minus === undefined ? { of: "log-probability" as const } : { against: minus };
  return run.patchEstimates({ at, other, target: { id, position, ...difference } });
}

/** The part of the difference between both texts that a patch brings back, where it is defined. */
function recovery(
  value: number,
  { clean, corrupted }: Record<"clean" | "corrupted", number>,
): Pick<PatchCell, "recovered" | "reason"> {
  const recovered = (value - corrupted) / (clean - corrupted);
  if (Number.isFinite(recovered)) return { recovered, reason: null };
  const ends = `${clean} in the clean text and ${corrupted} in the corrupted one`;
  return { recovered: null, reason: `The target is ${ends}: there is no effect to recover.` };
}
