/** A model's folder on a server, whose files are stored where that is asked for. */

import type { LoadOptions } from "./contract.js";
import { download, facts, type FileFacts, inMemory } from "./download.js";
import type { RemoteFile } from "./fetch-file.js";
import type { FolderStore, WritingTurn } from "./stored.js";

/** Where hub ids are fetched from unless the caller names another hub. */
export const HUB = "https://huggingface.co";

/** The folder of a URL that ends with a slash. */
export class RemoteFolder {
  #store: Promise<FolderStore | null> | undefined;
  /**
   * While it lasts no other page writes to the store. It begins with the first file that is not
   * stored.
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
    // Another page may have stored it meanwhile.
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

  /** Length and version of a file that is not fetched; null if there is none. */
  facts(name: string, options: LoadOptions): Promise<FileFacts | null> {
    const file = this.#remote(name);
    return facts(file, { ...options, headers: authorization(file, options) });
  }

  /** Lets the files that a load stored be found from now on. */
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

  /** The store once no other page writes to it, as that one has left it. */
  async #storeInTurn(name: string, options: LoadOptions): Promise<FolderStore | null> {
    if ((await this.#store) === null) return null;
    if (this.#turn === undefined) {
      const { WritingTurn } = await import("./stored.js");
      const waits = (): void =>
        options.onProgress?.({ file: name, loadedBytes: 0, waitsForPage: true });
      this.#turn ??= WritingTurn.begin(this.folder.href, waits, options.signal);
      await this.#turn;
      this.#store = openStore(this.folder);
    }
    await this.#turn;
    return (await this.#store) ?? null;
  }

  /** What the folder's address asks for, such as a version, is asked of each of its files. */
  #remote(name: string): RemoteFile {
    const { search } = this.folder;
    return { name, url: Object.assign(new URL(name, this.folder), { search }) };
  }
}

/** Bundled models are not stored here: their pages do without this part. */
async function openStore({ href }: URL): Promise<FolderStore | null> {
  const { FolderStore } = await import("./stored.js");
  return FolderStore.open(href, true);
}

/**
 * The token goes to the hub alone; a browser sends it to no other origin to which the hub
 * redirects.
 */
function authorization(
  { url }: RemoteFile,
  { token = "", hub = HUB }: LoadOptions,
): Record<string, string> {
  const isForHub = token !== "" && url.origin === new URL(hub).origin;
  return isForHub ? { Authorization: `Bearer ${token}` } : {};
}
