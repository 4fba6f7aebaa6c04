import { HeadscopeError, loadModel, type LoadProgress, type Model } from "../../headscope.js";
import { Pool, type Lease } from "./pool.js";
import type { LoadModel } from "./shelf.js";

/** What moves within its page is gone for a moment, and a model takes long to load. */
const LINGER_MILLIS = 2000;

type Hear = (progress: LoadProgress) => void;

/** A model on its way, and who follows it. */
interface Arrival {
  last: LoadProgress | null;
  readonly heard: Set<Hear>;
}

/** The models of a page by their addresses: each is loaded once, with one worker, for all figures and explorers that use it. */
export class ModelPool {
  private readonly pool = new Pool<Model>((model) => model.dispose(), LINGER_MILLIS);
  private readonly arrivals = new Map<string, Arrival>();

  constructor(private readonly loadOne: LoadModel = loadModel) {}

  /** The model at an address. `hear` follows its download, also one that somebody else began. */
  take(address: string, hear: Hear = () => undefined): Lease<Model> {
    const lease = this.pool.take(address, (signal) => this.begin(address, signal));
    const arrival = this.arrivals.get(address);
    if (arrival) {
      arrival.heard.add(hear);
      if (arrival.last) hear(arrival.last);
    }
    const release = (): void => {
      arrival?.heard.delete(hear);
      lease.release();
    };
    return { ...lease, release };
  }

  /** As `loadModel`, for those who hold their models themselves: to dispose of one is to use it no more. Files are nobody else's. */
  readonly load: LoadModel = async (source, options) => {
    if (typeof source !== "string") return this.loadOne(source, options);
    const { signal, onProgress } = options;
    signal?.throwIfAborted();
    const lease = this.take(source, onProgress);
    const stopped = new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));
    try {
      return leased(await Promise.race([lease.value, stopped]), lease);
    } catch (thrown) {
      lease.release();
      throw thrown;
    }
  };

  private begin(address: string, signal: AbortSignal): Promise<Model> {
    const arrival: Arrival = { last: null, heard: new Set() };
    this.arrivals.set(address, arrival);
    const onProgress = (progress: LoadProgress): void => {
      arrival.last = progress;
      for (const hear of arrival.heard) hear(progress);
    };
    return this.loadOne(address, { signal, onProgress }).finally(() => {
      if (this.arrivals.get(address) === arrival) this.arrivals.delete(address);
    });
  }
}

/** A shared model for one of its users. */
function leased(model: Model, lease: Lease<Model>): Model {
  const { info, hasTokenizer, notes, notesProblem } = model;
  return {
    info,
    hasTokenizer,
    notes,
    notesProblem,
    tokenize: (...text) => model.tokenize(...text),
    decode: (ids) => model.decode(ids),
    run: async (input, options) => {
      try {
        return await model.run(input, options);
      } catch (thrown) {
        // Nothing computes here any more: whoever asks next begins with the model's files.
        if (thrown instanceof HeadscopeError && thrown.code === "engine/not-restarted") lease.forget();
        throw thrown;
      }
    },
    generate: (...asked) => model.generate(...asked),
    onRestart: (listener) => model.onRestart(listener),
    dispose: lease.release,
  };
}

/** The models of this page. */
export const models = new ModelPool();
