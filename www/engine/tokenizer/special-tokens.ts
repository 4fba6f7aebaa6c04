/**
 * Added tokens of a folder, as AutoTokenizer of transformers 5.24 builds them: those of
 * tokenizer.json, and those that tokenizer_config.json, special_tokens_map.json, added_tokens.json
 * or the tokenizer's class name. A token that the vocabulary lacks gets the next id behind it; of
 * two descriptions of one token the last counts. Source: `_from_pretrained` in
 * `tokenization_utils_base.py`, `TokenizersBackend.__init__`, and `add_tokens` in
 * `added_vocabulary.rs` of `tokenizers`.
 */

import { isRecord, numberIn, textIn } from "../../data/shape.js";
import { refuse } from "../errors.js";

export type Settings = Readonly<Record<string, unknown>>;

/** A token, as a file or a class describes it. */
export interface Token {
  content: string;
  single_word: boolean;
  lstrip: boolean;
  rstrip: boolean;
  /**
   * Whether the token is matched after the normalizer; undefined stands for true unless the token
   * is special.
   */
  normalized: boolean | undefined;
  special: boolean;
  /**
   * Whether the description is a text alone, which transformers distinguishes from one with the
   * same flags.
   */
  isText?: boolean;
}

/** A token as a tokenizer.json lists it. */
export type AddedToken = Omit<Token, "normalized" | "isText"> & { id: number; normalized: boolean };

/** The names of tokens in settings, in transformers' order. */
const NAMES = [
  "bos_token",
  "eos_token",
  "unk_token",
  "sep_token",
  "pad_token",
  "cls_token",
  "mask_token",
];

/** A token described by its text alone. */
export const plain = (content: string, flags: Partial<Token> = {}): Token => ({
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: undefined,
  special: false,
  ...flags,
});

const isNormalized = ({ normalized, special }: Token): boolean => normalized ?? !special;

/** The token of a JSON value: a text, or an object with flags; null for any other value. */
export function tokenOf(value: unknown, flags?: Partial<Token>): Token | null {
  if (typeof value === "string") return plain(value, flags ?? { special: true, isText: true });
  if (!isRecord(value) || typeof value.content !== "string") return null;
  const { normalized } = value;
  return plain(value.content, {
    single_word: value.single_word === true,
    lstrip: value.lstrip === true,
    rstrip: value.rstrip === true,
    normalized: typeof normalized === "boolean" ? normalized : undefined,
    special: value.special === true,
  });
}

const tokensIn = (list: unknown): Token[] =>
  (Array.isArray(list) ? (list as unknown[]) : []).flatMap((one) => tokenOf(one) ?? []);

/** The files of a folder that describe tokens, beside its tokenizer.json. */
export interface TokenFiles {
  /** The content of tokenizer_config.json. */
  settings: Settings;
  /** The content of special_tokens_map.json. */
  map: Settings;
  /** The content of added_tokens.json. */
  added: Settings;
}

/** The arguments that AutoTokenizer passes to a tokenizer's class. */
export interface Arguments {
  /** The settings by name, without the tokens that no class knows. */
  settings: Settings;
  /** Tokens by names that no class knows, such as `image_token`. */
  others: ReadonlyMap<string, Token>;
  /** The tokens with ids in the files, in the order of their ids. */
  numbered: readonly Token[];
}

/** The defaults of a class for its tokens. */
export interface Defaults {
  /** The tokens by name, for names absent in the settings; null for no token. */
  tokens: Readonly<Record<string, string | null>>;
  /** The flags of a token by name, if it is described by its text alone. */
  flags?: Readonly<Record<string, Partial<Token>>>;
  /**
   * The class's list of further special tokens, from the list in the settings under its former
   * name.
   */
  further?: (additional: readonly unknown[] | null, settings: Settings) => readonly unknown[];
  /**
   * Whether the class takes that list under its present name too, which replaces the list of
   * others.
   */
  furtherIsExtra?: boolean;
  /** Whether the special tokens are described again at the end, by their texts alone. */
  resets?: boolean;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0);

/** The arguments of a class, from the settings of a folder. */
export function argumentsOf(files: TokenFiles, file: Settings): Arguments {
  const dropped = new Set(["add_bos_token", "add_eos_token"]);
  const others = new Map<string, Token>();
  const kept = Object.entries(files.settings).filter(([key, value]) => {
    const isOther = key.endsWith("_token") && !NAMES.includes(key) && typeof value === "string";
    if (isOther) others.set(key, plain(value, { special: true, isText: true }));
    return !isOther && !dropped.has(key);
  });
  const kwargs: Record<string, unknown> = Object.fromEntries(kept);
  if ("additional_special_tokens" in kwargs && isEmpty(kwargs.extra_special_tokens)) {
    kwargs.extra_special_tokens = kwargs.additional_special_tokens;
    delete kwargs.additional_special_tokens;
  }
  takeNamed(kwargs, "extra_special_tokens", others);
  // Names that transformers saved count if nothing else gives names.
  if (others.size === 0) takeNamed(kwargs, "model_specific_special_tokens", others);
  const decoder = kwargs.added_tokens_decoder;
  let found: [id: number, token: Token][];
  if (isRecord(decoder)) {
    found = Object.entries(decoder).flatMap(([id, value]) => withId(Number(id), value));
  } else {
    mergeMap(kwargs, files.map);
    takeNamed(kwargs, "extra_special_tokens", others);
    found = [...laterTokens(kwargs, files.added), ...describedIn(file)];
  }
  // A token whose id is reused is still found by its text.
  const byContent = new Map(found.map(([, token]) => [token.content, token]));
  const numbered = new Map(found);
  for (const name of NAMES) {
    const token = byContent.get(tokenOf(kwargs[name])?.content ?? "");
    if (token !== undefined) kwargs[name] = token;
  }
  const ordered = [...numbered].sort(([a], [b]) => a - b).map(([, token]) => token);
  return { settings: kwargs, others, numbered: ordered };
}

function withId(id: number, value: unknown): [id: number, token: Token][] {
  const token = tokenOf(value);
  return token === null ? [] : [[id, token]];
}

/** Moves the tokens that a setting names to `others`. */
function takeNamed(
  kwargs: Record<string, unknown>,
  key: "extra_special_tokens" | "model_specific_special_tokens",
  others: Map<string, Token>,
): void {
  const tokens = kwargs[key];
  if (!isRecord(tokens)) return;
  for (const [name, value] of Object.entries(tokens)) {
    const token = tokenOf(value);
    if (token !== null) others.set(name, token);
  }
  Reflect.deleteProperty(kwargs, key);
}

/** Merges special_tokens_map.json into the settings, which it overrides. */
function mergeMap(kwargs: Record<string, unknown>, map: Settings): void {
  for (const [key, value] of Object.entries(map)) {
    if (key === "extra_special_tokens" && Array.isArray(value)) {
      const known = Array.isArray(kwargs[key]) ? (kwargs[key] as unknown[]) : [];
      const later = (value as unknown[]).filter((one) => !known.includes(one));
      kwargs[key] = [...known, ...later.map(asSpecial)];
    } else {
      kwargs[key] = key === "extra_special_tokens" ? value : asSpecial(value);
    }
  }
}

const asSpecial = (value: unknown): unknown =>
  isRecord(value) ? { ...value, special: true } : value;

/**
 * The tokens of added_tokens.json by id.
 * @throws load/bad-tokenizer for an id that is no number, and for two tokens with one id
 */
function laterTokens(kwargs: Settings, added: Settings): [id: number, token: Token][] {
  const { extra_special_tokens: extra } = kwargs;
  const named = [
    ...NAMES.map((name) => kwargs[name]),
    ...(Array.isArray(extra) ? (extra as unknown[]) : []),
  ];
  // Objects of tokenizer_config.json, which name their type, are no tokens yet where transformers
  // asks.
  const known = named.filter((one) => !isRecord(one) || !("__type" in one));
  const contents = new Set(known.map((one) => tokenOf(one)?.content));
  const ids = Object.values(added);
  const refused = (got: string): Error => {
    const expected = "a number of its own for each token; download it again";
    return refuse("load/bad-tokenizer", "added_tokens.json", expected, got);
  };
  const odd = ids.find((id) => !Number.isInteger(id));
  if (odd !== undefined) throw refused(JSON.stringify(odd));
  const twice = ids.find((id, at) => ids.indexOf(id) < at);
  if (twice !== undefined) throw refused(`${JSON.stringify(twice)} twice`);
  return Object.entries(added).map(([content, id]) => {
    const special = contents.has(content);
    return [numberIn(id), plain(content, { special, normalized: !special })];
  });
}

/** The added tokens of a tokenizer.json; malformed ones are refused when the whole file is read. */
export const addedIn = (file: Settings): Settings[] =>
  (Array.isArray(file.added_tokens) ? (file.added_tokens as unknown[]) : []).filter(isRecord);

/** The tokens of a tokenizer.json with their ids. */
const describedIn = (file: Settings): [id: number, token: Token][] =>
  addedIn(file).flatMap((one) => withId(numberIn(one.id), one));

/** The tokens of a class: by name, and those of a list. */
export interface NamedTokens {
  /** The tokens by name; null if the settings remove a token. */
  named: ReadonlyMap<string, Token | null>;
  further: readonly Token[];
}

/** The special tokens by the settings, else by the class. */
export function namedTokens(
  { settings, others }: Arguments,
  { tokens, flags = {}, further, furtherIsExtra = false }: Defaults,
): NamedTokens {
  const named = new Map<string, Token | null>();
  const own = Object.keys(tokens).filter((name) => !NAMES.includes(name));
  const later = Object.keys(settings).filter((name) => {
    return name.endsWith("_token") && !NAMES.includes(name) && tokenOf(settings[name]) !== null;
  });
  for (const name of [...NAMES, ...own, ...later]) {
    const value = name in settings ? settings[name] : tokens[name];
    if (value === undefined) continue;
    named.set(name, tokenOf(value, flags[name]));
  }
  for (const [name, token] of others) named.set(name, token);
  const { extra_special_tokens: extra, additional_special_tokens: additional } = settings;
  const list = Array.isArray(additional) ? (additional as unknown[]) : null;
  const given = furtherIsExtra && Array.isArray(extra) ? (extra as unknown[]) : list;
  const ofClass = further?.(given, settings) ?? list;
  const isGiven = "extra_special_tokens" in settings && !furtherIsExtra;
  return { named, further: tokensIn(isGiven ? extra : ofClass) };
}

/** The tokens that transformers adds to a tokenizer, in its order. */
export function tokensToAdd(
  numbered: readonly Token[],
  { named, further }: NamedTokens,
  known: ReadonlySet<string>,
): Token[] {
  const contents = new Set([...known, ...numbered.map(({ content }) => content)]);
  const others = [...[...named.values()].filter((token) => token !== null), ...further];
  const later = new Map<string, Token>();
  for (const token of others) {
    const same = JSON.stringify({ ...token, normalized: isNormalized(token) });
    if (!contents.has(token.content) && !later.has(same)) later.set(same, token);
  }
  const all = [...numbered, ...later.values()];
  const special = new Set([...named.values()].map((token) => token?.content));
  return all.map((token) => (special.has(token.content) ? { ...token, special: true } : token));
}

/** The pieces of a tokenizer's model. */
export interface Vocabulary {
  readonly size: number;
  /** The id of a piece. */
  get: (piece: string) => number | undefined;
}

/** The pieces of the model of a tokenizer.json: a list with scores, or ids by pieces. */
export function vocabularyOf(model: unknown): Vocabulary {
  const vocab = isRecord(model) ? model.vocab : undefined;
  if (Array.isArray(vocab)) {
    const pieces = vocab.map((piece): unknown => (Array.isArray(piece) ? piece[0] : piece));
    return new Map(pieces.map((piece, id) => [textIn(piece), id]));
  }
  const ids = isRecord(vocab) ? vocab : {};
  return {
    size: Object.keys(ids).length,
    get: (piece) => (Object.hasOwn(ids, piece) ? numberIn(ids[piece]) : undefined),
  };
}

/** The library's vocabulary with its added tokens, which may have ids behind it. */
export class AddedVocabulary {
  readonly #tokens = new Map<number, AddedToken>();
  readonly #ids = new Map<string, number>();
  /** The tokens that were ever special: they stay left out of decoded text. */
  readonly #special = new Set<string>();

  constructor(private readonly vocabulary: Vocabulary) {}

  /** The id of a token or a piece. */
  id(content: string): number | undefined {
    return this.#ids.get(content) ?? this.vocabulary.get(content);
  }

  get contents(): ReadonlySet<string> {
    return new Set(this.#ids.keys());
  }

  /** The added tokens by id. */
  get tokens(): AddedToken[] {
    const all = [...this.#tokens.values()].sort((a, b) => a.id - b.id);
    return all.map((token) => ({ ...token, special: this.#special.has(token.content) }));
  }

  /** Adds several tokens, as one call of the library. */
  add(tokens: readonly Token[]): void {
    const { size } = this.vocabulary;
    const last = Math.max(-1, ...this.#tokens.keys());
    let next = last >= size || size === 0 ? last + 1 : size;
    for (const token of tokens) {
      if (token.content === "") continue;
      const id = this.id(token.content) ?? next++;
      this.#ids.set(token.content, id);
      if (token.special) this.#special.add(token.content);
      const { content, single_word, lstrip, rstrip, special } = token;
      const flags = { single_word, lstrip, rstrip, normalized: isNormalized(token), special };
      this.#tokens.set(id, { id, content, ...flags });
    }
  }
}
