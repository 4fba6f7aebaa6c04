import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MASKING_JSON } from "../../www/engine/testing/word-tokenizer.js";
import type { Model } from "../../www/headscope.js";
import { loadModel } from "./package.js";
import { filesOf, reference } from "./reference.js";

const MASK = 5;

describe("hidden tokens", () => {
  let model: Model;
  beforeAll(async () => {
    model = await loadModel({
      ...filesOf("bert-tiny"),
      "tokenizer.json": new TextEncoder().encode(MASKING_JSON),
    });
  });
  afterAll(() => model.dispose());

  it("are read as the mask token, bit for bit", async () => {
    expect(model.info.maskToken).toBe(MASK);
    const hidden = await model.run({ text: "the cat the", hidden: [1] });
    const bare = await model.run({ ids: [3, MASK, 3, 1] });
    expect((await hidden.logits()).data).toEqual((await bare.logits()).data);
    expect(hidden.tokens.map(({ role }) => role)).toEqual([null, "mask", null, "end"]);
    expect(hidden.tokens[1]).toMatchObject({ id: MASK, hiddenText: "cat", hiddenId: 4 });
    const [guesses] = await hidden.predictions({ positions: [1], topK: 3 });
    expect(guesses).toHaveLength(3);
  });

  it("change what the model computes, and given back they leave it as it was", async () => {
    const plain = async (): Promise<Float32Array> =>
      (await (await model.run({ text: "the cat" })).logits()).data;
    const before = await plain();
    const hidden = await model.run({ text: "the cat", hidden: [0] });
    expect((await hidden.logits()).data).not.toEqual(before);
    expect(await plain()).toEqual(before);
  });

  it("that cannot be hidden are refused, and the model still runs", async () => {
    await expect(model.run({ text: "the cat", hidden: [2] })).rejects.toMatchObject({
      code: "input/bad-hidden",
    });
    await expect(model.run({ text: "the cat", hidden: [9] })).rejects.toMatchObject({
      code: "input/bad-hidden",
    });
    await expect(model.run({ text: "the cat", hidden: [1] })).resolves.toBeDefined();
  });

  it("are refused by a model without a mask token", async () => {
    const translator = await loadModel(reference("marian-tiny").folder);
    expect(translator.info.maskToken).toBeNull();
    await expect(translator.run({ ids: [14, 3], hidden: [0] })).rejects.toMatchObject({
      code: "input/no-mask-token",
    });
    await expect(translator.run({ ids: [14, 3] })).resolves.toBeDefined();
    translator.dispose();
  });
});
