/**
 * How the model draws the tokens that it writes: the settings of sampling in the names of Hugging
 * Face's `GenerationConfig`, and their written form in an address.
 */
import type { GenerateRequest } from "../data/index.js";

/** The settings of sampling. Numbers that change nothing stand for a setting that is off. */
export type Sampling = Readonly<
  Record<"temperature" | "top_k" | "top_p" | "min_p" | "seed", number>
>;

/** The settings without a link, in the order in which they are used: the model's own chances. */
export const USUAL_SAMPLING: Sampling = { temperature: 1, top_k: 0, top_p: 1, min_p: 0, seed: 0 };

const KEYS = Object.keys(USUAL_SAMPLING) as (keyof Sampling)[];

/** The request of generation for settings of sampling; null stands for the likeliest tokens. */
export function generateWith(sampling: Sampling | null): GenerateRequest {
  return sampling === null ? {} : { do_sample: true, ...sampling };
}

/** The written form of settings: `temperature-0.8,seed-7`, without those that are usual. */
export const sampling = {
  form: "temperature-0.8,seed-7",
  encode: (settings: Sampling): string =>
    KEYS.filter((key) => key === "seed" || settings[key] !== USUAL_SAMPLING[key])
      .map((key) => `${key}-${settings[key]}`)
      .join(),
  /** Reads settings. The core refuses a number out of its bounds with a sentence of its own. */
  decode: (text: string): Sampling | undefined => {
    const parts = text.split(",").map((part) => part.split("-"));
    const isWhole = parts.every(
      ([key = "", value = ""]) => key in USUAL_SAMPLING && /^\d+(\.\d+)?$/.test(value),
    );
    const read = Object.fromEntries(parts.map(([key, value]) => [key, Number(value)])) as object;
    return isWhole ? { ...USUAL_SAMPLING, ...read } : undefined;
  },
};
