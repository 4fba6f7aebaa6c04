/** How large a model is, before it is fetched. */

import type { LoadOptions } from "./contract.js";
import { findCheckpoint, missing, readFile } from "./load.js";
import { HUB } from "./remote-folder.js";
import { locate, textOf } from "./source.js";
import { FolderStore } from "./stored.js";

export interface ModelSize {
  /** `bytes` is null where the server does not tell; a stored file may be an earlier version of the server's. */
  files: { name: string; bytes: number | null; stored: "no" | "yes" | "earlier" }[];
  /** What the weights need in memory, in f32; null where the server does not tell. */
  memoryBytes: number | null;
}

/** Bytes of a number in a file where they are not 4, by its name in config.json. */
const DTYPES = new Map([
  ["float64", 8],
  ["float16", 2],
  ["bfloat16", 2],
]);

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
  if (folder.gguf !== undefined) {
    if ((await measure(folder.gguf)) === null) missing(folder, folder.gguf);
    return { files, memoryBytes: null };
  }
  const [config] = await Promise.all([
    read("config.json"),
    findCheckpoint(measure, read, folder),
    ...["config.json", "tokenizer.json", "headscope.json"].map(measure),
  ]);
  const text = config ?? missing(folder, "config.json");
  const dtype = /"(?:torch_)?dtype"\s*:\s*"(\w+)"/.exec(text)?.[1] ?? "float32";
  const weights = files.filter(({ name }) => !name.endsWith(".json"));
  const bytes = weights.reduce((sum, file) => sum + (file.bytes ?? NaN), 0);
  const memory = (bytes * 4) / (DTYPES.get(dtype) ?? 4);
  return { files, memoryBytes: Number.isNaN(memory) ? null : memory };
}
