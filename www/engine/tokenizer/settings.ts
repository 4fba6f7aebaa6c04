/**
 * The tokenizer that AutoTokenizer of transformers 5.24 builds from a folder with a tokenizer.json.
 * Some classes rebuild their components (`classes.ts`), and every class adds the tokens that the
 * folder's small files name (`special-tokens.ts`); the rest is the file's. Source:
 * `tokenization_utils_base.py`, `tokenization_utils_tokenizers.py`.
 */

import type { FieldWarning } from "../../data/index.js";
import { isRecord, jsonIn, numberIn, textIn } from "../../data/shape.js";
import { kindOf, refuse } from "../errors.js";
import type { TokenizerClass } from "./classes.js";
import { type Given, withoutEnd } from "./components.js";
import { readingOf } from "./class-of.js";
import {
  type AddedToken,
  AddedVocabulary,
  addedIn,
  type Arguments,
  argumentsOf,
  type Defaults,
  type NamedTokens,
  namedTokens,
  type Settings,
  type Token,
  type TokenFiles,
  tokenOf,
  tokensToAdd,
  type Vocabulary,
  vocabularyOf,
} from "./special-tokens.js";
import { unreadIn } from "./unread.js";

/** A folder's small files by name, each as text; null for a file that the folder lacks. */
export interface SettingsFiles {
  "tokenizer_config.json": string | null;
  "special_tokens_map.json"?: string | null;
  "added_tokens.json"?: string | null;
}

/**
 * Whether transformers reads special_tokens_map.json and added_tokens.json beside a
 * tokenizer_config.json.
 */
export const readsFormerFiles = (settings: string | null): boolean =>
  settings === null ||
  !isRecord(readObject("tokenizer_config.json", settings).added_tokens_decoder);

/**
 * Parses a file of settings.
 * @throws load/bad-tokenizer for a text that is no JSON object
 */
export function readObject(name: string, text: string | null | undefined): Settings {
  const value = jsonIn(text ?? "{}");
  if (isRecord(value)) return value;
  const got = value === undefined ? "no JSON" : kindOf(value);
  throw refuse("load/bad-tokenizer", name, "a JSON object; download it again", got);
}

/**
 * A folder's tokenizer as one description, and warnings of the fields of its files that no code
 * reads.
 */
export interface Described {
  /** The text of a tokenizer.json. */
  json: string;
  unread: FieldWarning[];
  /** Whether the description was built from other files than a tokenizer.json. */
  isOfOtherFiles?: boolean;
  /** The texts of special tokens by their names, such as `bos_token`. */
  named: NamedTexts;
}

export type NamedTexts = Readonly<Record<string, string>>;

/**
 * The tokenizer.json equivalent to AutoTokenizer's tokenizer; null if its class reads other files.
 * @param json tokenizer.json
 * @param files the small files beside it
 * @param config config.json
 * @throws load/bad-tokenizer for an unsupported tokenizer, or for a token around texts without an
 *   embedding
 */
export function asAutoTokenizer(
  json: string,
  files: SettingsFiles,
  config: string,
): Described | null {
  const read = (name: keyof SettingsFiles): Settings => readObject(name, files[name]);
  const settings = read("tokenizer_config.json");
  demandComputed(settings);
  const parsed = jsonIn(config);
  const model = isRecord(parsed) ? parsed : {};
  // Without the settings file, tokenizer.json alone defines the tokenizer.
  const isAlone = (files["tokenizer_config.json"] ?? null) === null;
  const reading = isAlone ? "as it is" : readingOf(settings, model, json);
  if (reading === "other files") return null;
  const map = read("special_tokens_map.json");
  const reads = reading === "as it is" ? [] : (reading.reads ?? []);
  const unread = [
    ...unreadIn("tokenizer_config.json", settings, reads),
    ...unreadIn("special_tokens_map.json", map, reads),
  ];
  const file = jsonIn(json);
  // Faults of the file are reported where all of it is read.
  if (!isRecord(file) || !isRecord(file.model) || !areTokens(file.added_tokens))
    return { json, unread, named: {} };
  const small = { settings, map, added: read("added_tokens.json") };
  const made = reading === "as it is" ? asItIs(file, small) : rebuilt(file, small, model, reading);
  const patched = patchMistral(made.file, settings, model);
  const named = textsOf(made.tokens);
  return { json: patched === file ? json : JSON.stringify(patched), unread, named };
}

/** A tokenizer.json, and the tokens of its class. */
interface MadeFile {
  file: Settings;
  tokens: NamedTokens;
}

function textsOf({ named }: NamedTokens): NamedTexts {
  const texts = [...named].flatMap(([name, token]) =>
    token === null ? [] : [[name, token.content]],
  );
  return Object.fromEntries(texts) as NamedTexts;
}

const areTokens = (added: unknown): boolean =>
  (added ?? null) === null || (Array.isArray(added) && added.every(isRecord));

/** Arguments of transformers' classes that would replace parts of tokenizer.json. */
const PARTS = [
  "_spm_precompiled_charsmap",
  "merges",
  "post_processor",
  "tokenizer_object",
  "tokenizer_padding",
  "tokenizer_truncation",
  "vocab",
];

/** Refuses settings that change tokens in an unsupported way. */
function demandComputed(settings: Settings): void {
  const { split_special_tokens, fast_tokenizer_files: versions, init_inputs } = settings;
  const refused = (field: string, expected: string, value: unknown): Error => {
    const got = JSON.stringify(value).slice(0, 200);
    return refuse(
      "load/bad-tokenizer",
      "tokenizer_config.json",
      `${expected} as \`${field}\``,
      got,
    );
  };
  if (split_special_tokens === true) {
    const expected = "false, since special tokens in a text are not cut into pieces here,";
    throw refused("split_special_tokens", expected, split_special_tokens);
  }
  const isVersioned = (name: unknown): boolean => /^tokenizer\..+\.json$/.test(textIn(name));
  if (Array.isArray(versions) && versions.some(isVersioned)) {
    const expected =
      "tokenizer.json alone; put the file of the newest version in its place, and name no other";
    throw refused("fast_tokenizer_files", expected, versions);
  }
  if (Array.isArray(init_inputs) && init_inputs.length > 0)
    throw refused("init_inputs", "an empty list, and settings by their names,", init_inputs);
  const part = PARTS.find((field) => (settings[field] ?? null) !== null);
  if (part !== undefined)
    throw refused(part, "none, since tokenizer.json holds this part,", settings[part]);
}

const described = (file: Settings): Token[] => addedIn(file).flatMap((one) => tokenOf(one) ?? []);

/** The settings with the padding token of a file, unless settings or class have one. */
function withPadding(given: Arguments, file: Settings, tokens: Defaults["tokens"]): Arguments {
  const { padding } = file;
  const isSaid = "pad_token" in given.settings || "pad_token" in tokens;
  if (!isRecord(padding) || isSaid) return given;
  return { ...given, settings: { ...given.settings, pad_token: padding.pad_token } };
}

/** A file unchanged, with the tokens that the small files name. */
function asItIs(file: Settings, small: TokenFiles): MadeFile {
  const vocabulary = new AddedVocabulary(vocabularyOf(file.model));
  vocabulary.add(described(file));
  const before = JSON.stringify(vocabulary.tokens);
  const given = withPadding(argumentsOf(small, file), file, {});
  const tokens = namedTokens(given, { tokens: {} });
  vocabulary.add(tokensToAdd(given.numbered, tokens, vocabulary.contents));
  if (JSON.stringify(vocabulary.tokens) === before) return { file, tokens };
  return { file: { ...file, added_tokens: listed(vocabulary, file) }, tokens };
}

/** A file rebuilt by a class. */
function rebuilt(
  file: Settings,
  small: TokenFiles,
  config: Settings,
  made: TokenizerClass,
): MadeFile {
  const { type, vocab, merges } = isRecord(file.model) ? file.model : {};
  demandModel(made, type);
  const given = withPadding(argumentsOf(small, file), file, made.tokens);
  const pieces = vocabularyOf(file.model);
  const vocabulary = new AddedVocabulary(pieces);
  const tokens = namedTokens(given, made);
  vocabulary.add(tokensToAdd(given.numbered, tokens, vocabulary.contents));
  const all = [...tokens.named.values(), ...tokens.further].filter((token) => token !== null);
  if (made.resets === true) vocabulary.add(all.flatMap(({ content }) => tokenOf(content) ?? []));
  const handed: Given = {
    settings: given.settings,
    file,
    text: (name) => tokens.named.get(name)?.content ?? "None",
    has: (name) => (tokens.named.get(name) ?? null) !== null,
    id: (content) => vocabulary.id(content),
  };
  const { model, ...components } = made.build(handed);
  const ends = made.ends && { post_processor: made.ends(handed) };
  if (ends?.post_processor) demandEmbedded(ends.post_processor, pieces, file, config);
  const pairs = made.model === "BPE" ? { merges: merges ?? [] } : {};
  const described = {
    ...file,
    ...components,
    ...ends,
    model: { type: made.model, vocab, ...pairs, ...model },
    added_tokens: listed(vocabulary, file),
  };
  return { file: described, tokens };
}

/** Refuses a model of another type than the class reads, which would give other tokens or none. */
function demandModel({ names, model }: TokenizerClass, type: unknown): void {
  if (type === undefined || type === model) return;
  const remedy =
    'write "tokenizer_class": "TokenizersBackend" into tokenizer_config.json to read the file as it is';
  const [name = ""] = names;
  const expected = `a model of the type ${model}, which the tokenizer's class (${name}) reads; ${remedy}`;
  throw refuse(
    "load/bad-tokenizer",
    "tokenizer.json",
    expected,
    typeof type === "string" ? type : kindOf(type),
  );
}

/** Refuses a token around texts behind the vocabulary if the model has no embedding for it. */
function demandEmbedded(
  ends: Settings,
  pieces: Vocabulary,
  file: Settings,
  { vocab_size }: Settings,
): void {
  const added = new Set(addedIn(file).map(({ content }) => content));
  const rows = typeof vocab_size === "number" ? vocab_size : 0;
  const around: [string, number][] = isRecord(ends.special_tokens)
    ? Object.entries(ends.special_tokens).map(([content, one]) => {
        const ids = isRecord(one) && Array.isArray(one.ids) ? (one.ids as unknown[]) : [];
        return [content, numberIn(ids[0])];
      })
    : ([ends.sep, ends.cls] as [string, number][]);
  for (const [content, id] of around) {
    const isKnown = added.has(content) || pieces.get(content) !== undefined;
    if (!isKnown && id >= rows) throw withoutEnd(content);
  }
}

/**
 * The added tokens as a tokenizer.json lists them.
 * @throws load/bad-tokenizer if the library would give them other ids than transformers
 */
function listed(vocabulary: AddedVocabulary, file: Settings): AddedToken[] {
  const { tokens } = vocabulary;
  const again = new AddedVocabulary(vocabularyOf(file.model));
  again.add(tokens);
  const odd = tokens.find(({ content, id }) => again.id(content) !== id);
  if (odd === undefined) return tokens;
  const expected =
    "added tokens without a gap behind the vocabulary; save the tokenizer again with tokenizer.save_pretrained";
  throw refuse("load/bad-tokenizer", "tokenizer.json", expected, `${odd.content} as ${odd.id}`);
}

/** The pattern by which `fix_mistral_regex` replaces the first pre-tokenizer. */
const MISTRAL =
  "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/**
 * The file with the corrected pattern of a Mistral saved by transformers before version 5, if the
 * settings request it.
 */
function patchMistral(file: Settings, settings: Settings, config: Settings): Settings {
  const { pre_tokenizer: before, model } = file;
  if (settings.fix_mistral_regex !== true || !isRecord(before)) return file;
  const { model_type = null, transformers_version: version } = config;
  const isMended = typeof version === "string" && Number.parseInt(version, 10) >= 5;
  const isMistral = ["mistral", "ministral", null].includes(model_type as string | null);
  const pieces = vocabularyOf(model);
  const later = addedIn(file).filter((one) => pieces.get(textIn(one.content)) === undefined);
  if (isMended || !isMistral || pieces.size + later.length <= 100_000) return file;
  const words = {
    type: "Split",
    pattern: { Regex: MISTRAL },
    behavior: "Isolated",
    invert: false,
  };
  const bytes = {
    type: "ByteLevel",
    add_prefix_space: false,
    trim_offsets: true,
    use_regex: false,
  };
  const parts =
    before.type === "Sequence" && Array.isArray(before.pretokenizers)
      ? [words, ...(before.pretokenizers as unknown[]).slice(1)]
      : [words, before.type === "Metaspace" ? bytes : before];
  return { ...file, pre_tokenizer: { type: "Sequence", pretokenizers: parts } };
}
