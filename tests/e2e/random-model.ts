import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LAYERS = 12;
const HEADS = 12;
const WIDTH = 96;
const INNER = 192;
const TOKENS = 512;
const VOCABULARY = 4000;
/** Large enough that no head looks everywhere alike. */
const SPREAD = 0.3;

/** A BERT of random weights with as many heads and tokens as the real one's, narrow enough to be written in a moment. */
export function randomModel(): string {
  const folder = join(mkdtempSync(join(tmpdir(), "headscope-random-")), "random-bert");
  mkdirSync(folder);
  cpSync("models/tiny-bert/tokenizer.json", join(folder, "tokenizer.json"));
  writeFileSync(
    join(folder, "config.json"),
    JSON.stringify({
      model_type: "bert",
      architectures: ["BertForMaskedLM"],
      hidden_act: "gelu",
      hidden_size: WIDTH,
      intermediate_size: INNER,
      layer_norm_eps: 1e-12,
      max_position_embeddings: TOKENS,
      num_attention_heads: HEADS,
      num_hidden_layers: LAYERS,
      pad_token_id: 0,
      tie_word_embeddings: true,
      type_vocab_size: 2,
      vocab_size: VOCABULARY,
    }),
  );
  writeFileSync(join(folder, "model.safetensors"), safetensors(shapes()));
  return folder;
}

function shapes(): Record<string, number[]> {
  const all: Record<string, number[]> = {
    "bert.embeddings.word_embeddings.weight": [VOCABULARY, WIDTH],
    "bert.embeddings.position_embeddings.weight": [TOKENS, WIDTH],
    "bert.embeddings.token_type_embeddings.weight": [2, WIDTH],
    "cls.predictions.bias": [VOCABULARY],
    ...dense("cls.predictions.transform.dense", WIDTH, WIDTH),
    ...norm("cls.predictions.transform.LayerNorm"),
    ...norm("bert.embeddings.LayerNorm"),
  };
  for (let layer = 0; layer < LAYERS; layer += 1) {
    const at = `bert.encoder.layer.${layer}`;
    for (const part of ["query", "key", "value"]) Object.assign(all, dense(`${at}.attention.self.${part}`, WIDTH, WIDTH));
    Object.assign(all, dense(`${at}.attention.output.dense`, WIDTH, WIDTH), norm(`${at}.attention.output.LayerNorm`));
    Object.assign(all, dense(`${at}.intermediate.dense`, INNER, WIDTH), dense(`${at}.output.dense`, WIDTH, INNER), norm(`${at}.output.LayerNorm`));
  }
  return all;
}

const dense = (name: string, out: number, into: number): Record<string, number[]> => ({ [`${name}.weight`]: [out, into], [`${name}.bias`]: [out] });
const norm = (name: string): Record<string, number[]> => ({ [`${name}.weight`]: [WIDTH], [`${name}.bias`]: [WIDTH] });

/** Every tensor filled from one fixed stream of numbers, so that each run measures the same model. */
function safetensors(tensors: Record<string, number[]>): Uint8Array {
  const header: Record<string, { dtype: "F32"; shape: number[]; data_offsets: [number, number] }> = {};
  let end = 0;
  for (const [name, shape] of Object.entries(tensors)) {
    const start = end;
    end += 4 * shape.reduce((product, size) => product * size, 1);
    header[name] = { dtype: "F32", shape, data_offsets: [start, end] };
  }
  const json = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([json, Buffer.alloc((8 - (json.length % 8)) % 8, " ")]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  const numbers = new Float32Array(end / 4);
  let seed = 1;
  for (let index = 0; index < numbers.length; index += 1) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    numbers[index] = (seed / 2 ** 31 - 1) * SPREAD;
  }
  return Buffer.concat([length, padded, Buffer.from(numbers.buffer)]);
}
