/**
 * The three studies: role sums of all heads over blocks of texts, grids of patches, and how far
 * each head plays its role on each text. Every number is an answer of the model's API, as the page
 * has it.
 */
import { assignedRole, type Role, type RoleScores, type Stack, type Tally } from "../data/index.js";
import type { PatchGridOptions } from "../engine/contract.js";
import { failureOf, refuse } from "../engine/errors.js";
import type { Model, Run } from "../headscope.js";
import { addByHead } from "./pooling.js";
import {
  byLayer,
  type ByHead,
  type FailedText,
  type PatchBlock,
  stacksIn,
  type Study,
  type StudyBlock,
  type StudyName,
  type StudyText,
  type TypicalBlock,
} from "./study.js";

/** The texts of one line of role sums, which has as many numbers for one text as for many. */
const ROLE_TEXTS = 64;

/** Failures that are not a text's own: the study ends. */
const IS_OF_ENGINE = /^(engine|gpu|load)\//;

/** The computation of a study. A study of typical sentences compares the texts on these roles. */
export function studyOf(name: StudyName, roles: ByHead<Role | null> = {}): Study {
  switch (name) {
    case "roles":
      return { blockSize: ROLE_TEXTS, compute: rolesOf };
    case "patch":
      return { blockSize: 1, compute: patchesOf };
    case "typical":
      return { blockSize: 1, compute: (...block) => typicalOf(roles, ...block) };
  }
}

async function rolesOf(
  model: Model,
  texts: readonly StudyText[],
  first: number,
): Promise<{ failed: FailedText[]; tallies: ByHead<Tally> }> {
  const failed: FailedText[] = [];
  let tallies: ByHead<Tally> = {};
  for (const [at, text] of texts.entries()) {
    const found = await attempt(first + at, () =>
      withRun(model, text, async (run) => {
        const read = stacksIn(model).map(async (stack): Promise<[Stack, Tally[][]]> => {
          const heads = await run.tallies({ stack });
          return [stack, byLayer(heads, ({ tally }) => tally)];
        });
        return Object.fromEntries(await Promise.all(read)) as ByHead<Tally>;
      }),
    );
    if ("code" in found) failed.push(found);
    else tallies = addByHead(tallies, found.value);
  }
  return { failed, tallies };
}

async function typicalOf(
  roles: ByHead<Role | null>,
  model: Model,
  [text = {}]: readonly StudyText[],
  index: number,
): Promise<Omit<TypicalBlock, "block">> {
  const found = await attempt(index, () =>
    withRun(model, text, async (run) => {
      const read = stacksIn(model).map(async (stack): Promise<[Stack, (number | null)[][]]> => {
        const heads = await run.measures({ stack });
        const scoreOf = ({ layer, head, roles: scores }: (typeof heads)[number]) => {
          const role = roles[stack]?.[layer]?.[head];
          return role ? scores[role] : null;
        };
        return [stack, byLayer(heads, scoreOf)];
      });
      return Object.fromEntries(await Promise.all(read)) as ByHead<number | null>;
    }),
  );
  if ("code" in found) return { failed: [found] };
  return {
    failed: [],
    ...(typeof text.text === "string" && { text: text.text }),
    scores: found.value,
  };
}

async function patchesOf(
  model: Model,
  [text = {}]: readonly StudyText[],
  index: number,
): Promise<Omit<PatchBlock, "block">> {
  const found = await attempt(index, async () => {
    const cells: NonNullable<PatchBlock["cells"]> = [];
    let ends: Pick<PatchBlock, "clean" | "corrupted"> = {};
    // `patchGrid` checks the fields.
    for await (const cell of model.patchGrid(text as unknown as PatchGridOptions)) {
      const { at, value, recovered, reason, clean, corrupted } = cell;
      cells.push({ at, value, recovered, reason });
      ends = { clean, corrupted };
    }
    return { ...ends, cells };
  });
  if ("code" in found) return { failed: [found] };
  const { direction = "denoise", target, receiver } = text as unknown as PatchGridOptions;
  const measure = target.minus === undefined ? "probability" : "difference";
  return { failed: [], direction, measure, ...(receiver && { receiver }), ...found.value };
}

/** What was computed of a text, or why the model cannot read it. */
async function attempt<Value>(
  index: number,
  compute: () => Promise<Value>,
): Promise<{ value: Value } | FailedText> {
  try {
    return { value: await compute() };
  } catch (thrown) {
    const { code, message } = failureOf(thrown);
    if (IS_OF_ENGINE.test(code)) throw thrown;
    return { index, code, message };
  }
}

async function withRun<Value>(
  model: Model,
  text: StudyText,
  read: (run: Run) => Promise<Value>,
): Promise<Value> {
  if (text.image !== undefined)
    throw refuse("study/bad-texts", "a text of a study", "a text or ids", "an image");
  const run = await model.run(text);
  try {
    return await read(run);
  } finally {
    run.release();
  }
}

/**
 * Computes blocks, each by the next model that is free, and writes their lines in order, so that a
 * file that was stopped is the beginning of the whole one. Returns the number of texts that failed;
 * rejects with the reason of `signal` once it is aborted.
 */
export async function computeBlocks(
  work: Study,
  models: readonly Model[],
  { texts, blocks }: { texts: readonly StudyText[]; blocks: readonly number[] },
  write: (line: StudyBlock) => void,
  signal?: AbortSignal,
): Promise<number> {
  const found = new Map<number, StudyBlock>();
  let next = 0;
  let written = 0;
  let failed = 0;
  const flush = (): void => {
    for (let line; (line = found.get(written)); written += 1) {
      found.delete(written);
      write(line);
    }
  };
  const worker = async (model: Model): Promise<void> => {
    for (let at; (at = next) < blocks.length;) {
      signal?.throwIfAborted();
      next += 1;
      const block = blocks[at] ?? 0;
      const first = block * work.blockSize;
      const part = texts.slice(first, first + work.blockSize);
      const line = { block, ...(await work.compute(model, part, first)) };
      failed += line.failed.length;
      found.set(at, line);
      flush();
    }
  };
  await Promise.all(models.map(worker));
  return failed;
}

/** The role of each head by its scores; null for a head without one. */
export const assignedRoles = (scores: ByHead<RoleScores>): ByHead<Role | null> =>
  Object.fromEntries(
    (Object.entries(scores) as [Stack, RoleScores[][]][]).map(([stack, layers]) => [
      stack,
      layers.map((heads) => heads.map(assignedRole)),
    ]),
  );
