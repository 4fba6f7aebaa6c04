import type { Adapter } from "../data/index.js";
import { type Choice, loadOnBackend } from "./backend.js";
import { aborted, describe, failureOf, type HeadscopeError, isTrap, refuse } from "./errors.js";
import type {
  Call,
  Calls,
  Message,
  Query,
  Reply,
  RunState,
  WasmLab,
  WasmModel,
  WasmRun,
} from "./protocol.js";
import type { Timeout } from "./timeout.js";

/** What the host needs from the thread it runs in. */
export interface Surroundings extends Choice {
  /** Only the demos' thread calls it. */
  loadLab(): Promise<WasmLab>;
  post(reply: Reply, transfer: ArrayBuffer[]): void;
  /** Lets messages that have arrived meanwhile be received. */
  pause(): Promise<void>;
  /** Pauses for two frames, so that the page can paint. */
  rest(): Promise<void>;
}

interface HeldRun {
  wasm: WasmRun;
  /** How many calls use it right now; it is freed when none does. */
  users: number;
  released: boolean;
}

type Answers = RunState["answers"];
type CallOf<K extends Call["kind"]> = Extract<Call, { kind: K }>;

/**
 * The engine's side of the protocol: one model and its runs. Computes in short steps, and
 * between them receives messages, so that an abort or a newer request gets through.
 */
export class Host {
  #model: WasmModel | null = null;
  /** The GPU that computes the model; null on the CPU. */
  #adapter: Adapter | null = null;
  #timeout: Timeout | null = null;
  readonly #runs = new Map<number, HeldRun>();
  /** The calls that are being answered, each with what stops it. */
  readonly #calls = new Map<number, AbortController>();
  /** Ends with the last step that was begun. */
  #step: Promise<unknown> = Promise.resolve();
  /** The last finished run, kept even if released: the next one may take over parts of it. */
  #latest: HeldRun | null = null;

  constructor(private readonly around: Surroundings) {}

  receive(message: Message): void {
    if (message.kind === "call") void this.#serve(message.id, message.call);
    else if (message.kind === "abort") this.#calls.get(message.id)?.abort(aborted("run"));
    else this.#release(message.run);
  }

  async #serve(id: number, call: Call): Promise<void> {
    const stop = new AbortController();
    this.#calls.set(id, stop);
    try {
      const value = await this.#answer(id, call, stop.signal);
      this.around.post({ kind: "value", id, value }, transferable(value));
    } catch (thrown) {
      const failure = failureOf(thrown);
      const reason = isTrap(thrown) ? describe(thrown) : failure.got;
      const silent = failure.code === "gpu/silent";
      const reply: Reply = this.#isEnd(thrown)
        ? { kind: "fatal", reason, silent }
        : { kind: "failure", id, failure };
      this.around.post(reply, []);
    } finally {
      this.#calls.delete(id);
    }
  }

  /** A GPU that failed once refuses everything from then on. */
  #isEnd(thrown: unknown): boolean {
    return isTrap(thrown) || (this.#adapter !== null && failureOf(thrown).code.startsWith("gpu/"));
  }

  #answer(id: number, call: Call, signal: AbortSignal): Promise<Calls[Call["kind"]]["answer"]> {
    switch (call.kind) {
      case "load":
        return this.#load(call);
      case "begin":
        return this.#begin(id, call, signal);
      case "query":
        return this.#query(call.run, call.query);
      case "lab":
        return this.#lab(call, signal);
    }
  }

  async #load({ config, checkpoint, backend }: CallOf<"load">): Promise<Calls["load"]["answer"]> {
    const bytes = await checkpoint.arrayBuffer().catch((thrown: unknown) => {
      throw refuse("load/not-found", "the checkpoint", "a file that can be read", describe(thrown));
    });
    const weights = new Uint8Array(bytes);
    const { model, adapter, timeout } = await loadOnBackend(backend, this.around, config, weights);
    this.#model = model;
    this.#adapter = adapter;
    this.#timeout = timeout;
    // A pending call fails by itself; this reports a device that is lost while there is none.
    void model
      .lost?.()
      .then((reason) => this.around.post({ kind: "fatal", reason, silent: false }, []));
    return { ...model.info(), adapter };
  }

  async #begin(
    id: number,
    { run: name, request, foreseen = [] }: CallOf<"begin">,
    signal: AbortSignal,
  ): Promise<RunState> {
    // A request that was aborted by the next keystroke costs nothing.
    await this.around.pause();
    const run = await this.#inTurn(signal, () => {
      if (this.#model === null) throw refuse("run/not-ready", "the run", "a loaded model", "none");
      const wasm = this.#latest
        ? this.#model.beginAfter(request, this.#latest.wasm)
        : this.#model.begin(request);
      const created: HeldRun = { wasm, users: 1, released: false };
      this.#runs.set(name, created);
      return created;
    });
    let unanswered = foreseen;
    // A page that sends queries along is about to paint their answers, and the first word: both need the processor more than the second word does.
    let mayRest = foreseen.length > 0;
    try {
      for (;;) {
        const state = await this.#inTurn(signal, () => this.#advance(run, unanswered, signal));
        if (state.sourceReady) unanswered = [];
        if (state.finished) {
          const before = this.#latest;
          this.#latest = run;
          if (before) this.#freeIfUnused(before);
          return state;
        }
        this.around.post({ kind: "progress", id, state }, transferable(state));
        const rests = mayRest && state.generated.length > 0;
        if (rests) mayRest = false;
        await (rests ? this.around.rest() : this.around.pause());
      }
    } finally {
      // What was computed before a stop may be shown: it stays until it is released.
      this.#leave(run);
    }
  }

  /** One step, and the answers to the foreseen queries once the source is ready. */
  async #advance(run: HeldRun, queries: readonly Query[], signal: AbortSignal): Promise<RunState> {
    const step = await this.#timed(() => run.wasm.step());
    const answers: Answers = [];
    for (const query of step.sourceReady ? queries : []) {
      // On a GPU these take as long as a step, and a newer request may wait.
      signal.throwIfAborted();
      try {
        answers.push(await this.#ask(run, query));
      } catch (thrown) {
        if (this.#isEnd(thrown)) throw thrown;
        // It is refused when it is asked again.
        answers.push(null);
      }
    }
    return { ...step, answers };
  }

  /** Runs one step at a time: otherwise a GPU would compute every typed text at once. A call may be aborted while it waits. */
  async #inTurn<T>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
    const turn = this.#step.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#step = turn.catch(() => undefined);
    return turn;
  }

  async #lab({ question }: CallOf<"lab">, signal: AbortSignal): Promise<Calls["lab"]["answer"]> {
    // A slider asks more often than answers come: a question that was aborted costs nothing.
    await this.around.pause();
    signal.throwIfAborted();
    return (await this.around.loadLab()).lab(question);
  }

  async #query(name: number, query: Query): Promise<object> {
    const run = this.#held(name);
    run.users += 1;
    try {
      return await this.#ask(run, query);
    } finally {
      this.#leave(run);
    }
  }

  /** Computes an answer in steps; between two of them messages are received, and a release of the run ends it. */
  async #ask(run: HeldRun, query: Query): Promise<object> {
    const other = query.other === undefined ? run : this.#held(query.other);
    const answer = run.wasm.query(query, other.wasm);
    try {
      for (;;) {
        const known = await this.#timed(() => answer.step());
        if (known !== undefined) return known;
        await this.around.pause();
        if (run.released) throw released();
      }
    } finally {
      answer.free();
    }
  }

  #timed<T>(ask: () => Promise<T>): Promise<T> {
    return this.#timeout === null ? ask() : this.#timeout.for(ask);
  }

  #held(name: number): HeldRun {
    const run = this.#runs.get(name);
    if (run === undefined) throw released();
    return run;
  }

  #release(name: number): void {
    const run = this.#runs.get(name);
    if (run === undefined) return;
    this.#runs.delete(name);
    run.released = true;
    this.#freeIfUnused(run);
  }

  #leave(run: HeldRun): void {
    run.users -= 1;
    this.#freeIfUnused(run);
  }

  #freeIfUnused(run: HeldRun): void {
    if (run.released && run.users === 0 && run !== this.#latest) run.wasm.free();
  }
}

function released(): HeadscopeError {
  return refuse("run/released", "reading a run", "one that is still held", "one that was released");
}

/** Buffers of tensors, which the core made for this answer alone, are moved. */
function transferable(value: object): ArrayBuffer[] {
  const answers = "answers" in value ? (value as RunState).answers : [value];
  return answers.flatMap((answer) =>
    answer !== null && "data" in answer && answer.data instanceof Float32Array
      ? [answer.data.buffer as ArrayBuffer]
      : [],
  );
}
