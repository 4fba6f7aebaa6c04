/** A page's private file system in memory, and a server of files, for tests of stored models. */
import { vi } from "vitest";

class MemoryFile {
  bytes: Uint8Array = new Uint8Array();

  constructor(readonly name: string) {}

  getFile(): Promise<File> {
    return Promise.resolve(new File([this.bytes.slice()], this.name));
  }

  createWritable(): Promise<object> {
    let written: Uint8Array = new Uint8Array();
    return Promise.resolve({
      write: (part: Uint8Array) => {
        written = Uint8Array.from([...written, ...part]);
        return Promise.resolve();
      },
      truncate: (length: number) => {
        written = written.slice(0, length);
        return Promise.resolve();
      },
      // As in a browser, a file has its new bytes once it is closed.
      close: () => {
        this.bytes = written;
        return Promise.resolve();
      },
      abort: () => Promise.resolve(),
    });
  }
}

class MemoryDirectory {
  private readonly all = new Map<string, MemoryDirectory | MemoryFile>();

  constructor(readonly name: string) {}

  getDirectoryHandle(name: string, options?: { create?: boolean }): Promise<MemoryDirectory> {
    return this.handle(name, MemoryDirectory, options);
  }

  getFileHandle(name: string, options?: { create?: boolean }): Promise<MemoryFile> {
    return this.handle(name, MemoryFile, options);
  }

  removeEntry(name: string): Promise<void> {
    if (this.all.delete(name)) return Promise.resolve();
    return Promise.reject(new DOMException(name, "NotFoundError"));
  }

  async *entries(): AsyncGenerator<[string, MemoryDirectory | MemoryFile]> {
    for (const entry of this.all) yield Promise.resolve(entry);
  }

  async *values(): AsyncGenerator<MemoryDirectory | MemoryFile> {
    for (const value of this.all.values()) yield Promise.resolve(value);
  }

  private handle<Kind extends MemoryDirectory | MemoryFile>(
    name: string,
    kind: new (name: string) => Kind,
    { create = false } = {},
  ): Promise<Kind> {
    const found = this.all.get(name) ?? (create ? new kind(name) : null);
    if (!(found instanceof kind)) return Promise.reject(new DOMException(name, "NotFoundError"));
    this.all.set(name, found);
    return Promise.resolve(found);
  }
}

/** Gives the page an empty storage of its own, of which so many bytes are used. */
export function stubStorage({ quota = 1000, usage = 0 } = {}): void {
  const root = new MemoryDirectory("");
  vi.stubGlobal("FileSystemDirectoryHandle", MemoryDirectory);
  vi.stubGlobal("FileSystemFileHandle", MemoryFile);
  const storage = {
    getDirectory: () => Promise.resolve(root),
    estimate: () => Promise.resolve({ quota, usage }),
  };
  vi.stubGlobal("navigator", { storage, onLine: true });
}

/** A file on a server: its text, and the headers beside its length. */
interface ServedFile {
  body?: string;
  headers?: Record<string, string>;
}

/** Serves files by their addresses; returns the addresses that are asked for, with the method. */
export function serveFiles(files: Readonly<Record<string, ServedFile>>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (url: URL, { method = "GET" }: RequestInit = {}) => {
    asked.push(`${method} ${url.href}`);
    const found = Object.hasOwn(files, url.href) ? files[url.href] : undefined;
    if (!found) return Promise.resolve(new Response(null, { status: 404 }));
    const { body = "", headers } = found;
    const own = { "content-length": String(body.length), etag: '"1"', ...headers };
    return Promise.resolve(new Response(method === "HEAD" ? null : body, { headers: own }));
  });
  return asked;
}
