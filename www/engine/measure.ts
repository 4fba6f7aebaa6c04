/** The size of a model, before it is downloaded. */

import type { LoadOptions } from "./contract.js";
import { findCheckpoint, ggufParts, missing, readFile } from "./load.js";
import { HUB } from "./remote-folder.js";
import { locate, textOf } from "./source.js";
import { FolderStore } from "./stored.js";

export interface ModelSize {
  /**
   * The files of the model. `bytes` is null if the server does not state it; a stored file may be
   * an earlier version of the server's.
   */
  files: { name: string; bytes: number | null; stored: "no" | "yes" | "earlier" }[];
  /**
   * The bytes of the weights in memory in the format of the files; null if the server does not
   * state them.
   */
  memoryBytes: number | null;
}

/**
 * Requests the sizes of a model's files, and downloads its config.
 * @throws `load/*` for files that cannot be loaded
 */
export async function measureModel(address: string, options: LoadOptions): Promise<ModelSize> {
  const folder = await locate(address, HUB);
  const store = await FolderStore.open(folder.addressOf(""));
  const files: ModelSize["files"] = [];
  const measure = async (name: string): Promise<Blob | null> => {
    const facts = (await folder.facts?.(name, options)) ?? null;
    const own = store?.version(name);
    const stored = own === undefined ? "no" : own === facts?.version ? "yes" : "earlier";
    if (facts) files.push({ name, bytes: facts.bytes, stored });
    return facts && new Blob();
  };
  const read = async (name: string): Promise<string | null> => {
    const file = await readFile(folder, name, options);
    return file && textOf(file);
  };
  if (folder.gguf === undefined) {
    // First what every model has: a failure names a file that a reader knows.
    if ((await measure("config.json")) === null) missing(folder, "config.json");
    await Promise.all([
      ...["tokenizer.json", "headscope.json"].map(measure),
      findCheckpoint(measure, read, folder),
    ]);
  } else
    for (const part of ggufParts(folder.gguf))
      if ((await measure(part)) === null) missing(folder, part);
  const weights = files.filter(({ name }) => !name.endsWith(".json"));
  const memory = weights.reduce((sum, file) => sum + (file.bytes ?? NaN), 0);
  return { files, memoryBytes: Number.isNaN(memory) ? null : memory };
}
