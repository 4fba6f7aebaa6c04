import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Folder, OpenFile } from "./folder.js";

/** Whether a path names a folder. */
export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}

/** A folder on disk. */
export function fromPath(path: string | URL): Folder {
  const folder = typeof path === "string" ? path : fileURLToPath(path);
  const addressOf = (file: string): string => join(folder, file);
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
