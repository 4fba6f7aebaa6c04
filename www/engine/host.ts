import type { Adapter, LabQuestion, RunRequest } from "../data/index.js";
import { type Choice, loadOnBackend } from "./backend.js";
import { aborted, describe, failureOf, type HeadscopeError, isTrap, refuse } from "./errors.js";
import type {
  Call,
  Calls,
  Message,
  Query,
  Reply,
  RunState,
  StepState,
  WasmLab,
  WasmModel,
  WasmRun,
} from "./protocol.js";
import type { Timeout } from "./timeout.js";

/** What the host needs from the thread it lives in. */
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
  /** How many calls are using it right now; it is freed only when none does. */
  users: number;
  released: boolean;
}

/**
 * The engine's side of the protocol: one model and its runs. Computes in short steps, and
 * between them looks for messages, so that a stop or a newer request gets through.
 */
export class Host {
  #model: WasmModel | null = null;
  /** The GPU that computes the model; null on the CPU. */
  #adapter: Adapter | null = null;
  #timeout: Timeout | null = null;
  readonly #runs = new Map<number, HeldRun>();
  readonly #aborted = new Set<number>();
  readonly #active = new Set<number>();
  /** Ends with the last step that was begun. */
  #step: Promise<unknown> = Promise.resolve();
  /** The last finished run, kept even if released: the next one may take over parts of it. */
  #latest: HeldRun | null = null;

  constructor(private readonly around: Surroundings) {}

  receive(message: Message): void {
    switch (message.kind) {
      case "call":
        void this.#serve(message.id, message.call);
        break;
      case "abort":
        if (this.#active.has(message.id)) this.#aborted.add(message.id);
        break;
      case "release":
        this.#release(message.run);
        break;
    }
  }

  async #serve(id: number, call: Call): Promise<void> {
    this.#active.add(id);
    try {
      const value = await this.#answer(id, call);
      this.around.post({ kind: "value", id, value }, transferable(value));
    } catch (thrown) {
      const failure = failureOf(thrown);
      const ended = {
        kind: "fatal",
        reason: isTrap(thrown) ? describe(thrown) : failure.got,
        silent: failure.code === "gpu/silent",
      } as const;
      this.around.post(this.#isEnd(thrown) ? ended : { kind: "failure", id, failure }, []);
    } finally {
      this.#active.delete(id);
      this.#aborted.delete(id);
    }
  }

  /** A GPU that failed once refuses whatever is asked of it from then on. */
  #isEnd(thrown: unknown): boolean {
    return isTrap(thrown) || (this.#adapter !== null && failureOf(thrown).code.startsWith("gpu/"));
  }

  #answered<T>(ask: () => Promise<T>): Promise<T> {
    return this.#timeout === null ? ask() : this.#timeout.for(ask);
  }

  #answer(id: number, call: Call): Promise<Calls[Call["kind"]]["answer"]> {
    switch (call.kind) {
      case "load":
        return this.#load(call);
      case "begin":
        return this.#begin(id, call);
      case "query":
        return this.#query(call.run, call.query);
      case "lab":
        return this.#lab(id, call.question);
    }
  }

  async #load(ask: Calls["load"]["ask"]): Promise<Calls["load"]["answer"]> {
    const { config, checkpoint, backend } = ask;
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
    { run: name, request, foreseen = [] }: Extract<Call, { kind: "begin" }>,
  ): Promise<RunState> {
    // A request that was aborted by the next keystroke costs nothing.
    await this.around.pause();
    this.#stopIfAborted(id);
    const run = await this.#inTurn(id, () => this.#created(name, request));
    let unanswered = foreseen;
    // A page that sends queries along is about to paint their answers, and the first word: both need the processor more than the second word does.
    let mayRest = foreseen.length > 0;
    try {
      for (;;) {
        const [step, answers] = await this.#inTurn(id, () => this.#advance(id, run, unanswered));
        if (step.sourceReady) unanswered = [];
        const state = { ...step, answers };
        if (step.finished) {
          this.#keepAsLatest(run);
          return state;
        }
        this.around.post({ kind: "progress", id, state }, transferable(state));
        const rests = mayRest && step.generated.length > 0;
        if (rests) mayRest = false;
        await (rests ? this.around.rest() : this.around.pause());
        this.#stopIfAborted(id);
      }
    } finally {
      // What was computed before a stop may be shown: it stays until it is released.
      this.#leave(run);
    }
  }

  #created(name: number, request: RunRequest): HeldRun {
    if (this.#model === null) throw refuse("run/not-ready", "the run", "a loaded model", "none");
    const earlier = this.#latest?.wasm;
    const wasm =
      earlier === undefined ? this.#model.begin(request) : this.#model.beginAfter(request, earlier);
    const run = { wasm, users: 1, released: false };
    this.#runs.set(name, run);
    return run;
  }

  /** A step, and what was foreseen to be asked once the source is ready. */
  async #advance(
    id: number,
    run: HeldRun,
    unanswered: readonly Query[],
  ): Promise<[StepState, RunState["answers"]]> {
    const step = await this.#answered(() => run.wasm.step());
    return [step, step.sourceReady ? await this.#foreseen(id, run, unanswered) : []];
  }

  /** Runs one step at a time: without turns a GPU would compute every text that was typed at once. A call that waits for its turn may be aborted by then. */
  async #inTurn<T>(id: number, work: () => T | Promise<T>): Promise<T> {
    const turn = this.#step.then(() => {
      this.#stopIfAborted(id);
      return work();
    });
    this.#step = turn.catch(() => undefined);
    return turn;
  }

  async #lab(id: number, question: LabQuestion): Promise<Calls["lab"]["answer"]> {
    // A slider asks more often than answers come: a question that was aborted costs nothing.
    await this.around.pause();
    this.#stopIfAborted(id);
    return (await this.around.loadLab()).lab(question);
  }

  #stopIfAborted(id: number): void {
    if (this.#aborted.has(id)) throw aborted("run");
  }

  #held(name: number): HeldRun {
    const run = this.#runs.get(name);
    if (run === undefined) throw released();
    return run;
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
        const known = await this.#answered(() => answer.step());
        if (known !== undefined) return known;
        await this.around.pause();
        if (run.released) throw released();
      }
    } finally {
      answer.free();
    }
  }

  /** A query that cannot be answered gives null; it is refused when it is asked again. */
  async #foreseen(
    id: number,
    run: HeldRun,
    queries: readonly Query[],
  ): Promise<RunState["answers"]> {
    const answers: RunState["answers"] = [];
    for (const query of queries) {
      // On a GPU these take as long as a step, and a newer request may wait.
      this.#stopIfAborted(id);
      try {
        answers.push(await this.#ask(run, query));
      } catch (thrown) {
        if (this.#isEnd(thrown)) throw thrown;
        answers.push(null);
      }
    }
    return answers;
  }

  #keepAsLatest(run: HeldRun): void {
    const before = this.#latest;
    this.#latest = run;
    if (before !== null) this.#freeIfUnused(before);
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
