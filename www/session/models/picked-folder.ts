/** What files of a user are: a model's folder, a saved page, a study or a text. */
import { MODEL_FILES } from "./models.js";
import type { PlacedFile } from "./picked-files.js";

/**
 * A model's folder from the user's disk; loose files have an empty name, unless one is a model by
 * itself.
 */
export interface PickedFolder {
  name: string;
  files: File[];
}

const isGguf = ({ name }: File): boolean => name.endsWith(".gguf");

const foldersOf = ({ path }: PlacedFile): string[] =>
  path
    .replace(/^\.?\//, "")
    .split("/")
    .slice(0, -1);

/**
 * The files of one folder of the selection: the outermost one that has a config.json or a GGUF
 * file, or else the outermost one, for which the engine then reports what is missing. Null if there
 * are no files.
 */
export function modelFolder(placed: readonly PlacedFile[]): PickedFolder | null {
  const folders = placed
    .map(foldersOf)
    .sort((one, other) => one.length - other.length)
    .map((around): PickedFolder => {
      const files = placed.filter((file) => foldersOf(file).join("/") === around.join("/"));
      const gguf = files.find(isGguf)?.name;
      return { name: around.at(-1) ?? gguf?.replace(/\.gguf$/, "") ?? "", files };
    });
  return folders.find(isModelFolder) ?? folders[0] ?? null;
}

/** Whether a folder can be a model: it has a config.json or a GGUF file. */
export const isModelFolder = ({ files }: PickedFolder): boolean =>
  files.some((file) => file.name === "config.json" || isGguf(file));

/**
 * The name of a model whose files came without their folder: what its config.json says of itself;
 * empty where that says nothing.
 */
export async function nameInConfig(files: readonly File[]): Promise<string> {
  const config = files.find(({ name }) => name === "config.json");
  const text = await (config?.text().catch(() => "") ?? "");
  try {
    const said = JSON.parse(text) as { _name_or_path?: unknown; model_type?: unknown } | null;
    const names = [said?._name_or_path, said?.model_type].map((name) =>
      typeof name === "string" ? (name.split("/").at(-1)?.trim() ?? "") : "",
    );
    return names.find(Boolean) ?? "";
  } catch {
    // The engine says what is wrong with the file.
    return "";
  }
}

/** The file of a study of a selection of one file; null for other selections. */
export function studyFile([only, ...more]: readonly PlacedFile[]): File | null {
  return only?.name.endsWith(".jsonl") && more.length === 0 ? only : null;
}

/** The text file of a selection of one file; null for other selections. */
export function textFile([only, ...more]: readonly PlacedFile[]): File | null {
  const isText = only && (only.type === "text/plain" || /\.(txt|md)$/i.test(only.name));
  return isText && more.length === 0 ? only : null;
}

/**
 * The id of a model if only its folder in the cache of Hugging Face was picked,
 * `models--org--name`: its files have other names there, and browsers leave out the links that have
 * the right names. Null for anything else, also for a cache without links, as on Windows.
 */
export function cachedModel(placed: readonly PlacedFile[]): string | null {
  const isModel = ({ name }: File): boolean => name === "config.json" || name.endsWith(".gguf");
  if (placed.some(isModel)) return null;
  const folders = placed.flatMap(foldersOf);
  const [, ...parts] = folders.find((name) => name.startsWith("models--"))?.split("--") ?? [];
  return parts.length > 0 ? parts.join("/") : null;
}

/**
 * The file of a saved page: a single JSON file that belongs to no model; null for other selections.
 */
export function pageFile([only, ...more]: readonly PlacedFile[]): File | null {
  if (!only?.name.endsWith(".json") || more.length > 0) return null;
  return foldersOf(only).length === 0 && MODEL_FILES.has(only.name)
    ? null
    : only;
}
