import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeadscopeError } from "../../www/engine/errors.js";
import { readingOf } from "../../www/engine/tokenizer/class-of.js";
import { asAutoTokenizer, type SettingsFiles } from "../../www/engine/tokenizer/settings.js";
import { IRRELEVANT } from "../../www/engine/tokenizer/unread.js";
import { engineOf } from "./library.js";

// Written by tests/reference/tokenizer_settings.py.
interface Folder {
  family: string;
  /** The name of its tokenizer.json. */
  file: string;
  settings: object;
  ids: number[][];
  pair: number[];
  types: number[];
}
interface DrawnFolder extends Folder {
  texts: string[];
  map?: object;
  added?: object;
  /** The added tokens of its tokenizer.json: number, text and flags of each. */
  tokens: string;
  post_processor?: object;
  padding?: object;
}
const { files, texts, cases, drawn, classes, fields } = JSON.parse(
  readFileSync(new URL("../reference/tokenizer-settings.json", import.meta.url), "utf8"),
) as {
  files: Record<string, { added_tokens: { id: number }[] }>;
  texts: string[];
  cases: Folder[];
  drawn: DrawnFolder[];
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

it.each(cases)(
  "a folder of $family with $settings has AutoTokenizer's ids",
  ({ family, file, settings, ids, pair, types }) => {
    // Tokens around texts that AutoTokenizer adds behind the vocabulary have an embedding.
    const config = JSON.stringify({ model_type: family, vocab_size: 1000 });
    const json = JSON.stringify(files[file]);
    const engine = engineOf(asAutoTokenizer(json, settingsOf(settings), config)?.json ?? "");
    const found = texts.map((text) => Array.from(engine.encode(text, null, false).ids));
    expect(found).toEqual(ids);
    const both = engine.encode("hello", "is", true);
    expect([Array.from(both.ids), Array.from(both.types)]).toEqual([pair, types]);
  },
);

/** The added tokens that a line lists. */
function tokensOf(line: string): object[] {
  const tokens = line === "" ? [] : line.split(", ");
  return tokens.map((token) => {
    const [id = "", content = "", flags = ""] = token.split(" ");
    const is = (letter: string): boolean => flags.includes(letter);
    const spaces = { lstrip: is("l"), rstrip: is("r"), single_word: is("s") };
    return { id: Number(id), content, ...spaces, normalized: is("n"), special: is("x") };
  });
}

it("special tokens that the small files name have AutoTokenizer's ids, 140 folders", () => {
  const wrong = drawn.filter((folder) => {
    const { family, file, settings, map, added, tokens, ids, pair, types } = folder;
    const { post_processor = null, padding = null } = folder;
    const parts = { added_tokens: tokensOf(tokens), post_processor, padding };
    const small = {
      ...settingsOf(settings),
      "special_tokens_map.json": map ? JSON.stringify(map) : null,
      "added_tokens.json": added ? JSON.stringify(added) : null,
    };
    const config = JSON.stringify({ model_type: family, vocab_size: 1000 });
    const json = JSON.stringify({ ...files[file], ...parts });
    const engine = engineOf(asAutoTokenizer(json, small, config)?.json ?? "");
    const idsOf = (text: string, second: string | null): number[] =>
      Array.from(engine.encode(text, second, true).ids);
    const found = folder.texts.map((text) => idsOf(text, null));
    const kinds = Array.from(engine.encode("hello", "is", true).types);
    const all = [found, idsOf("hello", "is"), kinds];
    return JSON.stringify(all) !== JSON.stringify([ids, pair, types]);
  });
  expect(wrong).toEqual([]);
  expect(drawn).toHaveLength(140);
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
  ): string => {
    const text = typeof settings === "string" ? settings : settings && JSON.stringify(settings);
    const small = { "tokenizer_config.json": text };
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

  it("whose class puts a token around texts that neither file nor model has", () => {
    const json = JSON.parse(JSON.stringify(files.languages).replaceAll("[CLS]", "[cls]")) as object;
    const sentence = "expected the token [CLS], which this model's texts need;";
    expect(read({}, "big_bird", json as typeof files.languages)).toContain(sentence);
  });

  it("whose class reads another type of model", () => {
    expect(read({}, "bert")).toContain("WordPiece, which the tokenizer's class (BertTokenizer)");
  });

  it("whose added tokens are no list", () => {
    const odd = { ...files.byte_bpe, added_tokens: {} };
    const json = asAutoTokenizer(JSON.stringify(odd), settingsOf({ bos_token: "hello" }), "{}");
    expect(() => engineOf(json?.json ?? "")).toThrow("expected a list as `added_tokens`");
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

it("any values in the small files are read, or refused by a code", () => {
  const names = [...fields.all.split(" "), ...IRRELEVANT.map(([, some]) => some[0] ?? "")];
  const tokens = "bos_token eos_token unk_token pad_token cls_token sep_token mask_token own_token";
  const lists = "additional_special_tokens extra_special_tokens model_specific_special_tokens";
  const others = "added_tokens_decoder auto_map tokenizer_class fast_tokenizer_files init_inputs";
  const name = fc.constantFrom(...names, ...[tokens, lists, others].join(" ").split(" "));
  const token = fc.record({ content: fc.string(), lstrip: fc.jsonValue() }, { requiredKeys: [] });
  const value = fc.oneof(
    fc.jsonValue(),
    fc.string(),
    token,
    fc.array(token),
    fc.dictionary(fc.string(), token),
  );
  const file = fc
    .oneof(fc.dictionary(name, value), fc.jsonValue())
    .map((one) => JSON.stringify(one));
  const kind = fc.constantFrom(...drawn);
  fc.assert(
    fc.property(kind, file, file, file, ({ family, file: name, settings }, own, map, added) => {
      const mixed = own.startsWith("{") ? JSON.stringify({ ...settings, ...JSON.parse(own) }) : own;
      const small = {
        "tokenizer_config.json": mixed,
        "special_tokens_map.json": map,
        "added_tokens.json": added,
      };
      try {
        const config = JSON.stringify({ model_type: family });
        engineOf(asAutoTokenizer(JSON.stringify(files[name]), small, config)?.json ?? "{}");
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(HeadscopeError);
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 200) },
  );
});
