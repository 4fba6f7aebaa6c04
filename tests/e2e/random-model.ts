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

/** A Llama of random weights: four heads, of which two share keys and values, narrower together than the stream. */
export function randomLlama(): string {
  const [width, inner, heads, shared, headDim, layers] = [48, 72, 4, 2, 10, 2];
  const all: Record<string, number[]> = {
    "model.embed_tokens.weight": [VOCABULARY, width],
    "model.norm.weight": [width],
  };
  for (let layer = 0; layer < layers; layer += 1) {
    const at = `model.layers.${layer}`;
    all[`${at}.self_attn.q_proj.weight`] = [heads * headDim, width];
    for (const part of ["k_proj", "v_proj"])
      all[`${at}.self_attn.${part}.weight`] = [shared * headDim, width];
    all[`${at}.self_attn.o_proj.weight`] = [width, heads * headDim];
    for (const part of ["gate_proj", "up_proj"]) all[`${at}.mlp.${part}.weight`] = [inner, width];
    all[`${at}.mlp.down_proj.weight`] = [width, inner];
    for (const norm of ["input_layernorm", "post_attention_layernorm"])
      all[`${at}.${norm}.weight`] = [width];
  }
  const config = {
    model_type: "llama",
    architectures: ["LlamaForCausalLM"],
    head_dim: headDim,
    hidden_act: "silu",
    hidden_size: width,
    intermediate_size: inner,
    max_position_embeddings: 256,
    num_attention_heads: heads,
    num_hidden_layers: layers,
    num_key_value_heads: shared,
    rms_norm_eps: 1e-6,
    rope_theta: 10_000,
    tie_word_embeddings: true,
    vocab_size: VOCABULARY,
  };
  return folderOf("random-llama", "tiny-gpt", config, all, (name) =>
    name.endsWith("norm.weight") ? 1 : 0,
  );
}

/** A BERT of random weights with as many heads and tokens as the real one's, narrow enough to be written in a moment. */
export function randomModel(): string {
  const config = {
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
  };
  return folderOf("random-bert", "tiny-bert", config, shapes());
}

/** A folder with the tokenizer of a bundled model; `middle` is what a tensor's numbers lie around. */
function folderOf(
  name: string,
  tokenizer: string,
  config: Record<string, unknown>,
  tensors: Record<string, number[]>,
  middle: (tensor: string) => number = () => 0,
): string {
  const folder = join(mkdtempSync(join(tmpdir(), "headscope-random-")), name);
  mkdirSync(folder);
  cpSync(`models/${tokenizer}/tokenizer.json`, join(folder, "tokenizer.json"));
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  writeFileSync(join(folder, "model.safetensors"), safetensors(tensors, middle));
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
    for (const part of ["query", "key", "value"])
      Object.assign(all, dense(`${at}.attention.self.${part}`, WIDTH, WIDTH));
    Object.assign(
      all,
      dense(`${at}.attention.output.dense`, WIDTH, WIDTH),
      norm(`${at}.attention.output.LayerNorm`),
    );
    Object.assign(
      all,
      dense(`${at}.intermediate.dense`, INNER, WIDTH),
      dense(`${at}.output.dense`, WIDTH, INNER),
      norm(`${at}.output.LayerNorm`),
    );
  }
  return all;
}

const dense = (name: string, out: number, into: number): Record<string, number[]> => ({
  [`${name}.weight`]: [out, into],
  [`${name}.bias`]: [out],
});
const norm = (name: string): Record<string, number[]> => ({
  [`${name}.weight`]: [WIDTH],
  [`${name}.bias`]: [WIDTH],
});

/** Every tensor filled from one fixed stream of numbers, so that each run measures the same model. */
function safetensors(
  tensors: Record<string, number[]>,
  middle: (tensor: string) => number,
): Uint8Array {
  const header: Record<string, { dtype: "F32"; shape: number[]; data_offsets: [number, number] }> =
    {};
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
  for (const [
    name,
    {
      data_offsets: [from, to],
    },
  ] of Object.entries(header)) {
    for (let index = from / 4; index < to / 4; index += 1) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      numbers[index] = middle(name) + (seed / 2 ** 31 - 1) * SPREAD;
    }
  }
  return Buffer.concat([length, padded, Buffer.from(numbers.buffer)]);
}
