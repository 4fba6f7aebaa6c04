import type { RunRequest } from "../data/index.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client, type ModelFiles } from "./client.js";

import { FakeThreads } from "./testing/fake-threads.js";
import { GPU_HANGS, GPU_REFUSES, INFO } from "./testing/fake-wasm.js";

const FILES: ModelFiles = {
  config: "{}",
  checkpoint: new Blob([Uint8Array.of(1, 2, 3)]),
  backend: "cpu",
};
const WEIGHTS = { what: "attention", stack: "encoder", head: 2 } as const;
const HIDDEN = { what: "hidden", stack: "encoder", layer: 0 } as const;
const SPECTRUM = { what: "spectrum", stack: "encoder", head: 0 } as const;

describe("the client and the host", () => {
  let threads: FakeThreads;
  let client: Client;
  let names = 0;

  beforeEach(async () => {
    threads = new FakeThreads();
    ({ client } = await Client.load(threads.spawn, FILES));
  });

  afterEach(() => {
    client.dispose();
  });

  /** `started` settles after the first of a run's four steps. */
  const begin = (
    ids: number[],
    signal?: AbortSignal,
  ): { name: number; started: Promise<void>; state: ReturnType<Client["begin"]> } => {
    const name = ++names;
    const request: RunRequest = { ids, generate: {} };
    let onProgress = (): void => undefined;
    const started = new Promise<void>((resolve) => (onProgress = resolve));
    const state = client.begin({ run: name, request }, { signal, onProgress: () => onProgress() });
    return { name, started, state };
  };

  it("an aborted run rejects at once, and can be read until it is released", async () => {
    const controller = new AbortController();
    const { name, state, started } = begin([3, 4], controller.signal);
    await started;
    controller.abort();
    await expect(state).rejects.toMatchObject({ code: "run/aborted" });
    await expect(client.query(client.epoch, name, { ...WEIGHTS, layer: 1 })).resolves.toMatchObject(
      { axes: ["query", "key"] },
    );
    expect(threads.log.freed).toHaveLength(0);
    client.release(client.epoch, name);
    await vi.waitFor(() =>
      expect(threads.log.freed.map(({ request }) => request.ids)).toEqual([[3, 4]]),
    );
  });

  it("a mistake between the languages costs one answer, not the thread", async () => {
    const { name, state } = begin([3]);
    await state;
    const read = (layer: unknown): Promise<unknown> =>
      client.query(client.epoch, name, { ...HIDDEN, layer });
    await expect(read(1n)).rejects.toMatchObject({ code: "engine/internal" });
    await expect(read(1)).resolves.toMatchObject({ shape: [2, 2] });
    expect(threads.started).toHaveLength(1);
  });

  it("what cannot be sent is refused in a sentence", async () => {
    const request = { ids: [3], edits: { heads: [{ gate: (() => 0) as unknown as number }] } };
    await expect(client.begin({ run: 99, request }, {})).rejects.toMatchObject({
      code: "input/malformed",
    });
  });

  it("the next run may take over from the one before, even if that was released", async () => {
    const first = begin([3]);
    await first.state;
    client.release(client.epoch, first.name);
    await begin([3, 4]).state;
    expect(threads.log.previous.map((run) => run?.request.ids)).toEqual([undefined, [3]]);
    await vi.waitFor(() =>
      expect(threads.log.freed.map(({ request }) => request.ids)).toEqual([[3]]),
    );
  });

  it("an answer that takes many steps arrives, frees what it held, and lets others pass", async () => {
    const { name, state } = begin([3]);
    await state;
    const order: string[] = [];
    const spectrum = client.query(client.epoch, name, { ...SPECTRUM, layer: 40 });
    await Promise.all([
      spectrum.then(() => order.push("spectrum")),
      client.query(client.epoch, name, HIDDEN).then(() => order.push("hidden")),
    ]);
    expect(order).toEqual(["hidden", "spectrum"]);
    await expect(spectrum).resolves.toMatchObject({ data: Float32Array.of(40, 0, 0, 0) });
    expect(threads.log.answersFreed).toBe(2);
  });

  it("an answer of many steps ends with its run", async () => {
    const { name, state } = begin([3]);
    await state;
    const spectrum = client.query(client.epoch, name, { ...SPECTRUM, layer: 1e9 });
    client.release(client.epoch, name);
    await expect(spectrum).rejects.toMatchObject({ code: "run/released" });
    expect(threads.log.answersFreed).toBe(1);
  });

  describe("when the thread dies", () => {
    it("what is pending rejects, the model is loaded again, and the page is told", async () => {
      const restarted = vi.fn();
      client.onRestart(restarted);
      const { state, started } = begin([3]);
      await started;
      threads.last.die("out of memory");
      await expect(state).rejects.toMatchObject({ code: "engine/crashed", got: "out of memory" });
      await expect(begin([5]).state).resolves.toMatchObject({ finished: true });
      expect(restarted).toHaveBeenCalledTimes(1);
      expect(threads.started.map(({ closed }) => closed)).toEqual([true, false]);
      expect(threads.log.loaded).toBe(2);
    });

    it("one that computed on a GPU is followed by one that does not", async () => {
      threads.adapter = { vendor: "maker", architecture: "line", description: "", software: false };
      const loaded = await Client.load(threads.spawn, { ...FILES, backend: "webgpu" });
      const restarted = vi.fn();
      loaded.client.onRestart(restarted);
      expect(loaded.info.adapter).toEqual(threads.adapter);
      expect(threads.log.builds.at(-1)).toBe("webgpu");
      const onGpu = loaded.client.epoch;
      let onProgress = (): void => undefined;
      const started = new Promise<void>((resolve) => (onProgress = resolve));
      const waiting = loaded.client.begin(
        { run: 1, request: { ids: [3] } },
        { onProgress: () => onProgress() },
      );
      await started;
      threads.last.die("the device was lost");
      await expect(waiting).rejects.toMatchObject({
        code: "gpu/lost",
        got: "the device was lost",
        message:
          "The GPU failed (the device was lost). The CPU goes on from here: repeat what you asked for.",
      });
      await vi.waitFor(() => expect(restarted).toHaveBeenCalledTimes(1));
      expect(restarted).toHaveBeenCalledWith(
        { code: "gpu/lost", reason: "the device was lost", leftGpu: true },
        { ...INFO, adapter: null },
      );
      expect(threads.log.builds.at(-1)).toBe("cpu");
      const onCpu = loaded.client.epoch;
      threads.last.die("killed");
      await vi.waitFor(() => expect(restarted).toHaveBeenCalledTimes(2));
      expect(restarted).toHaveBeenLastCalledWith(
        { code: "engine/crashed", reason: "killed", leftGpu: false },
        { ...INFO, adapter: null },
      );
      // What a run was lost with does not change by what happens later.
      for (const [epoch, code] of [
        [onGpu, "gpu/lost"],
        [onCpu, "engine/crashed"],
      ] as const) {
        await expect(loaded.client.query(epoch, 1, HIDDEN)).rejects.toMatchObject({ code });
      }
      loaded.client.dispose();
    });

    it("a GPU that refuses its work is such a death, and elsewhere a refusal is none", async () => {
      await expect(begin([GPU_REFUSES]).state).rejects.toMatchObject({ code: "gpu/unavailable" });
      expect(threads.started).toHaveLength(1);
      threads.adapter = { vendor: "maker", architecture: "line", description: "", software: false };
      const loaded = await Client.load(threads.spawn, { ...FILES, backend: "auto" });
      await expect(
        loaded.client.begin({ run: 1, request: { ids: [GPU_REFUSES] } }, {}),
      ).rejects.toMatchObject({ code: "gpu/lost", got: "a lost one" });
      expect(threads.started).toHaveLength(3);
      loaded.client.dispose();
    });

    it("a GPU that is silent over a run is lost to whoever waits, and the page is told which of both it was", async () => {
      threads.adapter = { vendor: "maker", architecture: "line", description: "", software: false };
      const { client: onGpu } = await Client.load(threads.spawn, { ...FILES, backend: "webgpu" });
      const restarted = vi.fn();
      onGpu.onRestart(restarted);
      vi.useFakeTimers();
      const refused = expect(
        onGpu.begin({ run: 1, request: { ids: [GPU_HANGS] } }, {}),
      ).rejects.toMatchObject({ code: "gpu/lost", got: "no answer within 60 seconds" });
      await vi.advanceTimersByTimeAsync(61_000);
      vi.useRealTimers();
      await refused;
      await vi.waitFor(() => expect(restarted).toHaveBeenCalledTimes(1));
      expect(restarted).toHaveBeenCalledWith(
        { code: "gpu/silent", reason: "no answer within 60 seconds", leftGpu: true },
        { ...INFO, adapter: null },
      );
      onGpu.dispose();
    });

    it("dying again while loading is told to who waits; the next run starts a third thread", async () => {
      const restarted = vi.fn();
      client.onRestart(restarted);
      threads.last.die("first");
      const waiting = begin([3]);
      threads.last.die("second");
      await expect(waiting.state).rejects.toMatchObject({
        code: "engine/not-restarted",
        got: "second",
      });
      expect(threads.started).toHaveLength(2);
      expect(restarted).not.toHaveBeenCalled();

      const { name, state } = begin([4]);
      await expect(state).resolves.toMatchObject({ finished: true });
      await expect(
        client.query(client.epoch, name, { ...WEIGHTS, layer: 1 }),
      ).resolves.toBeDefined();
      expect(threads.started.map(({ closed }) => closed)).toEqual([true, true, false]);
      expect(restarted).toHaveBeenCalledTimes(1);
    });
  });

  it("a thread that cannot be started again is no longer waited for", async () => {
    let refused = 0;
    const spawn = (): ReturnType<typeof threads.spawn> => {
      if (threads.started.length === 2 && refused++ === 0)
        throw new DOMException("no more threads", "QuotaExceededError");
      return threads.spawn();
    };
    const { client: second } = await Client.load(spawn, FILES);
    threads.last.die("killed");
    const run = (name: number): Promise<unknown> =>
      second.begin({ run: name, request: { ids: [3], generate: {} } }, {});
    await vi.waitFor(() => expect(refused).toBe(1));
    await expect(run(1)).resolves.toMatchObject({ finished: true });
    second.dispose();
  });

  it("a model that traps while it is loaded is refused without a restart", async () => {
    await expect(Client.load(threads.spawn, { ...FILES, config: "trap" })).rejects.toMatchObject({
      code: "engine/crashed",
    });
    expect(threads.started).toHaveLength(2);
    expect(threads.last.closed).toBe(true);
  });

  it("a thread that dies while it loads onto a GPU is followed by one for the CPU where that may be, and refused elsewhere", async () => {
    threads.adapter = { vendor: "maker", architecture: "line", description: "", software: false };
    const dying = (backend: ModelFiles["backend"]): ReturnType<typeof Client.load> => {
      const loading = Client.load(threads.spawn, { ...FILES, backend });
      threads.last.die("out of memory");
      return loading;
    };
    await expect(dying("webgpu")).rejects.toMatchObject({
      code: "gpu/unavailable",
      got: "out of memory",
    });
    expect(threads.started).toHaveLength(2);
    const { client: second, info } = await dying("auto");
    expect([info.adapter, threads.started.length, threads.log.builds.at(-1)]).toEqual([
      null,
      4,
      "cpu",
    ]);
    await expect(
      second.begin({ run: 1, request: { ids: [3], generate: {} } }, {}),
    ).resolves.toMatchObject({ finished: true });
    second.dispose();
    // And dying once more is the end of it.
    const deadly = (): ReturnType<typeof threads.spawn> => {
      const port = threads.spawn();
      const { last } = threads;
      queueMicrotask(() => last.die("again"));
      return port;
    };
    await expect(Client.load(deadly, { ...FILES, backend: "auto" })).rejects.toMatchObject({
      code: "engine/crashed",
      got: "again",
    });
    expect(threads.started).toHaveLength(6);
  });
});
