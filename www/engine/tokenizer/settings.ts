/**
 * What AutoTokenizer of transformers 5.24 makes of a folder with a tokenizer.json. Some classes
 * build their normalizer, pre-tokenizer and decoder anew, by the settings of tokenizer_config.json,
 * many of them their post-processor too, and take the rest out of the file; all others read the
 * file as it is. Source: `models/auto/tokenization_auto.py`, `tokenization_utils_tokenizers.py` and
 * `models/…/tokenization_….py`.
 */

import { isRecord, jsonIn } from "../../data/shape.js";
import { refuse } from "../errors.js";

type Settings = Readonly<Record<string, unknown>>;
type Component = Readonly<Record<string, unknown>> | null;

/**
 * What a class builds: components, and the fields of the model beside its vocabulary and merges.
 */
interface Rebuilt {
  model: Settings;
  normalizer?: Component;
  pre_tokenizer: Component;
  decoder: Component;
  post_processor?: Component;
}

interface Rebuild {
  names: string;
  /** The type of model that the class reads. */
  model: "BPE" | "WordPiece" | "Unigram";
  build(settings: Settings, file: Settings): Rebuilt;
}

/** A setting that is there and not null, else what the class says. */
const flag = (settings: Settings, name: string, otherwise: boolean): boolean =>
  Boolean(settings[name] ?? otherwise);

const nameOf = (settings: Settings, name: string, otherwise: string): string => {
  const token = isRecord(settings[name]) ? settings[name].content : settings[name];
  return typeof token === "string" ? token : otherwise;
};

const sequence = (list: string, parts: readonly Component[]): Component => ({
  type: "Sequence",
  [list]: parts,
});
const replace = (text: string, content: string): Component => ({
  type: "Replace",
  pattern: { String: text },
  content,
});
const metaspace = (prepend_scheme: string, split = true): Component => ({
  type: "Metaspace",
  replacement: "▁",
  prepend_scheme,
  split,
});
const spaced = (scheme: string): Component =>
  sequence("pretokenizers", [{ type: "WhitespaceSplit" }, metaspace(scheme)]);

/** The id of a token among the added tokens of a file, else in its vocabulary. */
function idIn(file: Settings, content: string): number | undefined {
  const added = Array.isArray(file.added_tokens) ? (file.added_tokens as unknown[]) : [];
  const token = added.find((one) => isRecord(one) && one.content === content);
  if (isRecord(token)) return Number(token.id);
  const vocab = isRecord(file.model) ? file.model.vocab : undefined;
  if (Array.isArray(vocab)) {
    const at = vocab.findIndex((piece) => Array.isArray(piece) && piece[0] === content);
    return at < 0 ? undefined : at;
  }
  return isRecord(vocab) && Object.hasOwn(vocab, content) ? Number(vocab[content]) : undefined;
}

/** Places of a template: `A`, `B` or what a token is for, with `:1` behind one of type 1. */
type Places = string;

/**
 * The tokens that a class itself puts around one text and around two.
 * @param tokens contents by what the tokens are for
 * @throws load/bad-tokenizer for a token that the file lacks, which AutoTokenizer would add behind
 *   the vocabulary
 */
function template(
  file: Settings,
  tokens: Readonly<Record<string, string>>,
  single: Places,
  pair: Places,
): Component {
  const place = (item: string): object => {
    const [part = "", type = "0"] = item.split(":");
    const [id, type_id] = [tokens[part] ?? part, Number(type)];
    return tokens[part] === undefined
      ? { Sequence: { id, type_id } }
      : { SpecialToken: { id, type_id } };
  };
  const special_tokens = Object.fromEntries(
    Object.values(tokens).map((content) => {
      const id = idIn(file, content);
      if (id !== undefined) return [content, { id: content, ids: [id], tokens: [content] }];
      const remedy = "save the tokenizer again with tokenizer.save_pretrained";
      const expected = `the token ${content}, which this model's texts need; ${remedy}`;
      throw refuse("load/bad-tokenizer", "tokenizer.json", expected, "none");
    }),
  );
  const [one, two] = [single, pair].map((places) => places.split(" ").map(place));
  return { type: "TemplateProcessing", single: one, pair: two, special_tokens };
}

/** BERT's tokens around texts, of which the second has the type 1. */
function typed(settings: Settings, file: Settings): Component {
  const cls = nameOf(settings, "cls_token", "[CLS]");
  const sep = nameOf(settings, "sep_token", "[SEP]");
  return template(file, { cls, sep }, "cls A sep", "cls A sep B:1 sep:1");
}

/** A start token, texts with end tokens, two of them in between. */
function doubled(settings: Settings, file: Settings): Component {
  const bos = nameOf(settings, "bos_token", "<s>");
  const eos = nameOf(settings, "eos_token", "</s>");
  return template(file, { bos, eos }, "bos A eos", "bos A eos eos B eos");
}

/**
 * The number of the unknown token in a list of pieces, if it has the score 0 where that is asked
 * for.
 */
function unknownIn(
  { model }: Settings,
  content: string,
  otherwise: number,
  isZero: boolean,
): number {
  const vocab = isRecord(model) && Array.isArray(model.vocab) ? (model.vocab as unknown[]) : [];
  const at = vocab.findIndex((piece) => {
    return Array.isArray(piece) && piece[0] === content && (!isZero || piece[1] === 0);
  });
  return at < 0 ? otherwise : at;
}

const BYTE_BPE: Settings = {
  unk_token: null,
  continuing_subword_prefix: "",
  end_of_word_suffix: "",
  fuse_unk: false,
  byte_fallback: false,
  ignore_merges: false,
};

function byteLevel(settings: Settings, normalizer: Component = null): Rebuilt {
  const prefix = { add_prefix_space: flag(settings, "add_prefix_space", false) };
  const bytes = { type: "ByteLevel", trim_offsets: true, use_regex: true };
  return {
    model: BYTE_BPE,
    normalizer,
    pre_tokenizer: { ...bytes, ...prefix },
    decoder: { ...bytes, add_prefix_space: true },
  };
}

function wordPiece(settings: Settings): Omit<Rebuilt, "post_processor"> {
  return {
    model: {
      unk_token: nameOf(settings, "unk_token", "[UNK]"),
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
    },
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: flag(settings, "tokenize_chinese_chars", true),
      strip_accents: settings.strip_accents ?? null,
      lowercase: flag(settings, "do_lower_case", true),
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  };
}

const QWEN =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/** The table of characters among the normalizers of a file. */
function charsmapOf({ normalizer }: Settings): Component[] {
  const parts = isRecord(normalizer) ? (normalizer.normalizers ?? [normalizer]) : [];
  const found = (Array.isArray(parts) ? parts : []).find(
    (part) => isRecord(part) && part.type === "Precompiled",
  ) as Component | undefined;
  return found === undefined ? [] : [found];
}

function unigram(scheme: string, unk_id: number, file: Settings): Rebuilt {
  return {
    model: { unk_id, byte_fallback: false },
    normalizer: charsmapOf(file)[0] ?? null,
    pre_tokenizer: spaced(scheme),
    decoder: metaspace(scheme),
  };
}

const prefixed = (settings: Settings): string =>
  flag(settings, "add_prefix_space", true) ? "always" : "never";

const SPACES = replace("▁", " ");
const AS_BYTES: readonly Component[] = [SPACES, { type: "ByteFallback" }, { type: "Fuse" }];

const CLASSES: readonly Rebuild[] = [
  {
    names: "BertTokenizer DistilBertTokenizer ElectraTokenizer MobileBertTokenizer",
    model: "WordPiece",
    build: (settings, file) => ({
      ...wordPiece(settings),
      post_processor: typed(settings, file),
    }),
  },
  { names: "MPNetTokenizer", model: "WordPiece", build: wordPiece },
  {
    names:
      "GPT2Tokenizer RobertaTokenizer BartTokenizer LongformerTokenizer LEDTokenizer DebertaTokenizer CodeGenTokenizer",
    model: "BPE",
    build: (settings) => byteLevel(settings),
  },
  {
    names: "GPTNeoXTokenizer",
    model: "BPE",
    build: (settings) => ({
      ...byteLevel(settings, { type: "NFC" }),
      // The class adds a start and an end token only where it is asked to, which a file does not.
      post_processor: null,
    }),
  },
  {
    names: "Qwen2Tokenizer",
    model: "BPE",
    build: (settings) => {
      const { pre_tokenizer, ...others } = byteLevel(settings, { type: "NFC" });
      const words = {
        type: "Split",
        pattern: { Regex: QWEN },
        behavior: "Isolated",
        invert: false,
      };
      const bytes = { ...pre_tokenizer, use_regex: false };
      return { ...others, pre_tokenizer: sequence("pretokenizers", [words, bytes]) };
    },
  },
  {
    names: "LlamaTokenizer",
    model: "BPE",
    build: (settings) => {
      const addsPrefix = flag(settings, "add_prefix_space", true);
      const first = settings.legacy === true ? "always" : "first";
      const strip = { type: "Strip", content: " ", start: 1, stop: 0 };
      return {
        model: { ...BYTE_BPE, fuse_unk: true, byte_fallback: true },
        normalizer: null,
        pre_tokenizer: metaspace(addsPrefix ? first : "never", false),
        decoder: sequence("decoders", [...AS_BYTES, ...(addsPrefix ? [strip] : [])]),
      };
    },
  },
  {
    names: "GemmaTokenizer",
    model: "BPE",
    build: (settings) => ({
      model: {
        ...BYTE_BPE,
        unk_token: nameOf(settings, "unk_token", "<unk>"),
        fuse_unk: true,
        byte_fallback: true,
      },
      normalizer: replace(" ", "▁"),
      pre_tokenizer: {
        type: "Split",
        pattern: { String: " " },
        behavior: "MergedWithPrevious",
        invert: false,
      },
      decoder: sequence("decoders", AS_BYTES),
    }),
  },
  {
    names: "XLMRobertaTokenizer",
    model: "Unigram",
    build: (settings, file) => ({
      ...unigram(prefixed(settings), 3, file),
      post_processor: doubled(settings, file),
    }),
  },
  {
    names: "CamembertTokenizer",
    model: "Unigram",
    build: (settings, file) => {
      const unknown = unknownIn(file, nameOf(settings, "unk_token", "<unk>"), 0, false);
      return {
        ...unigram(prefixed(settings), unknown, file),
        post_processor: doubled(settings, file),
      };
    },
  },
  {
    names: "MBartTokenizer",
    model: "Unigram",
    build: (settings, file) => {
      const source = nameOf(settings, "src_lang", "en_XX");
      const eos = nameOf(settings, "eos_token", "</s>");
      return {
        ...unigram("always", 3, file),
        normalizer: null,
        post_processor: template(file, { eos, source }, "A eos source", "A B eos source"),
      };
    },
  },
  {
    names: "BigBirdTokenizer",
    model: "Unigram",
    build: (settings, file) => {
      const unknown = unknownIn(file, nameOf(settings, "unk_token", "<unk>"), 100, true);
      const spaces = { type: "Replace", pattern: { Regex: " {2,}" }, content: "▁" };
      const cuts = metaspace(prefixed(settings));
      return {
        model: { unk_id: unknown, byte_fallback: false },
        normalizer: spaces,
        pre_tokenizer: cuts,
        decoder: cuts,
        post_processor: typed(settings, file),
      };
    },
  },
  {
    names: "DebertaV2Tokenizer",
    model: "Unigram",
    build: (settings, file) => {
      const unknown = unknownIn(file, nameOf(settings, "unk_token", "[UNK]"), 1, true);
      const cuts = metaspace(flag(settings, "add_prefix_space", true) ? "always" : "first");
      const spaces = { type: "Replace", pattern: { Regex: "\\s{2,}|[\\n\\r\\t]" }, content: " " };
      return {
        model: { unk_id: unknown, byte_fallback: false },
        normalizer: sequence("normalizers", [
          ...(flag(settings, "do_lower_case", false) ? [{ type: "Lowercase" }] : []),
          spaces,
          { type: "NFC" },
          { type: "Strip", strip_left: false, strip_right: true },
        ]),
        pre_tokenizer: sequence("pretokenizers", [
          ...(flag(settings, "split_by_punct", false)
            ? [{ type: "Punctuation", behavior: "Isolated" }]
            : []),
          cuts,
        ]),
        decoder: cuts,
        post_processor: typed(settings, file),
      };
    },
  },
  {
    names: "T5Tokenizer",
    model: "Unigram",
    build: (settings, file) => {
      const eos = nameOf(settings, "eos_token", "</s>");
      return {
        ...unigram("always", 2, file),
        post_processor: template(file, { eos }, "A eos", "A eos B eos"),
      };
    },
  },
  {
    names: "AlbertTokenizer",
    model: "Unigram",
    build: (settings, file) => ({
      ...unigram(prefixed(settings), 1, file),
      normalizer: sequence("normalizers", [
        replace("``", '"'),
        replace("''", '"'),
        ...(flag(settings, "keep_accents", false)
          ? []
          : [{ type: "NFKD" }, { type: "StripAccents" }]),
        ...(flag(settings, "do_lower_case", true) ? [{ type: "Lowercase" }] : []),
        ...charsmapOf(file),
      ]),
      post_processor: typed(settings, file),
    }),
  },
];

/** The class of families whose tokenizer_config.json names none. */
const CLASS_OF_FAMILY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["bert", "distilbert", "electra", "ernie", "megatron-bert"].map((family) => [
      family,
      "BertTokenizer",
    ]),
  ),
  ...Object.fromEntries(
    ["gpt2", "gpt_neo", "opt", "starcoder2"].map((family) => [family, "GPT2Tokenizer"]),
  ),
  ...Object.fromEntries(["gemma", "gemma2", "gemma3_text"].map((name) => [name, "GemmaTokenizer"])),
  ...Object.fromEntries(["t5", "mt5"].map((family) => [family, "T5Tokenizer"])),
  ...Object.fromEntries(["qwen2", "qwen3"].map((family) => [family, "Qwen2Tokenizer"])),
  albert: "AlbertTokenizer",
  ...Object.fromEntries(
    ["bart", "data2vec-text", "ibert", "roberta-prelayernorm"].map((family) => {
      return [family, "RobertaTokenizer"];
    }),
  ),
  big_bird: "BigBirdTokenizer",
  camembert: "CamembertTokenizer",
  deberta: "DebertaTokenizer",
  "deberta-v2": "DebertaV2Tokenizer",
  gpt_neox: "GPTNeoXTokenizer",
  mbart: "MBartTokenizer",
  mpnet: "MPNetTokenizer",
  roberta: "RobertaTokenizer",
  "xlm-roberta": "XLMRobertaTokenizer",
};
/** Families whose file is read as it is, whatever class its settings name. */
const BY_FILE = ["mistral", "modernbert", "olmo2", "phi3", "stablelm"];

/** The name of the class that AutoTokenizer takes; empty where it reads the file as it is. */
function classOf(settings: Settings, { model_type, tokenizer_class }: Settings): string {
  const family = String(model_type);
  if (BY_FILE.includes(family)) return "";
  const named = settings.tokenizer_class ?? tokenizer_class;
  const own = CLASS_OF_FAMILY[family] ?? "";
  // The class that a Qwen2 names is known to be wrong on the hub.
  if (family === "qwen2" || typeof named !== "string") return own;
  return named.replace(/Fast$/, "");
}

function hasBytes(component: unknown): boolean {
  return JSON.stringify(component ?? null).includes('"ByteLevel"');
}

/** Lists of tokens that stand for no text, by their former name and the present one. */
const LISTS = ["additional_special_tokens", "extra_special_tokens"];

/**
 * A file with the pieces of its vocabulary that the settings name as special tokens: a text may
 * spell them out, whether or not the file lists them.
 */
function withNamed(file: Settings, settings: Settings): Settings {
  const known = Array.isArray(file.added_tokens) ? (file.added_tokens as unknown[]) : [];
  const contents = new Set(known.map((token) => (isRecord(token) ? token.content : undefined)));
  const lists = LISTS.flatMap((key) => {
    const value = settings[key];
    return isRecord(value) ? Object.values(value) : value;
  });
  const named = Object.keys(settings).filter((key) => key.endsWith("_token"));
  const tokens: unknown[] = [...named.map((key) => settings[key]), ...lists];
  const added = new Map<string, Settings>();
  for (const token of tokens) {
    const content = isRecord(token) ? token.content : token;
    if (typeof content !== "string" || contents.has(content)) continue;
    const id = idIn(file, content);
    const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
    const own = isRecord(token) ? token : {};
    const flags = Object.keys(plain).map((key): [string, boolean] => [key, own[key] === true]);
    if (id !== undefined)
      added.set(content, { id, content, ...Object.fromEntries(flags), special: true });
  }
  const place = (token: unknown): number => Number(isRecord(token) ? token.id : 0);
  const ordered = [...known, ...added.values()].sort((a, b) => place(a) - place(b));
  return added.size === 0 ? file : { ...file, added_tokens: ordered };
}

/**
 * The tokenizer.json that AutoTokenizer's tokenizer amounts to.
 * @param json tokenizer.json
 * @param settings tokenizer_config.json, if there is one
 * @param config config.json
 */
export function asAutoTokenizer(json: string, settings: string | null, config: string): string {
  const [parsed, said, model] = [json, settings ?? "{}", config].map((text) => jsonIn(text));
  if (!isRecord(parsed) || !isRecord(parsed.model)) return json;
  const own = isRecord(said) ? said : {};
  const file = withNamed(parsed, own);
  const asItIs = file === parsed ? json : JSON.stringify(file);
  const name = classOf(own, isRecord(model) ? model : {});
  const rebuild = CLASSES.find(({ names }) => names.split(" ").includes(name));
  const isBytewiseLlama = name === "LlamaTokenizer" && hasBytes(parsed.pre_tokenizer);
  const { type, vocab, merges } = parsed.model;
  // A class that reads another type of model makes nothing that could be run of it.
  const isOfAnother = type !== undefined && type !== rebuild?.model;
  if (rebuild === undefined || isBytewiseLlama || isOfAnother) return asItIs;
  const { model: fields, ...components } = rebuild.build(own, parsed);
  const pairs = rebuild.model === "BPE" ? { merges } : {};
  return JSON.stringify({
    ...file,
    ...components,
    model: { type: rebuild.model, vocab, ...pairs, ...fields },
  });
}
