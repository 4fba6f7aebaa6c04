// A folder of a model with random weights, in the format of Hugging Face.
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VOCABULARY = 4000;
/** Large enough that no head attends everywhere alike. */
const SPREAD = 0.3;

type Shapes = Record<string, number[]>;

/** A BERT with as many heads and tokens as the real one's, narrow enough to be written in a moment. */
export function randomModel(): string {
  const [layers, heads, width, inner, tokens] = [12, 12, 96, 192, 512];
  const shapes: Shapes = {
    "bert.embeddings.word_embeddings": [VOCABULARY, width],
    "bert.embeddings.position_embeddings": [tokens, width],
    "bert.embeddings.token_type_embeddings": [2, width],
    "cls.predictions.bias": [VOCABULARY],
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
    vocab_size: VOCABULARY,
  };
  const folder = join(mkdtempSync(join(tmpdir(), "headscope-random-")), "random-bert");
  mkdirSync(folder);
  cpSync("models/tiny-bert/tokenizer.json", join(folder, "tokenizer.json"));
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  // One fixed stream of numbers, so that each run measures the same model.
  let [seed, end] = [1, 0];
  const header: Record<string, unknown> = {};
  const numbers = Object.entries(shapes).map(([tensor, shape]) => {
    const values = new Float32Array(shape.reduce((product, size) => product * size, 1));
    const key = tensor.endsWith(".bias") ? tensor : `${tensor}.weight`;
    header[key] = { dtype: "F32", shape, data_offsets: [end, (end += values.byteLength)] };
    return Buffer.from(
      values.map(() => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return (seed / 2 ** 31 - 1) * SPREAD;
      }).buffer,
    );
  });
  const json = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([json, Buffer.alloc((8 - (json.length % 8)) % 8, " ")]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  writeFileSync(join(folder, "model.safetensors"), Buffer.concat([length, padded, ...numbers]));
  return folder;
}
