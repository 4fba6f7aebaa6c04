import type {
  CoreInfo,
  HeadLikeness,
  HeadRef,
  Spectrum,
  Stack,
  StepTensor,
  StreamDepth,
  TokenProbability,
} from "../data/index.js";
import type { WasmRun } from "./door.js";
import type { Calls, Read, Reads } from "./protocol.js";

/** Positions whose probabilities are asked for between two messages: each goes through the whole vocabulary, which its neighbours of the same position share. */
const POSITIONS_AT_ONCE = 16;

/** What an answer that takes longer than one short step needs. */
interface ReadSurroundings {
  stacks: CoreInfo["stacks"];
  /** Lets messages that have arrived meanwhile be received; throws if nobody waits for the answer any more. */
  between: () => Promise<void>;
  /** Another run that is held, by its name. */
  runOf: (name: number) => WasmRun;
}

/** Asks a run inside wasm. */
export function readFrom(
  run: WasmRun,
  read: Read,
  around: ReadSurroundings,
): Promise<Calls["read"]["answer"]> | Calls["read"]["answer"] {
  switch (read.what) {
    case "attention":
      return run.attention(read.stack, read.layer, read.head, read.stage, read.rows ?? undefined);
    case "mask":
      return run.mask(read.stack, read.layer, read.head);
    case "qkv":
      return run.qkv(read.stack, read.layer, read.head, read.part, read.rotated);
    case "hidden":
      return run.hidden(read.stack, read.layer);
    case "logits":
      return run.logits(read.positions ?? undefined);
    case "predictions":
      return run.predictions(read.positions, read.topK);
    case "probabilities":
      return probabilitiesOf(run, read, around);
    case "positions":
      return run.positions(read.stack);
    case "thumbnails":
      return run.thumbnails(read.stack, read.size, read.stage, undefined);
    case "cost":
      return run.cost(read.stack, read.layer, read.lengths);
    case "fullyMasked":
      return Array.from(run.fullyMasked(read.stack, read.layer, read.head));
    case "measures":
      return run.measures(read.stack, read.lexicon.special, read.lexicon.unigrams ?? undefined);
    case "likeness":
      return likenessOf(run, read, around);
    case "spectrum":
      return spectrumOf(run, read, around);
    case "headCost":
      return run.headCost(read.stack, read.layer, read.head);
    case "dropoutMean":
      return run.dropoutMean(read.stack, read.layer, read.head, read.draws);
    case "steps":
      return stepsOf(run, read, around);
    case "explain":
      return run.explain(read.stack, read.layer, read.head, read.step, read.row, read.column);
    case "cosines":
      return run.cosines(read.stack, read.positions, around.runOf(read.other), read.otherPositions);
    case "residuals":
      return residualsOf(run, read.stack, around);
    case "distances":
      return run.distances(read.stack, around.runOf(read.other), read.order ?? undefined);
    case "divergences":
      return divergencesOf(run, read.stack, around.runOf(read.other), around);
  }
}

/** Some at a time: a long text takes a while. */
async function probabilitiesOf(
  run: WasmRun,
  { positions, ids }: Reads["probabilities"]["ask"],
  { between }: ReadSurroundings,
): Promise<TokenProbability[]> {
  // Of lists that do not belong together, the first question says so.
  if (positions.length !== ids.length) return run.probabilities(positions, ids);
  const all: TokenProbability[] = [];
  for (let from = 0, to = 0; from < positions.length; from = to) {
    for (let found = 0; to < positions.length; to += 1) {
      if (to === from || positions[to] !== positions[to - 1]) found += 1;
      if (found > POSITIONS_AT_ONCE) break;
    }
    if (from > 0) await between();
    all.push(...(await run.probabilities(positions.slice(from, to), ids.slice(from, to))));
  }
  return all;
}

/** Block by block: a stack of many heads takes a while. */
async function likenessOf(
  run: WasmRun,
  { stack, layer, head }: HeadRef,
  { stacks, between }: ReadSurroundings,
): Promise<HeadLikeness[]> {
  const all: HeadLikeness[] = [];
  // Of a stack that the model has not, the first question says so.
  for (let among = 0; among < (stacks[stack]?.layers ?? 1); among += 1) {
    if (among > 0) await between();
    all.push(...(await run.likeness(stack, layer, head, among)));
  }
  return all;
}

/** Block by block as well. */
async function divergencesOf(
  run: WasmRun,
  stack: Stack,
  other: WasmRun,
  { stacks, between }: ReadSurroundings,
): Promise<HeadLikeness[]> {
  const all: HeadLikeness[] = [];
  for (let among = 0; among < (stacks[stack]?.layers ?? 1); among += 1) {
    if (among > 0) await between();
    all.push(...(await run.divergences(stack, other, among)));
  }
  return all;
}

/** Block by block as well: each goes once more through the model. */
async function residualsOf(
  run: WasmRun,
  stack: Stack,
  { stacks, between }: ReadSurroundings,
): Promise<StreamDepth[]> {
  const all: StreamDepth[] = [];
  for (let layer = 0; layer < (stacks[stack]?.layers ?? 1); layer += 1) {
    if (layer > 0) await between();
    all.push(...(await run.residuals(stack, layer)));
  }
  return all;
}

async function spectrumOf(
  run: WasmRun,
  { stack, layer, head }: HeadRef,
  { between }: ReadSurroundings,
): Promise<Spectrum> {
  return finished(await run.spectrum(stack, layer, head), between);
}

async function stepsOf(
  run: WasmRun,
  { stack, layer, head }: HeadRef,
  { between }: ReadSurroundings,
): Promise<StepTensor[]> {
  return finished(run.steps(stack, layer, head), between);
}

/** Work inside wasm that is done in short steps. */
async function finished<Answer>(
  work: { step(): Answer | undefined | Promise<Answer | undefined>; free(): void },
  between: () => Promise<void>,
): Promise<Answer> {
  try {
    for (;;) {
      const answer = await work.step();
      if (answer !== undefined) return answer;
      await between();
    }
  } finally {
    work.free();
  }
}
