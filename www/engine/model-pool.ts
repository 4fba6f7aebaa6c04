/** The models that are loaded on a page or in a process, each once for all that use it. */
import type { LoadOptions, LoadProgress, Model, ModelSource } from "./contract.js";
import { aborted } from "./errors.js";
import { checkedOptions, type CheckedOptions, openSource } from "./load.js";
import type { OpenModel } from "./model.js";
import { type Lease, Pool } from "./pool.js";
import { identityOf } from "./source.js";

type OnProgress = (progress: LoadProgress) => void;

interface Download {
  /** The latest report of each file. */
  last: Map<string, LoadProgress>;
  listeners: Set<OnProgress>;
}

/** Whoever takes a model in the task in which its last user leaves it takes the same one. */
const SAME_TASK_MILLIS = 0;

/**
 * Models by address, backend, form of the weights and token: each is loaded once, with one thread,
 * for all its users, and ended after the last of them.
 */
export class ModelPool {
  readonly #pool = new Pool<OpenModel>((model) => model.dispose());
  readonly #downloads = new Map<string, Download>();

  constructor(private readonly open: typeof openSource = openSource) {}

  /**
   * The model of a source for one more user, who ends only this use with `dispose`.
   * `lingerMillis` is the time that the model stays loaded where this is its last use.
   */
  async load(
    source: ModelSource,
    given: LoadOptions = {},
    lingerMillis = SAME_TASK_MILLIS,
  ): Promise<Model> {
    const options = checkedOptions(given);
    const { hub, backend, weights, token = "", signal, onProgress = () => undefined } = options;
    const identity = options.shared === false ? null : identityOf(source, hub);
    if (identity === null) {
      const model = await this.open(source, options);
      return model.use({ ended: () => model.dispose() });
    }
    if (signal?.aborted === true) throw aborted("load");
    const key = JSON.stringify([identity, backend, weights, token]);
    const lease: Lease<OpenModel> = this.#pool.take(key, (ending) => {
      const opening = this.#begin(key, source, { ...options, signal: ending });
      // A model that left the GPU is not given to a later user that asks for the GPU.
      const follow = (model: OpenModel): unknown =>
        model.onRestart(({ leftGpu }) => {
          if (leftGpu) lease.forget();
        });
      void opening.then(follow, () => undefined);
      return opening;
    });
    const download = this.#downloads.get(key);
    // The present state of a download that another user began.
    for (const progress of download?.last.values() ?? []) onProgress(progress);
    download?.listeners.add(onProgress);
    try {
      const model = await unlessAborted(lease.value, signal);
      return model.use({ ended: () => lease.release(lingerMillis), lost: lease.forget });
    } catch (thrown) {
      lease.release(lingerMillis);
      throw thrown;
    } finally {
      download?.listeners.delete(onProgress);
    }
  }

  #begin(key: string, source: ModelSource, options: CheckedOptions): Promise<OpenModel> {
    const download: Download = { last: new Map(), listeners: new Set() };
    this.#downloads.set(key, download);
    const onProgress: OnProgress = (progress) => {
      download.last.set(progress.file, progress);
      for (const listener of download.listeners) listener(progress);
    };
    return this.open(source, { ...options, onProgress }).finally(() => {
      if (this.#downloads.get(key) === download) this.#downloads.delete(key);
    });
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(aborted("load"));
    signal?.addEventListener("abort", stop);
    void work.then(resolve, reject).finally(() => signal?.removeEventListener("abort", stop));
  });
}

/** The models of this page or process; scripts that load none leave it out. */
export const models = /* @__PURE__ */ new ModelPool();

/**
 * Loads a model: fetches its files and starts an engine with it, unless it is loaded already; then
 * this is one more use of it. Figures of the page that name the model use it, too.
 * @throws `load/*` for files that cannot be fetched or read, `config/*`, `checkpoint/*` and
 *   `tokenizer/*` for faults in the files, input/unsupported-option, gpu/absent, gpu/unavailable,
 *   gpu/silent, engine/crashed
 */
export function loadModel(source: ModelSource, options?: LoadOptions): Promise<Model> {
  return models.load(source, options);
}
