import { afterEach, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FakeModel, failed } from "../../../tests/support/fake-model.js";
import { type LoadOptions } from "../../headscope.js";
import { ModelPool, Pool, ModelCache, downloadOf } from "./model-cache.js";

afterEach(() => vi.useRealTimers());

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

const ADAPTER = { vendor: "maker", architecture: "line", description: "", software: false };

it("lets all models go that are on a GPU which is left, and no other", async () => {
  const gone = [
    new FakeModel({ ...FAKE_INFO, adapter: ADAPTER }),
    new FakeModel({ ...FAKE_INFO, adapter: ADAPTER }),
  ];
  const restarted = new FakeModel();
  const loads = [...gone, restarted];
  const models = new ModelCache(() => Promise.resolve(loads.shift() ?? restarted));
  const names = ["models/en-fr", "models/tiny-gpt", "models/tiny-bert"] as const;
  for (const name of names) await models.load(name, {});
  expect(models.leaveGpu()).toEqual(names.slice(0, 2));
  expect([...gone, restarted].map(({ disposed }) => disposed)).toEqual([true, true, false]);
  expect(names.map((name) => models.loaded(name))).toEqual([null, null, restarted]);
});

it("loads a folder that the page names from its address, and offers it again", async () => {
  const asked: unknown[] = [];
  const models = new ModelCache(
    (source) => {
      asked.push(source);
      return Promise.resolve(new FakeModel());
    },
    (model) => `address of ${model}`,
  );
  await models.load("at/./models/mine/", {});
  expect([asked, models.opened]).toEqual([["address of at/./models/mine/"], ["at/./models/mine/"]]);
});

const HOME = "https://a.example/m/";

function setUp(): { pool: ModelPool; made: FakeModel[]; asked: LoadOptions[]; arrive: () => void } {
  const made: FakeModel[] = [];
  const asked: LoadOptions[] = [];
  const arrivals: (() => void)[] = [];
  const pool = new ModelPool((_, options) => {
    asked.push(options);
    const model = new FakeModel();
    made.push(model);
    return new Promise((resolve) => arrivals.push(() => resolve(model)));
  });
  return { pool, made, asked, arrive: () => arrivals.splice(0).forEach((go) => go()) };
}

describe("the models of a page", () => {
  it("are loaded once for a figure and an explorer, and both follow the download", async () => {
    const { pool, made, asked, arrive } = setUp();
    const progress = { file: "model.safetensors", loadedBytes: 5, totalBytes: 10 };
    const figure = pool.take(HOME);
    asked[0]?.onProgress?.({ file: "config.json", loadedBytes: 2, totalBytes: 2 });
    asked[0]?.onProgress?.(progress);
    const heard = vi.fn();
    const explorer = pool.load(HOME, { onProgress: heard });
    asked[0]?.onProgress?.({ ...progress, loadedBytes: 10 });
    expect(heard.mock.calls.map(([{ loadedBytes }]) => loadedBytes as number)).toEqual([2, 5, 10]);
    arrive();
    const model = await explorer;
    const run = await model.run({ text: "one two" });
    expect([made.length, await figure.value, made[0]?.held.has(run as never)]).toEqual([
      1,
      made[0],
      true,
    ]);
  });

  it("end when the last of their users has done with them", async () => {
    vi.useFakeTimers();
    const { pool, made, arrive } = setUp();
    const figure = pool.take(HOME);
    const loading = pool.load(HOME, {});
    arrive();
    const model = await loading;
    figure.release();
    await vi.advanceTimersByTimeAsync(5000);
    expect(made[0]?.disposed).toBe(false);
    model.dispose();
    model.dispose();
    await vi.advanceTimersByTimeAsync(5000);
    expect(made[0]?.disposed).toBe(true);
    vi.useRealTimers();
  });

  it("are no more heard of by a user who has done with them, and by the others still", async () => {
    const { pool, made, arrive } = setUp();
    const loading = [pool.load(HOME, {}), pool.load(HOME, {})];
    arrive();
    const [gone, staying] = await Promise.all(loading);
    const [heardByGone, heardByStaying, stopped] = [vi.fn(), vi.fn(), vi.fn()];
    gone?.onRestart(heardByGone);
    staying?.onRestart(heardByStaying);
    staying?.onRestart(stopped)();
    gone?.dispose();
    made[0]?.restart({ code: "gpu/lost", reason: "lost", leftGpu: true });
    expect([heardByGone, heardByStaying, stopped].map(({ mock }) => mock.calls.length)).toEqual([
      0, 1, 0,
    ]);
    pool.take(HOME);
    expect(made).toHaveLength(2);
  });

  it("are not stopped for one of several who wait", async () => {
    const { pool, asked, arrive } = setUp();
    const figure = pool.take(HOME);
    const waiting = new AbortController();
    const stopped = pool.load(HOME, { signal: waiting.signal });
    waiting.abort();
    await expect(stopped).rejects.toThrow(/abort/i);
    expect(asked[0]?.signal?.aborted).toBe(false);
    arrive();
    await expect(figure.value).resolves.toBeInstanceOf(FakeModel);
  });

  it("begin with their files again once their engine cannot be started any more, and a folder of one's own is not shared", async () => {
    const { pool, made, arrive } = setUp();
    const loading = pool.load(HOME, {});
    arrive();
    const model = await loading;
    const gone = failed("engine/not-restarted");
    if (made[0]) made[0].failing = gone;
    await expect(model.run({ text: "one" })).rejects.toBe(gone);
    pool.take(HOME);
    expect(made).toHaveLength(2);
    void pool.load([], {});
    void pool.load([], {});
    expect(made).toHaveLength(4);
  });
});

describe("a model's download", () => {
  it("is that of all its files, of as much as the page knows to come", () => {
    const added = downloadOf("models/tiny-gpt");
    added({ file: "config.json", loadedBytes: 844, totalBytes: 844 });
    added({ file: "tokenizer.json", loadedBytes: 50_000, totalBytes: 107_824 });
    expect(added({ file: "tokenizer.json", loadedBytes: 107_824, totalBytes: 107_824 })).toEqual({
      phase: "loading",
      loadedBytes: 108_668,
      totalBytes: 2_820_000,
    });
    expect(added({ file: "model.safetensors", loadedBytes: 3_000_000 })).toEqual({
      phase: "loading",
      loadedBytes: 3_108_668,
      totalBytes: 3_108_668,
    });
  });

  it("of a model that the page does not know has a whole once its last file has begun, if that is told", () => {
    const small = { file: "config.json", loadedBytes: 800, totalBytes: 800 };
    const added = downloadOf("opened/mine");
    expect(added(small)).toEqual({ phase: "loading", loadedBytes: 800, totalBytes: null });
    expect(added({ file: "model.safetensors", loadedBytes: 100, totalBytes: 5000 })).toEqual({
      phase: "loading",
      loadedBytes: 900,
      totalBytes: 5800,
    });
    const untold = downloadOf("opened/mine");
    untold(small);
    expect(untold({ file: "model.safetensors", loadedBytes: 100 })).toEqual({
      phase: "loading",
      loadedBytes: 900,
      totalBytes: null,
    });
  });
});
