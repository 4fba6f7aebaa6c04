/**
 * A text that a model writes, step by step: each token with the reasons for it, beside another text
 * that leaves it at one step, and a given text that the model only reads (teacher forcing).
 */
import type { GenerateRequest, GenerationEvent, Prediction, Token } from "../../data/index.js";
import type { Model, Run, RunInput } from "../../headscope.js";

/** The most tokens that are written behind a text, and of a translation. */
const MOST_TOKENS = { decoder: 20, translator: 60 } as const;
/** The likeliest tokens that a step of a given text shows. */
const SHOWN = 5;

/** A text of the decoder with the reasons for each of its tokens. */
export interface Line {
  run: Run;
  /** The tokens of the encoder's text; empty without an encoder. */
  source: readonly Token[];
  /** The tokens that the decoder read: those that were there before, and the written ones. */
  tokens: readonly Token[];
  nGiven: number;
  /** A step for each token behind the given ones, the one that ends the text included. */
  steps: readonly GenerationEvent[];
}

/** What is written: the input without settings, and the settings. */
export interface Asked {
  model: Model;
  input: RunInput;
  settings: GenerateRequest;
}

/** Another token at a step of a line. */
export interface Turn {
  /** The step, from zero. */
  at: number;
  id: number;
}

const idsOf = (tokens: readonly Token[]): number[] => tokens.map(({ id }) => id);

/** The position whose row of attention and whose scores belong to a step. */
export function positionOf({ nGiven }: Pick<Line, "nGiven">, step: number): number {
  return nGiven + step - 1;
}

function lineOf({ info }: Model, run: Run, steps: readonly GenerationEvent[]): Line {
  const written = steps.filter(({ chosen }) => !info.endTokens.includes(chosen.id));
  const tokens = run.targetTokens;
  const source = info.architecture === "encoder-decoder" ? run.tokens : [];
  // A text that fills all positions does not read its last token.
  const nRead = Math.min(written.length, tokens.length - 1);
  return { run, source, tokens, nGiven: tokens.length - nRead, steps };
}

/** Lets a model write behind a text; the run is the caller's to release. */
export async function writeLine(
  { model, input, settings }: Asked,
  signal: AbortSignal,
): Promise<Line> {
  const kind = model.info.architecture === "decoder" ? "decoder" : "translator";
  const steps: GenerationEvent[] = [];
  const generate = { ...settings, max_new_tokens: MOST_TOKENS[kind] };
  const run = await model.run(
    { ...input, generate },
    { signal, onToken: (step) => steps.push(step) },
  );
  return lineOf(model, run, steps);
}

/** Lets a model write on from a step of a line with another token than it wrote there. */
export async function writeBranch(
  { model, input, settings }: Asked,
  line: Line,
  { at, id }: Turn,
  signal: AbortSignal,
): Promise<Line> {
  const ids = [...idsOf(line.tokens.slice(0, line.nGiven + at)), id];
  const { edits, lenient } = input;
  const prefix = line.source.length === 0 ? { ids } : { ids: idsOf(line.source), targetIds: ids };
  const left = Math.max(line.steps.length - at - 1, MOST_TOKENS.decoder - at - 1, 1);
  const more: GenerationEvent[] = [];
  const run = await model.run(
    {
      ...prefix,
      ...(edits && { edits }),
      ...(lenient && { lenient }),
      generate: { ...settings, max_new_tokens: left },
    },
    { signal, onToken: (step) => more.push(step) },
  );
  const forced = line.steps[at];
  const known = forced ? [...line.steps.slice(0, at), withToken(model, forced, id)] : [];
  const steps = [...known, ...more].map((one, step) => ({ ...one, step }));
  const { source } = line;
  return { run, source, tokens: run.targetTokens, nGiven: line.nGiven, steps };
}

/** A step at which a person chose the token: the same scores, and nothing drawn. */
function withToken(model: Model, step: GenerationEvent, id: number): GenerationEvent {
  const chosen = step.candidates.find((one) => one.id === id) ?? {
    id,
    text: model.decode([id]),
    logit: NaN,
    probability: NaN,
  };
  return { ...step, chosen, probability: chosen.probability, draw: null };
}

/** Reads a given text, with what the model would have written at each step in place of it. */
export async function readGiven(
  { model, input }: Pick<Asked, "model" | "input">,
  given: string,
  signal: AbortSignal,
): Promise<Line> {
  const isDecoder = model.info.architecture === "decoder";
  const { text = "", specialTokens = true } = input;
  const run = await model.run(
    isDecoder ? { ...input, text: text + given } : { ...input, target: given },
    { signal },
  );
  const tokens = run.targetTokens;
  const nGiven = isDecoder
    ? nShared(model.tokenize(text, undefined, { specialTokens }), tokens)
    : 1;
  const positions = tokens.slice(nGiven).map((_, at) => nGiven + at - 1);
  const asked = { positions, ids: idsOf(tokens.slice(nGiven)) };
  const [best, probabilities] = await Promise.all([
    run.predictions({ positions, topK: Math.min(SHOWN, model.info.vocabSize) }),
    run.probabilities(asked),
  ]);
  const steps = tokens.slice(nGiven).map(({ id, text: word }, step): GenerationEvent => {
    const candidates = best[step] ?? [];
    const probability = probabilities[step]?.probability ?? NaN;
    const chosen: Prediction = candidates.find((one) => one.id === id) ?? {
      id,
      text: word,
      logit: NaN,
      probability,
    };
    return { kind: "step", step, candidates, chosen, probability, stages: [], draw: null };
  });
  const source = isDecoder ? [] : run.tokens;
  return { run, source, tokens, nGiven, steps };
}

/** The number of tokens that a text shares with the beginning of a longer one, at least one. */
function nShared(tokens: readonly Token[], whole: readonly Token[]): number {
  const differs = tokens.findIndex(({ id }, at) => id !== whole[at]?.id);
  const shared = differs < 0 ? tokens.length : differs;
  return Math.max(1, Math.min(shared, whole.length - 1));
}
