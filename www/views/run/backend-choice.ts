import { findAdapter, HeadscopeError, type Adapter, type Model } from "../../headscope.js";
import { tracked } from "../../signals.js";
import type { State } from "../../state/index.js";
import type { LoadModel } from "./model-cache.js";

/** Why the GPU is no longer used: there is none, it refused a model, it failed, or it does not answer. */
export const WAYS_TO_LEAVE = ["gpu/absent", "gpu/unavailable", "gpu/lost", "gpu/silent"] as const;

/** Why the GPU was left, by its code. */
export type Left = (typeof WAYS_TO_LEAVE)[number];

/** What the page reports. */
export interface BackendEvents {
  /** The CPU computes from now on. */
  left: (left: Left) => void;
  /** The GPU computes a model. */
  used: () => void;
}

/** Failures that concern the GPU: others would occur on the CPU as well. */
const GPU_MATTERS = /^(gpu|engine)\/|^load\/wasm$/;

/** Whether a model that the GPU did not take may be one for the CPU. */
export const isGpuMatter = (thrown: unknown): thrown is HeadscopeError =>
  thrown instanceof HeadscopeError && GPU_MATTERS.test(thrown.code);

/** Where the models of a page compute: on the CPU, or if the user asks for it and as long as it works, on the GPU. */
export class BackendChoice {
  /** The GPU that was found; null until then. */
  @tracked adapter: Adapter | null = null;
  private searched = false;
  private inUse: State["backend"] = "cpu";

  constructor(
    private readonly events: BackendEvents,
    private readonly find: () => Promise<Adapter | null> = findAdapter,
  ) {}

  /** Looks for a GPU, once. */
  look(): void {
    if (this.searched) return;
    this.searched = true;
    void this.find().then((adapter) => (this.adapter = adapter));
  }

  /** Takes the user's choice; returns whether it changed, so that models have to be loaded again. */
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
    this.events.used();
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
