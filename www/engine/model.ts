import type {
  GeneratedToken,
  GenerationEvent,
  ModelInfo,
  ModelNotes,
  Prediction,
  RunRequest,
  Token,
} from "../data/index.js";
import type { Client } from "./client.js";
import type {
  DecodeOptions,
  GenerateOptions,
  Model,
  Restart,
  Run,
  RunInput,
  RunOptions,
  RunProgress,
} from "./contract.js";
import { demand, refuse } from "./errors.js";
import { prepare } from "./input.js";
import { type FoundNotes, NO_NOTES } from "./notes.js";
import type { LoadedInfo, RunState } from "./protocol.js";
import { EngineRun, type Lexicon, queryOf } from "./run.js";
import { readAll } from "./source.js";
import type { Vocabulary } from "./vocabulary.js";

const UNSUPPORTED = ["temperature", "topK", "topP", "seed", "beams"] as const;

/** A loaded model: text in, runs out. */
export class EngineModel implements Model {
  #info: ModelInfo;
  readonly notes: ModelNotes | null;
  readonly notesProblem: string | null;
  readonly hasTokenizer: boolean;
  readonly #lexicon: Lexicon;
  #runs = 0;

  constructor(
    private readonly client: Client,
    info: LoadedInfo,
    private readonly vocabulary: Vocabulary,
    { notes, problem }: FoundNotes = NO_NOTES,
  ) {
    const { maskToken, hasTokenizer, specialIds } = vocabulary;
    this.#info = { ...info, maskToken };
    // Before other listeners are called.
    client.onRestart((_, again) => (this.#info = { ...again, maskToken }));
    this.notes = notes;
    this.notesProblem = problem;
    this.hasTokenizer = hasTokenizer;
    this.#lexicon = {
      special: Uint32Array.from(specialIds),
      unigrams: notes === null ? null : Float64Array.from(notes.unigrams),
    };
  }

  get info(): ModelInfo {
    return this.#info;
  }

  tokenize(text: string, textPair?: string): Token[] {
    return this.vocabulary.encode(text, textPair).tokens;
  }

  decode(ids: number[], options: DecodeOptions = {}): string {
    demand("an object", options, "the options");
    return this.vocabulary.decode(ids, options);
  }

  async run(input: RunInput, options: RunOptions = {}): Promise<Run> {
    demand("an object", options, "the options");
    const { request, tokens } = prepare(input, this.info, this.vocabulary);
    return this.#begin(request, tokens, options);
  }

  async *generate(input: RunInput, options: GenerateOptions = {}): AsyncIterable<GenerationEvent> {
    demand("an object", options, "the options");
    for (const name of UNSUPPORTED) {
      if (options[name] === undefined) continue;
      const expected = "greedy decoding, which takes maxTokens alone";
      const got = String(options[name]);
      throw refuse("input/unsupported-option", `the option ${name}`, expected, got);
    }
    const { request } = prepare(input, this.info, this.vocabulary);
    const { maxTokens } = options;
    request.generate = maxTokens === undefined ? {} : { maxTokens };
    const stopped = new AbortController();
    const stop = (): void => stopped.abort();
    if (options.signal?.aborted === true) stop();
    options.signal?.addEventListener("abort", stop);
    const written = new ReadableStream<GeneratedToken>({
      start: (stream) => {
        const push = (batch: GeneratedToken[]): void => batch.forEach((one) => stream.enqueue(one));
        // A stream that was left takes neither tokens nor an end.
        this.#write(request, push, stopped.signal)
          .then(
            () => stream.close(),
            (thrown: unknown) => stream.error(thrown),
          )
          .catch(() => undefined);
      },
      cancel: stop,
    });
    try {
      for await (const token of readAll(written)) yield this.#event(token);
    } finally {
      options.signal?.removeEventListener("abort", stop);
    }
  }

  onRestart(listener: (restart: Restart) => void): () => void {
    return this.client.onRestart(listener);
  }

  dispose(): void {
    this.client.dispose();
  }

  async #begin(
    request: RunRequest,
    tokens: Token[] | null,
    { signal, onProgress, onUpdate, foreseen = [] }: RunOptions,
  ): Promise<Run> {
    const name = ++this.#runs;
    const queries = foreseen.map((one) => queryOf(one.what, one));
    let begun: EngineRun | undefined;
    let written = 0;
    const report = (state: RunState): RunProgress => {
      const { done, total, at, sourceReady, finished, generated } = state;
      written += generated.length;
      const progress = { done, total, at, sourceReady, finished, generated: written };
      onProgress?.(progress);
      return progress;
    };
    const take = (state: RunState, progress: RunProgress): EngineRun => {
      const first = begun === undefined;
      const words = { vocabulary: this.vocabulary, lexicon: this.#lexicon };
      begun ??= new EngineRun(this.client, name, words, tokens, state);
      begun.advance(state, queries);
      if (first || state.finished || state.generated.length > 0) onUpdate?.(begun, progress);
      return begun;
    };
    try {
      const last = await this.client.begin(
        { run: name, request, foreseen: queries },
        {
          signal,
          onProgress: (state) => {
            const progress = report(state);
            if (onUpdate !== undefined && state.sourceReady) take(state, progress);
          },
        },
      );
      return take(last, report(last));
    } catch (thrown) {
      // A run that `onUpdate` was given may be shown; its owner releases it.
      if (begun === undefined) this.#release(name);
      throw thrown;
    }
  }

  async #write(
    request: RunRequest,
    push: (batch: GeneratedToken[]) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const name = ++this.#runs;
    try {
      const last = await this.client.begin(
        { run: name, request },
        { signal, onProgress: (state) => push(state.generated) },
      );
      push(last.generated);
    } finally {
      this.#release(name);
    }
  }

  /** Frees a run that no caller has. */
  #release(name: number): void {
    this.client.release(this.client.epoch, name);
  }

  #event({ step, chosen, probability, candidates }: GeneratedToken): GenerationEvent {
    const named = candidates.map((candidate): Prediction => this.vocabulary.named(candidate));
    const found = named.find(({ id }) => id === chosen);
    if (found === undefined)
      throw refuse("input/malformed", "the written token", "one of its candidates", `id ${chosen}`);
    return { step, candidates: named, chosen: found, probability };
  }
}

/** Wraps a task so that a newer call stops the older one, whose promise then gives `null`. */
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
