/**
 * The three studies: role sums of all heads over blocks of texts, grids of patches, and how far
 * each head plays its role on each text. Every number is an answer of the model's API, as the page
 * has it.
 */
import type { Role, Stack, Tally } from "../data/index.js";
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
  return "code" in found ? { failed: [found] } : { failed: [], ...found.value };
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
