/**
 * Stored files of models in the page's private file system (OPFS), which other sites cannot read: a
 * directory for each model's folder, with an index of the complete files.
 */

import { isRecord } from "../data/shape.js";
import type { Sink } from "./download.js";
import { describe, refuse, type HeadscopeError } from "./errors.js";

const PLACE = "headscope-models";
const INDEX = "index.json";

/**
 * The complete files by name, with the version that the server gave; null for a file that the
 * folder does not have.
 */
type Index = Record<string, { size: number; version: string | null } | null>;

/**
 * The directory of all stored folders. Rejects without OPFS: in Node, in some private windows,
 * without https.
 */
async function place(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(PLACE, { create: true });
}

/** A folder with stored files, with their bytes and the address of its model. */
export interface StoredFolder {
  folder: string;
  address: string;
  bytes: number;
}

export async function storedFolders(): Promise<StoredFolder[]> {
  const found: StoredFolder[] = [];
  for await (const [name, directory] of (await place()).entries()) {
    if (!(directory instanceof FileSystemDirectoryHandle)) continue;
    const folder = decodeURIComponent(name);
    let address = folder;
    let bytes = 0;
    for await (const file of directory.values()) {
      if (!(file instanceof FileSystemFileHandle)) continue;
      bytes += (await file.getFile()).size;
      if (file.name.endsWith(".gguf")) address = new URL(file.name, folder).href;
    }
    found.push({ folder, address, bytes });
  }
  return found;
}

export async function removeStored(folder: string): Promise<void> {
  await (await place()).removeEntry(encodeURIComponent(folder), { recursive: true });
}

/**
 * The exclusive right of one page to write files of a folder: two pages that write the same file
 * would break each other's. It also ends when the page is closed or crashes.
 */
export class WritingTurn {
  private constructor(readonly end: () => void) {}

  /**
   * Waits until no other page writes to the folder; `waits` is called if one does. Rejects if
   * `signal` aborts before.
   */
  static async begin(
    folder: string,
    waits: () => void,
    signal: AbortSignal | undefined,
  ): Promise<WritingTurn> {
    const { locks } = navigator as Partial<Navigator>;
    if (!locks) return new WritingTurn(() => undefined);
    const name = `${PLACE} ${folder}`;
    const { held = [] } = await locks.query();
    if (held.some((lock) => lock.name === name)) waits();
    return new Promise((begin, reject) => {
      const hold = (): Promise<void> =>
        new Promise((end) => {
          begin(new WritingTurn(end));
        });
      locks.request(name, { ...(signal && { signal }) }, hold).catch(reject);
    });
  }
}

/** The stored files of one folder. */
export class FolderStore {
  /** The files that a load has added, which later loads find after `commit`. */
  readonly #added: Index = {};

  private constructor(
    private readonly folder: string,
    private readonly directory: FileSystemDirectoryHandle,
    private readonly index: Index,
  ) {}

  /**
   * Opens the store of a folder; null if nothing can be stored or, without `create`, nothing is.
   */
  static async open(folder: string, create = false): Promise<FolderStore | null> {
    try {
      const name = encodeURIComponent(folder);
      const directory = await (await place()).getDirectoryHandle(name, { create });
      const file = await directory.getFileHandle(INDEX).catch(() => null);
      const index: unknown = file && JSON.parse(await (await file.getFile()).text());
      return new FolderStore(folder, directory, isRecord(index) ? (index as Index) : {});
    } catch {
      return null;
    }
  }

  /** The version of a stored file; undefined if it is not stored. */
  version(name: string): string | null | undefined {
    return this.index[name]?.version;
  }

  /** A stored file; null if the folder does not have it, undefined if that is unknown. */
  async file(name: string): Promise<File | null | undefined> {
    const stored = this.index[name];
    if (!stored) return stored;
    const file = await (await this.directory.getFileHandle(name)).getFile();
    return file.size === stored.size ? file : undefined;
  }

  /**
   * A sink for a new file; null if the browser cannot write.
   * @throws load/no-room
   */
  async create(name: string, bytes: number | null): Promise<Sink | null> {
    const missing = await missingRoom(bytes ?? 0);
    if (missing > 0) throw noRoom(name, `${missing} bytes`);
    const create = async (): Promise<[FileSystemFileHandle, FileSystemWritableFileStream]> => {
      const handle = await this.directory.getFileHandle(name, { create: true });
      return [handle, await handle.createWritable()];
    };
    const [handle, file] = (await create().catch(() => null)) ?? [];
    if (!handle || !file) return null;
    const written = (work: Promise<void>): Promise<void> =>
      work.catch(async (thrown: unknown) => {
        const more = await missingRoom(bytes ?? 0);
        throw noRoom(name, more > 0 ? `${more} bytes` : describe(thrown));
      });
    return {
      write: (part) => written(file.write(part)),
      restart: () => written(file.truncate(0)),
      close: async (version) => {
        await written(file.close());
        const stored = await handle.getFile();
        this.#added[name] = { size: stored.size, version };
        return stored;
      },
      abort: async () => {
        await file.abort();
        await this.directory.removeEntry(name);
      },
    };
  }

  /** Records that the folder does not have a file, so that the server need not be asked again. */
  lacks(name: string): void {
    this.#added[name] = null;
  }

  /** Makes the added files available to later loads. If that fails, they serve this page alone. */
  async commit(): Promise<void> {
    if (Object.keys(this.#added).length === 0) return;
    const sink = await this.create(INDEX, null).catch(() => null);
    const json = JSON.stringify({ ...this.index, ...this.#added });
    await sink?.write(new TextEncoder().encode(json));
    await sink?.close(null);
  }

  /** Removes the added files. */
  async discard(): Promise<void> {
    if (Object.keys(this.index).length === 0) await removeStored(this.folder);
    else
      for (const name of Object.keys(this.#added))
        await this.directory.removeEntry(name).catch(() => undefined);
  }
}

/**
 * The bytes by which a file exceeds the storage that the browser grants; 0 if it fits, or if the
 * browser does not state it.
 */
export async function missingRoom(bytes: number): Promise<number> {
  const { quota = Infinity, usage = 0 } = await navigator.storage.estimate();
  return Math.max(0, bytes - (quota - usage));
}

function noRoom(name: string, got: string): HeadscopeError {
  const message = `The browser has no room to store ${name} (missing: ${got}). Remove stored models, or free space on the disk, then load again.`;
  return refuse("load/no-room", `storing ${name}`, name, got, message);
}
