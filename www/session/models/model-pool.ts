/** The models that are loaded on a page, each once for all figures and explorers that use it. */
import {
  HeadscopeError,
  loadModel,
  type LoadOptions,
  type LoadProgress,
  type Model,
  type ModelSource,
} from "../../headscope.js";
import { type Lease, Pool } from "./pool.js";

/** The function of the engine that loads a model; tests supply their own. */
export type LoadModel = (source: ModelSource, options: LoadOptions) => Promise<Model>;

/**
 * The time that an unused model stays loaded: an element that moves within its page is disconnected
 * for a moment, and a model takes long to load.
 */
const LINGER_MILLIS = 2000;

export type OnProgress = (progress: LoadProgress) => void;

/**
 * The models of a page by their addresses and backends: each is loaded once, with one worker, for
 * all figures and explorers that use it.
 */
export class ModelPool {
  private readonly pool = new Pool<Model>((model) => model.dispose(), LINGER_MILLIS);
  private readonly downloads = new Map<
    string,
    { last: Map<string, LoadProgress>; listeners: Set<OnProgress> }
  >();

  constructor(private readonly loadOne: LoadModel = loadModel) {}

  /**
   * Loads a model like `loadModel`, but shared by address: `dispose` ends only this use of the
   * model. Files in memory are not shared.
   */
  readonly load: LoadModel = async (source, options) => {
    if (typeof source !== "string") return this.loadOne(source, options);
    const { signal, onProgress = () => undefined, backend = "cpu", ...more } = options;
    signal?.throwIfAborted();
    const key = `${backend} ${source}`;
    const lease: Lease<Model> = this.pool.take(key, (ending) => {
      const last = new Map<string, LoadProgress>();
      const listeners = new Set<OnProgress>();
      this.downloads.set(key, { last, listeners });
      const progressed = (progress: LoadProgress): void => {
        last.set(progress.file, progress);
        for (const listener of listeners) listener(progress);
      };
      const own = { ...more, signal: ending, backend, onProgress: progressed };
      const loading = this.loadOne(source, own);
      // A model that left the GPU is not given to a later user that asks for the GPU.
      const listen = (model: Model): unknown =>
        model.onRestart(({ leftGpu }) => leftGpu && lease.forget());
      void loading.then(listen, () => undefined);
      return loading;
    });
    // Reports the present progress of a download that another user began.
    const { last, listeners } = this.downloads.get(key) ?? {};
    listeners?.add(onProgress);
    for (const progress of last?.values() ?? []) onProgress(progress);
    const stopped = new Promise<never>((_, reject) =>
      signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
    );
    try {
      return leased(await Promise.race([lease.value, stopped]), lease);
    } catch (thrown) {
      lease.release();
      throw thrown;
    } finally {
      listeners?.delete(onProgress);
    }
  };
}

/** A shared model for one of its users, whose listeners stop with this use. */
function leased(model: Model, lease: Lease<Model>): Model {
  const listening = new Set<() => void>();
  return Object.assign(Object.create(model) as Model, {
    run: (...[input, options]: Parameters<Model["run"]>) =>
      model.run(input, options).catch((thrown: unknown) => {
        // The model's thread has ended: the next user loads the model's files again.
        if (thrown instanceof HeadscopeError && thrown.code === "engine/not-restarted")
          lease.forget();
        throw thrown;
      }),
    onRestart: (...[listener]: Parameters<Model["onRestart"]>) => {
      const stop = model.onRestart(listener);
      listening.add(stop);
      return stop;
    },
    dispose: () => {
      for (const stop of listening) stop();
      lease.release();
    },
  } satisfies Partial<Model>);
}

/** The models that all figures and explorers of a page share. */
export const models = new ModelPool();
