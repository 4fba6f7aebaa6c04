import type { Adapter } from "../data/index.js";
import { type Choice, loadOnBackend } from "./backend.js";
import { aborted, describe, failureOf, type HeadscopeError, isTrap, refuse } from "./errors.js";
import type {
  Call,
  CallKind,
  CallOf,
  Calls,
  Message,
  Query,
  QueryLexicon,
  Reply,
  RunState,
  WasmAnswer,
  WasmDemos,
  WasmModel,
  WasmRecorder,
  WasmRun,
  WeightFile,
} from "./protocol.js";
import type { Timeout } from "./timeout.js";
import type { TrainingHost } from "./training-host.js";
import { openWeights } from "./weight-file.js";

export interface Surroundings extends Choice {
  /** Loads the demos; called only in the demos' thread. */
  loadDemos(): Promise<WasmDemos>;
  /** Loads what trains; called only in the thread of a training. */
  loadTraining(): Promise<TrainingHost>;
  post(reply: Reply, transfer: ArrayBuffer[]): void;
  /** Waits so that messages that have arrived can be received. */
  pause(): Promise<void>;
  /** Pauses for two frames, so that the page can paint. */
  rest(): Promise<void>;
}

interface OpenRun {
  wasm: WasmRun;
  /** The number of calls that use the run now; it is freed when there are none. */
  users: number;
  released: boolean;
}

/**
 * The engine's side of the protocol: one model and its runs. It computes in short steps, and
 * between them receives messages, so that an abort or a newer request is handled.
 */
export class Host {
  #model: WasmModel | WasmRecorder | null = null;
  /** The GPU that computes the model; null on the CPU. */
  #adapter: Adapter | null = null;
  #timeout: Timeout | null = null;
  readonly #runs = new Map<number, OpenRun>();
  /** The calls that are being answered, each with the controller that aborts it. */
  readonly #calls = new Map<number, AbortController>();
  #training: TrainingHost | null = null;
  /** Settles with the last step that was begun. */
  #step: Promise<unknown> = Promise.resolve();
  /** The last finished run, kept even if released: the next one may take over parts of it. */
  #latest: OpenRun | null = null;

  constructor(private readonly around: Surroundings) {}

  receive(message: Message): void {
    if (message.kind === "call") void this.#serve(message.id, message.call);
    else if (message.kind === "abort") this.#calls.get(message.id)?.abort(aborted("run"));
    else {
      const run = this.#runs.get(message.run);
      this.#runs.delete(message.run);
      if (run) run.released = true;
      this.#freeIfUnused(run);
    }
  }

  async #serve(id: number, call: Call): Promise<void> {
    const stop = new AbortController();
    this.#calls.set(id, stop);
    try {
      const value = await this.#answer(id, call, stop.signal);
      this.around.post({ kind: "value", id, value }, transferable(value));
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (this.#isEnd(thrown)) {
        const reason = isTrap(thrown) ? describe(thrown) : failure.got;
        this.#end(reason, failure.code === "gpu/silent");
      } else this.around.post({ kind: "failure", id, failure }, []);
    } finally {
      this.#calls.delete(id);
    }
  }

  /** Whether a failure ends the thread: a GPU that failed once refuses everything from then on. */
  #isEnd(thrown: unknown): boolean {
    return isTrap(thrown) || (this.#adapter !== null && failureOf(thrown).code.startsWith("gpu/"));
  }

  #end(reason: string, silent: boolean): void {
    this.around.post({ kind: "fatal", reason, silent }, []);
  }

  #answer(id: number, call: Call, signal: AbortSignal): Promise<Calls[CallKind]["answer"]> {
    switch (call.kind) {
      case "load":
        return this.#load(call);
      case "begin":
        return this.#begin(id, call, signal);
      case "query":
        return this.#using(this.#runOf(call.run), (run) =>
          this.#ask(run, call.query, call.lexicon),
        );
      case "inquire":
        return this.#inquire(call, signal);
      case "preprocess":
        return this.#inTurn(signal, () =>
          this.#reader().preprocess(call.height, call.width, call.data),
        );
      case "demo":
        return this.#demo(call, signal);
      case "train":
        return this.#inTurn(signal, async () => {
          this.#training ??= await this.around.loadTraining();
          return this.#training.answer(call.task, signal);
        });
    }
  }

  async #load(call: CallOf<"load">): Promise<Calls["load"]["answer"]> {
    const { checkpoint, backend, weights, preprocessor } = call;
    const files: WeightFile[] = [];
    for (const { name, file } of checkpoint) files.push(await openWeights(name, file));
    const loaded = await loadOnBackend(backend, this.around, call, files, weights);
    const { model, adapter, gpuFailure } = loaded;
    if (preprocessor !== undefined && "readPreprocessor" in model)
      model.readPreprocessor(preprocessor ?? undefined);
    this.#model = model;
    this.#adapter = adapter;
    this.#timeout = loaded.timeout;
    // A pending call fails by itself; this reports a device that is lost without a pending call.
    void model.lost?.().then((reason) => this.#end(reason, false));
    return { ...model.info(), adapter, gpuFailure: gpuFailure ?? call.gpuFailure ?? null };
  }

  #loadedModel(): WasmModel | WasmRecorder {
    if (this.#model === null) throw refuse("run/not-ready", "the run", "a loaded model", "none");
    return this.#model;
  }

  /** The loaded model, which reads images and answers questions. */
  #reader(): WasmModel {
    const model = this.#loadedModel();
    if ("preprocess" in model) return model;
    throw refuse("run/not-ready", "the question", "a thread that answers it", "another");
  }

  async #begin(id: number, call: CallOf<"begin">, signal: AbortSignal): Promise<RunState> {
    // A request that the next keystroke aborts costs nothing.
    await this.around.pause();
    const run = await this.#inTurn(signal, () => {
      const model = this.#loadedModel();
      const wasm = this.#latest
        ? model.beginAfter(call.request, this.#latest.wasm, call.pixels)
        : model.begin(call.request, call.pixels);
      const created: OpenRun = { wasm, users: 0, released: false };
      this.#runs.set(call.run, created);
      return created;
    });
    // The results before a stop may be shown: the run stays until it is released.
    return this.#using(run, () => this.#steps(id, run, call, signal));
  }

  async #steps(
    id: number,
    run: OpenRun,
    { foreseen = [], isAside }: CallOf<"begin">,
    signal: AbortSignal,
  ): Promise<RunState> {
    let unanswered: readonly Query[] = foreseen;
    // A page that sends queries along is about to paint their answers, and the first word: both
    // need the processor more than the second word does.
    let mayRest = foreseen.length > 0;
    for (;;) {
      const state = await this.#inTurn(signal, () => this.#advance(run, unanswered, signal));
      if (state.sourceReady) unanswered = [];
      if (state.finished) {
        if (isAside !== true) this.#keep(run);
        return state;
      }
      this.around.post({ kind: "progress", id, state }, transferable(state));
      const rests = mayRest && state.generated.length > 0;
      if (rests) mayRest = false;
      await (rests ? this.around.rest() : this.around.pause());
    }
  }

  /** Keeps a finished run, from which the next one takes over what is the same. */
  #keep(run: OpenRun): void {
    const before = this.#latest;
    this.#latest = run;
    this.#freeIfUnused(before);
  }

  /** One step, and the answers to the foreseen queries once the source is ready. */
  async #advance(run: OpenRun, queries: readonly Query[], signal: AbortSignal): Promise<RunState> {
    const step = await this.#timed(() => run.wasm.step());
    const answers: RunState["answers"] = [];
    for (const query of step.sourceReady ? queries : []) {
      // On a GPU these answers take as long as a step, and a newer request may wait.
      signal.throwIfAborted();
      const answer = await this.#ask(run, query).catch((thrown: unknown) => {
        if (this.#isEnd(thrown)) throw thrown;
        return null; // It is refused when it is asked again.
      });
      answers.push(answer);
    }
    return { ...step, answers };
  }

  /**
   * Runs one step at a time: otherwise a GPU would compute every typed text at once. A call may be
   * aborted while it waits.
   */
  #inTurn<T>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
    const turn = this.#step.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#step = turn.catch(() => undefined);
    return turn;
  }

  async #demo({ question }: CallOf<"demo">, signal: AbortSignal): Promise<Calls["demo"]["answer"]> {
    // A slider asks more often than answers come: an aborted question costs nothing.
    await this.around.pause();
    signal.throwIfAborted();
    return (await this.around.loadDemos()).demo(question);
  }

  async #inquire(
    { question }: CallOf<"inquire">,
    signal: AbortSignal,
  ): Promise<Calls["inquire"]["answer"]> {
    return this.#inTurn(signal, () =>
      this.#answered(this.#reader().query(question), () => signal.throwIfAborted()),
    );
  }

  /**
   * Computes an answer in steps; between two of them messages are received, and a release of the
   * run ends it.
   */
  async #ask(run: OpenRun, query: Query, lexicon?: QueryLexicon): Promise<object> {
    const number = "other" in query ? query.other : undefined;
    const other = number === undefined ? run : this.#runOf(number);
    const answer = run.wasm.query(query, other.wasm, lexicon?.special, lexicon?.unigrams);
    return this.#answered(answer, () => {
      if (run.released) throw released();
    });
  }

  async #answered(answer: WasmAnswer, check: () => void): Promise<object> {
    try {
      for (;;) {
        const known = await this.#timed(() => answer.step());
        if (known !== undefined) return known;
        await this.around.pause();
        check();
      }
    } finally {
      answer.free();
    }
  }

  #timed<T>(ask: () => Promise<T>): Promise<T> {
    return this.#timeout === null ? ask() : this.#timeout.for(ask);
  }

  #runOf(name: number): OpenRun {
    const run = this.#runs.get(name);
    if (run === undefined) throw released();
    return run;
  }

  /** Keeps a run from being freed while work goes on. */
  async #using<T>(run: OpenRun, work: (run: OpenRun) => Promise<T>): Promise<T> {
    run.users += 1;
    try {
      return await work(run);
    } finally {
      run.users -= 1;
      this.#freeIfUnused(run);
    }
  }

  #freeIfUnused(run: OpenRun | null | undefined): void {
    if (run?.released && run.users === 0 && run !== this.#latest) run.wasm.free();
  }
}

function released(): HeadscopeError {
  return refuse("run/released", "reading a run", "one that is still held", "one that was released");
}

/**
 * The buffers of tensors, which the core made for this answer alone, to be moved instead of copied.
 */
function transferable(value: object): ArrayBuffer[] {
  const answers = "answers" in value ? (value as RunState).answers : [value];
  return answers.flatMap((answer) =>
    answer !== null && "data" in answer && answer.data instanceof Float32Array
      ? [answer.data.buffer as ArrayBuffer]
      : [],
  );
}
