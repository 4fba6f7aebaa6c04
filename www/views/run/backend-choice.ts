import { findAdapter, HeadscopeError, type Adapter, type Model } from "../../headscope.js";
import { tracked } from "../../signals.js";
import type { State } from "../../state/index.js";
import type { LoadModel } from "./model-cache.js";

/** Ways to leave the GPU: there is none, it did not take a model, it failed with one, or it no longer answers. */
export const WAYS_TO_LEAVE = ["gpu/absent", "gpu/unavailable", "gpu/lost", "gpu/silent"] as const;

/** Why the GPU was left, by its code. */
export type Left = (typeof WAYS_TO_LEAVE)[number];

/** What happened that a person should know. */
export interface ProcessorEvents {
  /** From now on the CPU computes. */
  left: (left: Left) => void;
  /** The GPU has taken a model. */
  taken: () => void;
}

/** What would go wrong on the CPU as well is no matter of the GPU's. */
const GPU_MATTERS = /^(gpu|engine)\/|^load\/wasm$/;

/** Whether a model that the GPU did not take may be one for the CPU. */
export const isGpuMatter = (thrown: unknown): thrown is HeadscopeError =>
  thrown instanceof HeadscopeError && GPU_MATTERS.test(thrown.code);

/** Where the models of a page compute: on the CPU, or where a person wants that on the GPU, for as long as it works. */
export class BackendChoice {
  /** The GPU that there is; null as long as none is known. */
  @tracked adapter: Adapter | null = null;
  private displayed = false;
  private inUse: State["backend"] = "cpu";

  constructor(
    private readonly events: ProcessorEvents,
    private readonly find: () => Promise<Adapter | null> = findAdapter,
  ) {}

  /** Looks for a GPU, once. */
  look(): void {
    if (this.displayed) return;
    this.displayed = true;
    void this.find().then((adapter) => (this.adapter = adapter));
  }

  /** Takes what a person wants; whether models that are loaded compute elsewhere. */
  follow(wanted: State["backend"]): boolean {
    const isOther = wanted !== this.inUse;
    this.inUse = wanted;
    return isOther;
  }

  /** Loads models as `load` does, where they are to compute. One that the GPU cannot take or keep is on the CPU. */
  on(load: LoadModel): LoadModel {
    return async (source, options) => {
      if (this.inUse === "cpu") return load(source, options);
      try {
        return await this.onGpu(load, source, options);
      } catch (thrown) {
        if (options.signal?.aborted || !isGpuMatter(thrown)) throw thrown;
        this.leave(wayOf(thrown.code));
        return load(source, options);
      }
    };
  }

  private async onGpu(
    load: LoadModel,
    source: Parameters<LoadModel>[0],
    options: Parameters<LoadModel>[1],
  ): Promise<Model> {
    const model = await load(source, { ...options, backend: "webgpu" });
    if (options.signal?.aborted) return model;
    if (this.inUse === "cpu") {
      // The GPU was left while this one was on its way there.
      model.dispose();
      return load(source, options);
    }
    model.onRestart(({ code }) => {
      if (code !== "engine/crashed") this.leave(code);
    });
    this.events.taken();
    return model;
  }

  private leave(left: Left): void {
    this.inUse = "cpu";
    this.events.left(left);
  }
}

/** Whatever else ended the attempt, the GPU cannot be used. */
function wayOf(code: string): Left {
  return WAYS_TO_LEAVE.find((way) => way === code) ?? "gpu/unavailable";
}
