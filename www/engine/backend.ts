import type { Adapter } from "../data/index.js";
import type { Backend } from "./contract.js";
import { refuse } from "./errors.js";
import type { WasmModel, WasmModule } from "./protocol.js";
import { gpuTimeout, type Timeout } from "./timeout.js";

/** An adapter as browsers report it: some lack fields of the standard, or have them elsewhere. */
type Found = Partial<Pick<GPUAdapter, "info">> & { isFallbackAdapter?: boolean };

/** The adapter that the browser offers; null where there is none. Loads nothing. */
export async function findAdapter(): Promise<Adapter | null> {
  const { navigator } = globalThis as { navigator?: Partial<Navigator> };
  try {
    const found = ((await navigator?.gpu?.requestAdapter({
      powerPreference: "high-performance",
    })) ?? null) as Found | null;
    if (!found) return null;
    const info: Partial<GPUAdapterInfo> = found.info ?? {};
    const { vendor = "", architecture = "", description = "" } = info;
    return {
      vendor,
      architecture,
      description,
      software: info.isFallbackAdapter ?? found.isFallbackAdapter ?? false,
    };
  } catch {
    return null;
  }
}

/** The builds of the engine; each is a file of its own. */
export type Build = "cpu" | "webgpu";

/** What the choice of a backend needs. */
export interface Choice {
  findAdapter: () => Promise<Adapter | null>;
  loadWasm: (build: Build) => Promise<WasmModule>;
}

/** A model, its adapter and the timeout of that; both null on the CPU. */
export interface ModelOnBackend {
  model: WasmModel;
  adapter: Adapter | null;
  timeout: Timeout | null;
}

/** Loads a model onto a backend. A software adapter is used only for `"webgpu"`. */
export async function loadOnBackend(
  backend: Backend,
  { findAdapter, loadWasm }: Choice,
  config: string,
  checkpoint: Uint8Array,
): Promise<ModelOnBackend> {
  const onGpu = async (adapter: Adapter): Promise<ModelOnBackend> => {
    // The download has no timeout.
    const { WasmModel } = await loadWasm("webgpu");
    const timeout = gpuTimeout(adapter.software);
    return {
      model: await timeout.for(() => WasmModel.load(config, checkpoint)),
      adapter,
      timeout,
    };
  };
  const find = (): Promise<Adapter | null> => gpuTimeout(false).for(findAdapter);
  if (backend === "webgpu") {
    const adapter = await find();
    const expected = `a WebGPU adapter; use the backend "cpu" or "auto" instead`;
    if (adapter === null) throw refuse("gpu/absent", "the GPU", expected, "none");
    return onGpu(adapter);
  }
  if (backend === "auto") {
    const adapter = await find().catch(() => null);
    // Where the model itself is wrong, the CPU refuses it with the same code.
    const onBackend =
      adapter === null || adapter.software ? null : await onGpu(adapter).catch(() => null);
    if (onBackend !== null) return onBackend;
  }
  return {
    model: await (await loadWasm("cpu")).WasmModel.load(config, checkpoint),
    adapter: null,
    timeout: null,
  };
}
