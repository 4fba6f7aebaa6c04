import { HUB } from "../../engine/remote-folder.js";
import { folderUrl } from "../../engine/source.js";
import {
  type Adapter,
  findAdapter,
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
  type State,
} from "../../state/index.js";
import { home } from "./home.js";
import { cardOf, FETCHED_FILES, MODEL_CARDS } from "./models.js";

interface Lease<Thing> {
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

  /**
   * The thing of a key, made for its first user. What could not be made is tried again for the next
   * user.
   */
  take(key: string, make: (signal: AbortSignal) => Promise<Thing>): Lease<Thing> {
    const making = new AbortController();
    const entry = this.entries.get(key) ?? { users: 0, value: make(making.signal), making };
    this.entries.set(key, entry);
    const forget = (): void => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    };
    const close = (): void => {
      forget();
      entry.making.abort();
      entry.value.then(this.end, () => undefined);
    };
    if (entry.users === 0) entry.value.catch(forget);
    entry.users += 1;
    clearTimeout(entry.timer);
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      entry.users -= 1;
      if (entry.users > 0) return;
      if (this.lingerMillis === 0) close();
      else entry.timer = setTimeout(close, this.lingerMillis);
    };
    return { value: entry.value, release, forget };
  }
}

/** What the explorer needs of the engine; a test brings its own. */
export type LoadModel = (source: ModelSource, options: LoadOptions) => Promise<Model>;

/**
 * An element that moves within its page is disconnected for a moment, and a model takes long to
 * load.
 */
const LINGER_MILLIS = 2000;

type OnProgress = (progress: LoadProgress) => void;

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
   * As `loadModel`, shared by address: `dispose` ends this use of the model. Files in memory are
   * not shared.
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
      // A later user that asks for the GPU gets no model that has left it.
      const listen = (model: Model): unknown =>
        model.onRestart(({ leftGpu }) => leftGpu && lease.forget());
      void loading.then(listen, () => undefined);
      return loading;
    });
    // One that another user began has come so far.
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
        // This thread has ended: the next user loads the model's files again.
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

export const models = new ModelPool();

export type Download =
  | {
      phase: "loading";
      loadedBytes: number;
      totalBytes: number | null;
      /** Of the last seconds; unknown at first. */
      bytesPerSecond?: number;
      /** How long until the server is asked again. */
      waitSeconds?: number;
      /** Whether another page of this site fetches the same model. */
      waitsForPage?: true;
    }
  | { phase: "ready" | "cancelled" | "failed" };
type Loading = Extract<Download, { phase: "loading" }>;

export const NOTHING_YET: Loading = { phase: "loading", loadedBytes: 0, totalBytes: null };

/**
 * Adds up the progress of each file of a model, for one bar; `measured` is the size of a model that
 * no card tells.
 */
export function downloadOf(
  model: ModelName,
  measured: number | null = null,
): (progress: LoadProgress) => Loading {
  const files = new Map<string, LoadProgress>();
  const expected = cardOf(model)?.bytes ?? measured;
  let since = performance.now();
  let before = 0;
  let rate: number | undefined;
  const sum = (bytes: (file: LoadProgress) => number): number =>
    [...files.values()].reduce((whole, file) => whole + bytes(file), 0);
  return (progress) => {
    files.set(progress.file, progress);
    const loadedBytes = sum((file) => file.loadedBytes);
    // The size of a model that the page does not know is clear once the last of its files has
    // begun.
    const all = files.has(FETCHED_FILES.at(-1) ?? "") ? sum((one) => one.totalBytes ?? NaN) : NaN;
    const total = expected ?? all;
    const totalBytes = Number.isNaN(total) ? null : Math.max(total, loadedBytes);
    const seconds = (performance.now() - since) / 1000;
    if (seconds >= 1) {
      const latest = Math.max(0, loadedBytes - before) / seconds;
      rate = rate === undefined ? latest : (rate + latest) / 2;
      since = performance.now();
      before = loadedBytes;
    }
    const { waitSeconds, waitsForPage } = progress;
    return {
      phase: "loading",
      loadedBytes,
      totalBytes,
      ...(rate !== undefined && { bytesPerSecond: rate }),
      ...(waitSeconds !== undefined && { waitSeconds }),
      ...(waitsForPage && { waitsForPage }),
    };
  };
}

/**
 * The models of one explorer. A bundled one stays loaded, since it is small; of a large folder from
 * a disk only the file handles are kept.
 */
export class ModelCache {
  @tracked private models: ReadonlyMap<ModelName, Model> = new Map();
  @tracked private folders: ReadonlyMap<OpenedModel, File[]> = new Map();
  /** The loaded folders that the page around names, to be offered again. */
  private readonly named = new Set<AddressedModel>();
  private readonly users = new Map<ModelName, Set<object>>();
  /**
   * The hub of ids, and the token that fetches private models: both are forgotten with the page.
   */
  readonly hub = { hub: HUB, token: "" };
  /** Bytes of models that were measured before they are loaded. */
  readonly measured = new Map<ModelName, number>();

  constructor(
    private readonly loadModel: LoadModel,
    private readonly addressOf: (model: ModelName) => string = (model) => model,
  ) {}

  get opened(): ModelName[] {
    return [...this.named, ...this.folders.keys()];
  }

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

  /** Loads a model and keeps it; `changed` follows the download. */
  async fetch(
    name: ModelName,
    signal: AbortSignal,
    changed: (download: Download) => void = () => undefined,
  ): Promise<Model> {
    const added = downloadOf(name, this.measured.get(name));
    changed(NOTHING_YET);
    const source = isOpened(name) ? (this.folders.get(name) ?? []) : this.addressOf(name);
    const onProgress: OnProgress = (progress) => changed(added(progress));
    // What lies beside the page comes from there, and is kept for a visit without a network by the
    // service worker.
    const { origin = "" } = globalThis as { origin?: string };
    const isElsewhere = typeof source === "string" && !source.startsWith(origin);
    const store = isElsewhere && !isBundled(name);
    const model = await this.loadModel(source, { signal, onProgress, ...this.hub, store });
    if (signal.aborted) model.dispose();
    signal.throwIfAborted();
    this.forget(name);
    if (!isBundled(name) && !isOpened(name)) this.named.add(name);
    this.models = new Map([...this.models, [name, model]]);
    return model;
  }

  keepFor(user: object, name: ModelName): void {
    this.users.set(name, (this.users.get(name) ?? new Set()).add(user));
  }

  /**
   * The user needs this model alone from now on, or none. A folder's model without users is
   * disposed of.
   */
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

/**
 * Why the GPU is no longer used: there is none, it refused a model, it failed, or it does not
 * answer.
 */
export const WAYS_TO_LEAVE = ["gpu/absent", "gpu/unavailable", "gpu/lost", "gpu/silent"] as const;
type Left = (typeof WAYS_TO_LEAVE)[number];

/** Failures that concern the GPU: others would occur on the CPU as well. */
const GPU_FAILURES = /^(gpu|engine)\/|^load\/wasm$/;

/**
 * Where the models of a page compute: on the CPU, or if the user asks for it and as long as it
 * works, on the GPU.
 */
export class BackendChoice {
  @tracked adapter: Adapter | null = null;
  private searched = false;
  private inUse: State["backend"] = "cpu";

  /** `left`: the CPU computes from now on. `used`: the GPU computes a model. */
  constructor(
    private readonly events: { left?: (why: Left) => void; used?: () => void } = {},
    private readonly find: () => Promise<Adapter | null> = findAdapter,
  ) {}

  look(): void {
    if (this.searched) return;
    this.searched = true;
    void this.find().then((adapter) => (this.adapter = adapter));
  }

  /**
   * Takes the user's choice; returns whether it changed, so that models have to be loaded again.
   */
  follow(wanted: State["backend"]): boolean {
    const isOther = wanted !== this.inUse;
    this.inUse = wanted;
    return isOther;
  }

  /**
   * Loads models as `load` does, where they are to compute. One that the GPU cannot take or keep is
   * on the CPU.
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
        // Whatever else ended the attempt, the GPU cannot be used.
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

/**
 * The whole address of a model: a bundled one lies beside the page's script, any other where
 * `loadModel` finds it.
 */
export function addressOf(model: ModelName): string {
  if (isBundled(model)) return new URL(versionedFolder(model), home()).href;
  const named = model.slice(model.indexOf("/") + 1);
  // A file that is a model by itself has an address of its own.
  return named.endsWith(".gguf") ? new URL(named, document.baseURI).href : folderUrl(named).href;
}

/**
 * Loads models as `load` does, and stores bundled ones for a visit without a network; `stored` is
 * called for each.
 */
export function storedOffline(load: LoadModel, stored: () => void): LoadModel {
  return async (source, options) => {
    const model = await load(source, options);
    if (typeof source === "string" && BUNDLED_MODELS.some((name) => addressOf(name) === source))
      // Without space for it the page works as before, just not offline.
      void cacheForOffline(filesOf(source)).then(
        (all) => all && stored(),
        () => undefined,
      );
    return model;
  };
}

/** The bundled models that a visit without a network finds. */
export async function storedModels(): Promise<BundledModel[]> {
  const cached = await Promise.all(
    MODEL_CARDS.map(({ name }) => isCached(filesOf(addressOf(name))).catch(() => false)),
  );
  return MODEL_CARDS.flatMap(({ name }, index) => (cached[index] ? [name] : []));
}

function filesOf(folder: string): string[] {
  return FETCHED_FILES.map(
    (file) => Object.assign(new URL(file, folder), { search: new URL(folder).search }).href,
  );
}
