import { refuse } from "../errors.js";
import type { Spelling } from "./readable.js";
import { mismatch, TOKENIZER } from "./schema.js";

/** The parts of a tokenizer.json that are read here; the library reads the rest. */
export interface Description {
  normalizer: Component | null;
  pre_tokenizer: Component | null;
  decoder: Component | null;
  model: { type?: string; continuing_subword_prefix?: string; end_of_word_suffix?: string | null };
}

/** A normalizer, pre-tokenizer or decoder; a sequence of them names its parts by their kind. */
export interface Component {
  type: string;
  normalizers?: Component[];
  pretokenizers?: Component[];
  decoders?: Component[];
  replacement?: string;
  lowercase?: boolean | null;
  add_prefix_space?: boolean | null;
  use_regex?: boolean | null;
  split?: boolean;
  behavior?: string;
  pattern?: { Regex?: string; String?: string };
  content?: string;
  invert?: boolean;
  strip_left?: boolean;
  strip_right?: boolean;
}

/** Reads the file's text, or says what is wrong with it. */
export function parseDescription(json: string): Description {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    parsed = null;
  }
  if (!isDescription(parsed)) {
    throw refuse(
      "load/bad-tokenizer",
      "tokenizer.json",
      "a Hugging Face tokenizer.json, a JSON object with a `model`",
      "something else",
    );
  }
  const wrong = mismatch(parsed, TOKENIZER);
  if (wrong) {
    const { path, expected, got } = wrong;
    throw refuse(
      "tokenizer/bad-field",
      "tokenizer.json",
      `${expected} as \`${path.slice(1)}\``,
      got === undefined ? "nothing" : JSON.stringify(got).slice(0, 60),
    );
  }
  return parsed;
}

function isDescription(value: unknown): value is Description {
  return typeof value === "object" && value !== null && "model" in value;
}

/** How this tokenizer spells its pieces. */
export function spellingOf({ pre_tokenizer, decoder, model }: Description): Spelling {
  const components = [...flatten(pre_tokenizer), ...flatten(decoder)];
  if (components.some(({ type }) => type === "ByteLevel")) return { kind: "byte-level" };
  const metaspace = components.find(({ type }) => type === "Metaspace");
  if (metaspace !== undefined)
    return { kind: "metaspace", replacement: metaspace.replacement ?? "▁" };
  if (model.type === "WordPiece")
    return { kind: "word-piece", prefix: model.continuing_subword_prefix ?? "##" };
  return { kind: "plain", suffix: model.end_of_word_suffix ?? "" };
}

function flatten(component: Component | null): Component[] {
  if (component === null) return [];
  return [
    component,
    ...[...(component.pretokenizers ?? []), ...(component.decoders ?? [])].flatMap(flatten),
  ];
}
