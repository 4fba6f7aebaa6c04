import { FETCHED_FILES } from "../models.js";

/** A file with its path in the selection, such as `my-bert/config.json`. */
export interface PlacedFile {
  path: string;
  file: File;
}

/** A model's folder from the reader's disk. */
export interface PickedFolder {
  /** Empty for loose files. */
  name: string;
  files: File[];
}

/** Depth to which folders inside the selected one are read. */
const DEEPEST = 2;

/**
 * The files of one folder of the selection: the outermost one that has a config.json, or else the
 * outermost one, of which the engine then says what it lacks. Null when there are no files.
 */
export function modelFolder(placed: readonly PlacedFile[]): PickedFolder | null {
  const depth = (folder: string): number => (folder === "" ? 0 : folder.split("/").length);
  const folders = [...new Set(placed.map(({ path }) => folderOf(path)))].sort(
    (a, b) => depth(a) - depth(b),
  );
  const filesOf = (folder: string): File[] =>
    placed.filter(({ path }) => folderOf(path) === folder).map(({ file }) => file);
  const chosen =
    folders.find((folder) => filesOf(folder).some(({ name }) => name === "config.json")) ??
    folders[0];
  return chosen === undefined
    ? null
    : { name: chosen.slice(chosen.lastIndexOf("/") + 1), files: filesOf(chosen) };
}

/** A page that was saved as a file: one that came alone and is none of a model's. */
export function pageFile(placed: readonly PlacedFile[]): File | null {
  const [only, ...more] = placed;
  const own =
    only &&
    more.length === 0 &&
    only.path.endsWith(".json") &&
    !FETCHED_FILES.some((name) => name === only.path);
  return own ? only.file : null;
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
  const placed = await Promise.all(
    dropped.map(({ entry, file }) => {
      if (entry) return walk(entry, "", DEEPEST);
      return Promise.resolve(file ? [{ path: file.name, file }] : []);
    }),
  );
  return placed.flat();
}

async function walk(entry: FileSystemEntry, within: string, depth: number): Promise<PlacedFile[]> {
  const path = `${within}${entry.name}`;
  if (isFile(entry))
    return [
      { path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) },
    ];
  if (!isDirectory(entry) || depth === 0) return [];
  const inside = await entriesOf(entry.createReader());
  return (await Promise.all(inside.map((child) => walk(child, `${path}/`, depth - 1)))).flat();
}

/** A reader hands out a part at a time, and nothing once it is through. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
