import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openWeights } from "./weight-file.js";

const BYTES = Uint8Array.from({ length: 10 }, (_, at) => at);
let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "weights-"))));
afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllGlobals();
});

it("a file on disk and one in memory give the same ranges, as far as there are bytes", async () => {
  const path = join(folder, "w.bin");
  writeFileSync(path, BYTES);
  for (const file of [path, new Blob([BYTES])]) {
    const opened = await openWeights("w.bin", file);
    if (!("read" in opened)) throw new Error("it is read by a thread");
    expect([opened.name, opened.size]).toEqual(["w.bin", 10]);
    expect([...opened.read(2, 5)]).toEqual([2, 3, 4]);
    expect([...opened.read(8, 12)]).toEqual([8, 9]);
    expect([...opened.read(0, 0)]).toEqual([]);
  }
});

it("a thread that reads by itself gets the file as it is", async () => {
  vi.stubGlobal("FileReaderSync", Object);
  const file = new Blob([BYTES]);
  expect(await openWeights("w.bin", file)).toEqual({ name: "w.bin", blob: file });
});

it("a file that cannot be read is refused by its name", async () => {
  await expect(openWeights("w.bin", join(folder, "gone"))).rejects.toMatchObject({
    code: "load/not-found",
    doing: "reading w.bin",
  });
});
