// How a study names a model, and knows a file of texts again.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HeadscopeError } from "../engine/errors.js";
import { named, nameOfModel, readText } from "./files.js";

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

it("a model is named by its folder, or by its file", () => {
  expect(nameOfModel(join(root, "model"))).toBe("model");
  symlinkSync(join(root, "model"), join(root, "link"));
  expect(nameOfModel(join(root, "link"))).toBe("model");
  expect(nameOfModel(join(root, "model", "config.json"))).toBe("config.json");
});

it("a file of texts is known by its name and what it has, also beyond the first piece", () => {
  const large = Buffer.alloc((1 << 22) + 1);
  const file = join(root, "m.txt");
  writeFileSync(file, large);
  const { name, sha256 } = named(file);
  expect(name).toBe("m.txt");
  large[1 << 22] = 1;
  writeFileSync(file, large);
  expect(named(file).sha256).not.toBe(sha256);
  expect(named(file).sha256).toBe(createHash("sha256").update(large).digest("hex"));
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
  expect(refused(() => nameOfModel(join(root, "none")))).toMatch(/no-file.*--model/);
  put("a.txt", "one\n");
  expect(readText(join(root, "model", "a.txt"), "--texts")).toBe("one\n");
});
