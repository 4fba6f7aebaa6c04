/** A tokenizer.json of many components, and files in which one value has another type. */

const regex = { Regex: " +" };
const content = " ";
const ends = { sep: ["</s>", 1], cls: ["<s>", 0] };
const whole = [{ Sequence: { id: "A", type_id: 0 } }, { SpecialToken: { id: "</s>", type_id: 0 } }];
const both = [...whole, { Sequence: { id: "B", type_id: 1 } }];
const special_tokens = { "</s>": { id: "</s>", ids: [1], tokens: ["</s>"] } };
const sequence = (list: string, ...components: [type: string, fields?: object][]): object => ({
  type: "Sequence",
  [list]: components.map(([type, fields]) => ({ type, ...fields })),
});
/** A tokenizer.json with the components that the files of tests/reference leave out. */
export const OTHER_COMPONENTS = JSON.stringify({
  added_tokens: [
    {
      id: 1,
      content: "</s>",
      special: true,
      lstrip: true,
      rstrip: true,
      normalized: false,
      single_word: true,
    },
  ],
  normalizer: sequence(
    "normalizers",
    ["Replace", { pattern: { String: "é" }, content: "e" }],
    ["Strip", { strip_left: true, strip_right: true }],
    ["Prepend", { prepend: " " }],
    ["Nmt"],
  ),
  pre_tokenizer: sequence(
    "pretokenizers",
    ["Split", { pattern: regex, behavior: "Removed", invert: false }],
    ["Digits", { individual_digits: true }],
    ["FixedLength", { length: 3 }],
    ["ByteLevel", { add_prefix_space: true, trim_offsets: true, use_regex: true }],
    ["Metaspace", { replacement: "▁", str_rep: "▁", prepend_scheme: "first", split: true }],
  ),
  post_processor: sequence(
    "processors",
    ["BertProcessing", ends],
    ["RobertaProcessing", { ...ends, trim_offsets: true, add_prefix_space: true }],
    ["TemplateProcessing", { single: whole, pair: both, special_tokens }],
  ),
  decoder: sequence(
    "decoders",
    ["Replace", { pattern: regex, content }],
    ["Strip", { content, start: 1, stop: 1 }],
    ["ByteFallback"],
    ["Metaspace", { replacement: "▁" }],
    ["WordPiece", { prefix: "##", cleanup: true }],
    ["BPEDecoder", { suffix: "</w>" }],
    ["CTC", { pad_token: "<pad>", word_delimiter_token: "|", cleanup: true }],
  ),
  model: {
    type: "Unigram",
    unk_id: 0,
    vocab: ["<s>", "</s>", "a", "b"].map((piece, at) => [piece, -at]),
  },
});

const VALUES = [null, true, 7, -0.5, "x", [], [null], {}];
const typeOf = (value: unknown): string => (Array.isArray(value) ? "list" : typeof value);

/**
 * Each value inside one, by its path, with values of other types; of vocabularies the first two.
 */
export function wrongValues(value: unknown): [path: string[], by: unknown][] {
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value).slice(0, Object.keys(value).length > 20 ? 2 : 20);
  return entries.flatMap(([key, inner]): [string[], unknown][] => [
    ...VALUES.filter((by) => typeOf(by) !== typeOf(inner)).map((by): [string[], unknown] => [
      [key],
      by,
    ]),
    ...wrongValues(inner).map(([path, by]): [string[], unknown] => [[key, ...path], by]),
  ]);
}

/** A JSON text with another value at a path. */
export function replaced(json: string, path: string[], by: unknown): string {
  const whole = JSON.parse(json) as Record<string, unknown>;
  const parent = path
    .slice(0, -1)
    .reduce((object, key) => object[key] as Record<string, unknown>, whole);
  parent[path.at(-1) ?? ""] = by;
  return JSON.stringify(whole);
}
