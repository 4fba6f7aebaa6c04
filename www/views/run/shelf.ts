import type { LoadOptions, Model, ModelSource } from "../../headscope.js";
import {
  isBundled,
  isOpened,
  type AddressedModel,
  type ModelName,
  type OpenedModel,
} from "../../state/index.js";

/** What the explorer needs of the engine; a test brings its own. */
export type LoadModel = (source: ModelSource, options: LoadOptions) => Promise<Model>;

/**
 * The models of this visit. A bundled one stays loaded, since it is small, and is there at once when it is wanted
 * again. Of a folder from the reader's disk, which may be large, only the handles of its files are kept.
 */
export class Shelf {
  private readonly models = new Map<ModelName, Model>();
  private readonly folders = new Map<OpenedModel, File[]>();
  /** The folders that the page around names and that were loaded, to be had again. */
  private readonly named = new Set<AddressedModel>();
  /** Which computations look at which models. */
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
    this.folders.set(opened, files);
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
    this.models.set(name, model);
    if (!isBundled(name) && !isOpened(name)) this.named.add(name);
    return model;
  }

  /** Somebody looks at a model, or will when it is there. */
  keepFor(user: object, name: ModelName): void {
    this.users.set(name, (this.users.get(name) ?? new Set()).add(user));
  }

  /** Somebody looks at this model alone from now on, or at none. A folder's that nobody looks at any more is put away. */
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
    this.models.delete(name);
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
