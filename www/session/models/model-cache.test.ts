import { beforeEach, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel, failed } from "../../../tests/support/fake-model.js";
import type { Adapter, LoadOptions, ModelSource, Restart } from "../../headscope.js";
import { BackendChoice, downloadOf, ModelCache, ModelPool, Pool } from "./model-cache.js";
import { cachedModel, modelFolder, pageFile, type PlacedFile } from "./picked-folder.js";

const ADAPTER: Adapter = { vendor: "maker", architecture: "", description: "", software: false };

it("a pool stops making what no caller waits for, and tries anew what could not be made", async () => {
  const pool = new Pool<string>(() => undefined);
  let signal: AbortSignal | undefined;
  const { release } = pool.take("a", (given) => {
    signal = given;
    return new Promise(() => undefined);
  });
  expect(signal?.aborted).toBe(false);
  release();
  expect(signal?.aborted).toBe(true);
  const failing = pool.take("b", () => Promise.reject(new Error("no network")));
  await expect(failing.value).rejects.toThrow("no network");
  await expect(pool.take("b", () => Promise.resolve("b")).value).resolves.toBe("b");
});

describe("the models of an explorer", () => {
  const { signal } = new AbortController();

  it("leave a GPU together, and no other", async () => {
    const onGpu = { ...FAKE_INFO, adapter: ADAPTER };
    const made = [onGpu, onGpu, FAKE_INFO].map((info) => new FakeModel(info));
    const loads = [...made];
    const models = new ModelCache(() => Promise.resolve(loads.shift() ?? new FakeModel()));
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
  let pool: ModelPool;
  let made: FakeModel[];
  let asked: LoadOptions[];
  let arrivals: (() => void)[];
  const load = (options: LoadOptions = {}): ReturnType<ModelPool["load"]> =>
    pool.load("https://a.example/m/", options);
  const arrive = (): void => arrivals.splice(0).forEach((go) => go());
  const loaded = async (): ReturnType<typeof load> => {
    const loading = load();
    arrive();
    return loading;
  };

  beforeEach(() => {
    made = [];
    asked = [];
    arrivals = [];
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
    const figure = load();
    asked[0]?.onProgress?.({ file: "config.json", loadedBytes: 2, totalBytes: 2 });
    asked[0]?.onProgress?.(progress);
    const explorer = load({ onProgress });
    asked[0]?.onProgress?.({ ...progress, loadedBytes: 10 });
    expect(onProgress.mock.calls.map(([{ loadedBytes }]) => loadedBytes)).toEqual([2, 5, 10]);
    arrive();
    await Promise.all([figure, explorer]);
    expect(made).toHaveLength(1);
  });

  it("end when the last of their users has done with them", async () => {
    vi.useFakeTimers();
    const figure = await loaded();
    const explorer = await loaded();
    figure.dispose();
    figure.dispose();
    await vi.advanceTimersByTimeAsync(5000);
    expect(made[0]?.disposed).toBe(false);
    explorer.dispose();
    await vi.advanceTimersByTimeAsync(5000);
    expect(made[0]?.disposed).toBe(true);
    vi.useRealTimers();
  });

  it("notify no user who has done with them, and the others still; one that left its GPU is not shared again", async () => {
    const gone = await loaded();
    const staying = await loaded();
    const listeners = [vi.fn(), vi.fn(), vi.fn()] as const;
    gone.onRestart(listeners[0]);
    staying.onRestart(listeners[1]);
    staying.onRestart(listeners[2])();
    gone.dispose();
    made[0]?.restart({ code: "gpu/lost", reason: "lost", leftGpu: true });
    expect(listeners.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 0]);
    void load();
    expect(made).toHaveLength(2);
  });

  it("are not stopped for one of several who wait", async () => {
    const figure = load();
    const waiting = new AbortController();
    const stopped = load({ signal: waiting.signal });
    waiting.abort();
    await expect(stopped).rejects.toThrow(/abort/i);
    expect(asked[0]?.signal?.aborted).toBe(false);
    arrive();
    await expect(figure).resolves.toBeDefined();
  });

  it("begin with their files again once their engine cannot be started any more, and a folder of one's own is not shared", async () => {
    const model = await loaded();
    const gone = failed("engine/not-restarted");
    if (made[0]) made[0].failing = gone;
    await expect(model.run({ text: "one" })).rejects.toBe(gone);
    void load();
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
  const refuse = (code: string) => (): Promise<never> => Promise.reject(failed(code));
  let choice: BackendChoice;
  const load = (options: LoadOptions = {}): Promise<unknown> =>
    choice.on((_: ModelSource, { backend }) => {
      asked.push(backend);
      return backend === "webgpu" ? onGpu() : Promise.resolve(model);
    })("m", options);

  beforeEach(() => {
    asked.length = 0;
    vi.clearAllMocks();
    onGpu = () => Promise.resolve(model);
    choice = new BackendChoice(events, () => Promise.resolve(ADAPTER));
    choice.follow("webgpu");
  });

  it.each([
    ["gpu/unavailable", "gpu/unavailable"],
    ["load/wasm", "gpu/unavailable"],
    ["engine/crashed", "gpu/unavailable"],
    ["gpu/absent", "gpu/absent"],
    ["gpu/silent", "gpu/silent"],
  ])("the CPU loads what the GPU refuses with %s, which is %s", async (code, left) => {
    onGpu = refuse(code);
    await expect(load()).resolves.toBe(model);
    expect(asked).toEqual(["webgpu", undefined]);
    expect(events.left).toHaveBeenCalledExactlyOnceWith(left);
    expect(events.used).not.toHaveBeenCalled();
    expect(choice.follow("cpu")).toBe(false);
  });

  it("a failure of the model itself is none of the GPU, and loading stops when it is stopped", async () => {
    onGpu = refuse("load/not-found");
    await expect(load()).rejects.toMatchObject({ code: "load/not-found" });
    onGpu = refuse("engine/disposed");
    const stopped = load({ signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ code: "engine/disposed" });
    expect(asked).toEqual(["webgpu", "webgpu"]);
    expect(events.left).not.toHaveBeenCalled();
  });

  it("the CPU loads what was on its way to a GPU that was left meanwhile", async () => {
    const late = new FakeModel();
    let arrive: () => void = () => undefined;
    onGpu = () => new Promise((resolve) => (arrive = () => resolve(late)));
    const coming = load();
    onGpu = refuse("gpu/unavailable");
    await load();
    arrive();
    await expect(coming).resolves.toBe(model);
    expect([late.disposed, asked]).toEqual([true, ["webgpu", "webgpu", undefined, undefined]]);
  });

  it("a GPU that stops with a model is left, and none for another restart", async () => {
    let restart: (why: Restart) => void = () => undefined;
    vi.spyOn(model, "onRestart").mockImplementation((listener) => {
      restart = listener;
      return () => true;
    });
    await load();
    restart({ code: "engine/crashed", reason: "killed", leftGpu: false });
    expect(events.left).not.toHaveBeenCalled();
    restart({ code: "gpu/lost", reason: "it was lost", leftGpu: true });
    expect(events.left).toHaveBeenCalledExactlyOnceWith("gpu/lost");
  });
});

const placed = (paths: readonly string[]): PlacedFile[] =>
  paths.map((path) =>
    Object.assign(new File([path], path.slice(path.lastIndexOf("/") + 1)), { path }),
  );

it.each([
  // The outermost one with a config.json, without what lies in folders inside it.
  ["bert", ["bert/onnx/config.json", "bert/config.json", "bert/model.safetensors"], [1, 2]],
  // Without a config.json the outermost one, so that the engine can say what it lacks.
  ["photos", ["photos/summer/one.jpg", "photos/two.jpg"], [1]],
  // A file that is a model by itself gives its name.
  ["smol", ["./smol.gguf"], [0]],
] as const)("the folder of a model is %s of %o", async (name, paths, inside) => {
  const folder = modelFolder(placed(paths));
  const texts = await Promise.all(folder?.files.map((file) => file.text()) ?? []);
  expect([folder?.name, texts]).toEqual([name, inside.map((at) => paths[at])]);
});

it.each([
  ["org/a-name", ["/models--org--a-name/refs/main", "/models--org--a-name/blobs/1f3e"]],
  ["gpt2", ["/hub/models--gpt2/blobs/1f3e"]],
  // On Windows the cache has files.
  [null, ["/models--org--name/refs/main", "/models--org--name/snapshots/abc/config.json"]],
  [null, ["/blobs/1f3e"]],
  [null, []],
])("only the cache folder of %s was picked: %o", (id, paths) => {
  expect(cachedModel(placed(paths))).toBe(id);
});

it.each([
  [true, ["The dog.json"]],
  [true, ["bert/page.json"]],
  [false, ["config.json"]],
  [false, ["a.json", "b.json"]],
  [false, ["photo.jpg"]],
  [false, []],
])("a saved page (%s) is a file that comes alone: %o", (isPage, paths) => {
  expect(pageFile(placed(paths)) !== null).toBe(isPage);
});
