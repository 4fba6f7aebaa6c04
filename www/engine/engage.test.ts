import { afterEach, describe, expect, it, vi } from "vitest";
import type { Adapter } from "../data/index.js";
import type { WasmModule } from "./protocol.js";
import { engage, type Engine } from "./engage.js";
import { refuse } from "./errors.js";
import { emptyLog, fakeWasm } from "./testing/fake-wasm.js";

const REAL: Adapter = { vendor: "maker", architecture: "line", description: "", software: false };
const SOFTWARE: Adapter = { ...REAL, software: true };

afterEach(() => void vi.useRealTimers());

describe("where a model computes", () => {
  it.each([
    ["cpu", REAL, ["cpu"], null],
    ["cpu", null, ["cpu"], null],
    ["webgpu", REAL, ["webgpu"], REAL],
    ["webgpu", SOFTWARE, ["webgpu"], SOFTWARE],
    ["auto", REAL, ["webgpu"], REAL],
    ["auto", SOFTWARE, ["cpu"], null],
    ["auto", null, ["cpu"], null],
  ] as const)(
    "asked for %s with the adapter %o it fetches %o",
    async (backend, found, fetched, adapter) => {
      const log = emptyLog();
      const choice = {
        findAdapter: () => Promise.resolve(found),
        loadWasm: (engine: Engine) => Promise.resolve(fakeWasm(log, engine)),
      };
      await expect(engage(backend, choice, "{}", new Uint8Array())).resolves.toMatchObject({
        adapter,
      });
      expect(log.engines).toEqual(fetched);
    },
  );

  it("does not ask for an adapter where the CPU was asked for", async () => {
    const findAdapter = vi.fn(() => Promise.resolve(REAL));
    await engage(
      "cpu",
      { findAdapter, loadWasm: (engine) => Promise.resolve(fakeWasm(emptyLog(), engine)) },
      "{}",
      new Uint8Array(),
    );
    expect(findAdapter).not.toHaveBeenCalled();
  });

  it("refuses where a GPU was asked for by name and there is none", async () => {
    const loadWasm = vi.fn<() => Promise<WasmModule>>();
    await expect(
      engage(
        "webgpu",
        { findAdapter: () => Promise.resolve(null), loadWasm },
        "{}",
        new Uint8Array(),
      ),
    ).rejects.toMatchObject({ code: "gpu/absent" });
    expect(loadWasm).not.toHaveBeenCalled();
  });

  it.each(["the search for an adapter", "a load onto the GPU"])(
    "does not wait for ever for %s, but for as long as a download takes",
    async (what) => {
      vi.useFakeTimers();
      const never = (): Promise<never> => new Promise(() => undefined);
      const downloaded = (engine: Engine): Promise<WasmModule> =>
        new Promise((resolve) =>
          setTimeout(
            () =>
              resolve(
                what.includes("adapter") || engine === "cpu"
                  ? fakeWasm(emptyLog(), engine)
                  : { default: never, WasmModel: { load: never } },
              ),
            600_000,
          ),
        );
      const choice = {
        findAdapter: what.includes("adapter") ? never : () => Promise.resolve(REAL),
        loadWasm: downloaded,
      };
      const refused = expect(
        engage("webgpu", choice, "{}", new Uint8Array()),
      ).rejects.toMatchObject({ code: "gpu/silent", got: "no answer within 60 seconds" });
      const engaged = expect(engage("auto", choice, "{}", new Uint8Array())).resolves.toMatchObject(
        { adapter: null },
      );
      await vi.advanceTimersByTimeAsync(1_300_000);
      await Promise.all([refused, engaged]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it("goes on on the CPU, if it may, where the GPU's engine cannot be had", async () => {
    const cut = refuse("load/wasm", "starting the engine", "a file", "none");
    const choice = {
      findAdapter: () => Promise.resolve(REAL),
      loadWasm: (engine: Engine) =>
        engine === "webgpu" ? Promise.reject(cut) : Promise.resolve(fakeWasm(emptyLog(), engine)),
    };
    await expect(engage("auto", choice, "{}", new Uint8Array())).resolves.toMatchObject({
      adapter: null,
    });
    await expect(engage("webgpu", choice, "{}", new Uint8Array())).rejects.toMatchObject({
      code: "load/wasm",
    });
  });
});
