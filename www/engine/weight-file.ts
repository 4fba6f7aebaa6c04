/** Files of weights for the core, which parses every format itself and reads ranges of bytes. */

import { describe, refuse } from "./errors.js";
import { builtin } from "./in-node.js";
import type { WeightFile } from "./protocol.js";
import type { ModelFile } from "./source.js";

/**
 * Opens a file whose ranges the core reads on demand: on disk in Node, or a `Blob` in a thread with
 * synchronous reading. Elsewhere a `Blob` is read whole.
 * @throws `load/not-found` for a file that cannot be read
 */
export async function openWeights(name: string, file: ModelFile): Promise<WeightFile> {
  try {
    if (typeof file === "string") return onDisk(name, file);
    if ("FileReaderSync" in globalThis) return { name, blob: file };
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { name, size: bytes.length, read: (start, end) => bytes.subarray(start, end) };
  } catch (thrown) {
    const expected = "a file that can be read: choose it again";
    throw refuse("load/not-found", `reading ${name}`, expected, describe(thrown));
  }
}

function onDisk(name: string, path: string): WeightFile {
  const { openSync, readSync, closeSync, statSync } = builtin("fs");
  const read = (start: number, end: number): Uint8Array => {
    const handle = openSync(path, "r");
    try {
      const bytes = new Uint8Array(end - start);
      return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, start));
    } finally {
      closeSync(handle);
    }
  };
  return { name, size: statSync(path).size, read };
}
