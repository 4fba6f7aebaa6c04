import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model } from "../../www/headscope.js";
import { expectAsReference } from "./compare.js";
import { loadModel } from "./package.js";
import { trainedReference } from "./reference.js";

const { folder, sentences, given, answers } = trainedReference();

describe("the trained translator", () => {
  let model: Model;
  beforeAll(async () => {
    model = await loadModel(folder);
  });
  afterAll(() => model.dispose());

  it.each(sentences)("reads and writes $text as Hugging Face does", async ({ name, text, ids, read_ids, logits_positions }) => {
    const run = await model.run({ text });
    expect(run.tokens.map(({ id }) => id)).toEqual(ids);
    expect(run.targetTokens.map(({ id }) => id)).toEqual(read_ids);
    expect(run.targetText).toBe(model.decode(read_ids));
    if (answers.has(`${name}.logits`)) await expectAsReference(run, model, name, answers, logits_positions);
    run.release();
  });

  it.each(given)("computes $name as Hugging Face does", async ({ name, ids, target_ids, edits, logits_positions }) => {
    const run = await model.run({ ids, targetIds: target_ids, ...(edits !== undefined && { edits }) });
    await expectAsReference(run, model, name, answers, logits_positions);
    run.release();
  });

  it("an abort gets through while it computes", async () => {
    const text = Array.from({ length: 60 }, () => "one two").join(" ");
    const controller = new AbortController();
    const run = model.run({ text }, { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(run).rejects.toMatchObject({ code: "run/aborted" });
    await expect(model.run({ text: "Hello!" })).resolves.toBeDefined();
  });

  it("generates token by token", async () => {
    const seen: number[] = [];
    for await (const { step, candidates } of model.generate({ text: "I like cats." })) {
      seen.push(step);
      expect(candidates.length).toBeGreaterThan(1);
    }
    expect(seen).toEqual(seen.map((_, step) => step));
    expect(seen.length).toBeGreaterThan(2);
  });

  it.each(["", "   ", "☃ 世界 🙂", "שלום עולם", "a\u0000b", "e".repeat(200)])("translates %j without complaint", async (text) => {
    const run = await model.run({ text });
    expect(run.targetTokens[0]?.role).toBe("start");
    expect(run.targetText).not.toContain("\uFFFD");
  });

  it("refuses 10,000 words with its limit, and then still translates", async () => {
    const text = Array.from({ length: 10_000 }, (_, word) => `word${word}`).join(" ");
    await expect(model.run({ text })).rejects.toMatchObject({ code: "input/too-long", expected: expect.stringContaining(String(model.info.maxTokens)) as string });
    await expect(model.run({ text: "Hello!" })).resolves.toBeDefined();
  });

  it("a target of one's own is read as written", async () => {
    const run = await model.run({ text: "I like it.", target: "J'aime ça." });
    expect(run.targetText).toBe("J'aime ça.");
    expect(run.targetTokens.map(({ role }) => role).indexOf("end")).toBe(-1);
  });

  it("silencing heads changes what it writes", async () => {
    const text = "The little black cat likes milk.";
    const plain = await model.run({ text });
    const silenced = await model.run({ text, edits: { heads: [{ stack: "cross", gate: 0 }] } });
    expect(silenced.targetText).not.toBe(plain.targetText);
  });
});
