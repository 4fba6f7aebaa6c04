/** The models that one explorer holds, and the folders that were opened from a disk. */
import { HUB } from "../../engine/remote-folder.js";
import type { Model } from "../../headscope.js";
import { tracked } from "../../signals.js";
import {
  type AddressedModel,
  isBundled,
  isAddressed,
  isOpened,
  type ModelName,
  type OpenedModel,
} from "../../state/index.js";
import { Consent } from "./consent.js";
import { type Download, downloadOf, NOTHING_YET } from "./download.js";
import type { LoadModel, OnProgress } from "./model-pool.js";

/**
 * The models of one explorer. Of the bundled models without a user the last one stays loaded, for
 * the way back to it; of a large folder from a disk only the file handles are kept.
 */
export class ModelCache {
  @tracked private models: ReadonlyMap<ModelName, Model> = new Map();
  @tracked private folders: ReadonlyMap<OpenedModel, File[]> = new Map();
  /** The loaded models with an address, which are offered again. */
  private readonly named = new Set<AddressedModel>();
  private readonly users = new Map<ModelName, Set<object>>();
  /** The loaded bundled models without a user, the last one that had a user at the end. */
  private readonly unused = new Set<ModelName>();
  /**
   * The hub of ids, and the token that fetches private models: both are lost when the page closes.
   */
  readonly hub = { hub: HUB, token: "" };
  /** The sizes in bytes of models that were measured before they are loaded. */
  readonly measured = new Map<ModelName, number>();

  /** The reader's consent to fetch models that a link names. */
  readonly consent: Consent;

  constructor(
    private readonly loadModel: LoadModel,
    private readonly addressOf: (model: ModelName) => string = (model) => model,
  ) {
    this.consent = new Consent(addressOf);
  }

  get opened(): ModelName[] {
    return [...this.named, ...this.folders.keys()];
  }

  get ready(): ModelName[] {
    return [...this.models.keys(), ...this.folders.keys()];
  }

  /** Adds a folder from the user's disk; it replaces a folder of the same name. */
  add(name: string, files: File[]): OpenedModel {
    const opened: OpenedModel = `opened/${name}`;
    this.forget(opened);
    this.folders = new Map([...this.folders, [opened, files]]);
    return opened;
  }

  /** Removes a folder that could not be opened. */
  remove(opened: OpenedModel): void {
    this.forget(opened);
    this.folders = new Map([...this.folders].filter(([other]) => other !== opened));
  }

  loaded(name: ModelName): Model | null {
    return this.models.get(name) ?? null;
  }

  /**
   * Loads a model and keeps it, once its reader agrees; `changed` is called as the download
   * progresses.
   */
  async fetch(
    name: ModelName,
    signal: AbortSignal,
    changed: (download: Download) => void = () => undefined,
  ): Promise<Model> {
    if (isAddressed(name) && !this.consent.covers(name)) {
      changed({ phase: "asked" });
      await this.consent.ask(name, signal);
    }
    const added = downloadOf(name, this.measured.get(name));
    changed(NOTHING_YET);
    const source = isOpened(name) ? (this.folders.get(name) ?? []) : this.addressOf(name);
    const onProgress: OnProgress = (progress) => changed(added(progress));
    // Models beside the page are fetched from there, and the service worker stores them for a visit
    // without a network.
    const { origin = "" } = globalThis as { origin?: string };
    const isElsewhere = typeof source === "string" && !source.startsWith(origin);
    const store = isElsewhere && !isBundled(name);
    const model = await this.loadModel(source, { signal, onProgress, ...this.hub, store });
    if (signal.aborted) model.dispose();
    signal.throwIfAborted();
    this.forget(name);
    if (isAddressed(name)) this.named.add(name);
    this.models = new Map([...this.models, [name, model]]);
    return model;
  }

  /** Declares that `user` needs this model too; of the models without users the last one stays. */
  keepFor(user: object, name: ModelName): void {
    this.users.set(name, (this.users.get(name) ?? new Set()).add(user));
    this.unused.delete(name);
    for (const other of [...this.unused].slice(0, -1)) this.forget(other);
  }

  /**
   * Declares that `user` needs only this model from now on, or none. A folder's model without users
   * is disposed of; a bundled one when others are needed, since this one may be the next.
   */
  keepOnlyFor(user: object, name: ModelName | null): void {
    for (const [other, users] of this.users) {
      if (other === name || !users.delete(user) || users.size > 0) continue;
      this.users.delete(other);
      if (!isBundled(other)) this.forget(other);
      else if (this.models.has(other)) this.unused.add(other);
    }
  }

  /** Ends a model's engine, so that the next one starts from the model's files. */
  forget(name: ModelName): void {
    this.unused.delete(name);
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
