import { FETCHED_FILES } from "../models.js";

/** A file with its path in the selection, such as `my-bert/config.json`. */
export interface PlacedFile {
  path: string;
  file: File;
}

/** A model's folder from the reader's disk; loose files have no name. */
export interface PickedFolder {
  name: string;
  files: File[];
}

/** Depth to which folders inside the selected one are read. */
const DEEPEST = 2;

const foldersOf = (path: string): string[] => path.split("/").slice(0, -1);

/**
 * The files of one folder of the selection: the outermost one that has a config.json, or else the
 * outermost one, of which the engine then says what it lacks. Null when there are no files.
 */
export function modelFolder(placed: readonly PlacedFile[]): PickedFolder | null {
  const folders = placed
    .map(({ path }) => foldersOf(path))
    .sort((one, other) => one.length - other.length)
    .map((around): PickedFolder => {
      const inside = placed.filter(({ path }) => foldersOf(path).join("/") === around.join("/"));
      return { name: around.at(-1) ?? "", files: inside.map(({ file }) => file) };
    });
  const isModel = ({ files }: PickedFolder): boolean =>
    files.some(({ name }) => name === "config.json");
  return folders.find(isModel) ?? folders[0] ?? null;
}

/** A page that was saved as a file: one that came alone and is none of a model's. */
export function pageFile([only, ...more]: readonly PlacedFile[]): File | null {
  if (!only?.path.endsWith(".json") || more.length > 0) return null;
  return FETCHED_FILES.some((name) => name === only.path) ? null : only.file;
}

/** The files of an input that picks a folder. */
export function placedFiles(files: Iterable<File>): PlacedFile[] {
  return Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** What was dropped: loose files, or a folder with what is in it. */
export async function droppedFiles(transfer: DataTransfer): Promise<PlacedFile[]> {
  // The list is emptied as soon as the event is over, so everything is asked for before anything is awaited.
  const dropped = [...transfer.items].map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }));
  const placed = dropped.map(async ({ entry, file }) => {
    if (entry) return walk(entry, "", DEEPEST);
    return file ? [{ path: file.name, file }] : [];
  });
  return (await Promise.all(placed)).flat();
}

async function walk(entry: FileSystemEntry, within: string, depth: number): Promise<PlacedFile[]> {
  const path = `${within}${entry.name}`;
  if (entry.isFile) {
    const placed = entry as FileSystemFileEntry;
    return [{ path, file: await new Promise((resolve, reject) => placed.file(resolve, reject)) }];
  }
  if (!entry.isDirectory || depth === 0) return [];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const placed: PlacedFile[] = [];
  // It gives a part at a time, and nothing once it is through.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return placed;
    const inside = await Promise.all(some.map((child) => walk(child, `${path}/`, depth - 1)));
    placed.push(...inside.flat());
  }
}
