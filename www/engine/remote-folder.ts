/** A model's folder on a server, whose files can be stored. */

import type { LoadOptions } from "./contract.js";
import { download, facts, type FileFacts, inMemory } from "./download.js";
import type { RemoteFile } from "./fetch-file.js";
import type { FolderStore, WritingTurn } from "./stored.js";

/** The hub from which ids are fetched unless the caller names another one. */
export const HUB = "https://huggingface.co";

/** The folder of a URL that ends with a slash. */
export class RemoteFolder {
  #store: Promise<FolderStore | null> | undefined;
  /**
   * The exclusive right to write to the store, from the first file that is not stored until the
   * load ends.
   */
  #turn: Promise<WritingTurn> | undefined;

  constructor(private readonly folder: URL) {}

  addressOf(name: string): string {
    return this.#remote(name).url.href;
  }

  async file(name: string, options: LoadOptions): Promise<Blob | null> {
    const file = this.#remote(name);
    const wanted = { ...options, headers: authorization(file, options) };
    if (options.store !== true) return download(file, wanted, inMemory);
    const known = await (await (this.#store ??= openStore(this.folder)))?.file(name);
    if (known !== undefined) return known;
    const store = await this.#storeInTurn(name, options);
    // Another page may have stored the file meanwhile.
    const written = await store?.file(name);
    if (written !== undefined) return written;
    const found = await download(
      file,
      wanted,
      async (bytes) => (await store?.create(name, bytes)) ?? inMemory(),
    );
    if (found === null) store?.lacks(name);
    return found;
  }

  /** Length and version of a file without its contents; null if there is none. */
  facts(name: string, options: LoadOptions): Promise<FileFacts | null> {
    const file = this.#remote(name);
    return facts(file, { ...options, headers: authorization(file, options) });
  }

  /** Makes the files that a load stored available to later loads. */
  async commit(): Promise<void> {
    await (await this.#store)?.commit();
  }

  /** Removes the files that a load stored. */
  async discard(): Promise<void> {
    await (await this.#store)?.discard();
  }

  /** Lets other pages write to the store. */
  async release(): Promise<void> {
    const turn = await this.#turn?.catch(() => undefined);
    turn?.end();
  }

  /** The store once no other page writes to it, with that page's files. */
  async #storeInTurn(name: string, options: LoadOptions): Promise<FolderStore | null> {
    if ((await this.#store) === null) return null;
    this.#turn ??= this.#begin(name, options);
    await this.#turn;
    return (await this.#store) ?? null;
  }

  /** Waits for the right to write, and opens the store anew. */
  async #begin(name: string, options: LoadOptions): Promise<WritingTurn> {
    const { WritingTurn } = await import("./stored.js");
    const waits = (): void =>
      options.onProgress?.({ file: name, loadedBytes: 0, waitsForPage: true });
    const turn = await WritingTurn.begin(this.folder.href, waits, options.signal);
    this.#store = openStore(this.folder);
    return turn;
  }

  /** A file of the folder, with the query of the folder's address, such as a version. */
  #remote(name: string): RemoteFile {
    const { search } = this.folder;
    return { name, url: Object.assign(new URL(name, this.folder), { search }) };
  }
}

/** Opens the store in a module of its own, which pages of bundled models never load. */
async function openStore({ href }: URL): Promise<FolderStore | null> {
  const { FolderStore } = await import("./stored.js");
  return FolderStore.open(href, true);
}

/**
 * The request header with the token, which is sent to the hub alone; a browser drops it on a
 * redirect to another origin.
 */
function authorization(
  { url }: RemoteFile,
  { token = "", hub = HUB }: LoadOptions,
): Record<string, string> {
  const isForHub = token !== "" && url.origin === new URL(hub).origin;
  return isForHub ? { Authorization: `Bearer ${token}` } : {};
}
