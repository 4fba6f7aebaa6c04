import type { Adapter } from "../data/index.js";
import type { Backend, Weights } from "./contract.js";
import { failureOf, refuse } from "./errors.js";
import type {
  Build,
  ModelTexts,
  WasmGradients,
  WasmModel,
  WasmModule,
  WasmRecorder,
  WeightFile,
} from "./protocol.js";
import { gpuTimeout, type Timeout } from "./timeout.js";

/** The adapter that the browser offers; null if there is none. Loads nothing. */
export async function findAdapter(): Promise<Adapter | null> {
  const { navigator } = globalThis as { navigator?: Partial<Navigator> };
  try {
    const found = await navigator?.gpu?.requestAdapter({ powerPreference: "high-performance" });
    if (!found) return null;
    // Some browsers lack fields of the standard, or have them at another place.
    const { info = {}, isFallbackAdapter } = found as {
      info?: Partial<GPUAdapterInfo>;
      isFallbackAdapter?: boolean;
    };
    const { vendor = "", architecture = "", description = "" } = info;
    const software = info.isFallbackAdapter ?? isFallbackAdapter ?? false;
    return { vendor, architecture, description, software };
  } catch {
    return null;
  }
}

export interface Choice {
  findAdapter: () => Promise<Adapter | null>;
  loadWasm: (build: Build) => Promise<WasmModule | WasmGradients>;
}

/** A model, its adapter and the adapter's timeout; both null on the CPU. */
interface ModelOnBackend {
  model: WasmModel | WasmRecorder;
  adapter: Adapter | null;
  timeout: Timeout | null;
  /** Why a GPU that was found does not compute; null if it does, or was not asked. */
  gpuFailure: string | null;
}

/**
 * Loads a model onto a backend. A software adapter is used only for `"webgpu"`; weights stored as
 * bytes run on the CPU alone.
 */
export async function loadOnBackend(
  backend: Backend | "gradients",
  choice: Choice,
  { config, generation }: ModelTexts,
  checkpoint: WeightFile[],
  weights: Weights = "stored",
): Promise<ModelOnBackend> {
  const find = (): Promise<Adapter | null> => gpuTimeout(false).for(choice.findAdapter);
  const onGpu = async (adapter: Adapter): Promise<ModelOnBackend> => {
    // The download has no timeout.
    const { WasmModel } = await choice.loadWasm("webgpu");
    const timeout = gpuTimeout(adapter.software);
    const model = await timeout.for(() => WasmModel.load(config, checkpoint, false, generation));
    return { model, adapter, timeout, gpuFailure: null };
  };
  if (backend === "webgpu") {
    if (weights !== "stored")
      throw refuse("input/unsupported-option", "weights", "stored", weights);
    const adapter = await find();
    const expected = `a WebGPU adapter; use the backend "cpu" or "auto" instead`;
    if (adapter === null) throw refuse("gpu/absent", "the GPU", expected, "none");
    return onGpu(adapter);
  }
  let gpuFailure: string | null = null;
  if (backend === "auto" && weights === "stored") {
    try {
      const adapter = await find();
      if (adapter?.software === false) return await onGpu(adapter);
    } catch (thrown) {
      // If the model itself is wrong, the CPU refuses it with the same code.
      gpuFailure = failureOf(thrown).got;
    }
  }
  const { WasmModel } = await choice.loadWasm(backend === "gradients" ? backend : "cpu");
  const model = await WasmModel.load(config, checkpoint, weights === "int8", generation);
  return { model, adapter: null, timeout: null, gpuFailure };
}
