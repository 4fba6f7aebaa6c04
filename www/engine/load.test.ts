import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { Client } from "./client.js";
import type { LoadOptions, Model, ModelSource } from "./contract.js";
import { refuse } from "./errors.js";
import { ggufParts } from "./load.js";
import { loadModel } from "./model-pool.js";
import { storedFolders } from "./stored.js";
import { FakeThreads } from "./testing/fake-threads.js";
import { serveFiles, stubStorage } from "./testing/stored-files.js";

/*
 * Real folders are loaded in `tests/node`; here is which files are asked for, which of them reach
 * the engine, and what is refused before a large file is fetched.
 */

const FOLDER = "https://hub.example/m/";
const CONFIG = '{"model_type":"bert"}';

let threads: FakeThreads;
let loaded: MockInstance<typeof Client.load>;

beforeEach(() => {
  threads = new FakeThreads();
  const load = Client.load.bind(Client);
  loaded = vi.spyOn(Client, "load");
  loaded.mockImplementation((_, ...rest) => load(threads.spawn, ...rest));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A folder in memory. */
const folder = (files: Record<string, string>): ModelSource =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]),
  );
const open = (files: Record<string, string>, options?: LoadOptions): Promise<Model> =>
  loadModel(folder({ "config.json": CONFIG, ...files }), options);
const handed = (): Parameters<typeof Client.load>[1] =>
  loaded.mock.lastCall?.[1] ?? expect.fail("no engine was started");
const namesHanded = (): string[] => handed().checkpoint.map(({ name }) => name);

describe("a folder", () => {
  it("gives the engine its config, its settings for writing and its weights", async () => {
    await open({ "generation_config.json": '{"a":1}', "model.safetensors": "w" });
    expect(handed()).toMatchObject({
      config: CONFIG,
      generation: '{"a":1}',
      backend: "cpu",
      weights: "stored",
    });
    expect(namesHanded()).toEqual(["model.safetensors"]);
    expect(handed()).not.toHaveProperty("preprocessor");
    await open({ "model.safetensors": "w" }, { backend: "auto", weights: "int8" });
    expect(handed()).toMatchObject({ generation: undefined, backend: "auto", weights: "int8" });
  });

  it.each<[string, Record<string, string>, string[]]>([
    [
      "safetensors before a pickle",
      { "pytorch_model.bin": "", "model.safetensors": "" },
      ["model.safetensors"],
    ],
    ["a pickle where there is nothing else", { "pytorch_model.bin": "" }, ["pytorch_model.bin"]],
    [
      "the parts of an index, each once",
      {
        "model.safetensors.index.json": '{"weight_map":{"a":"2.bin","b":"1.bin","c":"2.bin"}}',
        "1.bin": "",
        "2.bin": "",
      },
      ["2.bin", "1.bin"],
    ],
    [
      "the parts of a pickle",
      { "pytorch_model.bin.index.json": '{"weight_map":{"a":"1.bin"}}', "1.bin": "" },
      ["1.bin"],
    ],
  ])("has as weights %s", async (_, files, names) => {
    await open(files);
    expect(namesHanded()).toEqual(names);
  });

  it.each([
    ["{", "no JSON"],
    ["{}", "no map"],
    ['{"weight_map":{}}', "no file"],
    ['{"weight_map":{"a":1}}', "a number"],
    ['{"weight_map":{"a":"1.bin","b":"../1.bin"}}', "another folder"],
  ])("with the index %s (%s) is refused", async (index) => {
    const files = { "model.safetensors.index.json": index, "1.bin": "" };
    await expect(open(files)).rejects.toMatchObject({ code: "checkpoint/bad-index", got: index });
    expect(loaded).not.toHaveBeenCalled();
  });

  it.each<[string, Record<string, string>, string, string]>([
    ["weights", { "config.json": CONFIG }, "load/not-found", "model.safetensors"],
    [
      "a part of its weights",
      { "config.json": CONFIG, "model.safetensors.index.json": '{"weight_map":{"a":"1.bin"}}' },
      "load/not-found",
      "1.bin",
    ],
    ["a config", { "model.safetensors": "" }, "load/not-found", "config.json"],
    [
      "a config, as an adapter alone",
      { "adapter_config.json": "{}", "model.safetensors": "" },
      "checkpoint/adapter",
      "merge",
    ],
  ])("without %s is refused by its name", async (_, files, code, expected) => {
    const lost = loadModel(folder(files));
    await expect(lost).rejects.toMatchObject({ code });
    await expect(lost).rejects.toHaveProperty("expected", expect.stringContaining(expected));
    expect(loaded).not.toHaveBeenCalled();
  });

  it("with notes that cannot be read still gives a model, and the reason", async () => {
    const model = await open({ "model.safetensors": "", "headscope.json": "{" });
    expect(model.notes).toBeNull();
    expect(model.notesProblem).toMatch(
      /^headscope.json, the file: expected JSON, found SyntaxError/,
    );
    expect((await open({ "model.safetensors": "" })).notesProblem).toBeNull();
  });

  it.each<[string, Record<string, string>, string | null]>([
    ["its own file", { "preprocessor_config.json": '{"size":2}' }, '{"size":2}'],
    [
      "the file of a processor first",
      {
        "preprocessor_config.json": '{"size":2}',
        "processor_config.json": '{"image_processor":{"size":3}}',
      },
      '{"size":3}',
    ],
    [
      "its own file if the processor has none",
      { "preprocessor_config.json": '{"size":2}', "processor_config.json": '{"feature":1}' },
      '{"size":2}',
    ],
    ["none", {}, null],
  ])("of a model of images has its preprocessing from %s", async (_, files, preprocessor) => {
    const config = '{"model_type":"vit"}';
    const generation = { "generation_config.json": "{}", "tokenizer.json": "no tokenizer" };
    await open({ ...generation, "config.json": config, "model.safetensors": "", ...files });
    // Nothing is written, and no text is read.
    expect(handed()).toMatchObject({ config, preprocessor, generation: undefined });
  });
});

describe("a GGUF file", () => {
  it("is all its parts, by the name of any of them", () => {
    expect(ggufParts("a-b.gguf")).toEqual(["a-b.gguf"]);
    expect(ggufParts("m-00002-of-00003.gguf")).toEqual(
      [1, 2, 3].map((at) => `m-0000${at}-of-00003.gguf`),
    );
    expect(ggufParts("m-1-of-3.gguf")).toEqual(["m-1-of-3.gguf"]);
  });

  it("reaches the engine without a config, which it has inside", async () => {
    const names = [1, 2].map((at) => `m-0000${at}-of-00002.gguf`);
    const files = Object.fromEntries(names.map((name) => [name, "g"]));
    await loadModel(folder({ ...files, "generation_config.json": "{}" }));
    expect(namesHanded()).toEqual(names);
    expect(handed()).toMatchObject({ config: undefined, generation: undefined });
    const [first = ""] = names;
    await expect(loadModel(folder({ [first]: "g" }))).rejects.toMatchObject({
      code: "load/not-found",
      expected: names[1],
    });
  });

  it("whose tokenizer cannot be read leaves no engine behind", async () => {
    const dispose = vi.fn<() => void>();
    const metadata = new Map([["tokenizer.ggml.model", "no such tokenizer"]]);
    const started = { client: { dispose }, info: {}, metadata };
    loaded.mockResolvedValue(started as unknown as Awaited<ReturnType<typeof Client.load>>);
    await expect(loadModel(folder({ "m.gguf": "g" }))).rejects.toMatchObject({
      code: expect.stringMatching(/tokenizer$/) as string,
    });
    expect(dispose).toHaveBeenCalledOnce();
  });
});

describe("a folder on a server", () => {
  it("is asked for its small files side by side, and for the weights behind them", async () => {
    stubStorage();
    const other = "https://hub.example/other/";
    const files = { "config.json": CONFIG, "headscope.json": "{}", "model.safetensors": "weights" };
    const asked = serveFiles(
      Object.fromEntries(
        Object.entries(files).map(([name, body]) => [`${other}${name}`, { body }]),
      ),
    );
    const rounds: string[][] = [];
    const served = globalThis.fetch;
    vi.stubGlobal("fetch", async (...given: Parameters<typeof fetch>) => {
      const answer = await served(...given);
      await new Promise((resolve) => setTimeout(resolve));
      const since = asked.splice(0).map((one) => one.split("/").at(-1) ?? "");
      if (since.length > 0) rounds.push(since);
      return answer;
    });
    await loadModel(other, { store: true });
    expect(rounds.slice(0, 2)).toEqual([
      ["config.json"],
      ["generation_config.json", "tokenizer.json", "headscope.json"],
    ]);
    expect(rounds.at(-1)).toEqual(["model.safetensors"]);
    // Each was stored by one store.
    expect((await storedFolders())[0]?.bytes).toBeGreaterThan(CONFIG.length + "weights".length);
  });
});

describe("options", () => {
  it.each<[object, string]>([
    [{ backend: "gpu" }, '"cpu" or "webgpu" or "auto"'],
    [{ weight: "f32" }, "weights"],
  ])("%j are refused before anything is read", async (options, expected) => {
    const refused = open({ "model.safetensors": "" }, options);
    await expect(refused).rejects.toMatchObject({ code: "input/unsupported-option" });
    await expect(refused).rejects.toHaveProperty("expected", expect.stringContaining(expected));
  });

  it("stop a load before its first file, and between two", async () => {
    stubStorage();
    const stop = new AbortController();
    const asked = serveFiles({ [`${FOLDER}config.json`]: { body: CONFIG } });
    const { signal } = stop;
    const onProgress = (): void => stop.abort();
    await expect(loadModel(FOLDER, { signal, onProgress })).rejects.toMatchObject({
      code: "load/aborted",
    });
    const before = asked.length;
    await expect(loadModel(FOLDER, { signal })).rejects.toMatchObject({ code: "load/aborted" });
    expect(asked).toHaveLength(before);
    // Until the end of the task another user could take the load over.
    await new Promise((resolve) => setTimeout(resolve));
  });

  it("store files that a later load needs again, and none of a model that is refused", async () => {
    stubStorage();
    const files = { [`${FOLDER}config.json`]: { body: CONFIG } };
    serveFiles(files);
    await expect(loadModel(FOLDER, { store: true })).rejects.toMatchObject({
      code: "load/not-found",
    });
    expect(await storedFolders()).toEqual([]);

    const whole = { ...files, [`${FOLDER}model.safetensors`]: { body: "weights" } };
    serveFiles(whole);
    // Another try, without the GPU, needs the files again.
    loaded.mockRejectedValueOnce(refuse("gpu/absent", "the GPU", "one", "none"));
    await expect(loadModel(FOLDER, { store: true })).rejects.toMatchObject({ code: "gpu/absent" });
    expect(await storedFolders()).toHaveLength(1);
    const asked = serveFiles(whole);
    await loadModel(FOLDER, { store: true });
    expect(asked.filter((one) => one.includes("config.json"))).toEqual([]);
    expect(handed().checkpoint[0]?.file).toHaveProperty("size", 7);
  });
});
