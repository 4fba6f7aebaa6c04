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

/** A held-out sentence that the trained translator was run on. */
export interface ReferenceSentence extends ReferenceCase {
  text: string;
  read_ids: number[];
  logits_positions?: number[];
}

/** Ids that the trained translator was given on both sides. */
export interface GivenIds extends ReferenceCase {
  target_ids: number[];
  logits_positions?: number[];
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

/** The trained translator's folder, fifty sentences and some given ids, and what Hugging Face computed for the first few and for the ids. */
export function trainedReference(): { folder: URL; sentences: ReferenceSentence[]; given: GivenIds[]; answers: Answers } {
  const all = JSON.parse(readFileSync(new URL("en-fr.json", references), "utf8")) as (ReferenceSentence | GivenIds)[];
  return {
    folder: new URL("../../models/en-fr/", import.meta.url),
    sentences: all.filter((each): each is ReferenceSentence => "text" in each),
    given: all.filter((each): each is GivenIds => "target_ids" in each),
    answers: readSafetensors(readFileSync(new URL("en-fr.safetensors", references))),
  };
}

/** A case by its name. */
export function caseNamed(model: ReferenceModel, name: string): ReferenceCase {
  const found = model.cases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${model.name} has no case ${name}`);
  return found;
}

/** The files of a folder, in memory. */
export function filesOf(name: string): { "config.json": Uint8Array; "model.safetensors": Uint8Array } {
  const read = (file: string): Uint8Array => new Uint8Array(readFileSync(new URL(`${name}/${file}`, models)));
  return { "config.json": read("config.json"), "model.safetensors": read("model.safetensors") };
}

/** Only f32, which is all that the references hold. */
function readSafetensors(file: Buffer): Answers {
  const start = 8 + Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.toString("utf8", 8, start)) as Record<string, { shape: number[]; data_offsets: [number, number] }>;
  return new Map(
    Object.entries(header)
      .filter(([name]) => name !== "__metadata__")
      .map(([name, { shape, data_offsets: [from, to] }]) => {
        const bytes = new Uint8Array(file.subarray(start + from, start + to));
        return [name, { shape, data: new Float32Array(bytes.buffer) }];
      }),
  );
}
