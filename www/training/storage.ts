/**
 * The trainings that this browser keeps, so that a closed tab loses little: the newest checkpoint
 * of each, with its curves, by its settings, in a database of the page.
 */
import type { Kept } from "./training-run.js";

const DATABASE = "headscope-training";
const TABLE = "trainings";
const TIME = "written" satisfies keyof Stored;
/** The most trainings that are kept; the one that was written longest ago goes first. */
const MOST_KEPT = 8;

/** A training as it is stored. */
interface Stored {
  text: string;
  written: number;
  kept: Kept;
}

/** What keeps trainings; without a database nothing is kept, and nothing fails. */
export interface KeptTrainings {
  read(text: string): Promise<Kept | null>;
  write(text: string, kept: Kept): Promise<void>;
  remove(text: string): Promise<void>;
}

export const BROWSER_STORAGE: KeptTrainings = {
  read: async (text) => {
    const found = await asked<Stored | undefined>("readonly", (table) => table.get(text));
    return found?.kept ?? null;
  },
  write: async (text, kept) => {
    await asked("readwrite", (table) => table.put({ text, written: Date.now(), kept }));
    // The names by the time at which they were written, the oldest first.
    const names = await asked<string[]>("readonly", (table) => table.index(TIME).getAllKeys());
    for (const name of names?.slice(0, -MOST_KEPT) ?? [])
      await asked("readwrite", (table) => table.delete(name));
  },
  remove: async (text) => {
    await asked("readwrite", (table) => table.delete(text));
  },
};

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(TABLE, { keyPath: "text" }).createIndex(TIME, TIME);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no database"));
  });
  return opened;
}

/** The answer of the table; null where the browser keeps nothing, as in a private window. */
async function asked<Answer>(
  mode: IDBTransactionMode,
  ask: (table: IDBObjectStore) => IDBRequest,
): Promise<Answer | null> {
  try {
    const table = (await database()).transaction(TABLE, mode).objectStore(TABLE);
    const request = ask(table);
    return await new Promise<Answer>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result as Answer);
      request.onerror = () => reject(request.error ?? new Error("refused"));
    });
  } catch {
    return null;
  }
}
