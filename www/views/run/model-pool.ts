import {
  HeadscopeError,
  loadModel,
  type Backend,
  type LoadOptions,
  type LoadProgress,
  type Model,
} from "../../headscope.js";
import { Pool, type Lease } from "./pool.js";
import type { LoadModel } from "./shelf.js";

/** What moves within its page is gone for a moment, and a model takes long to load. */
const LINGER_MILLIS = 2000;

type Hear = (progress: LoadProgress) => void;

/** A model on its way, and who follows it. */
interface Arrival {
  /** What was last heard of each file. */
  readonly last: Map<string, LoadProgress>;
  readonly heard: Set<Hear>;
}

/** The models of a page by their addresses and backends: each is loaded once, with one worker, for all figures and explorers that use it. */
export class ModelPool {
  private readonly pool = new Pool<Model>((model) => model.dispose(), LINGER_MILLIS);
  private readonly arrivals = new Map<string, Arrival>();

  constructor(private readonly loadOne: LoadModel = loadModel) {}

  /** The model at an address. `hear` follows its download, also one that somebody else began. */
  take(address: string, hear: Hear = () => undefined, backend: Backend = "cpu"): Lease<Model> {
    const key = `${backend} ${address}`;
    const lease: Lease<Model> = this.pool.take(key, (signal) => {
      const coming = this.begin(key, address, { signal, backend });
      // Whoever wants the GPU once more is not given a model that has left it.
      const listen = (model: Model): unknown =>
        model.onRestart(({ leftGpu }) => leftGpu && lease.forget());
      void coming.then(listen, () => undefined);
      return coming;
    });
    const arrival = this.arrivals.get(key);
    if (arrival) {
      arrival.heard.add(hear);
      for (const progress of arrival.last.values()) hear(progress);
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
    const { signal, onProgress, backend } = options;
    signal?.throwIfAborted();
    const lease = this.take(source, onProgress, backend);
    const stopped = new Promise<never>((_, reject) =>
      signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
    );
    try {
      return leased(await Promise.race([lease.value, stopped]), lease);
    } catch (thrown) {
      lease.release();
      throw thrown;
    }
  };

  private begin(key: string, address: string, options: LoadOptions): Promise<Model> {
    const arrival: Arrival = { last: new Map(), heard: new Set() };
    this.arrivals.set(key, arrival);
    const onProgress = (progress: LoadProgress): void => {
      arrival.last.set(progress.file, progress);
      for (const hear of arrival.heard) hear(progress);
    };
    return this.loadOne(address, { ...options, onProgress }).finally(() => {
      if (this.arrivals.get(key) === arrival) this.arrivals.delete(key);
    });
  }
}

/** A shared model for one of its users. */
function leased(model: Model, lease: Lease<Model>): Model {
  /** The model outlives this user, who is to hear no more of it. */
  const listening = new Set<() => void>();
  const onRestart: Model["onRestart"] = (listener) => {
    const stop = model.onRestart(listener);
    listening.add(stop);
    return () => {
      listening.delete(stop);
      stop();
    };
  };
  const { hasTokenizer, notes, notesProblem } = model;
  return {
    get info() {
      return model.info;
    },
    hasTokenizer,
    notes,
    notesProblem,
    tokenize: (...text) => model.tokenize(...text),
    decode: (...ids) => model.decode(...ids),
    run: async (input, options) => {
      try {
        return await model.run(input, options);
      } catch (thrown) {
        // Nothing computes here any more: whoever asks next begins with the model's files.
        if (thrown instanceof HeadscopeError && thrown.code === "engine/not-restarted")
          lease.forget();
        throw thrown;
      }
    },
    generate: (...asked) => model.generate(...asked),
    onRestart,
    dispose: () => {
      for (const stop of listening) stop();
      listening.clear();
      lease.release();
    },
  };
}

/** The models of this page. */
export const models = new ModelPool();
