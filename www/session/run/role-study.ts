/**
 * The measurement of roles for a model without scores of its own: induction on repeated random
 * tokens, as Olsson et al. 2022 do, all other roles on a sample text.
 */
import type { RoleScores, Stack } from "../../data/index.js";
import type { Model, Run, RunInput } from "../../headscope.js";
import { rolesByHead } from "./head-order.js";
import { stacksOf } from "./selection.js";

/** The scores of all heads of each stack, by layer and head. */
export type MeasuredRoles = Partial<Record<Stack, RoleScores[][]>>;

const SAMPLE =
  "The old woman walked to the market near the river, and her two dogs walked behind her. " +
  "She wanted to buy some bread, but the market was closed, so she went back to the house. " +
  "The dogs were hungry. When she opened the door, the cat was asleep on the table.";
const REPEATED_TOKENS = 24;
const SEED = 7;

/** Measures the roles of every head of a model. */
export async function measureRoles(model: Model, signal: AbortSignal): Promise<MeasuredRoles> {
  const repeated = await scoresOf(model, repeatedInput(model), signal);
  const sample = await scoresOf(model, sampleInput(model), signal);
  const measured: MeasuredRoles = {};
  for (const stack of stacksOf(model.info))
    measured[stack] = (sample[stack] ?? []).map((heads, layer) =>
      heads.map((scores, head) => {
        const { induction = null } = repeated[stack]?.[layer]?.[head] ?? {};
        return { ...scores, induction };
      }),
    );
  return measured;
}

async function scoresOf(
  model: Model,
  input: RunInput,
  signal: AbortSignal,
): Promise<MeasuredRoles> {
  const run = await model.run(input, { signal });
  try {
    const stacks = stacksOf(model.info);
    const read = await Promise.all(stacks.map((stack) => rolesOfStack(run, stack)));
    return Object.fromEntries(stacks.map((stack, at) => [stack, read[at]]));
  } finally {
    run.release();
  }
}

async function rolesOfStack(run: Run, stack: Stack): Promise<RoleScores[][]> {
  return rolesByHead(await run.measures({ stack }));
}

/** The sample text, cut to what the model takes. */
function sampleInput(model: Model): RunInput {
  const { maxTokens } = model.info;
  if (!model.hasTokenizer) {
    const { opening, closing, ordinary } = vocabularyOf(model);
    const length = Math.min(2 * REPEATED_TOKENS, maxTokens - opening.length - closing.length);
    return { ids: [...opening, ...randomIds(ordinary, length), ...closing] };
  }
  const ids = model.tokenize(SAMPLE).map(({ id }) => id);
  return ids.length <= maxTokens ? { text: SAMPLE } : { ids: ids.slice(0, maxTokens) };
}

/** Random ordinary tokens twice, between the special tokens of the model. */
function repeatedInput(model: Model): RunInput {
  const { architecture, maxTokens, startToken } = model.info;
  const { opening, closing, ordinary } = vocabularyOf(model);
  const room = Math.floor((maxTokens - opening.length - closing.length) / 2);
  const stretch = randomIds(ordinary, Math.max(1, Math.min(REPEATED_TOKENS, room)));
  const ids = [...opening, ...stretch, ...stretch, ...closing];
  if (architecture !== "encoder-decoder" || startToken === null) return { ids };
  const target = stretch.slice(0, Math.max(1, Math.floor((maxTokens - 1) / 2)));
  return { ids, targetIds: [startToken, ...target, ...target] };
}

function vocabularyOf(model: Model) {
  const { vocabSize, startToken, endTokens, padToken, maskToken } = model.info;
  const template = model.tokenize(model.hasTokenizer ? "a" : "0");
  const from = template.findIndex(({ special }) => !special);
  const idsOf = (tokens: typeof template): number[] =>
    tokens.filter(({ special }) => special).map(({ id }) => id);
  const opening = idsOf(template.slice(0, Math.max(0, from)));
  const closing = idsOf(template.slice(Math.max(0, from)));
  const special = new Set([startToken, padToken, maskToken, ...endTokens, ...opening, ...closing]);
  const ordinary = (id: number): boolean => id < vocabSize && !special.has(id);
  return { opening, closing, ordinary: { vocabSize, ordinary } };
}

/** Ordinary ids without repeats, always the same ones for a vocabulary. */
function randomIds(
  { vocabSize, ordinary }: { vocabSize: number; ordinary: (id: number) => boolean },
  count: number,
): number[] {
  const drawn = new Set<number>();
  let state = SEED;
  // A linear congruential generator (Numerical Recipes, §7.1); few draws hit a special token.
  for (let draws = 0; drawn.size < count && draws < 100 * count; draws += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const id = Math.floor((state / 2 ** 32) * vocabSize);
    if (ordinary(id)) drawn.add(id);
  }
  return [...drawn];
}
