import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "./client.js";
import type { LoadOptions, LoadProgress, Model, ModelSource } from "./contract.js";
import { openModel } from "./model.js";
import { ModelPool } from "./model-pool.js";
import { FakeThreads } from "./testing/fake-threads.js";
import { wordTokenizer } from "./testing/word-tokenizer.js";
import { Vocabulary } from "./vocabulary.js";

const PLACE = "https://a.example/m/";
const GPU = { name: "a GPU", software: false };

describe("the models of a page", () => {
  let threads: FakeThreads;
  let pool: ModelPool;
  /** The options of each load that began. */
  let asked: LoadOptions[];
  let arrived: Promise<void>;
  let arrive: () => void;

  beforeEach(() => {
    threads = new FakeThreads();
    asked = [];
    arrived = new Promise((resolve) => (arrive = resolve));
    pool = new ModelPool(async (_, options) => {
      asked.push(options);
      await arrived;
      const files = { config: "{}", checkpoint: [], backend: options.backend };
      const { client, info } = await Client.load(threads.spawn, files);
      return openModel(client, info, new Vocabulary(wordTokenizer(), info));
    });
  });
  afterEach(() => vi.useRealTimers());

  const load = (options: LoadOptions = {}, source: ModelSource = PLACE): Promise<Model> =>
    pool.load(source, options);
  const loaded = (options?: LoadOptions): Promise<Model> => {
    arrive();
    return load(options);
  };
  const closed = (): boolean[] => threads.started.map((thread) => thread.closed);

  it.each<[string, number, ModelSource, LoadOptions]>([
    ["the same address", 1, PLACE, {}],
    ["its folder without the last slash, as a URL", 1, new URL("https://a.example/m"), {}],
    ["the default options", 1, PLACE, { backend: "cpu", weights: "stored", token: "" }],
    ["other listeners, and a store", 1, PLACE, { store: true, onProgress: () => undefined }],
    ["another version", 2, `${PLACE}?v=2`, {}],
    ["a file of the folder", 2, `${PLACE}m.gguf`, {}],
    ["another backend", 2, PLACE, { backend: "auto" }],
    ["weights in bytes", 2, PLACE, { weights: "int8" }],
    ["a token", 2, PLACE, { token: "mine" }],
    ["a thread of its own", 2, PLACE, { shared: false }],
  ])("two that name %s have %i threads", async (_, count, source, options) => {
    arrive();
    const both = await Promise.all([load(), load(options, source)]);
    expect(threads.started).toHaveLength(count);
    for (const model of both) model.dispose();
    await vi.waitFor(() => expect(closed()).toEqual(Array(count).fill(true)));
  });

  it("files in memory are loaded for each, since only their owner knows whether they are the same", async () => {
    arrive();
    const files: ModelSource = [];
    const both = await Promise.all([load({}, files), load({}, files)]);
    expect(threads.started).toHaveLength(2);
    for (const model of both) model.dispose();
    expect(closed()).toEqual([true, true]);
  });

  it("one use ends with what it asked and its runs, and no other one", async () => {
    const own = await loaded();
    const figure = await loaded();
    const [mine, theirs] = [await own.run({ ids: [4] }), await figure.run({ ids: [5] })];
    const asking = mine.attention({ stack: "encoder", layer: 0, head: 0 });
    const pending = own.run({ ids: [6] });
    own.dispose();
    own.dispose();
    const over = { code: "engine/disposed" };
    await expect(asking).rejects.toMatchObject(over);
    await expect(pending).rejects.toMatchObject(over);
    await expect(mine.attention({ stack: "encoder", layer: 0, head: 0 })).rejects.toMatchObject(
      over,
    );
    await expect(own.run({ ids: [4] })).rejects.toMatchObject(over);
    await expect(theirs.attention({ stack: "encoder", layer: 0, head: 0 })).resolves.toBeDefined();
    const freed = (): number[][] => threads.log.freed.map(({ request }) => request.ids);
    await vi.waitFor(() => expect(freed()).toContainEqual([4]));
    expect(freed()).not.toContainEqual([5]);
    expect(closed()).toEqual([false]);
    figure.dispose();
    await vi.waitFor(() => expect(closed()).toEqual([true]));
  });

  it("are loaded once for a component that is mounted, unmounted and mounted in one task", async () => {
    const unmounted = new AbortController();
    const first = load({ signal: unmounted.signal });
    unmounted.abort();
    const second = load();
    await expect(first).rejects.toMatchObject({ code: "load/aborted" });
    arrive();
    (await second).dispose();
    const third = await load();
    expect([asked.length, threads.started.length]).toEqual([1, 1]);
    third.dispose();
    await vi.waitFor(() => expect(closed()).toEqual([true]));
  });

  it("stay for a while after an element that may only have moved", async () => {
    arrive();
    const element = await pool.load(PLACE, {}, 2000);
    vi.useFakeTimers();
    element.dispose();
    await vi.advanceTimersByTimeAsync(1900);
    expect(closed()).toEqual([false]);
    await vi.advanceTimersByTimeAsync(200);
    expect(closed()).toEqual([true]);
  });

  it("report their download to each who waits, from where it is", async () => {
    const progress = { file: "model.safetensors", loadedBytes: 5, totalBytes: 10 };
    const onProgress = vi.fn<(one: LoadProgress) => void>();
    const figure = load();
    asked[0]?.onProgress?.({ file: "config.json", loadedBytes: 2, totalBytes: 2 });
    asked[0]?.onProgress?.(progress);
    const own = load({ onProgress });
    asked[0]?.onProgress?.({ ...progress, loadedBytes: 10 });
    expect(onProgress.mock.calls.map(([{ loadedBytes }]) => loadedBytes)).toEqual([2, 5, 10]);
    arrive();
    for (const model of await Promise.all([figure, own])) model.dispose();
  });

  it("are not stopped for one of several who wait, and for the last of them", async () => {
    const waiting = [new AbortController(), new AbortController()] as const;
    const both = waiting.map(({ signal }) => load({ signal }));
    waiting[0].abort();
    await expect(both[0]).rejects.toMatchObject({ code: "load/aborted" });
    expect(asked[0]?.signal?.aborted).toBe(false);
    waiting[1].abort();
    await expect(both[1]).rejects.toMatchObject({ code: "load/aborted" });
    await vi.waitFor(() => expect(asked[0]?.signal?.aborted).toBe(true));
    await expect(load({ signal: AbortSignal.abort() })).rejects.toThrow(/stopped/);
    expect(asked).toHaveLength(1);
  });

  it("tell each user of a restart until its use ends; one that left its GPU is not shared again", async () => {
    threads.adapter = GPU as never;
    const options = { backend: "webgpu" } as const;
    const [gone, staying] = [await loaded(options), await loaded(options)];
    const listeners = [vi.fn(), vi.fn(), vi.fn()] as const;
    gone.onRestart(listeners[0]);
    staying.onRestart(listeners[1]);
    staying.onRestart(listeners[2])();
    gone.dispose();
    threads.last.die("lost");
    await vi.waitFor(() => expect(listeners[1]).toHaveBeenCalledTimes(1));
    expect(listeners.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 0]);
    expect(staying.info.adapter).toBeNull();
    const other = await loaded(options);
    expect(other.info.adapter).toEqual(GPU);
    staying.dispose();
    other.dispose();
  });

  it("begin with their files again once their engine cannot be started any more", async () => {
    const model = await loaded();
    threads.last.die("first");
    const lost = model.run({ ids: [3] });
    // The run waits for the second thread, which loads in later tasks.
    for (let turn = 0; turn < 9; turn += 1) await Promise.resolve();
    threads.last.die("second");
    await expect(lost).rejects.toMatchObject({ code: "engine/not-restarted" });
    const other = await load();
    expect(asked).toHaveLength(2);
    for (const one of [model, other]) one.dispose();
  });
});
