import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client, type ModelFiles, DemoCore } from "./client.js";
import { aborted } from "./errors.js";
import { FakeThreads } from "./testing/fake-threads.js";
import { GPU_HANGS, GPU_REFUSES, INFO } from "./testing/fake-wasm.js";

const FILES: ModelFiles = { config: "{}", checkpoint: [], backend: "cpu" };
const WEIGHTS = { what: "attention", stack: "encoder", head: 2, layer: 1 } as const;
const HIDDEN = { what: "hidden", stack: "encoder", layer: 0 } as const;
const SPECTRUM = { what: "spectrum", stack: "encoder", head: 0 } as const;
const GPU = { vendor: "maker", architecture: "line", description: "", software: false };
const onCpu = (gpuFailure: string): object => ({ ...INFO, adapter: null, gpuFailure });
const DONE = { finished: true };

let threads: FakeThreads;
let client: Client;
let run = 0;

/** `started` settles after the first of a run's four steps. */
function begin(ids: number[], of = client, signal?: AbortSignal) {
  run += 1;
  let onProgress = (): void => undefined;
  const started = new Promise<void>((resolve) => (onProgress = resolve));
  const options = { signal, onProgress: () => onProgress() };
  const ask = { run, request: { ids, generate: {} } };
  const state = of.open().then((channel) => channel.send("begin", ask, options));
  return { run, started, state };
}

async function load(backend: ModelFiles["backend"], spawn = threads.spawn) {
  const loaded = await Client.load(spawn, { ...FILES, backend });
  const restarted = vi.fn();
  loaded.client.onRestart(restarted);
  return { ...loaded, restarted };
}

const ask = async (query: object): Promise<object> =>
  (await client.open()).send("query", { run, query: query as typeof HIDDEN });
const release = async (): Promise<void> => (await client.open()).release(run);
const fails = (promise: Promise<unknown>, code: string, got?: string): Promise<void> =>
  expect(promise).rejects.toMatchObject(got === undefined ? { code } : { code, got });
const freed = (): number[][] => threads.log.freed.map(({ request }) => request.ids);
const closed = (): boolean[] => threads.started.map((thread) => thread.closed);
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

beforeEach(async () => {
  threads = new FakeThreads();
  ({ client } = await Client.load(threads.spawn, FILES));
});
afterEach(() => {
  client.dispose();
  vi.useRealTimers();
});

describe("the client and the host", () => {
  it("an aborted run rejects at once, and can be read until it is released", async () => {
    const controller = new AbortController();
    const { state, started } = begin([3, 4], client, controller.signal);
    await started;
    controller.abort();
    await fails(state, "run/aborted");
    await expect(ask(WEIGHTS)).resolves.toMatchObject({ axes: ["query", "key"] });
    expect(freed()).toEqual([]);
    await release();
    await vi.waitFor(() => expect(freed()).toEqual([[3, 4]]));
  });

  it("keeps its process alive as long as an answer is awaited, and no longer", async () => {
    const isBusy = (): boolean | undefined => threads.started.at(-1)?.busy;
    expect(isBusy()).toBe(false);
    await begin([3]).state;
    expect(isBusy()).toBe(false);
    const [one, other] = [ask(WEIGHTS), ask(HIDDEN)];
    await turn();
    expect(isBusy()).toBe(true);
    await one;
    await other;
    expect(isBusy()).toBe(false);
  });

  it("a failed answer or an unsendable request costs no thread", async () => {
    await begin([3]).state;
    await fails(ask({ ...HIDDEN, layer: 1n }), "engine/internal");
    await expect(ask(HIDDEN)).resolves.toMatchObject({ shape: [2, 2] });
    const request = { ids: [3], edits: { heads: [{ gate: (() => 0) as unknown as number }] } };
    await fails(
      client.open().then((channel) => channel.send("begin", { run: 99, request })),
      "input/malformed",
    );
    expect(threads.started).toHaveLength(1);
  });

  it("the next run may reuse the one before, even a released one", async () => {
    await begin([3]).state;
    await release();
    await begin([3, 4]).state;
    expect(threads.log.previous.map((previous) => previous?.request.ids)).toEqual([undefined, [3]]);
    await vi.waitFor(() => expect(freed()).toEqual([[3]]));
  });

  it("an answer of many steps lets others pass, and ends with its run", async () => {
    await begin([3]).state;
    const order: string[] = [];
    const spectrum = ask({ ...SPECTRUM, layer: 40 });
    await Promise.all([
      spectrum.then(() => order.push("spectrum")),
      ask(HIDDEN).then(() => order.push("hidden")),
    ]);
    expect(order).toEqual(["hidden", "spectrum"]);
    await expect(spectrum).resolves.toMatchObject({ data: Float32Array.of(40, 0, 0, 0) });
    const endless = ask({ ...SPECTRUM, layer: 1e9 });
    await release();
    await fails(endless, "run/released");
    expect(threads.log.answersFreed).toBe(3);
  });
});

describe("runs on a GPU, whose steps take their time", () => {
  /** The computations so far, each with the first id of its run. */
  let computed: string[];
  let open: (() => void)[];
  let most: number;
  let gpu: Client;

  beforeEach(async () => {
    computed = [];
    open = [];
    most = 0;
    threads.adapter = GPU;
    ({ client: gpu } = await load("webgpu"));
    threads.log.gate = async (work, id) => {
      computed.push(`${work} ${id}`);
      await new Promise<void>((resolve) => (most = Math.max(most, open.push(resolve))));
    };
  });
  afterEach(() => gpu.dispose());

  const settle = async (): Promise<void> => {
    for (let at = 0; at < 20; at += 1) await turn();
  };
  /** Lets the GPU finish one step. */
  const compute = async (): Promise<void> => {
    open.shift()?.();
    await settle();
  };

  it("compute what was typed last, and of what was typed before it no more than the step that had begun", async () => {
    const ended: unknown[] = [];
    let stop = new AbortController();
    for (let id = 10; id < 36; id += 1) {
      stop.abort();
      stop = new AbortController();
      const { state } = begin([id], gpu, stop.signal);
      state.then(() => ended.push(id)).catch((thrown: unknown) => ended.push(thrown));
      await (id === 10 ? settle() : turn());
    }
    await settle();
    expect([computed, open.length]).toEqual([["step 10"], 1]);
    for (let step = 0; step < 10; step += 1) await compute();
    expect(computed).toEqual(["step 10", ...Array.from({ length: 4 }, () => "step 35")]);
    expect(ended).toEqual([...Array.from({ length: 25 }, () => aborted("run")), 35]);
    expect(most).toBe(1);
  });

  it("read no more of what was foreseen once something newer was typed", async () => {
    const foreseen = [0, 1, 2, 3].map((head) => ({ ...WEIGHTS, what: "mask" as const, head }));
    const stop = new AbortController();
    const ids = [10];
    const first = gpu
      .open()
      .then((channel) => channel.send("begin", { run: 98, request: { ids }, foreseen }, stop));
    const refused = fails(first, "run/aborted");
    await settle();
    await compute();
    const { state } = begin([11], gpu);
    stop.abort();
    await refused;
    await settle();
    for (let step = 0; step < 6; step += 1) await compute();
    const steps = Array.from({ length: 4 }, () => "step 11");
    expect(computed).toEqual(["step 10", "answer 10", ...steps]);
    await expect(state).resolves.toMatchObject(DONE);
  });
});

describe("when the thread dies", () => {
  it("pending calls reject, the model loads again, and the page is notified", async () => {
    const restarted = vi.fn();
    client.onRestart(restarted);
    const { state, started } = begin([3]);
    await started;
    threads.last.die("out of memory");
    await fails(state, "engine/crashed", "out of memory");
    await expect(begin([5]).state).resolves.toMatchObject(DONE);
    expect(restarted).toHaveBeenCalledTimes(1);
    expect([closed(), threads.log.loaded]).toEqual([[true, false], 2]);
  });

  it("one on a GPU is followed by one on the CPU", async () => {
    threads.adapter = GPU;
    const { client: gpu, info, restarted } = await load("webgpu");
    expect([info.adapter, threads.log.builds.at(-1)]).toEqual([GPU, "webgpu"]);
    const channels = [await gpu.open()];
    const { state, started } = begin([3], gpu);
    await started;
    threads.last.die("the device was lost");
    await fails(state, "gpu/lost", "the device was lost");
    await vi.waitFor(() => expect(restarted).toHaveBeenCalledTimes(1));
    const lost = { code: "gpu/lost", reason: "the device was lost", leftGpu: true };
    expect(restarted).toHaveBeenCalledWith(lost, onCpu("the device was lost"));
    expect(threads.log.builds.at(-1)).toBe("cpu");
    channels.push(await gpu.open());
    threads.last.die("killed");
    await vi.waitFor(() => expect(restarted).toHaveBeenCalledTimes(2));
    const crashed = { code: "engine/crashed", reason: "killed", leftGpu: false };
    expect(restarted).toHaveBeenLastCalledWith(crashed, onCpu("the device was lost"));
    // The reason for which a run was lost stays.
    for (const [at, code] of ["gpu/lost", "engine/crashed"].entries())
      await fails(channels[at]?.send("query", { run: 1, query: HIDDEN }) ?? turn(), code);
    gpu.dispose();
  });

  it("a GPU that refuses its work is lost; on the CPU a refusal is an answer", async () => {
    await fails(begin([GPU_REFUSES]).state, "gpu/unavailable");
    expect(threads.started).toHaveLength(1);
    threads.adapter = GPU;
    const { client: gpu } = await load("auto");
    await fails(begin([GPU_REFUSES], gpu).state, "gpu/lost", "a lost one");
    expect(threads.started).toHaveLength(3);
    gpu.dispose();
  });

  it("a GPU that does not answer is lost, and the restart says so", async () => {
    threads.adapter = GPU;
    const { client: gpu, restarted } = await load("webgpu");
    vi.useFakeTimers();
    const reason = "no answer within 60 seconds";
    const refused = fails(begin([GPU_HANGS], gpu).state, "gpu/lost", reason);
    await vi.advanceTimersByTimeAsync(61_000);
    vi.useRealTimers();
    await refused;
    await vi.waitFor(() => expect(restarted).toHaveBeenCalledTimes(1));
    const silent = { code: "gpu/silent", reason, leftGpu: true };
    expect(restarted).toHaveBeenCalledWith(silent, onCpu(reason));
    gpu.dispose();
  });

  it("and again while it loads, the waiting run rejects and the next one starts a third", async () => {
    const restarted = vi.fn();
    client.onRestart(restarted);
    threads.last.die("first");
    const { state } = begin([3]);
    threads.last.die("second");
    await fails(state, "engine/not-restarted", "second");
    expect([threads.started.length, restarted.mock.calls]).toEqual([2, []]);
    await expect(begin([4]).state).resolves.toMatchObject(DONE);
    expect(closed()).toEqual([true, true, false]);
    expect(restarted).toHaveBeenCalledTimes(1);
  });

  it("and the browser refuses another once, the next run starts one", async () => {
    let refused = 0;
    const { client: second } = await load("cpu", (listeners) => {
      if (threads.started.length === 2 && refused++ === 0)
        throw new DOMException("no more threads", "QuotaExceededError");
      return threads.spawn(listeners);
    });
    threads.last.die("killed");
    await vi.waitFor(() => expect(refused).toBe(1));
    await expect(begin([3], second).state).resolves.toMatchObject(DONE);
    second.dispose();
  });
});

describe("a thread that dies while it loads", () => {
  const dying = (backend: ModelFiles["backend"]): ReturnType<typeof load> => {
    const loading = load(backend);
    threads.last.die("out of memory");
    return loading;
  };

  it("by a trap is not started again", async () => {
    await fails(Client.load(threads.spawn, { ...FILES, config: "trap" }), "engine/crashed");
    expect(closed()).toEqual([false, true]);
  });

  it("onto a GPU is followed by one for the CPU only where the backend is “auto”", async () => {
    threads.adapter = GPU;
    await fails(dying("webgpu"), "gpu/unavailable", "out of memory");
    expect(threads.started).toHaveLength(2);
    const { client: second, info } = await dying("auto");
    expect(info).toMatchObject({ adapter: null, gpuFailure: "out of memory" });
    expect(threads.started).toHaveLength(4);
    await expect(begin([3], second).state).resolves.toMatchObject(DONE);
    second.dispose();
    const deadly: typeof threads.spawn = (listeners) => {
      const thread = threads.spawn(listeners);
      queueMicrotask(() => listeners.onFailure("again"));
      return thread;
    };
    await fails(load("auto", deadly), "engine/crashed", "again");
    expect(threads.started).toHaveLength(6);
  });
});

const WAVES = { length: 4, dim: 8, base: 100 };
const ANSWER = { table: [4, 8, 100] };

it("the demos have one thread, which starts with the first question", async () => {
  const threads = new FakeThreads();
  const core = new DemoCore(threads.spawn);
  expect(threads.started).toHaveLength(0);
  const answers = [core.ask("waves", WAVES), core.ask("waves", { ...WAVES, dim: 2 })];
  await expect(Promise.all(answers)).resolves.toMatchObject([ANSWER, { table: [4, 2, 100] }]);
  expect(threads.started).toHaveLength(1);
  expect(threads.log).toMatchObject({ demos: 2, builds: [] });
});

it("the demos answer the last of a burst, and no call that was stopped", async () => {
  const core = new DemoCore(new FakeThreads().spawn);
  const stop = new AbortController();
  const outdated = core.ask("waves", WAVES, { signal: stop.signal });
  stop.abort();
  await expect(outdated).rejects.toMatchObject({ code: "run/aborted" });
  await expect(core.ask("waves", WAVES)).resolves.toMatchObject(ANSWER);
});

it("the demos start again after a question that their thread did not survive", async () => {
  const threads = new FakeThreads();
  const core = new DemoCore(threads.spawn);
  const trapped = core.ask("waves", { ...WAVES, length: 7 });
  await expect(trapped).rejects.toMatchObject({ code: "engine/crashed" });
  await expect(core.ask("waves", WAVES)).resolves.toMatchObject(ANSWER);
  expect(threads.started.map(({ closed }) => closed)).toEqual([true, false]);
});
