import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import type { Edits, Tensor } from "../../www/headscope.js";

const models = new URL("../reference/models/", import.meta.url);

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
}

/** A tiny model's folder, its inputs and what Hugging Face computed. */
export interface ReferenceModel {
  name: string;
  folder: URL;
  cases: ReferenceCase[];
  answers: Map<string, { shape: number[]; data: Float32Array }>;
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
function readSafetensors(file: Buffer): ReferenceModel["answers"] {
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

// The reference is f32 from the same stored weights: what is left is the order of sums.
const ABSOLUTE = 1e-4;
const RELATIVE = 1e-5;

/** Fails where a number is further from the reference than rounding explains. */
export function expectClose(actual: Tensor, expected: { shape: number[]; data: Float32Array }, what: string): void {
  expect(actual.shape, what).toEqual(expected.shape);
  const largest = expected.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const furthest = expected.data.reduce((most, value, at) => {
    const distance = Math.abs(value - (actual.data[at] ?? NaN));
    return Number.isNaN(distance) ? Infinity : Math.max(most, distance);
  }, 0);
  expect(furthest, what).toBeLessThanOrEqual(ABSOLUTE + RELATIVE * largest);
}
