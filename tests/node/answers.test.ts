import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../www/headscope.js";
import { golden, jsonText } from "../golden/golden.js";
import { publicTypes } from "../golden/public-types.js";
import { differencesOfVisits, replay, type Visit } from "../golden/replay.js";
import visits from "../golden/visits.json" with { type: "json" };
import { folder, loadModel } from "./package.js";
import { sentencesOf } from "./reference.js";

const bundled = (name: string): string =>
  fileURLToPath(new URL(`../../models/${name}`, import.meta.url));

describe("the package", () => {
  describe.each(["simd128 2×16", "relaxed simd128 2×16"])("on %s", (kernel) => {
    const { Module } = WebAssembly;
    beforeAll(() => {
      // Node below 22 has relaxed SIMD behind a flag; without the probe's means the plain build runs.
      if (kernel.startsWith("relaxed")) setFlagsFromString("--experimental-wasm-relaxed-simd");
      else Reflect.deleteProperty(WebAssembly, "Module");
    });
    afterAll(() => Object.assign(WebAssembly, { Module }));

    it("answers the questions of the visits as it did", async () => {
      const answered = await replay({
        entry: new URL("headscope.js", folder).href,
        models: fileURLToPath(new URL("../site/models", folder)),
        backend: "cpu",
        visits: visits as Visit[],
      });
      const expected = JSON.parse(golden("visits.json", jsonText(answered))) as Visit[];
      expect(differencesOfVisits(expected, answered)).toEqual([]);
    });
  });

  it("has the public types that it had", () => {
    const types = publicTypes(folder);
    expect(types).toBe(golden("types.txt", types));
  });

  it.each([
    ["headscope", 300],
    ["headscope_relaxed", 300],
    ["headscope_gpu", 300],
    ["headscope_lab", 100],
  ] as const)("has one build of %s.wasm, at most %d kB with brotli", (name, most) => {
    const assets = "dist/site/assets";
    const files = readdirSync(assets).filter(
      (file) => file.startsWith(`${name}_bg`) && file.endsWith(".wasm"),
    );
    expect(files).toHaveLength(1);
    const bytes = readFileSync(join(assets, files[0] ?? ""));
    expect(brotliCompressSync(bytes).length / 1000).toBeLessThan(most);
  });
});

describe.each(["en-fr", "tiny-gpt", "tiny-bert"])("%s", (name) => {
  const { sentences, described } = sentencesOf(name);
  let model: Model;
  beforeAll(async () => {
    model = await loadModel(bundled(name));
  });
  afterAll(() => model.dispose());

  it("reads sentences as Hugging Face's tokenizer does, also those of its notes", async () => {
    for (const { text, pair, hidden, hidden_ids: hiddenIds = [], ids } of sentences) {
      const run = await model.run({
        text,
        ...(pair !== undefined && { textPair: pair }),
        ...(hidden !== undefined && { hidden }),
        ...(name === "en-fr" && { targetIds: [0] }),
      });
      expect(run.tokens.map(({ id }) => id)).toEqual(ids);
      expect(run.tokens.flatMap(({ hiddenId }) => hiddenId ?? [])).toEqual(hiddenIds);
      run.release();
    }
    expect(model.notesProblem).toBeNull();
    expect(
      model.notes?.sentences.map(({ text }) => model.tokenize(text).map(({ id }) => id)),
    ).toEqual(described);
  });

  it("takes any text, refuses 10,000 words with its limit, and reads a target as it is given", async () => {
    const target = name === "en-fr" ? { target: "J'aime ça." } : {};
    for (const text of ["☃ 世界 🙂", "שלום עולם", "a\u0000b", "e".repeat(200)]) {
      const run = await model.run({ text, ...target });
      expect(run.tokens.length).toBeGreaterThan(1);
      if (name === "en-fr") expect(run.targetText).toBe("J'aime ça.");
      run.release();
    }
    const text = Array.from({ length: 10_000 }, (_, word) => `word${word}`).join(" ");
    await expect(model.run({ text })).rejects.toMatchObject({
      code: "input/too-long",
      expected: expect.stringContaining(String(model.info.maxTokens)) as string,
    });
  });
});
