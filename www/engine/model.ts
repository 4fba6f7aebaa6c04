import {
  type BeamEvent,
  type Candidate,
  type FieldWarning,
  type GeneratedToken,
  type GenerateRequest,
  type GenerationEvent,
  MODEL_QUESTIONS,
  type ModelInfo,
  type ModelQuestion,
  type ModelQuestions,
  type Prediction,
  type RunRequest,
} from "../data/index.js";
import type { ChatSource } from "./chat/source.js";
import type { Client } from "./client.js";
import type {
  ChatOptions,
  DecodeOptions,
  GenerateOptions,
  Model,
  Restart,
  Run,
  RunInput,
  RunOptions,
  RunProgress,
  TokenizeOptions,
} from "./contract.js";
import { demand, demandFields, refuse } from "./errors.js";
import { prepare, type Vocabulary } from "./vocabulary.js";
import { type FoundNotes, NO_NOTES } from "./notes.js";
import type { GradientCore } from "./gradients.js";
import type { PlacedPatches } from "./patches.js";
import type { ProcessedImages } from "./processed-images.js";
import type { LoadedInfo, RunState } from "./protocol.js";
import { type Advancing, type Lexicon, methodsOf, openRun, queryOf } from "./run.js";
import { type Line, Use, type UseEvents } from "./use.js";

const RUN_OPTIONS: Readonly<Record<keyof RunOptions, true>> = {
  signal: true,
  onProgress: true,
  onUpdate: true,
  onToken: true,
  foreseen: true,
};

const DECODE_OPTIONS: Readonly<Record<keyof DecodeOptions, true>> = {
  nameBytes: true,
  target: true,
};

const TOKENIZE_OPTIONS: Readonly<Record<keyof TokenizeOptions, true>> = { specialTokens: true };

const CHAT_OPTIONS: Readonly<Record<keyof ChatOptions, true>> = {
  add_generation_prompt: true,
  chat_template: true,
  variables: true,
};

const GENERATE_SETTINGS: Readonly<Record<keyof GenerateRequest, true>> = {
  max_new_tokens: true,
  min_new_tokens: true,
  do_sample: true,
  temperature: true,
  top_k: true,
  top_p: true,
  min_p: true,
  repetition_penalty: true,
  no_repeat_ngram_size: true,
  bad_words_ids: true,
  suppress_tokens: true,
  begin_suppress_tokens: true,
  forced_bos_token_id: true,
  forced_eos_token_id: true,
  eos_token_id: true,
  seed: true,
  num_beams: true,
  length_penalty: true,
  early_stopping: true,
  num_return_sequences: true,
};

const GENERATE_OPTIONS: Readonly<Record<keyof GenerateOptions, true>> = {
  signal: true,
  ...GENERATE_SETTINGS,
};

/** A model in its thread, for users who may share it. */
export interface OpenModel {
  /** The model for one more user, whose calls and runs end with its `dispose`. */
  use(on?: Partial<UseEvents>): Model;
  onRestart(listener: (restart: Restart) => void): () => void;
  /** Ends the thread, and all uses with it. */
  dispose(): void;
}

/** Everything that the users of a model share. */
interface Shared {
  client: Client;
  info: () => ModelInfo;
  vocabulary: Vocabulary;
  lexicon: Lexicon;
  found: FoundNotes;
  chat: ChatSource | null;
  /** The number of the next run of the thread. */
  nextRun: () => number;
  /** The images that were processed; a model of text does without their code. */
  processedImages: () => Promise<ProcessedImages>;
  /** The thread that records the operations of runs, opened once. */
  core: () => Promise<GradientCore>;
}

export function openModel(
  client: Client,
  loaded: LoadedInfo,
  vocabulary: Vocabulary,
  found: FoundNotes = NO_NOTES,
  unread: readonly FieldWarning[] = [],
  chat: ChatSource | null = null,
): OpenModel {
  const { maskToken } = vocabulary;
  const { notes } = found;
  const whole = (found: LoadedInfo): ModelInfo => {
    return { ...found, maskToken, warnings: [...found.warnings, ...unread] };
  };
  let info = whole(loaded);
  // Before other listeners are called.
  client.onRestart((_, again) => (info = whole(again)));
  const lexicon: Lexicon = {
    vocabulary,
    special: Uint32Array.from(vocabulary.specialIds),
    unigrams: notes === null ? null : Float64Array.from(notes.unigrams),
  };
  let runs = 0;
  let images: Promise<ProcessedImages> | null = null;
  const processedImages = (): Promise<ProcessedImages> =>
    (images ??= import("./processed-images.js")
      .then(
        ({ ProcessedImages }) =>
          new ProcessedImages(async (image) => (await client.open()).send("preprocess", image)),
      )
      .catch((thrown: unknown) => {
        images = null;
        throw thrown;
      }));
  let gradients: Promise<GradientCore> | null = null;
  const core = (): Promise<GradientCore> =>
    (gradients ??= import("./gradients.js")
      .then(({ GradientCore }) => GradientCore.open(client))
      .catch((thrown: unknown) => {
        gradients = null;
        throw thrown;
      }));
  const shared: Shared = {
    client,
    info: () => info,
    vocabulary,
    lexicon,
    found,
    chat,
    nextRun: () => ++runs,
    processedImages,
    core,
  };
  return {
    use: (on = {}) => useOf(shared, new Use(client, on)),
    onRestart: (listener) => client.onRestart(listener),
    dispose: () => {
      client.dispose();
      void gradients?.then((core) => core.dispose()).catch(() => undefined);
    },
  };
}

/** The model for one of its users. */
function useOf(shared: Shared, own: Use): Model {
  const { client, vocabulary, lexicon, chat, nextRun, processedImages, core } = shared;
  const { notes, problem } = shared.found;
  const ask = async (question: ModelQuestion): Promise<object> =>
    (await own.open()).send("inquire", { question });
  /** Puts numbers in place of the inputs that patches name; null without patches. */
  const usePatches = async (
    input: RunInput,
    request: RunRequest,
    signal: AbortSignal | undefined,
  ): Promise<PlacedPatches | null> => {
    const compute = (source: RunInput): Promise<Run> =>
      runOf(source, signal ? { signal } : {}, true);
    const { edits, targetIds } = request;
    if (!edits?.patches) return null;
    const { architecture, stacks } = shared.info();
    const writesTarget = architecture === "encoder-decoder" && targetIds === undefined;
    const { placePatches } = await import("./patches.js");
    const patched = { input, edits, request, stacks, writesTarget };
    const patches = await placePatches(patched, compute);
    request.edits = patches.edits;
    return patches;
  };
  /** A run; one aside is computed for another run alone. */
  const runOf = async (input: RunInput, options: RunOptions, isAside?: true): Promise<Run> => {
    demand("an object", options, "the options");
    demandFields("input/unsupported-option", "the options of run", options, RUN_OPTIONS);
    const { signal, onProgress, onUpdate, onToken, foreseen = [] } = options;
    demandSettings(input);
    const info = shared.info();
    const { request, tokens, image } = prepare(input, info, vocabulary);
    const patches = request.edits?.patches && (await usePatches(input, request, signal));
    const number = nextRun();
    const readPixels = async (): Promise<Float32Array | undefined> =>
      image && (await (await processedImages()).of(image)).pixels;
    const pixels = await readPixels();
    const translates = info.architecture === "encoder-decoder";
    const source = { request, translates, pixels: readPixels };
    const line = await own.open();
    const queries = foreseen.map((one) => queryOf(one.what, one));
    let begun: Advancing | undefined;
    let written = 0;
    let nRead = 0;
    const report = (state: RunState): RunProgress => {
      const { done, total, at, finished, generated } = state;
      written += generated.length;
      // The row of a written token is still to be computed in a decoder whose text grows.
      const sourceReady = state.sourceReady || written > 0;
      if (onToken) for (const token of generated) onToken(eventOf(token, vocabulary));
      const progress = { done, total, at, sourceReady, finished, generated: written };
      onProgress?.(progress);
      return progress;
    };
    const show = (state: RunState, progress: RunProgress): Run => {
      const isNew = begun === undefined;
      begun ??= openRun(line, number, lexicon, tokens, state, { source, core });
      begun.advance(state, queries);
      const { length } = state.targetIds;
      const isLonger = state.generated.length > 0 || length > nRead;
      nRead = length;
      if (isNew || state.finished || isLonger) onUpdate?.(begun.run, progress);
      return begun.run;
    };
    try {
      const ask = {
        run: number,
        request,
        foreseen: queries,
        ...(pixels && { pixels }),
        ...(isAside && { isAside }),
      };
      const last = await line.send("begin", ask, {
        signal,
        onProgress: (state) => {
          const progress = report(state);
          if (onUpdate !== undefined && progress.sourceReady) show(state, progress);
        },
      });
      return show(patches ? { ...last, fit: fitWith(last.fit, patches) } : last, report(last));
    } catch (thrown) {
      // A run that was passed to `onUpdate` may be in use; its owner releases it.
      if (begun === undefined) line.release(number);
      throw thrown;
    }
  };
  function generate(
    input: RunInput,
    options?: GenerateOptions & { num_beams?: 1 },
  ): AsyncIterable<GenerationEvent>;
  function generate(
    input: RunInput,
    options: GenerateOptions,
  ): AsyncIterable<GenerationEvent | BeamEvent>;
  async function* generate(
    input: RunInput,
    options: GenerateOptions = {},
  ): AsyncIterable<GenerationEvent | BeamEvent> {
    demand("an object", options, "the options");
    demandFields("input/unsupported-option", "the options of generate", options, GENERATE_OPTIONS);
    const { request } = prepare(input, shared.info(), vocabulary);
    if (input.generate !== undefined) {
      const expected = "the settings among the options of generate";
      throw refuse("input/malformed", "the input", expected, "the field generate");
    }
    const { signal, ...wanted } = options;
    await usePatches(input, request, signal);
    request.generate = wanted;
    const searches = (wanted.num_beams ?? 1) > 1;
    let step = 0;
    for await (const state of statesOf(await own.open(), nextRun(), request, signal)) {
      for (const token of state.generated) yield eventOf(token, vocabulary);
      for (const branches of state.branches) {
        const named = branches.map((branch) => ({
          ...branch,
          token: vocabulary.named(branch.token),
        }));
        yield { kind: "expand", step, branches: named };
        step += 1;
      }
      if (searches && state.finished) {
        const hypotheses = state.hypotheses.map((one) => ({
          ...one,
          text: vocabulary.decode(one.ids, { target: true }),
        }));
        yield { kind: "finish", hypotheses };
      }
    }
  }
  const methods = methodsOf<ModelQuestions>(MODEL_QUESTIONS, (what, which) =>
    ask({ ...(which as object | undefined), what } as ModelQuestion),
  );
  const model: Model = {
    ...methods,
    tokenPairs: async (which) => {
      const pairs = await methods.tokenPairs(which);
      const textOf = (id: number): string =>
        which.stack === "encoder" ? vocabulary.text(id) : vocabulary.named({ id }).text;
      return pairs.map((pair) => ({
        ...pair,
        fromText: textOf(pair.from),
        toText: textOf(pair.to),
      }));
    },
    get info() {
      return shared.info();
    },
    hasTokenizer: vocabulary.hasTokenizer,
    notes,
    notesProblem: problem,
    hasChatTemplate: chat !== null,
    tokenize: (text, textPair, options = {}) => {
      demand("an object", options, "the options");
      const doing = "the options of tokenize";
      demandFields("input/unsupported-option", doing, options, TOKENIZE_OPTIONS);
      return vocabulary.encode(text, textPair, options).tokens;
    },
    chatText: async (messages, options = {}) => {
      demand("an object", options, "the options");
      demandFields("input/unsupported-option", "the options of chatText", options, CHAT_OPTIONS);
      const { templateOf } = await import("./chat/source.js");
      const source = templateOf(chat, options.chat_template);
      const { chatText } = await import("./chat/template.js");
      return chatText(messages, { source, tokens: chat?.tokens ?? {} }, options);
    },
    preprocess: async (image) => {
      if (vocabulary.images === null) return null;
      const line = await own.open();
      const { height, width, data } = await line.until(async () =>
        (await processedImages()).of(image),
      );
      return { height, width, data: Uint8ClampedArray.from(data) };
    },
    decode: (ids, options = {}) => {
      demand("an object", options, "the options");
      demandFields("input/unsupported-option", "the options of decode", options, DECODE_OPTIONS);
      return vocabulary.decode(ids, options);
    },
    run: (input, options = {}) => runOf(input, options),
    generate,
    patchGrid: async function* (options) {
      const { patchCells } = await import("./patch-grid.js");
      yield* patchCells(model, options);
    },
    fingerprints: async () => {
      const { fingerprintsOf } = await import("./fingerprint.js");
      return (await own.open()).until(() => fingerprintsOf(client.numericFiles()));
    },
    onRestart: (listener) => own.onRestart(listener),
    dispose: () => own.end(),
  };
  return model;
}

/** Refuses settings of generation that are none; the core checks their values. */
function demandSettings(input: RunInput): void {
  // Another input than an object is refused when it is read.
  const { generate } = (input as RunInput | null | undefined) ?? {};
  if (generate === undefined) return;
  const what = "the settings of generation";
  demand("an object", generate, what);
  demandFields("input/unsupported-option", what, generate, GENERATE_SETTINGS);
}

/** The fit of a lenient request with its patches, which the core has as numbers alone. */
function fitWith(fit: RunState["fit"], { placed, misfits }: PlacedPatches): RunState["fit"] {
  if (!fit) return fit;
  const edits = { ...fit.edits, patches: placed };
  return { edits, misfits: [...fit.misfits, ...misfits] };
}

/**
 * The states of a run as it is computed. Leaving the loop stops the run, which is released in any
 * case.
 */
async function* statesOf(
  line: Line,
  run: number,
  request: RunRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunState> {
  const states: RunState[] = [];
  let wake = (): void => undefined;
  let ended = false as boolean;
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop);
  const onProgress = (state: RunState): void => {
    states.push(state);
    wake();
  };
  const end = line
    .send("begin", { run, request }, { signal: stopped.signal, onProgress })
    .then(onProgress)
    .finally(() => {
      line.release(run);
      ended = true;
      wake();
    });
  end.catch(() => undefined); // Thrown below, unless the loop was left.
  try {
    for (;;) {
      const state = states.shift();
      if (state !== undefined) yield state;
      else if (ended) {
        await end;
        return;
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
}

function eventOf(token: GeneratedToken, vocabulary: Vocabulary): GenerationEvent {
  const { step, chosen: id, probability, draw } = token;
  const named = (listed: readonly Candidate[]): Prediction[] =>
    listed.map((candidate) => vocabulary.named(candidate));
  const candidates = named(token.candidates);
  const chosen = candidates.find((candidate) => candidate.id === id);
  if (chosen === undefined)
    throw refuse("input/malformed", "the written token", "one of its candidates", `id ${id}`);
  const stages = token.stages.map((stage) => ({ ...stage, candidates: named(stage.candidates) }));
  return { kind: "step", step, candidates, chosen, probability, stages, draw };
}

/**
 * Wraps a task so that a newer call aborts the older one, whose promise then resolves to `null`.
 */
export function latest<A extends unknown[], R>(
  task: (signal: AbortSignal, ...given: A) => Promise<R>,
): (...given: A) => Promise<R | null> {
  let current: AbortController | null = null;
  return async (...given) => {
    current?.abort();
    const controller = new AbortController();
    current = controller;
    try {
      const result = await task(controller.signal, ...given);
      return current === controller ? result : null;
    } catch (thrown) {
      if (current !== controller) return null;
      throw thrown;
    }
  };
}
