import type { Adapter } from "../data/index.js";
import type { Backend } from "./contract.js";
import type { WasmModel, WasmModule } from "./protocol.js";
import { refuse } from "./errors.js";
import { gpuPatience, type Patience } from "./patience.js";

/** What computes; each is a file of its own. */
export type Engine = "cpu" | "webgpu";

/** What is needed to choose. */
export interface Choice {
  findAdapter: () => Promise<Adapter | null>;
  loadWasm: (engine: Engine) => Promise<WasmModule>;
}

/** A model, and the adapter that it is on, with how long that may be silent; both null on the CPU. */
export interface Engaged {
  model: WasmModel;
  adapter: Adapter | null;
  patience: Patience | null;
}

/** Loads a model where it was asked for. What only imitates a GPU is taken where a GPU was asked for by name. */
export async function engage(
  backend: Backend,
  { findAdapter, loadWasm }: Choice,
  config: string,
  checkpoint: Uint8Array,
): Promise<Engaged> {
  const onGpu = async (adapter: Adapter): Promise<Engaged> => {
    // A download takes as long as it takes.
    const { WasmModel } = await loadWasm("webgpu");
    const patience = gpuPatience(adapter.software);
    return {
      model: await patience.for(() => WasmModel.load(config, checkpoint)),
      adapter,
      patience,
    };
  };
  const find = (): Promise<Adapter | null> => gpuPatience(false).for(findAdapter);
  if (backend === "webgpu") {
    const adapter = await find();
    if (adapter === null)
      throw refuse(
        "gpu/absent",
        "the GPU",
        `a WebGPU adapter; use the backend "cpu" or "auto" instead`,
        "none",
      );
    return onGpu(adapter);
  }
  if (backend === "auto") {
    const adapter = await find().catch(() => null);
    // What is wrong with the model itself the CPU says as well.
    const engaged =
      adapter === null || adapter.software ? null : await onGpu(adapter).catch(() => null);
    if (engaged !== null) return engaged;
  }
  return {
    model: await (await loadWasm("cpu")).WasmModel.load(config, checkpoint),
    adapter: null,
    patience: null,
  };
}
