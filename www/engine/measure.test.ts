import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { measureModel, type ModelSize } from "./measure.js";
import { FolderStore, missingRoom, removeStored, storedFolders } from "./stored.js";
import { serveFiles, stubStorage } from "./testing/stored-files.js";

const FOLDER = "https://hub.example/m/";
const served = (files: Record<string, string>): Parameters<typeof serveFiles>[0] =>
  Object.fromEntries(Object.entries(files).map(([name, body]) => [`${FOLDER}${name}`, { body }]));
const measured = (address = FOLDER): Promise<ModelSize> => measureModel(address, {});
const sizes = ({ files }: ModelSize): Record<string, number | null> =>
  Object.fromEntries(files.map(({ name, bytes }) => [name, bytes]));

/** Stores a file as a load does. */
async function store(name: string, text: string, version: string): Promise<void> {
  const folder = await FolderStore.open(FOLDER, true);
  const sink = await folder?.create(name, text.length);
  await sink?.write(new TextEncoder().encode(text));
  await sink?.close(version);
  await folder?.commit();
}

beforeEach(() => stubStorage());
afterEach(() => void vi.unstubAllGlobals());

it("the size of a model is that of its files; its weights alone are memory", async () => {
  const asked = serveFiles(
    served({ "config.json": "{}", "tokenizer.json": "[1]", "model.safetensors": "0123456789" }),
  );
  const size = await measured();
  expect(sizes(size)).toEqual({
    "config.json": 2,
    "tokenizer.json": 3,
    "model.safetensors": 10,
  });
  expect([size.memoryBytes, new Set(size.files.map(({ stored }) => stored))]).toEqual([
    10,
    new Set(["no"]),
  ]);
  expect(asked.filter((one) => !one.startsWith("HEAD"))).toEqual([]);
});

it("weights in parts are those that their index names, each once", async () => {
  const index = {
    weight_map: { a: "one.safetensors", b: "two.safetensors", c: "one.safetensors" },
  };
  serveFiles(
    served({
      "config.json": "{}",
      "model.safetensors.index.json": JSON.stringify(index),
      "one.safetensors": "1234",
      "two.safetensors": "12345",
    }),
  );
  const size = await measured();
  expect(sizes(size)).toEqual({ "config.json": 2, "one.safetensors": 4, "two.safetensors": 5 });
  expect(size.memoryBytes).toBe(9);
});

it("a size that the server does not state is unknown, and so is the memory", async () => {
  const files = served({ "config.json": "{}", "pytorch_model.bin": "0123" });
  Object.assign(files[`${FOLDER}pytorch_model.bin`] ?? {}, {
    headers: { "content-encoding": "gzip" },
  });
  serveFiles(files);
  const size = await measured();
  expect([sizes(size)["pytorch_model.bin"], size.memoryBytes]).toEqual([null, null]);
});

it("a GGUF model is all its parts, and is refused if one is missing", async () => {
  const part = (at: number): string => `m-0000${at}-of-00002.gguf`;
  serveFiles(served({ [part(1)]: "12", [part(2)]: "123" }));
  const size = await measured(`${FOLDER}${part(2)}`);
  expect([sizes(size), size.memoryBytes]).toEqual([{ [part(1)]: 2, [part(2)]: 3 }, 5]);
  serveFiles(served({ [part(1)]: "12" }));
  await expect(measured(`${FOLDER}${part(1)}`)).rejects.toMatchObject({
    code: "load/not-found",
    expected: `${part(2)} (${FOLDER}${part(2)})`,
  });
});

it.each<[string, Record<string, string>]>([
  ["config.json", { "model.safetensors": "1" }],
  ["model.safetensors", { "config.json": "{}" }],
])("a folder without %s is refused by the name of the file", async (name, files) => {
  serveFiles(served(files));
  await expect(measured()).rejects.toMatchObject({
    code: "load/not-found",
    expected: `${name} (${FOLDER}${name})`,
  });
});

it("says which files are stored, and which of them in an earlier version", async () => {
  await store("config.json", "{}", '"1"');
  await store("model.safetensors", "old", '"0"');
  serveFiles(served({ "config.json": "{}", "tokenizer.json": "[]", "model.safetensors": "new" }));
  const { files } = await measured();
  expect(Object.fromEntries(files.map(({ name, stored }) => [name, stored]))).toEqual({
    "config.json": "yes",
    "tokenizer.json": "no",
    "model.safetensors": "earlier",
  });
});

it("stored folders are listed with their bytes and the address of the model, until one is removed", async () => {
  expect(await storedFolders()).toEqual([]);
  await store("m.gguf", "12345678", '"1"');
  const [found, ...others] = await storedFolders();
  expect(others).toEqual([]);
  expect([found?.folder, found?.address]).toEqual([FOLDER, `${FOLDER}m.gguf`]);
  const index = JSON.stringify({ "m.gguf": { size: 8, version: '"1"' } });
  expect(found?.bytes).toBe(8 + index.length);
  await removeStored(FOLDER);
  expect(await storedFolders()).toEqual([]);
});

it("what a load stored is removed if the load failed, and what was there before it is kept", async () => {
  await store("config.json", "{}", '"1"');
  const folder = await FolderStore.open(FOLDER);
  const sink = await folder?.create("model.safetensors", 3);
  await sink?.write(new TextEncoder().encode("abc"));
  await sink?.close('"1"');
  await folder?.discard();
  const after = await FolderStore.open(FOLDER);
  expect(await (await after?.file("config.json"))?.text()).toBe("{}");
  expect(after?.version("model.safetensors")).toBeUndefined();
  const [kept] = await storedFolders();
  await removeStored(FOLDER);
  await store("config.json", "{}", '"1"');
  expect((await storedFolders())[0]?.bytes).toBe(kept?.bytes);
});

it("a file whose stored bytes are not all there counts as unknown", async () => {
  await store("config.json", "{}", '"1"');
  const folder = await FolderStore.open(FOLDER);
  const sink = await folder?.create("config.json", 1);
  await sink?.write(new TextEncoder().encode("{"));
  await sink?.close('"1"');
  const after = await FolderStore.open(FOLDER);
  expect([await after?.file("config.json"), await after?.file("else")]).toEqual([
    undefined,
    undefined,
  ]);
});

it("the room that is missing is what exceeds the quota", async () => {
  stubStorage({ quota: 100, usage: 40 });
  expect([await missingRoom(60), await missingRoom(75)]).toEqual([0, 15]);
});
