// How a study knows a model again: by the name of its folder and by all files that change numbers.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HeadscopeError } from "../engine/errors.js";
import { identityOf, named, readText } from "./files.js";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "headscope-files-"));
  mkdirSync(join(root, "model"));
  put("config.json", "{}");
  put("model.safetensors", "weights");
});
afterEach(() => rmSync(root, { recursive: true }));

const put = (name: string, content: string): void =>
  writeFileSync(join(root, "model", name), content);
const hash = (): string => identityOf(join(root, "model")).sha256;

it("the identity of a model changes with the content and the name of each of its files", () => {
  const before = hash();
  expect(identityOf(join(root, "model")).name).toBe("model");
  put("model.safetensors", "weighty");
  expect(hash()).not.toBe(before);
  put("model.safetensors", "weights");
  expect(hash()).toBe(before);
  put("vocab.txt", "the\n");
  const more = hash();
  expect(more).not.toBe(before);
  rmSync(join(root, "model", "vocab.txt"));
  put("merges.txt", "the\n");
  expect(hash()).not.toBe(more);
});

it("the identity of a model ignores what no number depends on", () => {
  const before = hash();
  put("README.md", "about");
  mkdirSync(join(root, "model", "logs.json"));
  expect(hash()).toBe(before);
  symlinkSync(join(root, "model"), join(root, "link"));
  expect(identityOf(join(root, "link"))).toEqual({ name: "model", sha256: before });
});

it("the identity of a file is its name and what it has, also beyond the first piece", () => {
  const large = Buffer.alloc((1 << 22) + 1);
  const file = join(root, "m.gguf");
  writeFileSync(file, large);
  const { name, sha256 } = identityOf(file);
  expect(name).toBe("m.gguf");
  expect(named(file)).toEqual({ name, sha256 });
  large[1 << 22] = 1;
  writeFileSync(file, large);
  expect(named(file).sha256).not.toBe(sha256);
  copyFileSync(file, join(root, "n.gguf"));
  expect(named(join(root, "n.gguf")).sha256).not.toBe(named(file).sha256);
});

it("a folder is no text, and what is not there is named", () => {
  const refused = (read: () => unknown): string => {
    try {
      read();
    } catch (thrown) {
      if (thrown instanceof HeadscopeError) return `${thrown.code} ${thrown.message}`;
      throw thrown;
    }
    return "nothing";
  };
  expect(refused(() => readText(join(root, "model"), "--texts"))).toMatch(/no-file.*--texts/);
  expect(refused(() => readText(join(root, "none"), "--texts"))).toMatch(/no-file.*none/);
  expect(refused(() => identityOf(join(root, "none")))).toMatch(/no-file.*--model/);
  put("a.txt", "one\n");
  expect(readText(join(root, "model", "a.txt"), "--texts")).toBe("one\n");
});
