/** Files of weights of every format, each read as if it were a safetensors file. */

import { describe, refuse } from "../errors.js";
import { builtin } from "../in-node.js";
import type { WeightFile } from "../protocol.js";
import type { ModelFile } from "../source.js";

/** Browsers have it in workers. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** The first bytes of a format that is not safetensors, and how a file of it is read. */
const FORMATS: [number[], (file: WeightFile) => Promise<WeightFile>][] = [
  [[0x50, 0x4b, 3, 4], async (file) => (await import("./pytorch.js")).readPyTorch(file)],
  [[0x47, 0x47, 0x55, 0x46], async (file) => (await import("./gguf.js")).readGguf(file)],
];

/**
 * Opens a file of weights; its tensors are read when the core asks for them.
 * @throws `load/not-found` for a file that cannot be read, and what is wrong with one of a format
 */
export async function openWeights(name: string, file: ModelFile): Promise<WeightFile> {
  let opened: WeightFile;
  let start: Uint8Array;
  try {
    opened = await openFile(name, file);
    start = opened.read(0, Math.min(opened.size, 4));
  } catch (thrown) {
    const expected = "a file that can be read: choose it again";
    throw refuse("load/not-found", `reading ${name}`, expected, describe(thrown));
  }
  const format = FORMATS.find(([first]) => first.every((byte, at) => byte === start[at]));
  return format === undefined ? opened : format[1](opened);
}

/** A file as it is. Of one on disk, and in a worker, parts are read when they are asked for. */
export async function openFile(name: string, file: ModelFile): Promise<WeightFile> {
  if (typeof file === "string") {
    const { openSync, readSync, closeSync, statSync } = builtin("fs");
    const read = (start: number, end: number): Uint8Array => {
      const handle = openSync(file, "r");
      try {
        const bytes = new Uint8Array(end - start);
        return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, start));
      } finally {
        closeSync(handle);
      }
    };
    return { name, size: statSync(file).size, read };
  }
  const { size } = file;
  if ("FileReaderSync" in globalThis) {
    const reader = new FileReaderSync();
    const read = (start: number, end: number): Uint8Array =>
      new Uint8Array(reader.readAsArrayBuffer(file.slice(start, end)));
    return { name, size, read };
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { name, size, read: (start, end) => bytes.subarray(start, end) };
}
