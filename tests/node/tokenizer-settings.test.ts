import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { asAutoTokenizer } from "../../www/engine/tokenizer/settings.js";
import { engineOf } from "./library.js";

// Written by tests/reference/tokenizer_settings.py.
const { files, texts, cases } = JSON.parse(
  readFileSync(new URL("../reference/tokenizer-settings.json", import.meta.url), "utf8"),
) as {
  files: Record<string, { added_tokens: { id: number }[] }>;
  texts: string[];
  cases: {
    family: string;
    file: string;
    settings: object;
    ids: number[][];
    pair: number[];
    types: number[];
  }[];
};

it.each(cases)(
  "a folder of $family with $settings has AutoTokenizer's ids",
  ({ family, file, settings, ids, pair, types }) => {
    const config = JSON.stringify({ model_type: family });
    const json = JSON.stringify(files[file]);
    const engine = engineOf(asAutoTokenizer(json, JSON.stringify(settings), config));
    const found = texts.map((text) => Array.from(engine.encode(text, null, false).ids));
    expect(found).toEqual(ids);
    // Tokens that AutoTokenizer adds behind the vocabulary are those of no model.
    const last = Math.max(...(files[file]?.added_tokens ?? []).map(({ id }) => id));
    if (pair.some((id) => id > last)) return;
    const both = engine.encode("hello", "is", true);
    expect([Array.from(both.ids), Array.from(both.types)]).toEqual([pair, types]);
  },
);

it("a folder whose class puts a token around texts that its file lacks is refused", () => {
  const json = JSON.stringify(files.unigram).replaceAll("[CLS]", "[cls]");
  expect(() => asAutoTokenizer(json, null, '{"model_type":"big_bird"}')).toThrow(
    "tokenizer.json: expected the token [CLS], which this model's texts need;",
  );
});
