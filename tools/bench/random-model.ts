/** Folders of models with random weights, in the format of Hugging Face. */
import { cpSync, mkdirSync, mkdtempSync, openSync, closeSync, rmSync, writeSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Shapes = Record<string, number[]>;

interface Sizes {
  layers: number;
  heads: number;
  width: number;
  inner: number;
  tokens: number;
  vocabulary: number;
  /** The largest weight. */
  spread: number;
}

/**
 * Sizes with as many heads and tokens as the real BERT, but narrow, so that the files are written
 * quickly, with weights so large that no head attends uniformly.
 */
const NARROW = {
  layers: 12,
  heads: 12,
  width: 96,
  inner: 192,
  tokens: 512,
  vocabulary: 4000,
  spread: 0.3,
};
/** The sizes of all-MiniLM-L6-v2. */
export const MINILM = {
  layers: 6,
  heads: 12,
  width: 384,
  inner: 1536,
  tokens: 512,
  vocabulary: 30522,
  spread: 0.05,
};
/** The sizes of GPT-2 small, for longer texts. */
export const GPT2 = {
  layers: 12,
  heads: 12,
  width: 768,
  inner: 3072,
  tokens: 2048,
  vocabulary: 50257,
  spread: 0.035,
};

/** Writes a folder of a BERT, by default a narrow one, into `parent`, and returns its path. */
export function randomModel(sizes: Sizes = NARROW, parent = temporary()): string {
  const { layers, heads, width, inner, tokens, vocabulary } = sizes;
  const shapes: Shapes = {
    "bert.embeddings.word_embeddings": [vocabulary, width],
    "bert.embeddings.position_embeddings": [tokens, width],
    "bert.embeddings.token_type_embeddings": [2, width],
    "cls.predictions.bias": [vocabulary],
  };
  const maps: Shapes = {
    "cls.predictions.transform.dense": [width, width],
    "cls.predictions.transform.LayerNorm": [width],
    "bert.embeddings.LayerNorm": [width],
  };
  for (let layer = 0; layer < layers; layer += 1)
    for (const [part, shape] of Object.entries({
      "attention.self.query": [width, width],
      "attention.self.key": [width, width],
      "attention.self.value": [width, width],
      "attention.output.dense": [width, width],
      "attention.output.LayerNorm": [width],
      "intermediate.dense": [inner, width],
      "output.dense": [width, inner],
      "output.LayerNorm": [width],
    }))
      maps[`bert.encoder.layer.${layer}.${part}`] = shape;
  for (const [name, shape] of Object.entries(maps)) {
    shapes[name] = shape;
    shapes[`${name}.bias`] = shape.slice(0, 1);
  }
  const config = {
    model_type: "bert",
    architectures: ["BertForMaskedLM"],
    hidden_act: "gelu",
    hidden_size: width,
    intermediate_size: inner,
    layer_norm_eps: 1e-12,
    max_position_embeddings: tokens,
    num_attention_heads: heads,
    num_hidden_layers: layers,
    pad_token_id: 0,
    tie_word_embeddings: true,
    type_vocab_size: 2,
    vocab_size: vocabulary,
  };
  const folder = written(join(parent, "random-bert"), config, shapes, sizes.spread);
  cpSync("models/tiny-bert/tokenizer.json", join(folder, "tokenizer.json"));
  return folder;
}

/** Writes a GPT-2 folder and returns its path. */
export function randomGpt2(sizes: Sizes): string {
  const { layers, heads, width, inner, tokens, vocabulary } = sizes;
  const shapes: Shapes = { wte: [vocabulary, width], wpe: [tokens, width] };
  const maps: Shapes = { ln_f: [width] };
  for (let layer = 0; layer < layers; layer += 1)
    for (const [part, shape] of Object.entries({
      ln_1: [width],
      "attn.c_attn": [width, 3 * width],
      "attn.c_proj": [width, width],
      ln_2: [width],
      "mlp.c_fc": [width, inner],
      "mlp.c_proj": [inner, width],
    }))
      maps[`h.${layer}.${part}`] = shape;
  for (const [name, shape] of Object.entries(maps)) {
    shapes[name] = shape;
    shapes[`${name}.bias`] = shape.slice(-1);
  }
  const config = {
    model_type: "gpt2",
    activation_function: "gelu_new",
    n_embd: width,
    n_head: heads,
    n_inner: inner,
    n_layer: layers,
    n_positions: tokens,
    vocab_size: vocabulary,
  };
  return written(join(temporary(), "random-gpt2"), config, shapes, sizes.spread);
}

/** Makes a folder that is removed when the process ends. */
function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "headscope-random-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  return folder;
}

/** Writes config and weights; a tensor that is not a bias gets the suffix `.weight`. */
function written(folder: string, config: object, shapes: Shapes, spread: number): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const header: Record<string, unknown> = {};
  let end = 0;
  const counts = Object.entries(shapes).map(([tensor, shape]) => {
    const count = shape.reduce((product, size) => product * size, 1);
    const key = tensor.endsWith(".bias") ? tensor : `${tensor}.weight`;
    header[key] = { dtype: "F32", shape, data_offsets: [end, (end += 4 * count)] };
    return count;
  });
  const json = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([json, Buffer.alloc((8 - (json.length % 8)) % 8, " ")]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  const file = openSync(join(folder, "model.safetensors"), "w");
  writeSync(file, Buffer.concat([length, padded]));
  // One fixed stream of numbers, so that each run measures the same model.
  let seed = 1;
  for (const count of counts) {
    const values = new Float32Array(count);
    for (let at = 0; at < count; at += 1) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      values[at] = (seed / 2 ** 31 - 1) * spread;
    }
    writeSync(file, values);
  }
  closeSync(file);
  return folder;
}
