/** The config.json of a fresh model: the settings in the fields of its family. */
import type { Form } from "./forms.js";
import type { TrainingSettings } from "./settings.js";
import type { Sizes } from "./tensors.js";
import { SPECIAL } from "./vocabulary.js";

type Fields = Readonly<Record<string, unknown>>;

/** The longest text of a model that has no table of positions. */
const LONGEST_ROTARY = 1024;

/** The config.json of a form. */
export function configOf(form: Form, sizes: Sizes, settings: TrainingSettings): Fields {
  return {
    model_type: form,
    vocab_size: sizes.vocabulary,
    pad_token_id: SPECIAL.pad,
    bos_token_id: SPECIAL.begin,
    eos_token_id: SPECIAL.end,
    tie_word_embeddings: true,
    dtype: "float32",
    ...CONFIGS[form](sizes, settings),
  };
}

type Config = (sizes: Sizes, settings: TrainingSettings) => Fields;

/** The fields of sizes that most families name alike. */
const usualSizes: Config = ({ width, layers, inner }, { heads }) => ({
  hidden_size: width,
  num_hidden_layers: layers,
  num_attention_heads: heads,
  intermediate_size: inner,
});

const llama: Config = (sizes, settings) => ({
  ...usualSizes(sizes, settings),
  num_key_value_heads: settings.heads,
  hidden_act: settings.activation,
  max_position_embeddings: LONGEST_ROTARY,
  rope_parameters: { rope_type: "default", rope_theta: 10_000 },
  rms_norm_eps: 1e-5,
  attention_dropout: 0,
  attention_bias: false,
  mlp_bias: false,
});

const bert: Config = (sizes, settings) => ({
  ...usualSizes(sizes, settings),
  hidden_act: settings.activation,
  max_position_embeddings: sizes.positions,
  type_vocab_size: 1,
  layer_norm_eps: 1e-5,
  hidden_dropout_prob: 0,
  attention_probs_dropout_prob: 0,
});

const bart: Config = ({ width, layers, inner, positions }, settings) => ({
  d_model: width,
  encoder_layers: layers,
  decoder_layers: layers,
  encoder_attention_heads: settings.heads,
  decoder_attention_heads: settings.heads,
  encoder_ffn_dim: inner,
  decoder_ffn_dim: inner,
  activation_function: settings.activation,
  max_position_embeddings: positions,
  // Sinusoids are as large as scaled embeddings.
  scale_embedding: settings.positions === "sinusoidal",
  is_encoder_decoder: true,
  decoder_start_token_id: SPECIAL.begin,
  forced_eos_token_id: null,
  dropout: 0,
  attention_dropout: 0,
  activation_dropout: 0,
});

const CONFIGS: Readonly<Record<Form, Config>> = {
  gpt2: ({ width, layers, inner, positions }, { heads, activation }) => ({
    architectures: ["GPT2LMHeadModel"],
    n_embd: width,
    n_layer: layers,
    n_head: heads,
    n_inner: inner,
    n_positions: positions,
    activation_function: activation,
    layer_norm_epsilon: 1e-5,
    embd_pdrop: 0,
    attn_pdrop: 0,
    resid_pdrop: 0,
  }),
  starcoder2: (sizes, settings) => ({
    architectures: ["Starcoder2ForCausalLM"],
    ...usualSizes(sizes, settings),
    num_key_value_heads: settings.heads,
    hidden_act: settings.activation,
    max_position_embeddings: LONGEST_ROTARY,
    rope_parameters: { rope_type: "default", rope_theta: 10_000 },
    norm_epsilon: 1e-5,
    sliding_window: null,
    use_bias: true,
    attention_dropout: 0,
    embedding_dropout: 0,
    residual_dropout: 0,
  }),
  llama: (sizes, settings) => ({
    architectures: ["LlamaForCausalLM"],
    ...llama(sizes, settings),
  }),
  eurobert: (sizes, settings) => ({
    architectures: ["EuroBertForMaskedLM"],
    ...llama(sizes, settings),
    mask_token_id: SPECIAL.mask,
  }),
  bert: (sizes, settings) => ({
    ...(settings.kind === "decoder"
      ? { architectures: ["BertLMHeadModel"], is_decoder: true }
      : { architectures: ["BertForMaskedLM"] }),
    ...bert(sizes, settings),
  }),
  "megatron-bert": (sizes, settings) => ({
    architectures: ["MegatronBertForMaskedLM"],
    ...bert(sizes, settings),
  }),
  bart: (sizes, settings) => ({
    architectures: ["BartForConditionalGeneration"],
    ...bart(sizes, settings),
  }),
  mbart: (sizes, settings) => ({
    architectures: ["MBartForConditionalGeneration"],
    ...bart(sizes, settings),
  }),
};
