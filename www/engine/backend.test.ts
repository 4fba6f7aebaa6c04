import { afterEach, describe, expect, it, vi, beforeEach } from "vitest";
import type { Adapter } from "../data/index.js";
import { findAdapter, loadOnBackend } from "./backend.js";
import type { Backend } from "./contract.js";
import { refuse } from "./errors.js";
import type { Build, WasmModule } from "./protocol.js";
import { emptyLog, fakeWasm } from "./testing/fake-wasm.js";
import { gpuTimeout } from "./timeout.js";

const REAL: Adapter = { vendor: "maker", architecture: "line", description: "", software: false };
const SOFTWARE: Adapter = { ...REAL, software: true };
const never = (): Promise<never> => new Promise(() => undefined);
const fake = (build: Build): Promise<WasmModule> => Promise.resolve(fakeWasm(emptyLog(), build));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Loads a model with the adapter that `find` returns. */
const load = (backend: Backend, find: () => Promise<Adapter | null>, loadWasm = fake) =>
  loadOnBackend(backend, { findAdapter: find, loadWasm }, { config: "{}" }, []);

describe("where a model computes", () => {
  it.each([
    ["cpu", REAL, "cpu", null],
    ["webgpu", REAL, "webgpu", REAL],
    ["webgpu", SOFTWARE, "webgpu", SOFTWARE],
    ["auto", REAL, "webgpu", REAL],
    ["auto", SOFTWARE, "cpu", null],
    ["auto", null, "cpu", null],
  ] as const)("asked for %s with the adapter %o: %s", async (backend, found, build, adapter) => {
    const find = vi.fn(() => Promise.resolve(found));
    const builds = vi.fn(fake);
    await expect(load(backend, find, builds)).resolves.toMatchObject({ adapter });
    expect(builds.mock.calls).toEqual([[build]]);
    expect(find).toHaveBeenCalledTimes(backend === "cpu" ? 0 : 1);
  });

  it("refuses where a GPU was asked for by name and there is none", async () => {
    // Before its build is fetched.
    const loaded = load("webgpu", () => Promise.resolve(null), never);
    await expect(loaded).rejects.toMatchObject({ code: "gpu/absent" });
  });

  it.each(["the search for an adapter", "a load onto the GPU"])(
    "does not wait for ever for %s, but for as long as a download takes",
    async (what) => {
      vi.useFakeTimers();
      const find = what.includes("adapter") ? never : () => Promise.resolve(REAL);
      const download = async (build: Build): Promise<WasmModule> => {
        await new Promise((resolve) => setTimeout(resolve, 600_000));
        return build === "cpu" ? fake(build) : { default: never, WasmModel: { load: never } };
      };
      const silent = { code: "gpu/silent", got: "no answer within 60 seconds" };
      const refused = expect(load("webgpu", find, download)).rejects.toMatchObject(silent);
      const gpuFailure = silent.got;
      const onCpu = expect(load("auto", find, download)).resolves.toMatchObject({ gpuFailure });
      await vi.advanceTimersByTimeAsync(1_300_000);
      await Promise.all([refused, onCpu]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it("has weights of bytes on the CPU alone", async () => {
    const wasm = await fake("cpu");
    const loads = vi.spyOn(wasm.WasmModel, "load");
    const around = {
      findAdapter: () => Promise.resolve(REAL),
      loadWasm: () => Promise.resolve(wasm),
    };
    const inBytes = (backend: Backend): Promise<unknown> =>
      loadOnBackend(backend, around, { config: "{}", generation: "[]" }, [], "int8");
    await Promise.all([inBytes("cpu"), inBytes("auto")]);
    expect(loads.mock.calls).toEqual([
      ["{}", [], true, "[]"],
      ["{}", [], true, "[]"],
    ]);
    await expect(inBytes("webgpu")).rejects.toMatchObject({ code: "input/unsupported-option" });
  });

  it("is the CPU, if it may be, where the GPU's build cannot be had", async () => {
    const cut = refuse("load/wasm", "starting the engine", "a file", "none");
    const loadWasm = (build: Build): Promise<WasmModule> =>
      build === "webgpu" ? Promise.reject(cut) : fake(build);
    const find = (): Promise<Adapter> => Promise.resolve(REAL);
    const onCpu = { adapter: null, gpuFailure: cut.got };
    await expect(load("auto", find, loadWasm)).resolves.toMatchObject(onCpu);
    await expect(load("webgpu", find, loadWasm)).rejects.toBe(cut);
  });
});

describe("the adapter of a browser", () => {
  const info = { vendor: "maker", architecture: "line", description: "" };

  it.each([
    ["as the standard has it", { info: { ...info, isFallbackAdapter: true } }, SOFTWARE],
    ["that says itself that it is software", { info, isFallbackAdapter: true }, SOFTWARE],
    ["without a name", {}, { ...REAL, vendor: "", architecture: "" }],
    ["that is none", null, null],
  ])("is named %s", async (_, adapter, named) => {
    vi.stubGlobal("navigator", { gpu: { requestAdapter: () => Promise.resolve(adapter) } });
    await expect(findAdapter()).resolves.toEqual(named);
  });

  it("is none where the browser has no WebGPU, or fails to ask for one", async () => {
    for (const gpu of [undefined, { requestAdapter: () => Promise.reject(new Error("no")) }]) {
      vi.stubGlobal("navigator", { gpu });
      await expect(findAdapter()).resolves.toBeNull();
    }
  });
});

describe("the wait for a GPU", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const after = <T>(millis: number, value: T): Promise<T> =>
    new Promise((resolve) => setTimeout(() => resolve(value), millis));

  it.each([
    [false, 60],
    [true, 300],
  ])("refuses what does not answer; of a slow GPU (%s) after %d seconds", async (slow, seconds) => {
    const refused = vi.fn();
    gpuTimeout(slow).for(never).catch(refused);
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(refused).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    const silent = { code: "gpu/silent", got: `no answer within ${seconds} seconds` };
    expect(refused).toHaveBeenCalledWith(expect.objectContaining(silent));
  });

  it("waits for as long as another question is answered, and leaves no clock behind", async () => {
    const timeout = gpuTimeout(false);
    const late = timeout.for(() => after(100_000, "late"));
    const other = timeout.for(() => after(50_000, "other"));
    await vi.advanceTimersByTimeAsync(100_000);
    await expect(Promise.all([late, other])).resolves.toEqual(["late", "other"]);
    await expect(timeout.for(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(vi.getTimerCount()).toBe(0);
  });
});
