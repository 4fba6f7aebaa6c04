import type { Adapter } from "../data/index.js";
import type { Backend } from "./contract.js";
import type { WasmModel, WasmModule } from "./door.js";
import { refuse } from "./errors.js";

/** What computes; each is a file of its own. */
export type Engine = "cpu" | "webgpu";

/** What is needed to choose. */
export interface Choice {
  findAdapter: () => Promise<Adapter | null>;
  loadWasm: (engine: Engine) => Promise<WasmModule>;
}

/** A model, and the adapter that it is on; null on the CPU. */
export interface Engaged {
  model: WasmModel;
  adapter: Adapter | null;
}

/** Loads a model where it was asked for. What only imitates a GPU is taken where a GPU was asked for by name. */
export async function engage(backend: Backend, { findAdapter, loadWasm }: Choice, config: string, checkpoint: Uint8Array): Promise<Engaged> {
  const on = async (engine: Engine): Promise<WasmModel> => (await loadWasm(engine)).WasmModel.load(config, checkpoint);
  const adapter = backend === "cpu" ? null : await findAdapter();
  if (backend === "webgpu") {
    if (adapter === null) throw refuse("gpu/unavailable", "the GPU", `a WebGPU adapter; use the backend "cpu" or "auto" instead`, "none that this browser gives");
    return { model: await on("webgpu"), adapter };
  }
  if (adapter !== null && !adapter.software) {
    // What is wrong with the model itself the CPU says as well.
    const model = await on("webgpu").catch(() => null);
    if (model !== null) return { model, adapter };
  }
  return { model: await on("cpu"), adapter: null };
}
