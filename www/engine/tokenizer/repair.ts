import type { Component, Description } from "./description.js";

// ASCII symbols count as punctuation too.
const PUNCTUATION = "[\\p{P}\\u0021-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u007E]";

/**
 * Spells out, in components that the library has, those in which it differs from Hugging Face's
 * tokenizers: cutting at Metaspace, punctuation marks one by one, and what is stripped (JavaScript's
 * `trim` takes U+FEFF for white space, Unicode and the library's `\s` do not).
 */
export function repair(description: Description): Description {
  return {
    ...description,
    normalizer: description.normalizer && repairNormalizer(description.normalizer),
    pre_tokenizer: description.pre_tokenizer && repairPreTokenizer(description.pre_tokenizer),
  };
}

function repairNormalizer(component: Component): Component {
  const { type, normalizers, strip_left, strip_right } = component;
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
  return component;
}

function repairPreTokenizer(component: Component): Component {
  const { type, pretokenizers, split, behavior, replacement = "▁" } = component;
  if (type === "Sequence" && pretokenizers !== undefined)
    return { type, pretokenizers: pretokenizers.map(repairPreTokenizer) };
  if (type === "Metaspace" && split !== false)
    return {
      type: "Sequence",
      pretokenizers: [component, isolate(`${replacement}[^${replacement}]*`)],
    };
  if (type === "Punctuation" && (behavior ?? "Isolated") === "Isolated")
    return isolate(PUNCTUATION);
  return component;
}

/** Each match is a word of its own, and so is what lies between two. */
function isolate(Regex: string): Component {
  return { type: "Split", pattern: { Regex }, behavior: "Isolated", invert: false };
}
