import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LoadProgress, ModelSource } from "./contract.js";
import { folderUrl, locate, type ModelFile, textOf } from "./source.js";

const open = async (
  source: ModelSource,
  name = "config.json",
  onProgress?: (progress: LoadProgress) => void,
): Promise<ModelFile | null> =>
  (await locate(source, "https://hub.example")).file(name, { ...(onProgress && { onProgress }) });

const contents = async (file: ModelFile | null): Promise<string | null> =>
  file && (await textOf(file));

describe("a folder on the net", () => {
  const fetched: string[] = [];
  const answerWith = (body: string, init: ResponseInit = {}): void => {
    vi.stubGlobal("fetch", (url: URL) => {
      fetched.push(url.href);
      return Promise.resolve(new Response(body, init));
    });
  };

  beforeEach(() => void fetched.splice(0));
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ["https://a.example/models/en-fr", "https://a.example/models/en-fr/config.json"],
    ["https://a.example/m/?v=2", "https://a.example/m/config.json?v=2"],
    ["org/name", "https://hub.example/org/name/resolve/main/config.json"],
  ])("%s has its config at %s", async (source, url) => {
    answerWith("{}");
    expect(await contents(await open(source))).toBe("{}");
    expect(fetched).toEqual([url]);
  });

  it.each([
    ["org/name", "https://huggingface.co/org/name/resolve/main/"],
    ["./models/mine", "https://a.example/page/models/mine/"],
    ["models/mine/", "https://a.example/page/models/mine/"],
    ["/m?v=2", "https://a.example/m/?v=2"],
    ["https://b.example/m", "https://b.example/m/"],
  ])("%s is on a page at %s", (source, url) => {
    vi.stubGlobal("document", { baseURI: "https://a.example/page/own.html" });
    expect(folderUrl(source).href).toBe(url);
  });

  it.each([
    ["a missing file", { status: 404 }],
    ["a start page in its place", { headers: { "content-type": "text/html; charset=utf-8" } }],
  ])("%s is none", async (_, init) => {
    answerWith("", init);
    expect(await open("https://a.example/m")).toBeNull();
  });

  it.each([
    [3, {}],
    [undefined, { "content-encoding": "gzip" }],
  ])("has the size %s of a file sent with %j", async (size, headers) => {
    answerWith("abc", { headers: { "content-length": "3", ...headers } });
    const seen: LoadProgress[] = [];
    await open("https://a.example/m", "config.json", (progress) => void seen.push(progress));
    expect(seen.map(({ totalBytes }) => totalBytes)).toEqual([size]);
  });
});

describe("a folder on disk", () => {
  let path: string;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), "headscope-"));
    writeFileSync(join(path, "config.json"), "{}");
  });
  afterEach(() => rmSync(path, { recursive: true }));

  it.each([
    ["a path", (folder: string) => folder],
    ["a file URL", (folder: string) => pathToFileURL(folder)],
    ["a file URL in a string", (folder: string) => pathToFileURL(folder).href],
  ])("is found by %s", async (_, source) => {
    expect(await contents(await open(source(path)))).toBe("{}");
    expect(await open(source(path), "model.safetensors")).toBeNull();
  });

  it("is the snapshot of refs/main, or the only one, in the cache of Hugging Face", async () => {
    const cached = join(path, "models--org--name");
    const write = (name: string, text: string): void => writeFileSync(join(cached, name), text);
    for (const name of ["blobs", "refs", "snapshots/abc"])
      mkdirSync(join(cached, name), { recursive: true });
    write("blobs/1234", '{"a": 1}');
    symlinkSync("../../blobs/1234", join(cached, "snapshots/abc/config.json"));
    const asked = (): Promise<string | null> => open(cached).then(contents);
    expect(await asked()).toBe('{"a": 1}');
    mkdirSync(join(cached, "snapshots/def"));
    await expect(asked()).rejects.toMatchObject({ code: "load/not-found", got: "abc, def" });
    write("refs/main", "abc\n");
    expect(await asked()).toBe('{"a": 1}');
    expect(await contents(await open(join(cached, "snapshots/abc")))).toBe('{"a": 1}');
    write("refs/main", "gone");
    await expect(asked()).rejects.toMatchObject({ code: "load/not-found" });
  });
});

describe("files at hand", () => {
  it("are taken by name, and copied", async () => {
    const config = new TextEncoder().encode("{}");
    const file = await open({ "config.json": config });
    config.fill(0);
    expect(await contents(file)).toBe("{}");
    expect(await open({ "config.json": config }, "toString")).toBeNull();
    expect(await contents(await open([new File(["{}"], "config.json")]))).toBe("{}");
  });

  it("must be bytes", async () => {
    const refused = open({ "config.json": "{}" as unknown as Uint8Array });
    await expect(refused).rejects.toMatchObject({ code: "load/not-found" });
  });
});
