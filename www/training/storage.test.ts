// The trainings that a browser keeps: read back, the oldest given up; nothing without a database.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { KeptTrainings } from "./storage.js";
import type { Kept } from "./training-run.js";

/** A row of the table of trainings. */
interface Row {
  text: string;
  written: number;
}

/** The requests of a browser's database that are made here, on a table in memory. */
class Database {
  /** The names of the tables and of their indices, as they were made. */
  readonly made: unknown[] = [];
  readonly rows = new Map<string, Row>();
  /** Whether a transaction may write, by the last one. */
  private mode = "";

  constructor(
    private readonly refusal: Error | null = null,
    private readonly fails = false,
  ) {}

  open(name: string, version: number): unknown {
    const isNew = this.made.length === 0;
    if (isNew) this.made.push(name, version);
    return this.answer(() => this, this.refusal, isNew ? "onupgradeneeded" : null);
  }

  createObjectStore(table: string, { keyPath }: { keyPath: string }): unknown {
    const createIndex = (index: string, path: string): unknown =>
      this.made.push(table, keyPath, index, path);
    return { createIndex };
  }

  transaction(_: string, mode: string): this {
    this.mode = mode;
    return this;
  }

  objectStore(): this {
    return this;
  }

  get(text: string): unknown {
    return this.answer(() => this.rows.get(text));
  }

  put(row: Row): unknown {
    return this.write(() => this.rows.set(row.text, row));
  }

  delete(text: string): unknown {
    return this.write(() => this.rows.delete(text));
  }

  index(): { getAllKeys: () => unknown } {
    const oldest = (): string[] =>
      [...this.rows.values()].sort((a, b) => a.written - b.written).map(({ text }) => text);
    return { getAllKeys: () => this.answer(oldest) };
  }

  private write(act: () => unknown): unknown {
    if (this.mode !== "readwrite") throw new Error("The transaction is read-only.");
    return this.answer(act);
  }

  private answer(
    act: () => unknown,
    refusal = this.fails ? new Error("full") : null,
    before: string | null = null,
  ): unknown {
    const request: Record<string, unknown> = { error: refusal };
    const call = (name: string): void => (request[name] as (() => void) | undefined)?.();
    setTimeout(() => {
      if (refusal !== null) {
        call("onerror");
        return;
      }
      request.result = act();
      if (before !== null) call(before);
      call("onsuccess");
    });
    return request;
  }
}

/** The storage of a page that has just been opened, in a browser with this database. */
async function storageOf(database: Database | undefined): Promise<KeptTrainings> {
  vi.stubGlobal("indexedDB", database);
  vi.resetModules();
  return (await import("./storage.js")).BROWSER_STORAGE;
}
const at = (step: number): Kept => ({ step, curve: [], measured: [], checkpoints: [] });

let now = 0;
beforeEach(() => {
  vi.spyOn(Date, "now").mockImplementation(() => (now += 1));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("reads what was written last, also after the page was opened again", async () => {
  const database = new Database();
  const storage = await storageOf(database);
  expect(await storage.read("copy")).toBeNull();
  await storage.write("copy", at(10));
  await storage.write("sort", at(20));
  await storage.write("copy", at(30));
  expect(await storage.read("copy")).toEqual(at(30));
  const again = await storageOf(database);
  expect([await again.read("copy"), await again.read("sort")]).toEqual([at(30), at(20)]);
  await again.remove("copy");
  expect([await again.read("copy"), await again.read("sort")]).toEqual([null, at(20)]);
});

it("keeps its table under names that stay", async () => {
  const database = new Database();
  const storage = await storageOf(database);
  await storage.read("copy");
  await storage.read("copy");
  expect(database.made).toEqual([
    ...["headscope-training", 1],
    ...["trainings", "text", "written", "written"],
  ]);
});

it("keeps eight trainings: the one that was written longest ago goes first", async () => {
  const database = new Database();
  const storage = await storageOf(database);
  for (const name of ["a", "b", "c", "d", "e", "f", "g", "h"]) await storage.write(name, at(1));
  expect([...database.rows.keys()].join("")).toBe("abcdefgh");
  await storage.write("a", at(2));
  await storage.write("i", at(1));
  expect([...database.rows.keys()].sort().join("")).toBe("acdefghi");
});

it.each([
  ["without a database", undefined],
  ["whose database is refused", new Database(new Error("a private window"))],
  ["whose database is full", new Database(null, true)],
])("in a browser %s nothing is kept, and nothing fails", async (_, database) => {
  const storage = await storageOf(database);
  await expect(storage.write("copy", at(10))).resolves.toBeUndefined();
  await expect(storage.read("copy")).resolves.toBeNull();
  await expect(storage.remove("copy")).resolves.toBeUndefined();
});
