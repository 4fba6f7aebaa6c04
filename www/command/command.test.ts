// The words of the program: what is read of them, and which are refused.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { main } from "./command.js";
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
    [["--prot", "1"], /^Unknown option '--prot'$/],
    [["--port"], /^Option '--port <value>' argument missing$/],
    [["--port", "x"], /x/],
    [["--port", "65536"], /65536/],
    [["--models", "none"], /none/],
    [["a", "b"], /a b/],
  ])("%j are refused", async (words, got) => {
    const refused: unknown = await optionsIn(words).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({
      code: "command/bad-option",
      got: expect.stringMatching(got) as string,
    });
  });
});

describe("the program", () => {
  /** The exit status of some words, and what the program said. */
  async function said(...words: string[]): Promise<[status: number, out: string, error: string]> {
    const lines = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      vi.spyOn(process[name], "write").mockImplementation((line) => {
        lines[name] += String(line);
        return true;
      });
    const status = await main(words).finally(() => vi.restoreAllMocks());
    return [status, lines.stdout, lines.stderr];
  }

  it("has its usage on the standard output", async () => {
    const [status, out, error] = await said("study", "--help");
    expect([status, error]).toEqual([0, ""]);
    expect(out.match(/^headscope\b.*/gm)?.map((line) => line.split(" ").slice(1, 2)[0])).toEqual([
      "[MODEL]",
      "file",
      "study",
    ]);
  });

  it.each([
    [2, "study/bad-option", ["study", "lens"]],
    [2, "command/bad-option", ["file"]],
    [2, "command/bad-option", ["file", "more", "--out", "a.html"]],
    [2, "command/bad-option", ["--port", "x"]],
    [1, "command/no-model", ["none"]],
  ])("ends with the status %d and the code %s for %j", async (status, code, words) => {
    const [ended, out, error] = await said(...words);
    expect([ended, out]).toEqual([status, ""]);
    expect(error).toMatch(new RegExp(`^${code}: [^]+\\n$`));
  });
});
