import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { ModelSource, RunInput } from "../../www/headscope.js";
import { loadModel } from "./package.js";
import { filesOf } from "./reference.js";

const pathOf = (file: string): string =>
  fileURLToPath(new URL(`../reference/${file}`, import.meta.url));
const written = (file: string): Uint8Array => new Uint8Array(readFileSync(pathOf(`files/${file}`)));
const encode = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const parse = (json: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(json));

interface Place {
  data_offsets: [number, number];
}

/** A safetensors file of those tensors of a file that get a name. */
function partOf(
  file: Uint8Array,
  rename: (name: string, at: number) => string | undefined,
): Uint8Array {
  const length = Number(new DataView(file.buffer).getBigUint64(0, true));
  const header = parse(file.subarray(8, 8 + length)) as Record<string, Place>;
  delete header.__metadata__;
  let end = 0;
  const data: Uint8Array[] = [];
  const placed = Object.entries(header).flatMap(([tensor, entry], at) => {
    const name = rename(tensor, at);
    if (name === undefined) return [];
    const [from, to] = entry.data_offsets;
    data.push(file.subarray(8 + length + from, 8 + length + to));
    return [[name, { ...entry, data_offsets: [end, (end += to - from)] }] as const];
  });
  const json = encode(Object.fromEntries(placed));
  const size = new Uint8Array(new BigUint64Array([BigInt(json.length)]).buffer);
  return Buffer.concat([size, json, ...data]);
}

/** The folder of a family, if it is one; numbers of its config are f32, as a GGUF file has them. */
function familyOf(name: string): ReturnType<typeof filesOf> | null {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === "number" ? Math.fround(value) : value;
  const families: unknown = JSON.parse(readFileSync(pathOf("families.json"), "utf8"), rounded);
  const family = (families as Partial<Record<string, { config: object }>>)[name];
  if (family === undefined) return null;
  const numbers = new Uint8Array(readFileSync(pathOf("families.safetensors")));
  const weights = partOf(numbers, (tensor) => tensor.split(`${name}/weights/`)[1]);
  return { "config.json": encode(family.config), "model.safetensors": weights };
}

/** The files of a model with the tensors of one file in two. */
function sharded(name: string): Record<string, Uint8Array> {
  const { "model.safetensors": file, ...rest } = filesOf(name);
  const map: Record<string, string> = {};
  const shards = [0, 1].map((shard) =>
    partOf(file, (tensor, at) => {
      if (at % 2 !== shard) return undefined;
      map[tensor] = `part-${shard}.safetensors`;
      return tensor;
    }),
  );
  const [first = new Uint8Array(), second = new Uint8Array()] = shards;
  return {
    ...rest,
    "part-0.safetensors": first,
    "part-1.safetensors": second,
    "model.safetensors.index.json": encode({ weight_map: map }),
  };
}

const { "config.json": bertConfig } = filesOf("bert-plain");
const inFiles = (files: Record<string, Uint8Array>): File[] =>
  Object.entries(files).map(([name, bytes]) => new File([new Uint8Array(bytes)], name));

/** What a GGUF file says otherwise than the model's config. */
const SAID: Record<string, object> = {
  "llama-untied": { rope_scaling: { rope_type: "longrope", short_factor: [1, 1, 1.5, 2, 4] } },
  gemma3_text: { query_pre_attn_scalar: 6 },
};

describe("the weights of a model", () => {
  it.each<[string, string, ModelSource]>([
    ["two files", "marian-tiny", sharded("marian-tiny")],
    ["files of a disk", "marian-tiny", inFiles(sharded("marian-tiny"))],
    [
      "PyTorch's file",
      "bert-plain",
      { "config.json": bertConfig, "pytorch_model.bin": written("pytorch_model.bin") },
    ],
    ["GGUF on a disk, turned pairwise", "llama-untied", pathOf("files/llama.gguf")],
    ["GGUF of two kinds of layer", "gemma3_text", { "a.gguf": written("gemma3.gguf") }],
    ["GGUF of a stretched text", "phi3-longrope", { "a.gguf": written("phi3.gguf") }],
    ["GGUF in half precision, transposed", "gpt2-f16", { "a.gguf": written("gpt2.gguf") }],
    ["GGUF of an encoder", "bert-untied", inFiles({ "a.gguf": written("bert.gguf") })],
  ])("are read out of %s", async (_, name, source) => {
    const input: RunInput = {
      ids: [5, 17, 2, 30, 9],
      ...(name === "marian-tiny" && { targetIds: [60, 3] }),
    };
    const files = familyOf(name) ?? filesOf(name);
    const config = { ...(parse(files["config.json"]) as object), ...SAID[name] };
    const [folder, opened] = await Promise.all(
      [{ ...files, "config.json": encode(config) }, source].map(async (from) => {
        const model = await loadModel(from);
        const { decoder, encoder } = model.info.stacks;
        const stack = decoder ? "decoder" : "encoder";
        const layer = (decoder ?? encoder)?.layers ?? 0;
        const run = await model.run(input);
        const { data } = await run.hidden({ stack, layer });
        const logits = model.info.predicts ? (await run.logits()).data : null;
        model.dispose();
        return { data, logits, info: model.info };
      }),
    );
    expect(opened?.data).toEqual(folder?.data);
    // A GGUF file of an encoder has no output head.
    expect(opened?.logits).toEqual(name === "bert-untied" ? null : folder?.logits);
    const of = "stacks maxTokens startToken endTokens padToken positions activation".split(" ");
    expect(opened?.info).toMatchObject(
      Object.fromEntries(Object.entries(folder?.info ?? {}).filter(([key]) => of.includes(key))),
    );
  });
});

describe("a folder without tokenizer.json", () => {
  const files = filesOf("bert-tiny");

  it("is read with its other files", async () => {
    const vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n##s\n";
    // A field of images somewhere in a config makes no model of images.
    const config = encode({ ...(parse(files["config.json"]) as object), of: { patch_size: 14 } });
    const read = { ...files, "config.json": config };
    const model = await loadModel({ ...read, "vocab.txt": new TextEncoder().encode(vocabulary) });
    const { tokens } = await model.run({ text: "The cats" });
    expect(tokens.map(({ text }) => text)).toEqual(["[CLS]", "the", "cat", "s", "[SEP]"]);
    expect(tokens.map(({ id }) => id)).toEqual([2, 5, 6, 7, 3]);
    model.dispose();
  });

  it("is opened without any, and read by ids", async () => {
    const model = await loadModel(files);
    await expect(model.run({ text: "The cats" })).rejects.toThrow("ids, such as 5 17 2");
    expect((await model.run({ text: "2 5 3" })).tokens).toHaveLength(3);
    model.dispose();
  });
});
