import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { HeadscopeError } from "../../www/engine/errors.js";
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
const { files, texts, cases, drawn, fields } = JSON.parse(
  readFileSync(new URL("../reference/tokenizer-settings.json", import.meta.url), "utf8"),
) as {
  files: Record<string, { added_tokens: { id: number }[] }>;
  texts: string[];
  cases: Folder[];
  drawn: DrawnFolder[];
  /** The fields of tokenizer_config.json. */
  fields: { all: string };
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

it("a folder whose added tokens are no list is refused by the name of its field", () => {
  const odd = { ...files.byte_bpe, added_tokens: {} };
  const json = asAutoTokenizer(JSON.stringify(odd), settingsOf({ bos_token: "hello" }), "{}");
  expect(() => engineOf(json?.json ?? "")).toThrow("expected a list as `added_tokens`");
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
