import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OpenFile } from "./source.js";
import { folderUrl, locate } from "./source.js";

const HUB = "https://hub.example";
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function contents(file: OpenFile | null): Promise<string | null> {
  if (file === null) return null;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of file.chunks) parts.push(chunk);
  return new Blob(parts).text();
}

describe("a folder on the net", () => {
  const fetched: string[] = [];

  const answerWith = (response: () => Response): void => {
    vi.stubGlobal("fetch", (url: URL) => {
      fetched.push(url.href);
      return Promise.resolve(response());
    });
  };

  beforeEach(() => void fetched.splice(0));
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ["https://a.example/models/en-fr", "https://a.example/models/en-fr/config.json"],
    ["https://a.example/models/en-fr/", "https://a.example/models/en-fr/config.json"],
    ["https://a.example/m?v=2", "https://a.example/m/config.json?v=2"],
    ["org/name", "https://hub.example/org/name/resolve/main/config.json"],
  ])("%s has its config at %s", async (source, url) => {
    answerWith(() => new Response("{}"));
    const folder = await locate(source, HUB);
    expect(await contents(await folder.open("config.json", undefined))).toBe("{}");
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

  it("a missing file is none, and so is a start page served in its place", async () => {
    const folder = await locate("https://a.example/m", HUB);
    answerWith(() => new Response("", { status: 404 }));
    expect(await folder.open("config.json", undefined)).toBeNull();
    answerWith(
      () =>
        new Response("<!doctype html>", {
          headers: { "content-type": "text/html; charset=utf-8" },
        }),
    );
    expect(await folder.open("config.json", undefined)).toBeNull();
  });

  it("any other answer is a failure with its status", async () => {
    answerWith(() => new Response("", { status: 503, statusText: "Service Unavailable" }));
    const folder = await locate(new URL("https://a.example/m"), HUB);
    await expect(folder.open("config.json", undefined)).rejects.toMatchObject({
      code: "load/network",
      got: "the answer 503 Service Unavailable",
    });
  });

  it("knows the size only of what is not compressed on the way", async () => {
    const folder = await locate("https://a.example/m", HUB);
    answerWith(() => new Response("abc", { headers: { "content-length": "3" } }));
    expect((await folder.open("f", undefined))?.totalBytes).toBe(3);
    answerWith(
      () => new Response("abc", { headers: { "content-length": "3", "content-encoding": "gzip" } }),
    );
    expect((await folder.open("f", undefined))?.totalBytes).toBeUndefined();
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
    const folder = await locate(source(path), HUB);
    const file = await folder.open("config.json", undefined);
    expect(file?.totalBytes).toBe(2);
    expect(await contents(file)).toBe("{}");
    expect(await folder.open("model.safetensors", undefined)).toBeNull();
  });
});

describe("files at hand", () => {
  it("are taken by name, and copied", async () => {
    const config = bytes("{}");
    const folder = await locate({ "config.json": config }, HUB);
    const file = await folder.open("config.json", undefined);
    config.fill(0);
    expect(await contents(file)).toBe("{}");
    expect(await folder.open("toString", undefined)).toBeNull();
  });

  it("may have been dropped", async () => {
    const folder = await locate([new File(["{}"], "config.json")], HUB);
    expect(await contents(await folder.open("config.json", undefined))).toBe("{}");
  });

  it("must be bytes", async () => {
    const folder = await locate({ "config.json": "{}" as unknown as Uint8Array }, HUB);
    expect(() => folder.open("config.json", undefined)).toThrow(
      expect.objectContaining({ code: "load/not-found" }) as Error,
    );
  });
});
