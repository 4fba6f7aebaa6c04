import { describe, expect, it } from "vitest";
import type { RunRequest } from "../data/index.js";
import { Host } from "./host.js";
import type { Message, Query, Reply, WasmModel, WasmRun } from "./protocol.js";
import { emptyLog, fakeWasm } from "./testing/fake-wasm.js";

/** A host on a GPU whose steps take as long as the test says. */
async function hostOnGpu() {
  const log = emptyLog();
  const begun: number[] = [];
  const stepped: number[] = [];
  /** The runs whose masks were read. */
  const read: number[] = [];
  /** Steps and masks that are being computed. */
  const open: (() => void)[] = [];
  let most = 0;
  const replies: Reply[] = [];
  const computed = async <T>(list: number[], first: number, work: () => Promise<T>): Promise<T> => {
    list.push(first);
    await new Promise<void>((resolve) => (most = Math.max(most, open.push(resolve))));
    return work();
  };
  const slow = ({ ids: [first = 0] }: RunRequest, run: WasmRun): WasmRun => {
    begun.push(first);
    return {
      step: () => computed(stepped, first, () => run.step()),
      query: (query, other) => {
        const answer = run.query(query, other);
        const step = (): ReturnType<typeof answer.step> =>
          computed(read, first, () => answer.step());
        return { step, free: () => answer.free() };
      },
      free: () => run.free(),
    };
  };
  const slowly = (model: WasmModel): WasmModel => ({
    ...model,
    begin: (request) => slow(request, model.begin(request)),
    beginAfter: (request, earlier) => slow(request, model.beginAfter(request, earlier)),
  });
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  const host = new Host({
    findAdapter: () =>
      Promise.resolve({ vendor: "maker", architecture: "", description: "", software: false }),
    loadWasm: (build) => {
      const module = fakeWasm(log, build);
      return Promise.resolve({
        ...module,
        WasmModel: {
          load: async (config: string, checkpoint: Uint8Array<ArrayBuffer>) =>
            slowly(await module.WasmModel.load(config, checkpoint)),
        },
      });
    },
    loadLab: () => Promise.reject(new Error("no laboratory")),
    post: (reply) => replies.push(reply),
    pause: turn,
    rest: turn,
  });
  const call = (id: number, call: Extract<Message, { kind: "call" }>["call"]): void =>
    host.receive({ kind: "call", id, call });
  const settle = async (): Promise<void> => {
    for (let at = 0; at < 20; at += 1) await turn();
  };
  /** Lets the GPU finish one step. */
  const compute = async (): Promise<void> => {
    open.shift()?.();
    await settle();
  };
  call(1, { kind: "load", config: "{}", checkpoint: new Blob([]), backend: "webgpu" });
  await settle();
  const begin = async (id: number, foreseen: Query[] = []): Promise<void> => {
    call(id, { kind: "begin", run: id, request: { ids: [id] }, foreseen });
    await turn();
  };
  const ends = (): string[] =>
    replies.flatMap((reply) =>
      reply.kind === "value" && reply.id > 1
        ? [`${reply.id} done`]
        : reply.kind === "failure"
          ? [`${reply.id} ${reply.failure.code}`]
          : [],
    );
  return { host, begin, compute, settle, begun, stepped, read, ends, open, most: () => most };
}

describe("runs on a GPU, whose steps take their time", () => {
  it("compute what was typed last, and of what was typed before it no more than the step that had begun", async () => {
    const { host, begin, compute, settle, begun, stepped, ends, open, most } = await hostOnGpu();
    const names = Array.from({ length: 26 }, (_, at) => 10 + at);
    for (const id of names) {
      await begin(id);
      if (id > 10) host.receive({ kind: "abort", id: id - 1 });
    }
    await settle();
    expect([begun, stepped, open.length]).toEqual([[10], [10], 1]);
    for (let step = 0; step < 10; step += 1) await compute();
    expect(begun).toEqual([10, 35]);
    expect(new Set(stepped)).toEqual(new Set([10, 35]));
    expect(stepped.filter((id) => id === 10)).toEqual([10]);
    expect(ends().sort()).toEqual(
      [...names.slice(0, -1).map((id) => `${id} run/aborted`), "35 done"].sort(),
    );
    expect(most()).toBe(1);
  });

  it("read no more of what was foreseen once something newer was typed", async () => {
    const { host, begin, compute, stepped, read, ends } = await hostOnGpu();
    const masks = [0, 1, 2, 3].map(
      (head): Query => ({ what: "mask", stack: "encoder", layer: 0, head }),
    );
    await begin(10, masks);
    while (read.length === 0) await compute();
    await begin(11);
    host.receive({ kind: "abort", id: 10 });
    await compute();
    expect([read, stepped.at(-1)]).toEqual([[10], 11]);
    for (let step = 0; step < 6; step += 1) await compute();
    expect([read, ends()]).toEqual([[10], ["10 run/aborted", "11 done"]]);
  });
});
