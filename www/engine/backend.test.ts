import { afterEach, describe, expect, it, vi } from "vitest";
import type { Adapter } from "../data/index.js";
import { type Build, findAdapter, loadOnBackend } from "./backend.js";
import type { Backend } from "./contract.js";
import { refuse } from "./errors.js";
import type { WasmModule } from "./protocol.js";
import { emptyLog, fakeWasm } from "./testing/fake-wasm.js";

const REAL: Adapter = { vendor: "maker", architecture: "line", description: "", software: false };
const SOFTWARE: Adapter = { ...REAL, software: true };
const never = (): Promise<never> => new Promise(() => undefined);

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Loads a model with this adapter; `builds` are the wasm files that were fetched. */
function load(
  backend: Backend,
  search: () => Promise<Adapter | null>,
  loadWasm = (build: Build): Promise<WasmModule> => Promise.resolve(fakeWasm(emptyLog(), build)),
) {
  const builds: Build[] = [];
  const loaded = loadOnBackend(
    backend,
    {
      findAdapter: search,
      loadWasm: (build) => {
        builds.push(build);
        return loadWasm(build);
      },
    },
    "{}",
    new Uint8Array(),
  );
  return { loaded, builds };
}

describe("where a model computes", () => {
  it.each([
    ["cpu", REAL, "cpu", null],
    ["webgpu", REAL, "webgpu", REAL],
    ["webgpu", SOFTWARE, "webgpu", SOFTWARE],
    ["auto", REAL, "webgpu", REAL],
    ["auto", SOFTWARE, "cpu", null],
    ["auto", null, "cpu", null],
  ] as const)("asked for %s with the adapter %o: %s", async (backend, found, build, adapter) => {
    const search = vi.fn(() => Promise.resolve(found));
    const { loaded, builds } = load(backend, search);
    await expect(loaded).resolves.toMatchObject({ adapter });
    expect([builds, search.mock.calls.length]).toEqual([[build], backend === "cpu" ? 0 : 1]);
  });

  it("refuses where a GPU was asked for by name and there is none", async () => {
    const { loaded, builds } = load("webgpu", () => Promise.resolve(null));
    await expect(loaded).rejects.toMatchObject({ code: "gpu/absent" });
    expect(builds).toEqual([]);
  });

  it.each(["the search for an adapter", "a load onto the GPU"])(
    "does not wait for ever for %s, but for as long as a download takes",
    async (what) => {
      vi.useFakeTimers();
      const search = what.includes("adapter") ? never : () => Promise.resolve(REAL);
      const download = (build: Build): Promise<WasmModule> =>
        new Promise((resolve) =>
          setTimeout(() => {
            const hangs = { default: never, WasmModel: { load: never } };
            resolve(build === "cpu" ? fakeWasm(emptyLog(), build) : hangs);
          }, 600_000),
        );
      const refused = expect(load("webgpu", search, download).loaded).rejects.toMatchObject({
        code: "gpu/silent",
        got: "no answer within 60 seconds",
      });
      const onCpu = expect(load("auto", search, download).loaded).resolves.toMatchObject({
        adapter: null,
      });
      await vi.advanceTimersByTimeAsync(1_300_000);
      await Promise.all([refused, onCpu]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it("is the CPU, if it may be, where the GPU's build cannot be had", async () => {
    const cut = refuse("load/wasm", "starting the engine", "a file", "none");
    const loadWasm = (build: Build): Promise<WasmModule> =>
      build === "webgpu" ? Promise.reject(cut) : Promise.resolve(fakeWasm(emptyLog(), build));
    const search = (): Promise<Adapter> => Promise.resolve(REAL);
    await expect(load("auto", search, loadWasm).loaded).resolves.toMatchObject({ adapter: null });
    await expect(load("webgpu", search, loadWasm).loaded).rejects.toBe(cut);
  });
});

describe("the adapter of a browser", () => {
  const NAMED = { vendor: "maker", architecture: "line", description: "" };

  it.each([
    [
      "as the standard has it",
      { info: { ...NAMED, isFallbackAdapter: true } },
      { ...NAMED, software: true },
    ],
    [
      "that says itself that it is software",
      { info: NAMED, isFallbackAdapter: true },
      { ...NAMED, software: true },
    ],
    ["without a name", {}, { vendor: "", architecture: "", description: "", software: false }],
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
