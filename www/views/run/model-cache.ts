import { folderUrl } from "../../engine/source.js";
import {
  type Backend,
  HeadscopeError,
  loadModel,
  type LoadOptions,
  type LoadProgress,
  type Model,
  type ModelSource,
} from "../../headscope.js";
import { tracked } from "../../signals.js";
import { cacheForOffline, isCached, versionedFolder } from "../../offline/index.js";
import {
  type AddressedModel,
  BUNDLED_MODELS,
  type BundledModel,
  isBundled,
  isOpened,
  type ModelName,
  type OpenedModel,
} from "../../state/index.js";
import { home } from "../home.js";
import { FETCHED_FILES, MODEL_CARDS } from "../models.js";

/** The use of a shared thing. */
export interface Lease<Thing> {
  readonly value: Promise<Thing>;
  release: () => void;
  /** The thing is broken: the next user gets another one. */
  forget: () => void;
}

/** Shared things: each is made once for all its users, and ended when the last one releases it. */
export class Pool<Thing> {
  private readonly entries = new Map<
    string,
    {
      users: number;
      value: Promise<Thing>;
      making: AbortController;
      timer?: ReturnType<typeof setTimeout>;
    }
  >();

  /** `lingerMillis`: for so long after the last user left, another one still finds it. */
  constructor(
    private readonly end: (thing: Thing) => void,
    private readonly lingerMillis = 0,
  ) {}

  /** The thing of a key, made for its first user. What could not be made is tried again for the next user. */
  take(key: string, make: (signal: AbortSignal) => Promise<Thing>): Lease<Thing> {
    let known = this.entries.get(key);
    if (!known) {
      const making = new AbortController();
      known = { users: 0, value: make(making.signal), making };
      this.entries.set(key, known);
    }
    const entry = known;
    const forget = (): void => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    };
    const close = (): void => {
      forget();
      entry.making.abort();
      // What failed has nothing to end.
      entry.value.then(this.end, () => undefined);
    };
    if (entry.users === 0) entry.value.catch(forget);
    entry.users += 1;
    clearTimeout(entry.timer);
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      entry.users -= 1;
      if (entry.users > 0) return;
      if (this.lingerMillis === 0) close();
      else entry.timer = setTimeout(close, this.lingerMillis);
    };
    return { value: entry.value, release, forget };
  }
}

/** The state of a model's download. */
export type Download = Loading | { phase: "ready" | "cancelled" | "failed" };

interface Loading {
  phase: "loading";
  loadedBytes: number;
  /** Null until it is known. */
  totalBytes: number | null;
}

export const NOTHING_YET: Loading = { phase: "loading", loadedBytes: 0, totalBytes: null };

/** Adds up the progress of each file of a model, for one bar. */
export function downloadOf(model: ModelName): (progress: LoadProgress) => Loading {
  const files = new Map<string, LoadProgress>();
  const expected = MODEL_CARDS.find(({ name }) => name === model)?.bytes ?? null;
  const sum = (bytes: (file: LoadProgress) => number): number =>
    [...files.values()].reduce((whole, file) => whole + bytes(file), 0);
  return (progress) => {
    files.set(progress.file, progress);
    const loadedBytes = sum((file) => file.loadedBytes);
    // The size of a model that the page does not know is clear once the last of its files has begun.
    const all = files.has(FETCHED_FILES.at(-1) ?? "") ? sum((one) => one.totalBytes ?? NaN) : NaN;
    const total = expected ?? all;
    const totalBytes = Number.isNaN(total) ? null : Math.max(total, loadedBytes);
    return { phase: "loading", loadedBytes, totalBytes };
  };
}

/** What the explorer needs of the engine; a test brings its own. */
export type LoadModel = (source: ModelSource, options: LoadOptions) => Promise<Model>;

/**
 * The models of one explorer. A bundled one stays loaded, since it is small. Of a folder from the user's disk, which may
 * be large, only the file handles are kept.
 */
export class ModelCache {
  @tracked private models: ReadonlyMap<ModelName, Model> = new Map();
  @tracked private folders: ReadonlyMap<OpenedModel, File[]> = new Map();
  /** The loaded folders that the page around names, to be offered again. */
  private readonly named = new Set<AddressedModel>();
  /** The computations that use each model. */
  private readonly users = new Map<ModelName, Set<object>>();

  constructor(
    private readonly loadModel: LoadModel,
    private readonly addressOf: (model: ModelName) => string = (model) => model,
  ) {}

  get opened(): ModelName[] {
    return [...this.named, ...this.folders.keys()];
  }

  /** The models that need no download any more. */
  get ready(): ModelName[] {
    return [...this.models.keys(), ...this.folders.keys()];
  }

  /** Adds a folder from the user's disk; it replaces one of the same name. */
  add(name: string, files: File[]): OpenedModel {
    const opened: OpenedModel = `opened/${name}`;
    this.forget(opened);
    this.folders = new Map([...this.folders, [opened, files]]);
    return opened;
  }

  loaded(name: ModelName): Model | null {
    return this.models.get(name) ?? null;
  }

  /** Loads a model and keeps it. */
  async load(name: ModelName, options: LoadOptions): Promise<Model> {
    const source = isOpened(name) ? (this.folders.get(name) ?? []) : this.addressOf(name);
    const model = await this.loadModel(source, options);
    if (options.signal?.aborted) {
      model.dispose();
      options.signal.throwIfAborted();
    }
    this.forget(name);
    if (!isBundled(name) && !isOpened(name)) this.named.add(name);
    this.models = new Map([...this.models, [name, model]]);
    return model;
  }

  /** The same, with the progress of the download. */
  fetch(
    name: ModelName,
    signal: AbortSignal,
    changed: (download: Download) => void,
  ): Promise<Model> {
    const added = downloadOf(name);
    changed(NOTHING_YET);
    return this.load(name, { signal, onProgress: (progress) => changed(added(progress)) });
  }

  /** A model is in use, or will be when it is loaded. */
  keepFor(user: object, name: ModelName): void {
    this.users.set(name, (this.users.get(name) ?? new Set()).add(user));
  }

  /** The user needs this model alone from now on, or none. A folder's model without users is disposed of. */
  keepOnlyFor(user: object, name: ModelName | null): void {
    for (const [other, users] of this.users) {
      if (other === name || !users.delete(user) || users.size > 0) continue;
      this.users.delete(other);
      if (!isBundled(other)) this.forget(other);
    }
  }

  /** Ends a model's engine, so that the next one starts from its files. */
  forget(name: ModelName): void {
    this.models.get(name)?.dispose();
    this.models = new Map([...this.models].filter(([other]) => other !== name));
  }

  /** Ends the engines that compute on a GPU, and returns their models. */
  leaveGpu(): ModelName[] {
    const onGpu = [...this.models.keys()].filter((name) => this.loaded(name)?.info.adapter);
    for (const name of onGpu) this.forget(name);
    return onGpu;
  }

  dispose(): void {
    for (const name of this.models.keys()) this.forget(name);
  }
}

/** An element that moves within its page is disconnected for a moment, and a model takes long to load. */
const LINGER_MILLIS = 2000;

type OnProgress = (progress: LoadProgress) => void;

/** The models of a page by their addresses and backends: each is loaded once, with one worker, for all figures and explorers that use it. */
export class ModelPool {
  private readonly pool = new Pool<Model>((model) => model.dispose(), LINGER_MILLIS);
  /** The last progress of each file of a model that is being loaded, and the listeners. */
  private readonly downloads = new Map<
    string,
    { last: Map<string, LoadProgress>; listeners: Set<OnProgress> }
  >();

  constructor(private readonly loadOne: LoadModel = loadModel) {}

  /** The model at an address. `listener` follows its download, also one that another user began. */
  take(
    address: string,
    listener: OnProgress = () => undefined,
    backend: Backend = "cpu",
  ): Lease<Model> {
    const key = `${backend} ${address}`;
    const lease: Lease<Model> = this.pool.take(key, (signal) => {
      const loading = this.begin(key, address, { signal, backend });
      // A later user that asks for the GPU gets no model that has left it.
      const listen = (model: Model): unknown =>
        model.onRestart(({ leftGpu }) => leftGpu && lease.forget());
      void loading.then(listen, () => undefined);
      return loading;
    });
    const download = this.downloads.get(key);
    download?.listeners.add(listener);
    for (const progress of download?.last.values() ?? []) listener(progress);
    const release = (): void => {
      download?.listeners.delete(listener);
      lease.release();
    };
    return { ...lease, release };
  }

  /** As `loadModel`, shared by address: `dispose` ends this use of the model. Files in memory are not shared. */
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
    const last = new Map<string, LoadProgress>();
    const listeners = new Set<OnProgress>();
    const download = { last, listeners };
    this.downloads.set(key, download);
    const onProgress = (progress: LoadProgress): void => {
      last.set(progress.file, progress);
      for (const listener of listeners) listener(progress);
    };
    return this.loadOne(address, { ...options, onProgress }).finally(() => {
      if (this.downloads.get(key) === download) this.downloads.delete(key);
    });
  }
}

/** A shared model for one of its users. */
function leased(model: Model, lease: Lease<Model>): Model {
  /** Stopped with this use, which the model outlives. */
  const listening = new Set<() => void>();
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
    run: (input, options) =>
      model.run(input, options).catch((thrown: unknown) => {
        // This thread has ended: the next user loads the model's files again.
        if (thrown instanceof HeadscopeError && thrown.code === "engine/not-restarted")
          lease.forget();
        throw thrown;
      }),
    generate: (...asked) => model.generate(...asked),
    onRestart: (listener) => {
      const stop = model.onRestart(listener);
      listening.add(stop);
      return () => {
        listening.delete(stop);
        stop();
      };
    },
    dispose: () => {
      for (const stop of listening) stop();
      listening.clear();
      lease.release();
    },
  };
}

/** The models of this page. */
export const models = new ModelPool();

/** The whole address of a model: a bundled one lies beside the page's script, any other where `loadModel` finds it. */
export function addressOf(model: ModelName): string {
  return isBundled(model)
    ? new URL(versionedFolder(model), home()).href
    : folderUrl(model.slice(model.indexOf("/") + 1)).href;
}

/** Loads models as `load` does, and stores bundled ones for a visit without a network; `kept` is called for each. */
export function keptOffline(load: LoadModel, kept: () => void): LoadModel {
  return async (source, options) => {
    const model = await load(source, options);
    if (typeof source === "string" && BUNDLED_MODELS.some((name) => addressOf(name) === source))
      void cacheForOffline(filesOf(source), model.info.adapter !== null).then(
        (all) => all && kept(),
      );
    return model;
  };
}

/** The bundled models that a visit without a network finds. */
export async function keptModels(): Promise<BundledModel[]> {
  const kept = await Promise.all(
    MODEL_CARDS.map(({ name }) => isCached(filesOf(addressOf(name))).catch(() => false)),
  );
  return MODEL_CARDS.flatMap(({ name }, index) => (kept[index] ? [name] : []));
}

function filesOf(folder: string): string[] {
  return FETCHED_FILES.map(
    (file) => Object.assign(new URL(file, folder), { search: new URL(folder).search }).href,
  );
}
