/**
 * The form of a model that settings ask for: the family of Hugging Face whose config.json says the
 * same, so that what is trained is an ordinary folder.
 */
import type { Kind } from "./tasks/index.js";

export const POSITIONS = ["learned", "sinusoidal", "rotary", "none"] as const;
export const NORMS = ["layer", "rms"] as const;
export const PLACES = ["pre", "post"] as const;

/** A family of models, by its `model_type`. */
export type Form =
  "gpt2" | "starcoder2" | "llama" | "bert" | "megatron-bert" | "eurobert" | "bart" | "mbart";

/** Which positions a model may have instead. */
export interface NoForm {
  expected: string;
  got: string;
}

/** The settings that decide on the family. */
export interface Asked {
  kind: Kind;
  positions: (typeof POSITIONS)[number];
  norm: (typeof NORMS)[number];
  place: (typeof PLACES)[number];
}

/**
 * The family of settings. Tables of sinusoids and of zeros are tables of trained positions that an
 * edit replaces, so that they stay as they are.
 */
export function formOf({ kind, positions, norm, place }: Asked): Form | NoForm {
  const got = `${positions} positions with ${norm} norm, ${place}, in the kind ${kind}`;
  const isRotary = positions === "rotary";
  if (norm === "rms") {
    if (isRotary && place === "pre" && kind !== "encoder-decoder")
      return kind === "decoder" ? "llama" : "eurobert";
    const expected = "rotary with the norm rms and the place pre, in a decoder or an encoder";
    return { expected, got };
  }
  if (isRotary) {
    if (kind === "decoder" && place === "pre") return "starcoder2";
    const expected = "learned, sinusoidal or none, or a decoder with the place pre";
    return { expected, got };
  }
  const [before, after] = FORMS[kind];
  return place === "pre" ? before : after;
}

/** The families with a table of positions and layer norms: before the sublayers, and after them. */
const FORMS: Readonly<Record<Kind, readonly [Form, Form]>> = {
  decoder: ["gpt2", "bert"],
  encoder: ["megatron-bert", "bert"],
  "encoder-decoder": ["mbart", "bart"],
};
