import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { asAutoTokenizer } from "../../www/engine/tokenizer/settings.js";
import { engineOf } from "./library.js";

// Written by tests/reference/tokenizer_settings.py.
const { files, texts, cases } = JSON.parse(
  readFileSync(new URL("../reference/tokenizer-settings.json", import.meta.url), "utf8"),
) as {
  files: Record<string, object>;
  texts: string[];
  cases: { family: string; file: string; settings: object; ids: number[][] }[];
};

it.each(cases)(
  "a folder of $family with $settings has AutoTokenizer's ids",
  ({ family, file, settings, ids }) => {
    const config = JSON.stringify({ model_type: family });
    const json = JSON.stringify(files[file]);
    const engine = engineOf(asAutoTokenizer(json, JSON.stringify(settings), config));
    const found = texts.map((text) => Array.from(engine.encode(text, null, false).ids));
    expect(found).toEqual(ids);
  },
);
