import { afterEach, expect, it } from "vitest";
import type { Model } from "../../www/headscope.js";
import { loadModel } from "./package.js";
import { filesOf } from "./reference.js";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const MODEL = filesOf("bert-tiny");
const VOCABULARY = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n##s\n";

let model: Model | undefined;
afterEach(() => model?.dispose());

it("a folder without tokenizer.json is read with its other files", async () => {
  model = await loadModel({ ...MODEL, "vocab.txt": encode(VOCABULARY) });
  const run = await model.run({ text: "The cats" });
  expect(run.tokens.map(({ text }) => text)).toEqual(["[CLS]", "the", "cat", "s", "[SEP]"]);
  expect(run.tokens.map(({ id }) => id)).toEqual([2, 5, 6, 7, 3]);
});

it("a folder with none of them is opened with ids alone", async () => {
  model = await loadModel(MODEL);
  await expect(model.run({ text: "The cats" })).rejects.toThrow("the files of a tokenizer");
  expect((await model.run({ ids: [2, 5, 3] })).tokens).toHaveLength(3);
});
