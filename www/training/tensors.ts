/**
 * The tensors of a fresh model, under the names of its family, with their first values.
 *
 * Weights are drawn evenly, with the deviation `1/√(inner width)` of Y. LeCun et al. 1998
 * ("Efficient BackProp", section 4.6), which keeps the size of what a map is given; token tables
 * and trained positions with `1/√(width)`. Biases begin at 0, gains at 1.
 */
import type { Form } from "./forms.js";
import { hashOf, Random } from "./random.js";
import type { Numbers } from "./safetensors.js";
import type { TrainingSettings } from "./settings.js";

/** The sizes of a model. */
export interface Sizes {
  readonly width: number;
  readonly inner: number;
  readonly layers: number;
  readonly vocabulary: number;
  /** The positions of a table. */
  readonly positions: number;
}

/** The deviation of tokens to which sinusoids are added; smaller ones would be lost among these. */
const BESIDE_SINUSOIDS = 0.3;

type First = "ones" | "zeros" | "drawn";

/** A list of tensors as it grows. */
class Tensors {
  readonly all = new Map<string, Numbers>();

  constructor(
    private readonly seed: number,
    /** The deviation of token tables. */
    private readonly deviation: number,
  ) {}

  /** Adds a tensor. What is drawn depends on the seed and the name alone. */
  add(name: string, shape: readonly number[], first: First, deviation = 0): void {
    const values = new Float32Array(shape.reduce((product, size) => product * size, 1));
    if (first === "ones") values.fill(1);
    if (first === "drawn") {
      const random = new Random(this.seed, hashOf([name]));
      // Even draws from −a to a have the deviation a/√3.
      const most = deviation * Math.sqrt(3);
      for (let at = 0; at < values.length; at += 1) values[at] = random.signed() * most;
    }
    this.all.set(name, { shape, values });
  }

  /** A linear map, `[outer, inner]`, or `[inner, outer]` if it is stored transposed. */
  map(name: string, inner: number, outer: number, { bias = true, transposed = false } = {}): void {
    const shape = transposed ? [inner, outer] : [outer, inner];
    this.add(`${name}.weight`, shape, "drawn", 1 / Math.sqrt(inner));
    if (bias) this.add(`${name}.bias`, [outer], "zeros");
  }

  norm(name: string, width: number, bias = true): void {
    this.add(`${name}.weight`, [width], "ones");
    if (bias) this.add(`${name}.bias`, [width], "zeros");
  }

  /** A table of tokens. */
  tokens(name: string, { vocabulary, width }: Sizes): void {
    this.add(name, [vocabulary, width], "drawn", this.deviation);
  }

  /**
   * A table of positions, whose first rows, `skipped` of them, no token has. Sinusoids and zeros
   * are what the edit of the settings puts in their place.
   */
  positions(
    name: string,
    { positions, width }: Sizes,
    skipped: number,
    kind: TrainingSettings["positions"],
  ): void {
    const rows = positions + skipped;
    if (kind === "learned") {
      this.add(name, [rows, width], "drawn", 1 / Math.sqrt(width));
      return;
    }
    const values = new Float32Array(rows * width);
    if (kind === "sinusoidal")
      for (let at = skipped * width; at < values.length; at += 1)
        values[at] = sinusoid(Math.floor(at / width) - skipped, at % width, width);
    this.all.set(name, { shape: [rows, width], values });
  }
}

/**
 * A number of the table of sinusoids (Vaswani et al. 2017, section 3.5), each sine beside its
 * cosine.
 */
function sinusoid(position: number, dimension: number, width: number): number {
  const even = dimension - (dimension % 2);
  const angle = position / 10_000 ** (even / width);
  return dimension === even ? Math.sin(angle) : Math.cos(angle);
}

/** The tensors of a fresh model of a form. */
export function freshTensors(
  form: Form,
  sizes: Sizes,
  { positions, kind, seed }: Pick<TrainingSettings, "positions" | "kind" | "seed">,
): Map<string, Numbers> {
  // An encoder–decoder scales its tokens beside sinusoids.
  const isLarge = positions === "sinusoidal" && kind !== "encoder-decoder";
  const deviation = isLarge ? BESIDE_SINUSOIDS : 1 / Math.sqrt(sizes.width);
  const tensors = new Tensors(seed, deviation);
  TENSORS[form](tensors, sizes, positions);
  return tensors.all;
}

type Add = (tensors: Tensors, sizes: Sizes, positions: TrainingSettings["positions"]) => void;

const gpt2: Add = (tensors, sizes, positions) => {
  const { width, inner, layers } = sizes;
  const transposed = { transposed: true };
  tensors.tokens("transformer.wte.weight", sizes);
  tensors.positions("transformer.wpe.weight", sizes, 0, positions);
  for (let layer = 0; layer < layers; layer += 1) {
    const name = (part: string) => `transformer.h.${layer}.${part}`;
    tensors.norm(name("ln_1"), width);
    tensors.map(name("attn.c_attn"), width, 3 * width, transposed);
    tensors.map(name("attn.c_proj"), width, width, transposed);
    tensors.norm(name("ln_2"), width);
    tensors.map(name("mlp.c_fc"), width, inner, transposed);
    tensors.map(name("mlp.c_proj"), inner, width, transposed);
  }
  tensors.norm("transformer.ln_f", width);
};

/** The layers of a stack of BART. */
function addBartLayers(tensors: Tensors, stack: string, sizes: Sizes, crosses: boolean): void {
  const { width, inner, layers } = sizes;
  for (let layer = 0; layer < layers; layer += 1) {
    const name = (part: string) => `${stack}.layers.${layer}.${part}`;
    for (const site of crosses ? ["self_attn", "encoder_attn"] : ["self_attn"]) {
      for (const map of ["q_proj", "k_proj", "v_proj", "out_proj"])
        tensors.map(name(`${site}.${map}`), width, width);
      tensors.norm(name(`${site}_layer_norm`), width);
    }
    tensors.map(name("fc1"), width, inner);
    tensors.map(name("fc2"), inner, width);
    tensors.norm(name("final_layer_norm"), width);
  }
}

const bart: Add = (tensors, sizes, positions) => {
  const { width, vocabulary } = sizes;
  tensors.tokens("model.shared.weight", sizes);
  for (const stack of ["model.encoder", "model.decoder"]) {
    tensors.positions(`${stack}.embed_positions.weight`, sizes, 2, positions);
    tensors.norm(`${stack}.layernorm_embedding`, width);
    addBartLayers(tensors, stack, sizes, stack === "model.decoder");
  }
  tensors.add("final_logits_bias", [1, vocabulary], "zeros");
};

const mbart: Add = (tensors, sizes, positions) => {
  bart(tensors, sizes, positions);
  tensors.norm("model.encoder.layer_norm", sizes.width);
  tensors.norm("model.decoder.layer_norm", sizes.width);
};

/** What Llama, EuroBERT and StarCoder2 have in common. */
function addLlama(tensors: Tensors, sizes: Sizes, isLlama: boolean): void {
  const { width, inner, layers } = sizes;
  const own = { bias: !isLlama };
  tensors.tokens("model.embed_tokens.weight", sizes);
  for (let layer = 0; layer < layers; layer += 1) {
    const name = (part: string) => `model.layers.${layer}.${part}`;
    tensors.norm(name("input_layernorm"), width, own.bias);
    for (const map of ["q_proj", "k_proj", "v_proj", "o_proj"])
      tensors.map(name(`self_attn.${map}`), width, width, own);
    tensors.norm(name("post_attention_layernorm"), width, own.bias);
    const [enter, leave] = isLlama ? ["up_proj", "down_proj"] : ["c_fc", "c_proj"];
    if (isLlama) tensors.map(name("mlp.gate_proj"), width, inner, own);
    tensors.map(name(`mlp.${enter}`), width, inner, own);
    tensors.map(name(`mlp.${leave}`), inner, width, own);
  }
  tensors.norm("model.norm", width, own.bias);
}

/** What BERT and its relative with norms before the sublayers have in common. */
function addBert(
  tensors: Tensors,
  sizes: Sizes,
  positions: TrainingSettings["positions"],
  isPre: boolean,
): void {
  const { width, inner, layers, vocabulary } = sizes;
  const embedding = "bert.embeddings";
  tensors.tokens(`${embedding}.word_embeddings.weight`, sizes);
  tensors.positions(`${embedding}.position_embeddings.weight`, sizes, 0, positions);
  tensors.add(`${embedding}.token_type_embeddings.weight`, [1, width], "zeros");
  if (!isPre) tensors.norm(`${embedding}.LayerNorm`, width);
  for (let layer = 0; layer < layers; layer += 1) {
    const name = (part: string) => `bert.encoder.layer.${layer}.${part}`;
    for (const map of ["query", "key", "value"])
      tensors.map(name(`attention.self.${map}`), width, width);
    tensors.map(name("attention.output.dense"), width, width);
    tensors.norm(name(isPre ? "attention.ln" : "attention.output.LayerNorm"), width);
    tensors.map(name("intermediate.dense"), width, inner);
    tensors.map(name("output.dense"), inner, width);
    tensors.norm(name(isPre ? "ln" : "output.LayerNorm"), width);
  }
  if (isPre) tensors.norm("bert.encoder.ln", width);
  tensors.map("cls.predictions.transform.dense", width, width);
  tensors.norm("cls.predictions.transform.LayerNorm", width);
  tensors.add("cls.predictions.bias", [vocabulary], "zeros");
}

const TENSORS: Readonly<Record<Form, Add>> = {
  gpt2,
  bart,
  mbart,
  starcoder2: (tensors, sizes) => addLlama(tensors, sizes, false),
  llama: (tensors, sizes) => addLlama(tensors, sizes, true),
  eurobert: (tensors, sizes) => addLlama(tensors, sizes, true),
  bert: (tensors, sizes, positions) => addBert(tensors, sizes, positions, false),
  "megatron-bert": (tensors, sizes, positions) => addBert(tensors, sizes, positions, true),
};
