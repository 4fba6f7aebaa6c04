/**
 * Files of models in the page's private file system (OPFS), which no other site sees: a directory
 * for each model's folder, whose index names the files that are complete.
 */

import { isRecord } from "../data/shape.js";
import type { Sink } from "./download.js";
import { describe, refuse, type HeadscopeError } from "./errors.js";

const PLACE = "headscope-models";
const INDEX = "index.json";

/**
 * The complete files by name, with the version that the server gave; null for one that the folder
 * does not have.
 */
type Index = Record<string, { size: number; version: string | null } | null>;

/** Rejects where there is no such file system: in Node, in some private windows, without https. */
async function place(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(PLACE, { create: true });
}

/**
 * A folder of which files are stored, with the bytes that they take and the address of its model.
 */
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
 * The time in which one page alone writes files of a folder: two that write the same file take it
 * away from each other. It also ends when the page is closed or crashes.
 */
export class WritingTurn {
  private constructor(readonly end: () => void) {}

  /**
   * Begins once no other page writes to the folder; `waits` is called if one does. Rejects if
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
  /** What a load adds, which is found from its end on. */
  readonly #added: Index = {};

  private constructor(
    private readonly folder: string,
    private readonly directory: FileSystemDirectoryHandle,
    private readonly index: Index,
  ) {}

  /** Null where nothing can be stored or, without `create`, nothing is. */
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

  /** The version of a stored file; undefined where there is none. */
  version(name: string): string | null | undefined {
    return this.index[name]?.version;
  }

  /** A stored file; null if the folder does not have it, undefined if that is not known. */
  async file(name: string): Promise<File | null | undefined> {
    const stored = this.index[name];
    if (!stored) return stored;
    const file = await (await this.directory.getFileHandle(name)).getFile();
    return file.size === stored.size ? file : undefined;
  }

  /**
   * A file to be written; null where the browser cannot write.
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

  /** Notes that the folder does not have a file, so that it need not be asked again. */
  lacks(name: string): void {
    this.#added[name] = null;
  }

  /**
   * Lets the added files be found from now on. Where that fails they are of use to this page alone.
   */
  async commit(): Promise<void> {
    if (Object.keys(this.#added).length === 0) return;
    const sink = await this.create(INDEX, null).catch(() => null);
    const json = JSON.stringify({ ...this.index, ...this.#added });
    await sink?.write(new TextEncoder().encode(json));
    await sink?.close(null);
  }

  /** Removes what was added. */
  async discard(): Promise<void> {
    if (Object.keys(this.index).length === 0) await removeStored(this.folder);
    else
      for (const name of Object.keys(this.#added))
        await this.directory.removeEntry(name).catch(() => undefined);
  }
}

/**
 * How many bytes the browser would have to give more to this page; 0 where they fit, or where it
 * does not tell.
 */
export async function missingRoom(bytes: number): Promise<number> {
  const { quota = Infinity, usage = 0 } = await navigator.storage.estimate();
  return Math.max(0, bytes - (quota - usage));
}

function noRoom(name: string, got: string): HeadscopeError {
  const message = `The browser has no room to store ${name} (missing: ${got}). Remove stored models, or free space on the disk, then load again.`;
  return refuse("load/no-room", `storing ${name}`, name, got, message);
}
