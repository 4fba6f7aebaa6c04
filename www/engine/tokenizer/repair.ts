import type { Component, Description } from "./description.js";

// ASCII symbols count as punctuation too.
const PUNCTUATION = "\\p{P}\\u0021-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u007E";
// Rust's `\w`.
const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
/** What a word is to these pre-tokenizers. */
const WORDS: Readonly<Record<string, string>> = {
  BertPreTokenizer: `[^\\s${PUNCTUATION}]+|[${PUNCTUATION}]`,
  Whitespace: `[${WORD}]+|[^\\s${WORD}]+`,
  WhitespaceSplit: "\\S+",
  ByteLevel: "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
};

/**
 * Spells out, in components that the library has, those in which it differs from Hugging Face's
 * tokenizers: cutting at Metaspace, punctuation marks one by one, lowercase (JavaScript's depends on
 * what stands beside a sigma), and white space: JavaScript counts U+FEFF and not U+0085, Unicode and
 * the patterns of a `Split` or a `Replace` the reverse.
 */
export function repair(description: Description): Description {
  return {
    ...description,
    normalizer: description.normalizer && repairNormalizer(description.normalizer),
    pre_tokenizer: description.pre_tokenizer && repairPreTokenizer(description.pre_tokenizer),
  };
}

function repairNormalizer(component: Component): Component {
  const { type, normalizers, strip_left, strip_right, lowercase } = component;
  if (type === "Sequence" && normalizers !== undefined)
    return { type, normalizers: normalizers.map(repairNormalizer) };
  if (type === "Strip") {
    const ends = [
      ...(strip_left === true ? ["\\A\\s+"] : []),
      ...(strip_right === true ? ["\\s+\\z"] : []),
    ];
    return {
      type: "Sequence",
      normalizers: ends.map((Regex) => ({ type: "Replace", pattern: { Regex }, content: "" })),
    };
  }
  if (type === "Lowercase" || lowercase === true) {
    const sigma: Component = { type: "Replace", pattern: { String: "Σ" }, content: "σ" };
    return { type: "Sequence", normalizers: [sigma, component] };
  }
  return component;
}

function repairPreTokenizer(component: Component): Component {
  const { type, pretokenizers, split, behavior, add_prefix_space, use_regex } = component;
  const replacement = component.replacement ?? "▁";
  if (type === "Sequence" && pretokenizers !== undefined)
    return { type, pretokenizers: pretokenizers.map(repairPreTokenizer) };
  if (type === "Metaspace" && split !== false)
    return {
      type: "Sequence",
      pretokenizers: [component, isolate(`${replacement}[^${replacement}]*`)],
    };
  if (type === "Punctuation" && (behavior ?? "Isolated") === "Isolated")
    return isolate(`[${PUNCTUATION}]`);
  const Regex = WORDS[type];
  if (Regex === undefined || use_regex === false) return component;
  const words: Component = { type: "Split", pattern: { Regex }, invert: true };
  if (type !== "ByteLevel") return words;
  const prefix: Component = { type: "Replace", pattern: { Regex: "\\A(?! )" }, content: " " };
  return {
    type: "Sequence",
    pretokenizers: [
      ...(add_prefix_space === true ? [prefix] : []),
      words,
      { type, use_regex: false },
    ],
  };
}

/** Each match is a word of its own, and so is what lies between two. */
function isolate(Regex: string): Component {
  return { type: "Split", pattern: { Regex }, behavior: "Isolated", invert: false };
}
