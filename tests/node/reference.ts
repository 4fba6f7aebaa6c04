import { readFileSync } from "node:fs";

const references = new URL("../reference/", import.meta.url);
const models = new URL("models/", references);

/** One input that Hugging Face was run on; see tests/reference/README.md. */
export interface ReferenceCase {
  name: string;
  ids: number[];
  target_ids?: number[];
  generated?: number[];
  /** The ids that the decoder read while it wrote. */
  read_ids?: number[];
}

/** A held-out sentence that a bundled model was run on. */
export interface Sentence {
  name: string;
  ids: number[];
  target_ids?: number[];
  text: string;
  pair?: string;
  /** Positions at which the ids have the mask token, and the ids that stood there. */
  masked?: number[];
  masked_ids?: number[];
}

/** A tiny model's folder. */
export const folderOf = (name: string): URL => new URL(`${name}/`, models);

const json = (path: string): unknown => JSON.parse(readFileSync(new URL(path, references), "utf8"));

/** A case of a tiny model by its name. */
export function caseNamed(model: string, name: string): ReferenceCase {
  const cases = json("models.json") as Record<string, ReferenceCase[]>;
  const found = cases[model]?.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${model} has no case ${name}`);
  return found;
}

/** The held-out sentences of a bundled model, and the ids of the sentences in its notes. */
export function sentencesOf(name: string): { sentences: Sentence[]; described: number[][] } {
  interface Trained {
    inputs: Sentence[];
    roles: { sentences: { ids: number[] }[] };
  }
  const trained = (json("trained.json") as Record<string, Trained>)[name];
  if (trained === undefined) throw new Error(`${name} is no bundled model`);
  const { inputs, roles } = trained;
  return {
    sentences: inputs.filter((input) => input.name.startsWith("sentence-")),
    described: roles.sentences.map(({ ids }) => ids),
  };
}

/** The files of a tiny model, in memory. */
export function filesOf(name: string): {
  "config.json": Uint8Array;
  "model.safetensors": Uint8Array;
} {
  const read = (file: string): Uint8Array =>
    new Uint8Array(readFileSync(new URL(file, folderOf(name))));
  return { "config.json": read("config.json"), "model.safetensors": read("model.safetensors") };
}
