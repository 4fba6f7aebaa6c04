import { beforeEach, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel, failed } from "../../../tests/support/fake-model.js";
import type { Adapter, LoadOptions, ModelSource, Restart } from "../../headscope.js";
import { BackendChoice, downloadOf, ModelCache, ModelPool, Pool } from "./model-cache.js";

const ADAPTER: Adapter = { vendor: "maker", architecture: "", description: "", software: false };

describe("a pool", () => {
  it("stops the making when nobody waits any more", () => {
    const pool = new Pool<string>(() => undefined);
    let signal: AbortSignal | undefined;
    const lease = pool.take("a", (given) => {
      signal = given;
      return new Promise(() => undefined);
    });
    expect(signal?.aborted).toBe(false);
    lease.release();
    expect(signal?.aborted).toBe(true);
  });

  it("tries anew what could not be made", async () => {
    const pool = new Pool<string>(() => undefined);
    const failed = pool.take("a", () => Promise.reject(new Error("no network")));
    await expect(failed.value).rejects.toThrow("no network");
    await expect(pool.take("a", () => Promise.resolve("a")).value).resolves.toBe("a");
  });
});

describe("the models of an explorer", () => {
  const { signal } = new AbortController();

  it("leave a GPU together, and no other", async () => {
    const onGpu = (): FakeModel => new FakeModel({ ...FAKE_INFO, adapter: ADAPTER });
    const made = [onGpu(), onGpu(), new FakeModel()];
    const loads = [...made];
    const models = new ModelCache(() => Promise.resolve(loads.shift() ?? onGpu()));
    const names = ["models/en-fr", "models/tiny-gpt", "models/tiny-bert"] as const;
    for (const name of names) await models.fetch(name, signal);
    expect(models.leaveGpu()).toEqual(names.slice(0, 2));
    expect(made.map(({ disposed }) => disposed)).toEqual([true, true, false]);
    expect(names.map((name) => models.loaded(name))).toEqual([null, null, made[2]]);
  });

  it("are loaded from the address of a folder that the page names, which is offered again", async () => {
    const load = vi.fn(() => Promise.resolve(new FakeModel()));
    const models = new ModelCache(load, (model) => `address of ${model}`);
    await models.fetch("at/./models/mine/", signal);
    expect(load).toHaveBeenCalledWith("address of at/./models/mine/", expect.anything());
    expect(models.opened).toEqual(["at/./models/mine/"]);
  });
});

describe("the models of a page", () => {
  const HOME = "https://a.example/m/";
  let pool: ModelPool;
  let made: FakeModel[];
  let asked: LoadOptions[];
  let arrivals: (() => void)[];
  const arrive = (): void => arrivals.splice(0).forEach((go) => go());

  beforeEach(() => {
    [made, asked, arrivals] = [[], [], []];
    pool = new ModelPool((_, options) => {
      asked.push(options);
      const model = new FakeModel();
      made.push(model);
      return new Promise((resolve) => arrivals.push(() => resolve(model)));
    });
  });

  it("are loaded once for a figure and an explorer, and both follow the download", async () => {
    const progress = { file: "model.safetensors", loadedBytes: 5, totalBytes: 10 };
    const onProgress = vi.fn<(one: { loadedBytes: number }) => void>();
    const figure = pool.load(HOME, {});
    asked[0]?.onProgress?.({ file: "config.json", loadedBytes: 2, totalBytes: 2 });
    asked[0]?.onProgress?.(progress);
    const explorer = pool.load(HOME, { onProgress });
    asked[0]?.onProgress?.({ ...progress, loadedBytes: 10 });
    expect(onProgress.mock.calls.map(([{ loadedBytes }]) => loadedBytes)).toEqual([2, 5, 10]);
    arrive();
    const run = await (await explorer).run({ text: "one two" });
    await figure;
    expect([made.length, made[0]?.held.has(run as never)]).toEqual([1, true]);
  });

  it("end when the last of their users has done with them", async () => {
    vi.useFakeTimers();
    const loading = [pool.load(HOME, {}), pool.load(HOME, {})];
    arrive();
    const [figure, explorer] = await Promise.all(loading);
    figure?.dispose();
    figure?.dispose();
    await vi.advanceTimersByTimeAsync(5000);
    expect(made[0]?.disposed).toBe(false);
    explorer?.dispose();
    await vi.advanceTimersByTimeAsync(5000);
    expect(made[0]?.disposed).toBe(true);
    vi.useRealTimers();
  });

  it("notify no user who has done with them, and the others still; one that left its GPU is not shared again", async () => {
    const loading = [pool.load(HOME, {}), pool.load(HOME, {})];
    arrive();
    const [gone, staying] = await Promise.all(loading);
    const listeners = [vi.fn(), vi.fn(), vi.fn()] as const;
    gone?.onRestart(listeners[0]);
    staying?.onRestart(listeners[1]);
    staying?.onRestart(listeners[2])();
    gone?.dispose();
    made[0]?.restart({ code: "gpu/lost", reason: "lost", leftGpu: true });
    expect(listeners.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 0]);
    void pool.load(HOME, {});
    expect(made).toHaveLength(2);
  });

  it("are not stopped for one of several who wait", async () => {
    const figure = pool.load(HOME, {});
    const waiting = new AbortController();
    const stopped = pool.load(HOME, { signal: waiting.signal });
    waiting.abort();
    await expect(stopped).rejects.toThrow(/abort/i);
    expect(asked[0]?.signal?.aborted).toBe(false);
    arrive();
    await expect(figure).resolves.toBeDefined();
  });

  it("begin with their files again once their engine cannot be started any more, and a folder of one's own is not shared", async () => {
    const loading = pool.load(HOME, {});
    arrive();
    const model = await loading;
    const gone = failed("engine/not-restarted");
    if (made[0]) made[0].failing = gone;
    await expect(model.run({ text: "one" })).rejects.toBe(gone);
    void pool.load(HOME, {});
    expect(made).toHaveLength(2);
    void pool.load([], {});
    void pool.load([], {});
    expect(made).toHaveLength(4);
  });
});

it.each([
  ["models/tiny-gpt", { loadedBytes: 107_824, totalBytes: 107_824 }, 2_820_000],
  ["models/tiny-gpt", { loadedBytes: 3_000_000, totalBytes: 3_000_000 }, 3_000_800],
  ["opened/mine", { loadedBytes: 100, totalBytes: 5000 }, 5800],
  ["opened/mine", { loadedBytes: 100 }, null],
] as const)("the download of %s is that of all its files: %o of %s", (name, last, totalBytes) => {
  const added = downloadOf(name);
  const first = added({ file: "config.json", loadedBytes: 800, totalBytes: 800 });
  expect(first.totalBytes).toBe(name === "opened/mine" ? null : 2_820_000);
  const loadedBytes = 800 + last.loadedBytes;
  expect(added({ file: "model.safetensors", ...last })).toMatchObject({ loadedBytes, totalBytes });
});

describe("where models compute", () => {
  const events = { left: vi.fn(), used: vi.fn() };
  const asked: (string | undefined)[] = [];
  const model = new FakeModel();
  let onGpu: () => Promise<FakeModel>;
  const load = (_: ModelSource, { backend }: LoadOptions): Promise<FakeModel> => {
    asked.push(backend);
    return backend === "webgpu" ? onGpu() : Promise.resolve(model);
  };
  const refuse = (code: string) => (): Promise<never> => Promise.reject(failed(code));
  let choice: BackendChoice;

  beforeEach(() => {
    asked.length = 0;
    vi.clearAllMocks();
    onGpu = () => Promise.resolve(model);
    choice = new BackendChoice(events, () => Promise.resolve(ADAPTER));
    choice.follow("webgpu");
  });

  it("a GPU is found once", async () => {
    choice.look();
    await vi.waitFor(() => expect(choice.adapter).toEqual(ADAPTER));
  });

  it.each([
    ["gpu/unavailable", "gpu/unavailable"],
    ["load/wasm", "gpu/unavailable"],
    ["engine/crashed", "gpu/unavailable"],
    ["gpu/absent", "gpu/absent"],
    ["gpu/silent", "gpu/silent"],
  ])("the CPU loads what the GPU refuses with %s, which is %s", async (code, left) => {
    onGpu = refuse(code);
    await expect(choice.on(load)("m", {})).resolves.toBe(model);
    expect(asked).toEqual(["webgpu", undefined]);
    expect(events.left).toHaveBeenCalledExactlyOnceWith(left);
    expect(events.used).not.toHaveBeenCalled();
    expect(choice.follow("cpu")).toBe(false);
  });

  it("a failure of the model itself is none of the GPU, and loading stops when it is stopped", async () => {
    onGpu = refuse("load/not-found");
    await expect(choice.on(load)("m", {})).rejects.toMatchObject({ code: "load/not-found" });
    onGpu = refuse("engine/disposed");
    const stopped = choice.on(load)("m", { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ code: "engine/disposed" });
    expect(asked).toEqual(["webgpu", "webgpu"]);
    expect(events.left).not.toHaveBeenCalled();
  });

  it("the CPU loads what was on its way to a GPU that was left meanwhile", async () => {
    const late = new FakeModel();
    let arrive: () => void = () => undefined;
    onGpu = () => new Promise((resolve) => (arrive = () => resolve(late)));
    const coming = choice.on(load)("m", {});
    onGpu = refuse("gpu/unavailable");
    await choice.on(load)("other", {});
    arrive();
    await expect(coming).resolves.toBe(model);
    expect(late.disposed).toBe(true);
    expect(asked).toEqual(["webgpu", "webgpu", undefined, undefined]);
  });

  it("a GPU that stops with a model is left, and none for another restart", async () => {
    let restart: (why: Restart) => void = () => undefined;
    vi.spyOn(model, "onRestart").mockImplementation((listener) => {
      restart = listener;
      return () => true;
    });
    await choice.on(load)("m", {});
    restart({ code: "engine/crashed", reason: "killed", leftGpu: false });
    expect(events.left).not.toHaveBeenCalled();
    restart({ code: "gpu/lost", reason: "it was lost", leftGpu: true });
    expect(events.left).toHaveBeenCalledExactlyOnceWith("gpu/lost");
  });
});
