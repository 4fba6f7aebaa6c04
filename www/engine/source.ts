import type { Stats } from "node:fs";
import type { LoadOptions, ModelSource } from "./contract.js";
import { refuse } from "./errors.js";
import { attempt, fetchFile, networkFailure, type RemoteFile } from "./fetch-file.js";
import { builtin, inNode } from "./in-node.js";

/** A file of a model; in Node one on disk is its path, and is read part by part. */
export type ModelFile = Blob | string;

type FileOptions = Pick<LoadOptions, "signal" | "onProgress">;

export interface Folder {
  /** A file, once it is here; a local one is not read yet. Null if the folder has none of this name. */
  file(name: string, options: FileOptions): Promise<ModelFile | null>;
  /** Where it would have a file, for messages; empty for files in memory. */
  addressOf(file: string): string;
  /** Its file that is a model by itself. */
  gguf?: string;
}

/** Where hub ids are fetched from unless the caller names another hub. */
export const HUB = "https://huggingface.co";

const hasScheme = (source: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(source);
/** `org/name` and nothing more; a relative folder is written with `./`. */
const isHubId = (source: string): boolean => /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(source);

export async function locate(source: ModelSource, hub: string): Promise<Folder> {
  if (typeof source === "string" || source instanceof URL) {
    const [, around, gguf, query = ""] = GGUF.exec(String(source)) ?? [];
    if (gguf === undefined) return locateFolder(source, hub);
    // `a/b` is a hub id, `a/b/` is not.
    const id = around?.slice(0, -1) ?? "";
    const folder = isHubId(id) ? id : `${around ?? "./"}${query}`;
    return { ...(await locateFolder(folder, hub)), gguf };
  }
  const find = Array.isArray(source)
    ? (name: string) => source.find((file) => file.name === name)
    : (name: string) => (Object.hasOwn(source, name) ? toBlob(source[name]) : undefined);
  const names = Array.isArray(source) ? source.map(({ name }) => name) : Object.keys(source);
  const gguf = names.includes("config.json")
    ? undefined
    : names.find((name) => name.endsWith(".gguf"));
  return {
    addressOf: () => "",
    file: (name) => Promise.resolve(find(name) ?? null),
    ...(gguf !== undefined && { gguf }),
  };
}

/** The folder, the name and the query of a GGUF file's address. */
const GGUF = /^(.*\/)?([^/?#]+\.gguf)(\?.*)?$/;

async function locateFolder(source: string | URL, hub: string): Promise<Folder> {
  if (source instanceof URL) return fromUrl(source);
  if (inNode && !hasScheme(source)) {
    const isFolder = (await stat(source))?.isDirectory() ?? false;
    if (isFolder || !isHubId(source)) return fromPath(source);
  }
  return fromUrl(folderUrl(source, hub));
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
    file: (name, options) => download({ name, url: urlOf(name) }, options),
  };
}

/** A folder on disk, in Node alone. */
function fromPath(folder: string): Folder {
  const addressOf = (file: string): string => builtin("path").join(folder, file);
  return {
    addressOf,
    file: async (name) => {
      const isFile = (await stat(addressOf(name)))?.isFile() ?? false;
      return isFile ? addressOf(name) : null;
    },
  };
}

function stat(path: string): Promise<Stats | null> {
  return builtin("fs/promises")
    .stat(path)
    .catch(() => null);
}

function toBlob(bytes: unknown): Blob {
  // Copied, since the caller may go on to change them.
  if (bytes instanceof Uint8Array) return new Blob([new Uint8Array(bytes)]);
  throw refuse("load/not-found", "a file in memory", "a Uint8Array", typeof bytes);
}

/** A file of a server, with progress; null if it has none. */
async function download(
  file: RemoteFile,
  { signal, onProgress }: FileOptions,
): Promise<Blob | null> {
  const response = await fetchFile(file, signal);
  if (!response?.body) return null;
  const length = Number(response.headers.get("content-length"));
  // The length of a compressed answer is not the length of the file.
  const isKnown = length > 0 && response.headers.get("content-encoding") === null;
  const reader = response.body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let loadedBytes = 0;
  try {
    for (;;) {
      const { done, value } = await attempt(file, () => reader.read()).catch((thrown: unknown) => {
        throw networkFailure(file, thrown);
      });
      if (done) return new Blob(chunks);
      signal?.throwIfAborted();
      chunks.push(value);
      loadedBytes += value.byteLength;
      onProgress?.({ file: file.name, loadedBytes, ...(isKnown && { totalBytes: length }) });
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The text of a small file. */
export function textOf(file: ModelFile): Promise<string> {
  return typeof file === "string" ? builtin("fs/promises").readFile(file, "utf8") : file.text();
}

/** The bytes of a small file. */
export async function bytesOf(file: ModelFile): Promise<Uint8Array> {
  if (typeof file === "string") return builtin("fs/promises").readFile(file);
  return new Uint8Array(await file.arrayBuffer());
}
