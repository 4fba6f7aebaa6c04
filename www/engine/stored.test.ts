// The right of one page to write files of a folder, and what a load without new files leaves alone.
import { afterEach, expect, it, vi } from "vitest";
import { FolderStore, WritingTurn } from "./stored.js";
import { stubStorage } from "./testing/stored-files.js";

const FOLDER = "https://hub.example/m/";
afterEach(() => void vi.unstubAllGlobals());

/** Locks as browsers have them: the next holder begins once the one before has ended. */
function stubLocks(): void {
  const held = new Map<string, Promise<void>>();
  const query = (): Promise<object> =>
    Promise.resolve({ held: [...held.keys()].map((name) => ({ name })) });
  const request = async (
    name: string,
    { signal }: { signal?: AbortSignal },
    hold: () => Promise<void>,
  ): Promise<void> => {
    await held.get(name);
    signal?.throwIfAborted();
    const holding = hold().then(() => void held.delete(name));
    held.set(name, holding);
    await holding;
  };
  vi.stubGlobal("navigator", { locks: { query, request } });
}

it("one page writes at a time, and says so while it waits; other folders do not wait", async () => {
  stubLocks();
  const waits = vi.fn<() => void>();
  const first = await WritingTurn.begin(FOLDER, waits, undefined);
  const other = await WritingTurn.begin(`${FOLDER}other/`, waits, undefined);
  expect(waits).not.toHaveBeenCalled();
  let hasBegun = false;
  const second = WritingTurn.begin(FOLDER, waits, undefined).then((turn) => {
    hasBegun = true;
    return turn;
  });
  await vi.waitFor(() => expect(waits).toHaveBeenCalledOnce());
  other.end();
  await new Promise((resolve) => setTimeout(resolve));
  expect(hasBegun).toBe(false);
  first.end();
  (await second).end();
  expect(hasBegun).toBe(true);
});

it("a wait ends with its signal, and a browser without locks has no other page to wait for", async () => {
  stubLocks();
  const first = await WritingTurn.begin(FOLDER, () => undefined, undefined);
  const stop = new AbortController();
  const second = WritingTurn.begin(FOLDER, () => undefined, stop.signal);
  stop.abort();
  first.end();
  await expect(second).rejects.toThrow(/abort/i);
  vi.stubGlobal("navigator", {});
  const waits = vi.fn<() => void>();
  (await WritingTurn.begin(FOLDER, waits, undefined)).end();
  expect(waits).not.toHaveBeenCalled();
});

it("a load that adds no file writes nothing, and one that adds files keeps the others", async () => {
  stubStorage();
  const add = async (name: string | null, lacks?: string): Promise<void> => {
    const store = await FolderStore.open(FOLDER, true);
    const sink = name === null ? null : await store?.create(name, 1);
    await sink?.write(Uint8Array.of(1));
    await sink?.close(`version of ${name}`);
    if (lacks !== undefined) store?.lacks(lacks);
    await store?.commit();
  };
  await add(null);
  expect(await FolderStore.open(FOLDER)).toMatchObject({ index: {} });
  const directory = await (
    await navigator.storage.getDirectory()
  ).getDirectoryHandle("headscope-models");
  const folder = await directory.getDirectoryHandle(encodeURIComponent(FOLDER));
  const names: string[] = [];
  for await (const [name] of folder.entries()) names.push(name);
  expect(names).toEqual([]);
  await add("a.bin");
  await add("b.bin", "c.json");
  const store = await FolderStore.open(FOLDER);
  expect([store?.version("a.bin"), store?.version("b.bin"), store?.version("none")]).toEqual([
    "version of a.bin",
    "version of b.bin",
    undefined,
  ]);
  expect(await store?.file("c.json")).toBeNull();
  expect((await store?.file("a.bin"))?.size).toBe(1);
  expect(await store?.file("none")).toBeUndefined();
});
