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
import { isKept, keepForOffline, versionedFolder } from "../../offline/index.js";
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

/** A thing in use. */
export interface Lease<Thing> {
  readonly value: Promise<Thing>;
  release: () => void;
  /** The thing is broken: the next user gets another one. */
  forget: () => void;
}

interface Entry<Thing> {
  users: number;
  value: Promise<Thing>;
  making: AbortController;
  ending: ReturnType<typeof setTimeout> | undefined;
}

/** Shared things: each is made once for all its users, and ended when the last one releases it. */
export class Pool<Thing> {
  private readonly entries = new Map<string, Entry<Thing>>();

  /** `lingerMillis`: for so long after the last user left, another one still finds it. */
  constructor(
    private readonly end: (thing: Thing) => void,
    private readonly lingerMillis = 0,
  ) {}

  /** What `key` names, made for its first user. What could not be made is tried again for the next user. */
  take(key: string, make: (signal: AbortSignal) => Promise<Thing>): Lease<Thing> {
    const entry = this.entries.get(key) ?? this.begin(key, make);
    entry.users += 1;
    clearTimeout(entry.ending);
    let held = true;
    const release = (): void => {
      if (!held) return;
      held = false;
      entry.users -= 1;
      if (entry.users > 0) return;
      if (this.lingerMillis === 0) this.close(key, entry);
      else entry.ending = setTimeout(() => this.close(key, entry), this.lingerMillis);
    };
    return { value: entry.value, release, forget: () => this.forget(key, entry) };
  }

  private begin(key: string, make: (signal: AbortSignal) => Promise<Thing>): Entry<Thing> {
    const making = new AbortController();
    const entry: Entry<Thing> = { users: 0, value: make(making.signal), making, ending: undefined };
    this.entries.set(key, entry);
    entry.value.catch(() => this.forget(key, entry));
    return entry;
  }

  private close(key: string, entry: Entry<Thing>): void {
    this.forget(key, entry);
    entry.making.abort();
    // What failed has nothing to end.
    entry.value.then(this.end, () => undefined);
  }

  private forget(key: string, entry: Entry<Thing>): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
  }
}

/** Where a model's download stands. */
export type Download = Loading | { phase: "ready" | "cancelled" | "failed" };

interface Loading {
  phase: "loading";
  loadedBytes: number;
  /** Null until it is known. */
  totalBytes: number | null;
}

export const NOTHING_YET: Loading = { phase: "loading", loadedBytes: 0, totalBytes: null };

/** Adds up what is known of each file of a model, so that one bar can stand for all of them. */
export function downloadOf(model: ModelName): (progress: LoadProgress) => Loading {
  const files = new Map<string, LoadProgress>();
  const expected = MODEL_CARDS.find(({ name }) => name === model)?.bytes ?? null;
  return (progress) => {
    files.set(progress.file, progress);
    const loadedBytes = sum([...files.values()].map((file) => file.loadedBytes));
    const sizes = [...files.values()].map((file) => file.totalBytes);
    // How much there is of a model that the page does not know is clear once the last of its files has begun.
    const known =
      files.has(LAST_FILE) && sizes.every((bytes) => bytes !== undefined) ? sum(sizes) : null;
    const totalBytes = expected ?? known;
    return {
      phase: "loading",
      loadedBytes,
      totalBytes: totalBytes === null ? null : Math.max(totalBytes, loadedBytes),
    };
  };
}

const LAST_FILE = FETCHED_FILES[FETCHED_FILES.length - 1] ?? "";

function sum(numbers: readonly number[]): number {
  return numbers.reduce((whole, one) => whole + one, 0);
}

/** What the explorer needs of the engine; a test brings its own. */
export type LoadModel = (source: ModelSource, options: LoadOptions) => Promise<Model>;

/**
 * The models of this visit. A bundled one stays loaded, since it is small, and is there at once when it is wanted
 * again. Of a folder from the reader's disk, which may be large, only the handles of its files are kept.
 */
export class ModelCache {
  @tracked private models: ReadonlyMap<ModelName, Model> = new Map();
  @tracked private folders: ReadonlyMap<OpenedModel, File[]> = new Map();
  /** The folders that the page around names and that were loaded, to be had again. */
  private readonly named = new Set<AddressedModel>();
  /** The computations that use each model. */
  private readonly users = new Map<ModelName, Set<object>>();

  constructor(
    private readonly loadModel: LoadModel,
    private readonly addressOf: (model: ModelName) => string = (model) => model,
  ) {}

  /** The folders that were opened, by name. */
  get opened(): ModelName[] {
    return [...this.named, ...this.folders.keys()];
  }

  /** The models that need not be fetched any more. */
  get ready(): ModelName[] {
    return [...this.models.keys(), ...this.folders.keys()];
  }

  /** Takes in a folder from the reader's disk; one of the same name gives way. */
  add(name: string, files: File[]): OpenedModel {
    const opened: OpenedModel = `opened/${name}`;
    this.forget(opened);
    this.folders = new Map([...this.folders, [opened, files]]);
    return opened;
  }

  /** A model that is loaded already. */
  loaded(name: ModelName): Model | null {
    return this.models.get(name) ?? null;
  }

  /** Fetches a model and keeps it. */
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

  /** The same, with how far the download is. */
  fetch(
    name: ModelName,
    signal: AbortSignal,
    changed: (download: Download) => void,
  ): Promise<Model> {
    const added = downloadOf(name);
    changed(NOTHING_YET);
    return this.load(name, { signal, onProgress: (progress) => changed(added(progress)) });
  }

  /** A model is in use, or will be when it is there. */
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

  /** Ends the engines that compute on a GPU; gives back whose they were. */
  leaveGpu(): ModelName[] {
    const left = [...this.models]
      .filter(([, { info }]) => info.adapter !== null)
      .map(([name]) => name);
    for (const name of left) this.forget(name);
    return left;
  }

  dispose(): void {
    for (const name of [...this.models.keys()]) this.forget(name);
  }
}

/** An element that moves within its page is disconnected for a moment, and a model takes long to load. */
const LINGER_MILLIS = 2000;

type OnProgress = (progress: LoadProgress) => void;

/** A download with its listeners. */
interface SharedDownload {
  /** The last progress of each file. */
  readonly last: Map<string, LoadProgress>;
  readonly listeners: Set<OnProgress>;
}

/** The models of a page by their addresses and backends: each is loaded once, with one worker, for all figures and explorers that use it. */
export class ModelPool {
  private readonly pool = new Pool<Model>((model) => model.dispose(), LINGER_MILLIS);
  private readonly downloads = new Map<string, SharedDownload>();

  constructor(private readonly loadOne: LoadModel = loadModel) {}

  /** The model at an address. `listener` follows its download, also one that another user began. */
  take(
    address: string,
    listener: OnProgress = () => undefined,
    backend: Backend = "cpu",
  ): Lease<Model> {
    const key = `${backend} ${address}`;
    const lease: Lease<Model> = this.pool.take(key, (signal) => {
      const coming = this.begin(key, address, { signal, backend });
      // A later user that asks for the GPU gets no model that has left it.
      const listen = (model: Model): unknown =>
        model.onRestart(({ leftGpu }) => leftGpu && lease.forget());
      void coming.then(listen, () => undefined);
      return coming;
    });
    const download = this.downloads.get(key);
    if (download) {
      download.listeners.add(listener);
      for (const progress of download.last.values()) listener(progress);
    }
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
    const download: SharedDownload = { last: new Map(), listeners: new Set() };
    this.downloads.set(key, download);
    const onProgress = (progress: LoadProgress): void => {
      download.last.set(progress.file, progress);
      for (const listener of download.listeners) listener(progress);
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
        // This thread has ended: the next user loads the model's files again.
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
      void keepForOffline(filesOf(source), model.info.adapter !== null).then(
        (all) => all && kept(),
      );
    return model;
  };
}

/** The bundled models that a visit without a network finds. */
export async function keptModels(): Promise<BundledModel[]> {
  const kept = await Promise.all(
    MODEL_CARDS.map(({ name }) => isKept(filesOf(addressOf(name))).catch(() => false)),
  );
  return MODEL_CARDS.flatMap(({ name }, index) => (kept[index] ? [name] : []));
}

function filesOf(folder: string): string[] {
  return FETCHED_FILES.map(
    (file) => Object.assign(new URL(file, folder), { search: new URL(folder).search }).href,
  );
}
