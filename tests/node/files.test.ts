import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { ModelSource, RunInput } from "../../www/headscope.js";
import { loadModel } from "./package.js";
import { filesOf, folderOf } from "./reference.js";

const written = (file: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../reference/files/${file}`, import.meta.url)));
const encode = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** The files of a model with the tensors of one file in two. */
function sharded(name: string): Record<string, Uint8Array> {
  const { "model.safetensors": file, ...rest } = filesOf(name);
  const length = Number(new DataView(file.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length))) as Record<
    string,
    { data_offsets: [number, number] }
  >;
  delete header.__metadata__;
  const map: Record<string, string> = {};
  const shards = [0, 1].map((shard) => {
    let end = 0;
    const mine = Object.entries(header).filter((_, at) => at % 2 === shard);
    const placed = mine.map(([tensor, entry]) => {
      map[tensor] = `part-${shard}.safetensors`;
      const [from, to] = entry.data_offsets;
      const data_offsets = [end, (end += to - from)];
      return [tensor, { ...entry, data_offsets }] as const;
    });
    const json = encode(Object.fromEntries(placed));
    const data = mine.map(
      ([
        ,
        {
          data_offsets: [from, to],
        },
      ]) => file.subarray(8 + length + from, 8 + length + to),
    );
    const size = new Uint8Array(new BigUint64Array([BigInt(json.length)]).buffer);
    return Buffer.concat([size, json, ...data]);
  });
  const [first = new Uint8Array(), second = new Uint8Array()] = shards;
  return {
    ...rest,
    "part-0.safetensors": first,
    "part-1.safetensors": second,
    "model.safetensors.index.json": encode({ weight_map: map }),
  };
}

const disk = mkdtempSync(join(tmpdir(), "headscope-"));
writeFileSync(join(disk, "llama.gguf"), written("llama.gguf"));
afterAll(() => rmSync(disk, { recursive: true }));

const { "config.json": bertConfig } = filesOf("bert-plain");
const inFiles = (files: Record<string, Uint8Array>): File[] =>
  Object.entries(files).map(([name, bytes]) => new File([new Uint8Array(bytes)], name));

describe("the weights of a model", () => {
  it.each<[string, string, ModelSource]>([
    ["two files", "marian-tiny", sharded("marian-tiny")],
    ["files of a disk", "marian-tiny", inFiles(sharded("marian-tiny"))],
    [
      "PyTorch's file",
      "bert-plain",
      { "config.json": bertConfig, "pytorch_model.bin": written("pytorch_model.bin") },
    ],
    ["GGUF, turned pairwise", "llama-untied", { "llama.gguf": written("llama.gguf") }],
    ["GGUF on a disk", "llama-untied", join(disk, "llama.gguf")],
    ["GGUF in half precision, transposed", "gpt2-f16", { "a.gguf": written("gpt2.gguf") }],
    [
      "GGUF of an encoder",
      "bert-untied",
      [new File([new Uint8Array(written("bert.gguf"))], "a.gguf")],
    ],
  ])("are read out of %s", async (_, name, source) => {
    const input: RunInput = {
      ids: [5, 17, 2, 40, 9],
      ...(name === "marian-tiny" && { targetIds: [60, 3] }),
    };
    const [folder, opened] = await Promise.all(
      [fileURLToPath(folderOf(name)), source].map(async (from) => {
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
    const of = "stacks maxTokens startToken endToken padToken positions activation".split(" ");
    expect(opened?.info).toMatchObject(
      Object.fromEntries(Object.entries(folder?.info ?? {}).filter(([key]) => of.includes(key))),
    );
  });
});

describe("a folder without tokenizer.json", () => {
  const files = filesOf("bert-tiny");

  it("is read with its other files", async () => {
    const vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\n##s\n";
    const model = await loadModel({ ...files, "vocab.txt": new TextEncoder().encode(vocabulary) });
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
