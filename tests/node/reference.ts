import { readdirSync, readFileSync } from "node:fs";
import type { Edits } from "../../www/headscope.js";

const references = new URL("../reference/", import.meta.url);
const models = new URL("models/", references);

/** One input that Hugging Face was run on; see tests/reference/README.md. */
export interface ReferenceCase {
  name: string;
  ids: number[];
  token_type_ids?: number[];
  attention_mask?: (0 | 1)[];
  target_ids?: number[];
  edits?: Edits;
  max_new_tokens?: number;
  generated?: number[];
  /** The ids that the decoder read while it wrote. */
  read_ids?: number[];
}

/** An input that a bundled model was run on. */
interface TrainedInput {
  name: string;
  ids: number[];
  token_type_ids?: number[];
  target_ids?: number[];
  edits?: Edits;
  logits_position: number;
}

/** A held-out sentence. */
export interface Sentence extends TrainedInput {
  text: string;
  pair?: string;
  /** Positions at which the ids have the mask token, and the ids that stood there. */
  hidden?: number[];
  hidden_ids?: number[];
  /** What was written greedily, and of a model that goes on with a text its beginning. */
  written?: number[];
  prompt_ids?: number[];
}

export type Answers = Map<string, { shape: number[]; data: Float32Array }>;

/** A tiny model's folder, its inputs and what Hugging Face computed. */
export interface ReferenceModel {
  name: string;
  folder: URL;
  cases: ReferenceCase[];
  answers: Answers;
}

export const modelNames = readdirSync(models);

export function reference(name: string): ReferenceModel {
  const folder = new URL(`${name}/`, models);
  return {
    name,
    folder,
    cases: JSON.parse(readFileSync(new URL("cases.json", folder), "utf8")) as ReferenceCase[],
    answers: readSafetensors(readFileSync(new URL("cases.safetensors", folder))),
  };
}

/** A bundled model's folder, its inputs and what Hugging Face computed. */
export interface TrainedModel {
  folder: URL;
  sentences: Sentence[];
  /** Inputs that no text spells. */
  given: TrainedInput[];
  /** The ids of the sentences in the model's notes. */
  described: { ids: number[] }[];
  answers: Answers;
}

export function trainedReference(name: string): TrainedModel {
  const file = JSON.parse(readFileSync(new URL(`trained/${name}.json`, references), "utf8")) as {
    inputs: (TrainedInput | Sentence)[];
    roles: { sentences: { ids: number[] }[] };
  };
  const isSentence = (input: TrainedInput | Sentence): input is Sentence =>
    input.name.startsWith("sentence-");
  return {
    folder: new URL(`../../models/${name}/`, import.meta.url),
    sentences: file.inputs.filter(isSentence),
    given: file.inputs.filter((input) => !isSentence(input)),
    described: file.roles.sentences,
    answers: readSafetensors(readFileSync(new URL(`trained/${name}.safetensors`, references))),
  };
}

/** A case by its name. */
export function caseNamed(model: ReferenceModel, name: string): ReferenceCase {
  const found = model.cases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${model.name} has no case ${name}`);
  return found;
}

/** The files of a folder, in memory. */
export function filesOf(name: string): {
  "config.json": Uint8Array;
  "model.safetensors": Uint8Array;
} {
  const read = (file: string): Uint8Array =>
    new Uint8Array(readFileSync(new URL(`${name}/${file}`, models)));
  return { "config.json": read("config.json"), "model.safetensors": read("model.safetensors") };
}

/** Only f32, which is all that the references hold. */
function readSafetensors(file: Buffer): Answers {
  const start = 8 + Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.toString("utf8", 8, start)) as Record<
    string,
    { shape: number[]; data_offsets: [number, number] }
  >;
  return new Map(
    Object.entries(header)
      .filter(([name]) => name !== "__metadata__")
      .map(
        ([
          name,
          {
            shape,
            data_offsets: [from, to],
          },
        ]) => {
          const bytes = new Uint8Array(file.subarray(start + from, start + to));
          return [name, { shape, data: new Float32Array(bytes.buffer) }];
        },
      ),
  );
}
