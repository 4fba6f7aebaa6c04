/** How large a model is, before it is fetched. */

import type { LoadOptions } from "./contract.js";
import { findCheckpoint, ggufParts, missing, readFile } from "./load.js";
import { HUB } from "./remote-folder.js";
import { locate, textOf } from "./source.js";
import { FolderStore } from "./stored.js";

export interface ModelSize {
  /**
   * `bytes` is null where the server does not tell; a stored file may be an earlier version of the
   * server's.
   */
  files: { name: string; bytes: number | null; stored: "no" | "yes" | "earlier" }[];
  /**
   * What the weights need in memory, where they stay as they are; null where the server does not
   * tell.
   */
  memoryBytes: number | null;
}

/**
 * Asks a server for the sizes of a model's files, and fetches its config.
 * @throws `load/*` for what cannot be had
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
    const [config] = await Promise.all([
      ...["config.json", "tokenizer.json", "headscope.json"].map(measure),
      findCheckpoint(measure, read, folder),
    ]);
    if (config === null) missing(folder, "config.json");
  } else
    for (const part of ggufParts(folder.gguf))
      if ((await measure(part)) === null) missing(folder, part);
  const weights = files.filter(({ name }) => !name.endsWith(".json"));
  const memory = weights.reduce((sum, file) => sum + (file.bytes ?? NaN), 0);
  return { files, memoryBytes: Number.isNaN(memory) ? null : memory };
}
