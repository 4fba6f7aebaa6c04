import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeModel, failed } from "../../../tests/support/fake-model.js";
import type { LoadOptions } from "../../headscope.js";
import { ModelPool } from "./model-pool.js";

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
