import type { Page } from "@playwright/test";
import type { Painted, RunRequest } from "../../www/data/index.js";
import type { Call, Message, Read, Reply, RunState } from "../../www/engine/protocol.js";
import { apart } from "./apart.js";

/** What a page asked its threads on a GPU, asked again of the CPU. */
export interface Heard {
  /** Runs that were computed to their end, and the answers that were compared, by what was read. */
  runs: number;
  reads: Partial<Record<Read["what"], number>>;
  /** Requests by the families of their edits. */
  edits: string[];
  /** Where the CPU answers otherwise. */
  apart: string[];
}

interface Begun {
  call: Extract<Call, { kind: "begin" }>;
  /** Null until it is computed to its end. */
  targetIds: number[] | null;
}

interface Asked {
  run: number;
  read: Read;
  answer: unknown;
}

interface Thread {
  url: string;
  load: Extract<Call, { kind: "load" }> | null;
  runs: Map<number, Begun>;
  reads: Asked[];
}

declare global {
  interface Window {
    playTape(): Promise<Heard>;
    rewindTape(): void;
    apart: typeof apart;
  }
}

/** Records from now on what the page asks threads with a model, and what they answer. */
export async function recordTape(page: Page): Promise<void> {
  await page.addInitScript(`window.apart = ${apart.toString()}`);
  await page.addInitScript(record);
}

/** Forgets what was asked so far. */
export function rewindTape(page: Page): Promise<void> {
  return page.evaluate(() => window.rewindTape());
}

/** Asks a CPU for all of it, and says where it answers otherwise. */
export function playTape(page: Page): Promise<Heard> {
  return page.evaluate(() => window.playTape());
}

function record(): void {
  const Native = window.Worker;
  const threads: Thread[] = [];
  /** What is asked of a text that is still being written is answered of less than there will be. */
  const isWriting = (thread: Thread, run: number, read: Read): boolean => {
    const begun = thread.runs.get(run);
    return (
      begun?.call.request.generate !== undefined &&
      begun.targetIds === null &&
      !("stack" in read && read.stack === "encoder")
    );
  };
  const keep = (thread: Thread, run: number, read: Read, answer: unknown): void => {
    thread.reads.push({ run, read, answer: structuredClone(answer) });
  };
  const isComputed = (thread: Thread, run: number): boolean =>
    (thread.runs.get(run)?.targetIds ?? null) !== null;
  const hear = (
    thread: Thread,
    call: Call | undefined,
    reply: Reply,
    { early, unready }: { early: boolean; unready: boolean },
  ): void => {
    if (call?.kind === "begin" && (reply.kind === "value" || reply.kind === "progress")) {
      const state = (reply.kind === "value" ? reply.value : reply.state) as RunState;
      const begun = thread.runs.get(call.run);
      if (begun && reply.kind === "value") begun.targetIds = [...state.targetIds];
      for (const [at, answer] of state.answers.entries()) {
        const read = call.foreseen?.[at];
        if (read && answer !== null && !isWriting(thread, call.run, read))
          keep(thread, call.run, read, answer);
      }
    }
    if (call?.kind !== "read" || early) return;
    if (reply.kind === "value") keep(thread, call.run, call.read, reply.value);
    // What nobody holds any more is no answer, nor is it one that a run is still being computed.
    else if (
      reply.kind === "failure" &&
      reply.failure.code !== "run/released" &&
      !(unready && reply.failure.code === "run/not-ready")
    )
      keep(thread, call.run, call.read, reply.failure.code);
  };
  window.Worker = class extends Native {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      const thread: Thread = {
        url: new URL(url, document.baseURI).href,
        load: null,
        runs: new Map(),
        reads: [],
      };
      const calls = new Map<number, Call>();
      const early = new Set<number>();
      const unready = new Set<number>();
      threads.push(thread);
      this.addEventListener(
        "message",
        ({ data }: MessageEvent<Reply>) =>
          "id" in data &&
          hear(thread, calls.get(data.id), data, {
            early: early.has(data.id),
            unready: unready.has(data.id),
          }),
      );
      const post = this.postMessage.bind(this);
      this.postMessage = (message: Message): void => {
        if (message.kind === "call") {
          calls.set(message.id, message.call);
          if (
            message.call.kind === "read" &&
            isWriting(thread, message.call.run, message.call.read)
          )
            early.add(message.id);
          if (message.call.kind === "read" && !isComputed(thread, message.call.run))
            unready.add(message.id);
          if (message.call.kind === "load") thread.load = message.call;
          if (message.call.kind === "begin")
            thread.runs.set(message.call.run, { call: message.call, targetIds: null });
        }
        post(message);
      };
    }
  };

  async function ask(worker: Worker, id: number, call: Call): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const heard = ({ data }: MessageEvent<Reply>): void => {
        if (data.kind === "fatal") reject(new Error(data.reason));
        if (!("id" in data) || data.id !== id || data.kind === "progress") return;
        worker.removeEventListener("message", heard);
        resolve(data.kind === "value" ? data.value : data.failure.code);
      };
      worker.addEventListener("message", heard);
      worker.postMessage({ kind: "call", id, call } satisfies Message);
    });
  }

  /** A CPU paints nothing: of `painted` the sums that come with a picture are compared, the picture itself in gpu-picture.spec.ts. */
  const replayed = (read: Read, answer: unknown): [Read, unknown] => {
    if (read.what !== "painted" || typeof answer !== "object" || answer === null)
      return [read, answer];
    const { stack, layer, head, stage } = read;
    return [{ what: "marginals", stack, layer, head, stage }, (answer as Painted).marginals];
  };

  const familiesOf = ({ edits }: RunRequest): string[] =>
    Object.entries(edits ?? {}).flatMap(([family, list]) =>
      Array.isArray(list) && list.length > 0 ? [family] : [],
    );

  window.rewindTape = () => {
    for (const { runs, reads } of threads) {
      runs.clear();
      reads.length = 0;
    }
  };

  window.playTape = async () => {
    const heard: Heard = { runs: 0, reads: {}, edits: [], apart: [] };
    for (const { url, load, runs, reads } of threads) {
      if (load?.backend !== "webgpu") continue;
      const worker = new Native(url, { type: "module" });
      let last = 0;
      const call = (body: Call): Promise<unknown> => ask(worker, (last += 1), body);
      await call({ ...load, backend: "cpu" });
      for (const [run, { call: begun, targetIds }] of runs) {
        if (targetIds === null) continue;
        heard.runs += 1;
        heard.edits = [...new Set([...heard.edits, ...familiesOf(begun.request)])];
        const state = (await call({ kind: "begin", run, request: begun.request })) as {
          targetIds: number[];
        };
        heard.apart.push(...window.apart(state.targetIds, targetIds, `written by run ${run}`));
      }
      const compared = new Set<string>();
      for (const { run, read, answer } of reads) {
        const name = `run ${run} ${JSON.stringify(read, (field, value: unknown) => (field === "lexicon" ? undefined : value))}`;
        const others = "other" in read ? [run, read.other] : [run];
        // What stands together has sums of its own: these are compared where they are shown.
        const isJoined = read.what === "painted" && read.groups !== null;
        if (
          isJoined ||
          compared.has(name) ||
          others.some((one) => (runs.get(one)?.targetIds ?? null) === null)
        )
          continue;
        compared.add(name);
        heard.reads[read.what] = (heard.reads[read.what] ?? 0) + 1;
        const edits = JSON.stringify(runs.get(run)?.call.request.edits);
        const [again, there] = replayed(read, answer);
        heard.apart.push(
          ...window
            .apart(await call({ kind: "read", run, read: again }), there, `${name} ${edits}`)
            .slice(0, 3),
        );
      }
      worker.terminate();
    }
    return heard;
  };
}
