import type { Stats } from "node:fs";
import type { LoadOptions, ModelSource } from "./contract.js";
import type { FileFacts } from "./download.js";
import { refuse } from "./errors.js";
import { builtin, inNode } from "./in-node.js";
import { HUB, RemoteFolder } from "./remote-folder.js";

/** A file of a model; in Node a file on disk is its path, and is read in parts. */
export type ModelFile = Blob | string;

export interface Folder {
  /**
   * A file, once it is downloaded; a local one is not read yet. Null if the folder has no such
   * file.
   */
  file(name: string, options: LoadOptions): Promise<ModelFile | null>;
  /** The address that a file has in the folder, for messages; empty for files in memory. */
  addressOf(file: string): string;
  /** The name of the folder's GGUF file, which is a whole model. */
  gguf?: string;
  /** Length and version of a file on a server without its contents; null if there is none. */
  facts?(name: string, options: LoadOptions): Promise<FileFacts | null>;
  /**
   * `commit` makes the files that a load stored available to later loads, `discard` removes them.
   */
  commit?(): Promise<void>;
  discard?(): Promise<void>;
  /** Lets other pages fetch and store files of the folder. */
  release?(): Promise<void>;
}

const hasScheme = (source: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(source);
/** Whether a source has the form `org/name` alone; a relative folder is written with `./`. */
const isHubId = (source: string): boolean => /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(source);

export async function locate(source: ModelSource, hub: string): Promise<Folder> {
  if (isAddress(source)) {
    const { folder, gguf } = placeOf(source);
    const located = await locateFolder(folder, hub);
    return gguf === undefined ? located : Object.assign(located, { gguf });
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

const isAddress = (source: ModelSource): source is string | URL =>
  typeof source === "string" || source instanceof URL;

/** The folder, the name and the query of a GGUF file's address. */
const GGUF = /^(.*\/)?([^/?#]+\.gguf)(\?.*)?$/;

/** The folder of a source, and the name of its GGUF file if the source is one. */
function placeOf(source: string | URL): { folder: string | URL; gguf?: string } {
  const [, around, gguf, query = ""] = GGUF.exec(String(source)) ?? [];
  if (gguf === undefined) return { folder: source };
  // `a/b` is a hub id, `a/b/` is not.
  const id = around?.slice(0, -1) ?? "";
  return { folder: isHubId(id) ? id : `${around ?? "./"}${query}`, gguf };
}

/**
 * A text that is the same for each way to name a model's files; null for files and bytes, of which
 * only the caller knows whether they are the same.
 */
export function identityOf(source: ModelSource, hub: string): string | null {
  if (!isAddress(source)) return null;
  if (inNode && typeof source === "string" && !hasScheme(source))
    return JSON.stringify([builtin("path").resolve(source), isHubId(source) ? hub : ""]);
  const { folder, gguf = "" } = placeOf(source);
  return JSON.stringify([folderUrl(String(folder), hub).href, gguf]);
}

async function locateFolder(source: string | URL, hub: string): Promise<Folder> {
  if (source instanceof URL) return await fromUrl(source);
  if (inNode && !hasScheme(source)) {
    const isFolder = (await stat(source))?.isDirectory() ?? false;
    if (isFolder || !isHubId(source)) return fromPath(await snapshotOf(source));
  }
  return await fromUrl(folderUrl(source, hub));
}

/**
 * The URL of the folder that a string names on a page: a URL, a hub id, or a folder relative to the
 * page. The URL ends with a slash.
 */
export function folderUrl(source: string, hub: string = HUB): URL {
  // In a worker, relative addresses would be relative to its own script.
  const page = (): string =>
    typeof document === "undefined" ? self.location.href : document.baseURI;
  const url = isHubId(source)
    ? new URL(`${hub.replace(/\/+$/, "")}/${source}/resolve/main/`)
    : new URL(source, hasScheme(source) ? undefined : page());
  return url.pathname.endsWith("/") ? url : Object.assign(url, { pathname: `${url.pathname}/` });
}

async function fromUrl(url: URL): Promise<Folder> {
  if (inNode && url.protocol === "file:")
    return fromPath(await snapshotOf(builtin("url").fileURLToPath(url)));
  return new RemoteFolder(folderUrl(url.href));
}

/**
 * The folder on disk with a model's files, in Node alone: for a model in Hugging Face's cache,
 * `models--org--name`, the snapshot that `refs/main` names, or the only one.
 * @throws load/not-found
 */
export async function snapshotOf(folder: string): Promise<string> {
  const path = builtin("path");
  const { readdir, readFile } = builtin("fs/promises");
  const snapshots = path.join(folder, "snapshots");
  const isCached = path.basename(path.resolve(folder)).startsWith("models--");
  if (!isCached || (await stat(path.join(folder, "config.json"))) !== null) return folder;
  const names = await readdir(snapshots).catch((): string[] => []);
  const main = await readFile(path.join(folder, "refs/main"), "utf8").catch(() => "");
  const wanted = main.trim() === "" && names.length === 1 ? names[0] : main.trim();
  if (wanted !== undefined && names.includes(wanted)) return path.join(snapshots, wanted);
  const expected = `a snapshot that refs/main names: give the path of one of those in ${snapshots}`;
  throw refuse(
    "load/not-found",
    `the cache folder ${folder}`,
    expected,
    names.join(", ") || "none",
  );
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
  // Copied, since the caller may change the bytes later.
  if (bytes instanceof Uint8Array) return new Blob([new Uint8Array(bytes)]);
  throw refuse("load/not-found", "a file in memory", "a Uint8Array", typeof bytes);
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
