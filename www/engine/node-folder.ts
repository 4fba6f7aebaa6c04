import type { Folder, OpenFile } from "./folder.js";

// Only Node loads this file. Imports of Node's modules would be followed by the bundler of a web page.
const { createReadStream } = process.getBuiltinModule("fs");
const { stat } = process.getBuiltinModule("fs/promises");
const paths = process.getBuiltinModule("path");
const { fileURLToPath } = process.getBuiltinModule("url");

/** Whether a path names a folder. */
export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}

/** A folder on disk. */
export function fromPath(path: string | URL): Folder {
  const folder = typeof path === "string" ? path : fileURLToPath(path);
  const addressOf = (file: string): string => paths.join(folder, file);
  return { open: (file) => openPath(addressOf(file)), addressOf };
}

async function openPath(path: string): Promise<OpenFile | null> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true) return null;
  return {
    totalBytes: found.size,
    chunks: createReadStream(path) as AsyncIterable<Uint8Array<ArrayBuffer>>,
  };
}
