// The words of the program: what is read of them, and which are refused.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { optionsIn } from "./serve.js";
import { modelAt } from "./words.js";

let folder = "";
const at = (path: string): string => join(folder, path);
const write = (path: string): void => {
  mkdirSync(at(`${path}/..`), { recursive: true });
  writeFileSync(at(path), "{}");
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "headscope-command-"));
  write("mine/config.json");
  write("one/a.gguf");
  write("two/a.gguf");
  write("two/b.gguf");
  write("texts/a.txt");
  write("models--org--small/snapshots/1f/config.json");
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a model on a disk", () => {
  it.each([
    ["mine", "mine/", "mine"],
    ["mine/", "mine/", "mine"],
    ["one", "a.gguf", "one/a.gguf"],
    ["two/b.gguf", "b.gguf", "two/b.gguf"],
    ["models--org--small", "small/", "models--org--small/snapshots/1f"],
  ])("at %s has a name for addresses", async (path, name, found) => {
    expect(await modelAt(at(path))).toEqual({ name, path: at(found) });
  });

  it.each([
    ["none", /none/],
    ["texts", /texts with a.txt/],
    ["texts/a.txt", /a.txt/],
    ["two", /two with a.gguf, b.gguf/],
  ])("is not at %s", async (path, words) => {
    const refused: unknown = await modelAt(at(path)).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({
      code: "command/no-model",
      got: expect.stringMatching(words) as string,
    });
  });
});

describe("the words of the page's server", () => {
  it("are the model, the port and the folder of models", async () => {
    expect(await optionsIn([])).toEqual({ port: null, models: null, opened: null });
    const words = [at("mine"), "--port", "0", "--models", folder];
    const opened = { name: "mine/", path: at("mine") };
    expect(await optionsIn(words)).toEqual({ port: 0, models: folder, opened });
  });

  it.each([
    [["--prot", "1"], "--prot"],
    [["--port", "x"], "x"],
    [["--port", "65536"], "65536"],
    [["--models", "none"], "none"],
    [["a", "b"], "a b"],
  ])("%j are refused", async (words, got) => {
    const refused: unknown = await optionsIn(words).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({
      code: "command/bad-option",
      got: expect.stringContaining(got) as string,
    });
  });
});
