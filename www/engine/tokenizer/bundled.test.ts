import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { smallTokenizer } from "../testing/word-tokenizer.js";
import { isBundled } from "./bundled.js";

const models = new URL("../../../models/", import.meta.url);
const names = readdirSync(models).filter((name) =>
  existsSync(new URL(`${name}/tokenizer.json`, models)),
);

it.each(names)("%s is known by its tokenizer.json, and by no other", (name) => {
  const json = readFileSync(new URL(`${name}/tokenizer.json`, models), "utf8");
  expect(isBundled(json)).toBe(true);
  expect(isBundled(json.replace("true", "false"))).toBe(false);
});

it("a component that no bundled model has is refused by its name", () => {
  const description = {
    normalizer: { type: "Nmt" },
    pre_tokenizer: null,
    decoder: null,
    model: { type: "WordPiece", unk_token: "a", continuing_subword_prefix: "##", vocab: { a: 0 } },
  };
  expect(() => smallTokenizer(JSON.stringify(description))).toThrow(
    "tokenizer.json: expected that of a bundled model, found Nmt.",
  );
});
