/**
 * The choice of the backend of models, CPU or GPU, and the way in which a page leaves a GPU that
 * fails.
 */
import { type Adapter, findAdapter, HeadscopeError } from "../../headscope.js";
import { tracked } from "../../signals.js";
import type { State } from "../../state/index.js";
import type { LoadModel } from "./model-pool.js";

/**
 * The reasons why the GPU is no longer used: there is none, it refused a model, it failed, or it
 * does not answer.
 */
export const WAYS_TO_LEAVE = ["gpu/absent", "gpu/unavailable", "gpu/lost", "gpu/silent"] as const;
type Left = (typeof WAYS_TO_LEAVE)[number];

/** Codes of failures that concern the GPU; others would occur on the CPU as well. */
const GPU_FAILURES = /^(gpu|engine)\/|^load\/wasm$/;

/**
 * The backend of a page's models: the CPU, or the GPU if the user chose it and as long as it works.
 */
export class BackendChoice {
  @tracked adapter: Adapter | null = null;
  private searched = false;
  private inUse: State["backend"] = "cpu";

  /** `left` is called when the CPU computes from now on, `used` when the GPU computes a model. */
  constructor(
    private readonly events: { left?: (why: Left) => void; used?: () => void } = {},
    private readonly find: () => Promise<Adapter | null> = findAdapter,
  ) {}

  look(): void {
    if (this.searched) return;
    this.searched = true;
    void this.find().then((adapter) => (this.adapter = adapter));
  }

  /** Sets the user's choice; returns whether it changed, so that models have to be loaded again. */
  follow(wanted: State["backend"]): boolean {
    const isOther = wanted !== this.inUse;
    this.inUse = wanted;
    return isOther;
  }

  /**
   * Wraps `load` so that models load on the chosen backend. A model that the GPU cannot take or
   * keep is loaded on the CPU.
   */
  on(load: LoadModel): LoadModel {
    return async (source, options) => {
      const { inUse } = this;
      if (inUse === "cpu") return load(source, options);
      try {
        const model = await load(source, { ...options, backend: "webgpu" });
        if (options.signal?.aborted) return model;
        if (this.inUse === "webgpu") {
          model.onRestart(({ code }) => {
            if (code !== "engine/crashed") this.leave(code);
          });
          this.events.used?.();
          return model;
        }
        model.dispose();
      } catch (thrown) {
        const ofGpu = thrown instanceof HeadscopeError && GPU_FAILURES.test(thrown.code);
        if (options.signal?.aborted || !ofGpu) throw thrown;
        // After any other failure of the attempt the GPU cannot be used.
        this.leave(WAYS_TO_LEAVE.find((way) => way === thrown.code) ?? "gpu/unavailable");
      }
      return load(source, options);
    };
  }

  private leave(why: Left): void {
    this.inUse = "cpu";
    this.events.left?.(why);
  }
}
