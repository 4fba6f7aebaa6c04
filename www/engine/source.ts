import type { Stats } from "node:fs";
import type { ModelSource } from "./contract.js";
import { refuse } from "./errors.js";
import { attempt, fetchFile, networkFailure } from "./fetch-file.js";
import { builtin, inNode } from "./in-node.js";

export interface Folder {
  /** Null if the folder has no such file. */
  open(file: string, signal: AbortSignal | undefined): Promise<OpenFile | null>;
  /** Where it would have a file, for messages; empty for files in memory. */
  addressOf(file: string): string;
}

export interface OpenFile {
  totalBytes: number | undefined;
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Where hub ids are fetched from unless the caller names another hub. */
export const HUB = "https://huggingface.co";

const hasScheme = (source: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(source);
/** `org/name` and nothing more; a relative folder is written with `./`. */
const isHubId = (source: string): boolean => /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(source);

export async function locate(source: ModelSource, hub: string): Promise<Folder> {
  if (source instanceof URL) return fromUrl(source);
  if (typeof source === "string") {
    if (inNode && !hasScheme(source)) {
      const isFolder = (await stat(source))?.isDirectory() ?? false;
      if (isFolder || !isHubId(source)) return fromPath(source);
    }
    return fromUrl(folderUrl(source, hub));
  }
  if (Array.isArray(source)) {
    const blobs = new Map(source.map((file) => [file.name, file]));
    return fromBlobs((name) => blobs.get(name));
  }
  return fromBlobs((name) => (Object.hasOwn(source, name) ? toBlob(source[name]) : undefined));
}

/** The URL of the folder that a string names on a page: a URL, a hub id, or a folder relative to the page. It ends with a slash. */
export function folderUrl(source: string, hub: string = HUB): URL {
  // In a worker relative addresses are relative to its own script.
  const page = (): string =>
    typeof document === "undefined" ? self.location.href : document.baseURI;
  const url = isHubId(source)
    ? new URL(`${hub.replace(/\/+$/, "")}/${source}/resolve/main/`)
    : new URL(source, hasScheme(source) ? undefined : page());
  return url.pathname.endsWith("/") ? url : Object.assign(url, { pathname: `${url.pathname}/` });
}

function fromUrl(url: URL): Folder {
  if (inNode && url.protocol === "file:") return fromPath(builtin("url").fileURLToPath(url));
  const folder = folderUrl(url.href);
  // What the folder's address asks for, such as a version, is asked of each of its files.
  const urlOf = (file: string): URL =>
    Object.assign(new URL(file, folder), { search: folder.search });
  return {
    addressOf: (file) => urlOf(file).href,
    open: async (name, signal) => {
      const file = { name, url: urlOf(name) };
      const response = await fetchFile(file, signal);
      if (!response?.body) return null;
      const length = Number(response.headers.get("content-length"));
      // The length of a compressed answer is not the length of the file.
      const known = length > 0 && response.headers.get("content-encoding") === null;
      const receive: Receive = (read) =>
        attempt(file, read).catch((thrown: unknown) => {
          throw networkFailure(file, thrown);
        });
      return { totalBytes: known ? length : undefined, chunks: readAll(response.body, receive) };
    },
  };
}

/** A folder on disk, in Node alone. */
function fromPath(folder: string): Folder {
  const addressOf = (file: string): string => builtin("path").join(folder, file);
  return {
    addressOf,
    open: async (file) => {
      const found = await stat(addressOf(file));
      if (found?.isFile() !== true) return null;
      const chunks = builtin("fs").createReadStream(addressOf(file));
      return { totalBytes: found.size, chunks: chunks as AsyncIterable<Uint8Array<ArrayBuffer>> };
    },
  };
}

function stat(path: string): Promise<Stats | null> {
  return builtin("fs/promises")
    .stat(path)
    .catch(() => null);
}

function fromBlobs(find: (name: string) => Blob | undefined): Folder {
  return {
    addressOf: () => "",
    open: (name) => {
      const blob = find(name);
      const file = blob ? { totalBytes: blob.size, chunks: readAll(blob.stream()) } : null;
      return Promise.resolve(file);
    },
  };
}

function toBlob(bytes: unknown): Blob {
  // Copied, since the caller may go on to change them.
  if (bytes instanceof Uint8Array) return new Blob([new Uint8Array(bytes)]);
  throw refuse("load/not-found", "a file in memory", "a Uint8Array", typeof bytes);
}

type Receive = <T>(read: () => Promise<T>) => Promise<T>;

/** Safari cannot iterate over a stream. */
async function* readAll<Piece>(
  stream: ReadableStream<Piece>,
  receive: Receive = (read) => read(),
): AsyncGenerator<Piece> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await receive(() => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
