import type { HeadscopeDifference } from "../elements/index.js";
import {
  alignedHead,
  fromShared,
  isSigned,
  pairedHead,
  toShared,
} from "../views/pairs/alignment.js";
import { writtenAttribute } from "../state/index.js";
import { wishOf } from "../views/pairs/wish.js";
import { cellWithin, chosenHead } from "../views/run/selection.js";
import { addressOf } from "../views/run/model-pool.js";
import {
  ofHead,
  refuseAbsent,
  regionWithin,
  type Lacking,
  type Reading,
  type Subject,
} from "./subject.js";

/** The same head in a second run, and what the first has more: the other text or model that is named, or else the run without its edits. */
export async function readDifference(
  subject: Subject,
): Promise<Reading<HeadscopeDifference> | Lacking> {
  const { run, model, state, memory, sitting } = subject;
  const named = state.otherText !== null || state.otherModel !== null;
  const wish = wishOf(
    { ...state, compare: state.compare ?? (named ? "other" : null) },
    { model, run },
  );
  if (!wish) return { lacks: "embed.nothingBeside" };
  const beside = sitting.beside(addressOf(wish.model), wish.input);
  const [otherModel, otherRun] = await Promise.all([beside.model, beside.run]);
  const head = chosenHead(subject.head, otherModel.info);
  if (!head) throw new Error("The other model has no attention.");
  for (const key of ["layer", "head"] as const)
    if (head[key] !== subject.head[key])
      throw refuseAbsent(writtenAttribute(key, subject.head), `1 … ${head[key] + 1}`);
  const lengths = {
    source: [run.tokens.length, otherRun.tokens.length],
    target: [run.targetTokens.length, otherRun.targetTokens.length],
  } as const;
  for (const { side, one, other } of state.pairs) {
    const [ones, others] = lengths[side];
    if (one < ones && other < others) continue;
    const last = { side, one: ones - 1, other: others - 1 };
    throw refuseAbsent(
      writtenAttribute("pairs", state),
      `… ${writtenAttribute("pairs", { pairs: [last] })}`,
    );
  }
  const [one, other] = await Promise.all([
    ofHead(subject),
    ofHead({ run: otherRun, head, memory: memory.beside }),
  ]);
  const aligned = memory.aligned.get([one, other, state.aligned, JSON.stringify(state.pairs)], () =>
    alignedHead(one, other, model.info, state),
  );
  const { shared } = memory.paired.get([aligned, state.stage], () =>
    pairedHead(one, other, aligned, state.stage),
  );
  return {
    // A pair that only the other text has cannot be held: the page counts in the tokens of the first.
    cellOf: (place) => fromShared("one", place, shared.queries, shared.keys),
    properties: {
      tensor: shared.tensor,
      queries: shared.queries.tokens,
      keys: shared.keys.tokens,
      signed: isSigned(shared),
      region: regionWithin(state, shared.tensor),
      locked: toShared("one", cellWithin(state.locked, one.stages.weights), shared),
      focused: null,
    },
  };
}
