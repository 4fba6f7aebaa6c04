// How a folder's small files are read: which class its tokenizer has, what is refused by the name
// of its field, and the fields that no code reads.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readingOf } from "./class-of.js";
import { asAutoTokenizer, type SettingsFiles } from "./settings.js";
import { IRRELEVANT } from "./unread.js";

// Written by tests/reference/tokenizer_settings.py.
const { files, classes, fields } = JSON.parse(
  readFileSync(
    new URL("../../../tests/reference/tokenizer-settings.json", import.meta.url),
    "utf8",
  ),
) as {
  files: Record<string, object>;
  classes: {
    names: string[];
    families: Record<string, { named: string; bytes: string; code: string }>;
  };
  /** Fields of tokenizer_config.json, and by families and classes those that change a tokenizer. */
  fields: { all: string; changing: Record<string, string> };
};

const settingsOf = (settings: object | null): SettingsFiles => ({
  "tokenizer_config.json": settings && JSON.stringify(settings),
});

describe("the class of a tokenizer", () => {
  const { names, families } = classes;
  const full = (name: string): string =>
    /^(PreTrained|Tokenizers|$)/.test(name) ? name : `${name}Tokenizer`;
  /** The class that is taken, as the script writes it; several names may be of one class. */
  const taken = (
    family: string,
    name: string,
    json: string,
    more: Readonly<Record<string, unknown>> = {},
  ): string[] => {
    const settings = name === "" ? more : { tokenizer_class: `${full(name)}Fast`, ...more };
    try {
      const reading = readingOf(settings, { model_type: family }, json);
      if (reading === "as it is") return ["TokenizersBackend"];
      if (reading === "other files") return ["M2M100", "Marian"];
      return reading.names.map((one) => one.replace(/Tokenizer$/, ""));
    } catch (thrown) {
      // Refused by its name, or for the folder's own code.
      return [/found (\w+)Tokenizer\.$/m.exec(String(thrown))?.[1] ?? "-"];
    }
  };

  it.each(Object.entries(families))(
    "of a %s is AutoTokenizer's, whatever the settings name",
    (family, { named, bytes, code }) => {
      const map = { auto_map: { AutoTokenizer: ["own.Slow", "own.Fast"] } };
      const rows = [
        ...named.split(" ").map((one, at) => [one, taken(family, names[at] ?? "", "{}")] as const),
        ...bytes.split(" ").map((one, at) => {
          return [one, taken(family, names[at + 4] ?? "", '{"type":"ByteLevel"}')] as const;
        }),
        ...code.split(" ").map((one, at) => {
          return [one, taken(family, names[at] ?? "", "{}", map)] as const;
        }),
      ];
      expect(rows.filter(([expected, found]) => !found.includes(expected))).toEqual([]);
      expect(rows).toHaveLength(names.length + 3 + 7);
    },
  );
});

describe("a folder is refused by the name of its field", () => {
  const read = (
    settings: object | string | null,
    family = "llama",
    json = files.byte_bpe,
    added: object = {},
  ): string => {
    const text = typeof settings === "string" ? settings : settings && JSON.stringify(settings);
    const small = { "tokenizer_config.json": text, "added_tokens.json": JSON.stringify(added) };
    try {
      return String(
        asAutoTokenizer(JSON.stringify(json), small, `{"model_type":"${family}"}`)?.json,
      );
    } catch (thrown) {
      return String(thrown);
    }
  };

  it.each([
    [{ tokenizer_class: "CLIPTokenizerFast" }, /tokenizer_config\.json: .*`tokenizer_class`.*CLIP/],
    [
      { split_special_tokens: true },
      /tokenizer_config\.json: .*`split_special_tokens`, found true/,
    ],
    [{ fast_tokenizer_files: ["tokenizer.4.0.0.json"] }, /as `fast_tokenizer_files`/],
    [{ init_inputs: [1] }, /as `init_inputs`/],
    [{ auto_map: { AutoTokenizer: ["own.Slow", null] } }, /no code of its own as `auto_map`/],
    ["{", /tokenizer_config\.json: expected a JSON object/],
  ])("%j", (settings, sentence) => {
    expect(read(settings)).toMatch(sentence);
  });

  it.each([
    [{ "<new>": "50" }, /added_tokens\.json: expected a number .* found "50"/],
    // JavaScript makes no number of it.
    [{ "<new>": { toString: "" } }, /added_tokens\.json: .* found {"toString":""}/],
    [{ "<new>": 50, "<newer>": 50 }, /added_tokens\.json: .* found 50 twice/],
  ])("whose added tokens have the ids %j", (added, sentence) => {
    expect(read({}, "llama", files.byte_bpe, added)).toMatch(sentence);
  });

  it("whose class puts a token around texts that neither file nor model has", () => {
    const json = JSON.parse(JSON.stringify(files.languages).replaceAll("[CLS]", "[cls]")) as object;
    const sentence = "expected the token [CLS], which this model's texts need;";
    expect(read({}, "big_bird", json as typeof files.languages)).toContain(sentence);
  });

  it("whose class reads another type of model", () => {
    expect(read({}, "bert")).toContain("WordPiece, which the tokenizer's class (BertTokenizer)");
  });
});

it("a Mistral that asks for it has the mended pattern", () => {
  const vocab = Object.fromEntries(Array.from({ length: 100_001 }, (_, id) => [`v${id}`, id]));
  const bytes = { type: "ByteLevel", add_prefix_space: false, use_regex: true };
  const model = { type: "BPE", vocab, merges: [] };
  const json = JSON.stringify({ model, pre_tokenizer: bytes, added_tokens: [] });
  const read = (settings: object, version: string): string => {
    const config = JSON.stringify({ model_type: "mistral", transformers_version: version });
    return asAutoTokenizer(json, settingsOf(settings), config)?.json ?? "";
  };
  expect(read({ fix_mistral_regex: true }, "4.57.1")).toMatch(/"Regex":"\[\^.{100,}"Isolated"/);
  expect(read({ fix_mistral_regex: true }, "5.0.0")).toBe(json);
  expect(read({}, "4.57.1")).toBe(json);
});

it("a folder without tokenizer_config.json has the ids of its tokenizer.json alone", () => {
  for (const model_type of ["gpt2", "bert", "m2m_100"]) {
    const json = JSON.stringify(files.word_piece);
    const made = asAutoTokenizer(json, settingsOf(null), JSON.stringify({ model_type }));
    expect(made).toEqual({ json, unread: [], named: {} });
  }
});

it("a class that reads other files leaves tokenizer.json", () => {
  const config = '{"model_type":"m2m_100"}';
  expect(asAutoTokenizer(JSON.stringify(files.unigram), settingsOf({}), config)).toBeNull();
});

describe("fields of the small files", () => {
  it.each(Object.entries(fields.changing))(
    "are read where they change a tokenizer: %s",
    (kind, list) => {
      const [model_type = "", tokenizer_class] = kind.split(" ");
      const reading = readingOf({ tokenizer_class }, { model_type }, "");
      const reads = typeof reading === "string" ? [] : (reading.reads ?? []);
      expect([...reads].sort()).toEqual(list.split(" ").filter(Boolean).sort());
    },
  );

  it("that change none are listed with their reason, all others where a class reads them", () => {
    const changing = new Set(Object.values(fields.changing).flatMap((list) => list.split(" ")));
    const others = fields.all.split(" ").filter((field) => !changing.has(field));
    const listed = IRRELEVANT.flatMap(([, some]) => some);
    expect(listed.sort()).toEqual(others.sort());
  });

  it("that no code reads are named, of both files", () => {
    const small = {
      ...settingsOf({ legacy: false, own_field: [1, 2], chat_template: "x", image_token: "a" }),
      "special_tokens_map.json": '{"eos_token":"b","do_lower_case":true,"padding_side":"left"}',
    };
    const made = asAutoTokenizer(JSON.stringify(files.byte_bpe), small, '{"model_type":"gpt2"}');
    const [first, second] = ["tokenizer_config.json", "special_tokens_map.json"];
    expect(made?.unread).toEqual([
      { file: first, field: "legacy", value: "false", effect: "none" },
      { file: first, field: "own_field", value: "[1,2]", effect: "none" },
      { file: second, field: "do_lower_case", value: "true", effect: "none" },
    ]);
  });
});
