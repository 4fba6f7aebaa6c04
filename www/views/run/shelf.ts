import type { LoadOptions, Model, ModelSource } from "../../headscope.js";
import { isBundled, type BundledModel, type ModelName, type OpenedModel } from "../../state/index.js";

/** What the explorer needs of the engine; a test brings its own. */
export type LoadModel = (source: ModelSource, options: LoadOptions) => Promise<Model>;

/**
 * The models of this visit. A bundled one stays loaded, since it is small, and is there at once when it is wanted
 * again. Of a folder from the reader's disk, which may be large, only the handles of its files are kept.
 */
export class Shelf {
  private readonly models = new Map<ModelName, Model>();
  private readonly folders = new Map<OpenedModel, File[]>();

  constructor(
    private readonly loadModel: LoadModel,
    private readonly addressOf: (model: BundledModel) => string = (model) => model,
  ) {}

  /** The folders that were opened, by name. */
  get opened(): OpenedModel[] {
    return [...this.folders.keys()];
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
    const source = isBundled(name) ? this.addressOf(name) : (this.folders.get(name) ?? []);
    const model = await this.loadModel(source, options);
    if (options.signal?.aborted) {
      model.dispose();
      options.signal.throwIfAborted();
    }
    this.forget(name);
    this.models.set(name, model);
    return model;
  }

  /** Nobody looks at this model any more. */
  putAway(name: ModelName): void {
    if (!isBundled(name)) this.forget(name);
  }

  /** Ends a model's engine, so that the next one starts from its files. */
  forget(name: ModelName): void {
    this.models.get(name)?.dispose();
    this.models.delete(name);
  }

  dispose(): void {
    for (const name of [...this.models.keys()]) this.forget(name);
  }
}
