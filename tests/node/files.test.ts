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

/** A GGUF file as the first of two parts, and a second part without tensors. */
function inParts(file: Uint8Array): Record<string, Uint8Array> {
  const text = (value: string): Buffer =>
    Buffer.concat([
      new Uint8Array(new BigUint64Array([BigInt(value.length)]).buffer),
      Buffer.from(value),
    ]);
  const number = (key: string, value: number): Buffer =>
    Buffer.concat([text(key), Buffer.from([2, 0, 0, 0, value, 0])]);
  const split = (no: number): Buffer =>
    Buffer.concat([number("split.no", no), number("split.count", 2)]);
  const counts = (tensors: bigint, fields: bigint): Uint8Array =>
    new Uint8Array(new BigUint64Array([tensors, fields]).buffer);
  const start = Buffer.concat([split(0), text("general.x"), Buffer.from([8, 0, 0, 0])]);
  const filled = text(" ".repeat((32 - ((start.length + 8) % 32)) % 32));
  const view = new DataView(file.buffer, file.byteOffset);
  const own = counts(view.getBigUint64(8, true), view.getBigUint64(16, true) + 3n);
  return {
    "a-00001-of-00002.gguf": Buffer.concat([
      file.subarray(0, 8),
      own,
      start,
      filled,
      file.subarray(24),
    ]),
    "a-00002-of-00002.gguf": Buffer.concat([file.subarray(0, 8), counts(0n, 2n), split(1)]),
  };
}

// That each format gives the numbers of the folder that it was made from is proved in Rust.
describe("the weights of a model", () => {
  it.each<[string, string, ModelSource]>([
    ["two files", "marian-tiny", sharded("marian-tiny")],
    ["files of a disk", "marian-tiny", inFiles(sharded("marian-tiny"))],
    [
      "PyTorch's file",
      "bert-plain",
      { "config.json": bertConfig, "pytorch_model.bin": written("pytorch_model.bin") },
    ],
    ["GGUF on a disk", "gpt2-f16", pathOf("files/gpt2.gguf")],
    ["GGUF in memory", "gpt2-f16", { "a.gguf": written("gpt2.gguf") }],
    ["GGUF in parts", "gpt2-f16", inParts(written("gpt2.gguf"))],
    ["GGUF of files of a disk", "bert-untied", inFiles({ "a.gguf": written("bert.gguf") })],
  ])("are read out of %s", async (_, name, source) => {
    const input: RunInput = {
      ids: [5, 17, 2, 30, 9],
      ...(name === "marian-tiny" && { targetIds: [60, 3] }),
    };
    const [folder, opened] = await Promise.all(
      [filesOf(name), source].map(async (from) => {
        const model = await loadModel(from);
        const { decoder, encoder } = model.info.stacks;
        const stack = decoder ? "decoder" : "encoder";
        const layer = (decoder ?? encoder)?.layers ?? 0;
        const run = await model.run(input);
        const { data } = await run.hidden({ stack, layer });
        model.dispose();
        return data;
      }),
    );
    expect(opened).toEqual(folder);
  });

  it("are refused by name where a folder has only an adapter", async () => {
    const adapter = { "adapter_config.json": encode({ peft_type: "LORA" }) };
    await expect(loadModel(adapter)).rejects.toMatchObject({ code: "checkpoint/adapter" });
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
