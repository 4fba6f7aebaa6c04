//! The supported architectures of GGUF files: the field of config.json for each of their keys, and
//! the names of their tensors in a Hugging Face folder.
//!
//! Sources: the tensor and key names of gguf-py 0.19 (`constants.py`, `tensor_mapping.py`), the
//! changes of weights by llama.cpp's converter (`convert_hf_to_gguf.py`), and the keys that its
//! loader reads (`llama-model.cpp`).

use Constant::{Flag, Null, Number, Text};
use Key::{Cap, Field, Is, Only, Read, Size, Without};

/// The treatment of a key, named without its architecture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Key {
    /// The key's value goes into this field of config.json.
    Field(&'static str),
    /// The key's value goes into this field; it must be one whole number, or a list of equal ones.
    Size(&'static str),
    /// The key's value goes into this field, as null if it is 0.
    Cap(&'static str),
    /// `config.rs` derives fields of the config from the key.
    Read,
    /// The key changes no number, for this reason.
    Without(&'static str),
    /// Only this value is computed; any other is refused.
    Only(f64),
    /// Only this flag is computed; the other is refused.
    Is(bool),
}

/// A constant of config.json.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Constant {
    Text(&'static str),
    Flag(bool),
    Number(u64),
    Null,
}

/// A change that the converter makes to tensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// The rows of queries and keys are in the order of paired rotation.
    PairedTurns,
    /// Norms hold 1 + gain.
    GainsOverOne,
    /// All queries, all keys and all values are together; in the folder, those of each head are.
    PartsOfHeads,
}

/// A supported architecture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Architecture {
    /// The name in `general.architecture`.
    pub name: &'static str,
    /// Keys that are specific to the architecture, or that differ from [`KEYS`].
    pub keys: &'static [(&'static str, Key)],
    /// Fields of config.json with a constant value.
    pub constants: &'static [(&'static str, Constant)],
    /// The field for the rotated share of a head, in architectures where it may be less than 1.
    pub turned_share: Option<&'static str>,
    pub changes: &'static [Change],
    /// The prefixes in place of `blk.`, `enc.blk.` and `dec.blk.`.
    pub blocks: &'static [(&'static str, &'static str)],
    /// The names of tensors in the file and in the folder; those of a block without its number.
    pub tensors: &'static [(&'static str, &'static str)],
}

/// The keys of all architectures, unless an architecture lists them itself.
pub(super) const KEYS: &[(&str, Key)] = &[
    ("vocab_size", Without("the embedding's rows say it")),
    ("pooling_type", Without("pooling comes after the states that are shown")),
    ("classifier.output_labels", Without("a classifier comes after the states that are shown")),
    ("dense_2_feat_in", Without("a sentence's embedding comes after the states that are shown")),
    ("dense_2_feat_out", Without("a sentence's embedding comes after the states that are shown")),
    ("dense_3_feat_in", Without("a sentence's embedding comes after the states that are shown")),
    ("dense_3_feat_out", Without("a sentence's embedding comes after the states that are shown")),
    ("tensor_data_layout", Without("llama.cpp does not read it either")),
    ("rope.scaling.finetuned", Without("llama.cpp reports it and computes the same")),
    ("rope.dimension_count", Read),
    ("rope.freq_base", Read),
    ("rope.scale_linear", Read),
    ("rope.scaling.type", Read),
    ("rope.scaling.factor", Read),
    ("rope.scaling.original_context_length", Read),
    ("rope.scaling.attn_factor", Read),
    ("rope.scaling.yarn_beta_fast", Read),
    ("rope.scaling.yarn_beta_slow", Read),
    ("attention.value_length", Read),
    ("attention.causal", Is(true)),
    ("use_parallel_residual", Is(false)),
    ("rescale_every_n_layers", Only(0.0)),
    // Keys of other architectures. llama.cpp reads them for those alone, so a file with one of
    // these keys holds another model than its architecture says.
    ("attention.scale", Only(0.0)),
    ("attention.output_scale", Only(0.0)),
    ("attention.max_alibi_bias", Only(0.0)),
    ("attention.clamp_kqv", Only(0.0)),
    ("attention.sliding_window", Only(0.0)),
    ("attention.sliding_window_pattern", Only(0.0)),
    ("attention.shared_kv_layers", Only(0.0)),
    ("attention.temperature_length", Only(0.0)),
    ("attention.temperature_scale", Only(0.0)),
    ("attention.relative_buckets_count", Only(0.0)),
    ("attention.key_length_mla", Only(0.0)),
    ("attention.value_length_mla", Only(0.0)),
    ("attention.key_length_swa", Only(0.0)),
    ("attention.value_length_swa", Only(0.0)),
    ("attention.q_lora_rank", Only(0.0)),
    ("attention.kv_lora_rank", Only(0.0)),
    ("attention.decay_lora_rank", Only(0.0)),
    ("attention.gate_lora_rank", Only(0.0)),
    ("attention.iclr_lora_rank", Only(0.0)),
    ("attention.value_residual_mix_lora_rank", Only(0.0)),
    ("attention.group_norm_epsilon", Only(0.0)),
    ("attention.group_norm_groups", Only(0.0)),
    ("attention.layer_norm_epsilon", Only(0.0)),
    ("attention.layer_norm_rms_epsilon", Only(0.0)),
    ("attention.indexer.head_count", Only(0.0)),
    ("attention.indexer.key_length", Only(0.0)),
    ("attention.indexer.top_k", Only(0.0)),
    ("rope.freq_base_swa", Only(0.0)),
    ("rope.dimension_count_swa", Only(0.0)),
    ("rope.dimension_sections", Only(0.0)),
    ("rope.scaling.alpha", Only(0.0)),
    ("rope.scaling.yarn_ext_factor", Only(0.0)),
    ("rope.scaling.yarn_attn_factor", Only(0.0)),
    ("rope.scaling.yarn_log_multiplier", Only(0.0)),
    ("attn_logit_softcapping", Only(0.0)),
    ("final_logit_softcapping", Only(0.0)),
    ("router_logit_softcapping", Only(0.0)),
    ("logit_scale", Only(0.0)),
    ("residual_scale", Only(0.0)),
    ("embedding_scale", Only(0.0)),
    ("expert_count", Only(0.0)),
    ("expert_used_count", Only(0.0)),
    ("expert_shared_count", Only(0.0)),
    ("expert_feed_forward_length", Only(0.0)),
    ("expert_shared_feed_forward_length", Only(0.0)),
    ("expert_chunk_feed_forward_length", Only(0.0)),
    ("expert_gating_func", Only(0.0)),
    ("expert_group_count", Only(0.0)),
    ("expert_group_scale", Only(0.0)),
    ("expert_group_used_count", Only(0.0)),
    ("experts_per_group", Only(0.0)),
    ("expert_weights_norm", Only(0.0)),
    ("expert_weights_scale", Only(0.0)),
    ("moe_every_n_layers", Only(0.0)),
    ("moe_latent_size", Only(0.0)),
    ("interleave_moe_layer_step", Only(0.0)),
    ("leading_dense_block_count", Only(0.0)),
    ("nextn_predict_layers", Only(0.0)),
    ("n_deepstack_layers", Only(0.0)),
    ("full_attention_interval", Only(0.0)),
    ("decoder_block_count", Only(0.0)),
    ("decoder_start_token_id", Only(0.0)),
    ("features_length", Only(0.0)),
    ("embedding_length_out", Only(0.0)),
    ("embedding_length_per_layer_input", Only(0.0)),
    ("activation_sparsity_scale", Only(0.0)),
    ("altup.active_idx", Only(0.0)),
    ("altup.num_inputs", Only(0.0)),
    ("swiglu_clamp_exp", Only(0.0)),
    ("swiglu_clamp_shexp", Only(0.0)),
    ("swin_norm", Only(0.0)),
    ("time_decay_extra_dim", Only(0.0)),
    ("time_mix_extra_dim", Only(0.0)),
    ("token_shift_count", Only(0.0)),
    ("wkv.head_size", Only(0.0)),
    ("kda.head_dim", Only(0.0)),
    ("shortconv.l_cache", Only(0.0)),
    ("ssm.conv_kernel", Only(0.0)),
    ("ssm.dt_b_c_rms", Only(0.0)),
    ("ssm.group_count", Only(0.0)),
    ("ssm.inner_size", Only(0.0)),
    ("ssm.state_size", Only(0.0)),
    ("ssm.time_step_rank", Only(0.0)),
    ("convnext.block_count", Only(0.0)),
    ("convnext.embedding_length", Only(0.0)),
    ("posnet.block_count", Only(0.0)),
    ("posnet.embedding_length", Only(0.0)),
];

/// The size keys of a decoder with Llama's field names.
const LLAMA_SIZES: &[(&str, Key)] = &[
    ("context_length", Size("max_position_embeddings")),
    ("embedding_length", Size("hidden_size")),
    ("block_count", Size("num_hidden_layers")),
    ("feed_forward_length", Size("intermediate_size")),
    ("attention.head_count", Size("num_attention_heads")),
    ("attention.head_count_kv", Size("num_key_value_heads")),
    ("attention.key_length", Size("head_dim")),
];

/// The block prefix of a decoder with Llama's tensor names.
const LLAMA_BLOCKS: &[(&str, &str)] = &[("blk.", "model.layers.")];

/// The tensors of a decoder with Llama's tensor names.
const LLAMA_TENSORS: &[(&str, &str)] = &[
    ("token_embd", "model.embed_tokens"),
    ("output_norm", "model.norm"),
    ("output", "lm_head"),
    ("attn_norm", "input_layernorm"),
    ("attn_q", "self_attn.q_proj"),
    ("attn_k", "self_attn.k_proj"),
    ("attn_v", "self_attn.v_proj"),
    ("attn_qkv", "self_attn.qkv_proj"),
    ("attn_output", "self_attn.o_proj"),
    ("attn_q_norm", "self_attn.q_norm"),
    ("attn_k_norm", "self_attn.k_norm"),
    ("ffn_norm", "post_attention_layernorm"),
    ("ffn_gate", "mlp.gate_proj"),
    ("ffn_up", "mlp.up_proj"),
    ("ffn_down", "mlp.down_proj"),
];

/// The norms around both sublayers in Gemma 2 and 3.
const GEMMA_NORMS: &[(&str, &str)] = &[
    ("post_attention_norm", "post_attention_layernorm"),
    ("ffn_norm", "pre_feedforward_layernorm"),
    ("post_ffw_norm", "post_feedforward_layernorm"),
];

const BERT_TENSORS: &[(&str, &str)] = &[
    ("token_embd", "embeddings.word_embeddings"),
    ("position_embd", "embeddings.position_embeddings"),
    ("token_types", "embeddings.token_type_embeddings"),
    ("token_embd_norm", "embeddings.LayerNorm"),
    ("attn_q", "attention.self.query"),
    ("attn_k", "attention.self.key"),
    ("attn_v", "attention.self.value"),
    ("attn_output", "attention.output.dense"),
    ("attn_output_norm", "attention.output.LayerNorm"),
    ("ffn_up", "intermediate.dense"),
    ("ffn_down", "output.dense"),
    ("layer_output_norm", "output.LayerNorm"),
];

const PLAIN: Architecture = Architecture {
    name: "",
    keys: &[],
    constants: &[],
    turned_share: None,
    changes: &[],
    blocks: LLAMA_BLOCKS,
    tensors: &[],
};

/// The key of the epsilon of RMS norms.
const RMS: (&str, Key) = ("attention.layer_norm_rms_epsilon", Field("rms_norm_eps"));
const BIDIRECTIONAL: (&str, Key) = ("attention.causal", Is(false));
const WINDOW: (&str, Key) = ("attention.sliding_window", Field("sliding_window"));

const SILU: (&str, Constant) = ("hidden_act", Text("silu"));

/// The two stacks of T5.
const T5: Architecture = Architecture {
    name: "t5",
    keys: &[
        ("context_length", Without("distances take the place of positions")),
        ("embedding_length", Size("d_model")),
        ("block_count", Size("num_layers")),
        ("decoder_block_count", Size("num_decoder_layers")),
        ("feed_forward_length", Size("d_ff")),
        ("attention.head_count", Size("num_heads")),
        ("attention.head_count_kv", Read),
        ("attention.key_length", Size("d_kv")),
        ("attention.layer_norm_rms_epsilon", Field("layer_norm_epsilon")),
        ("attention.layer_norm_epsilon", Without("llama.cpp reads that of root mean squares")),
        ("attention.relative_buckets_count", Size("relative_attention_num_buckets")),
        ("decoder_start_token_id", Field("decoder_start_token_id")),
    ],
    constants: &[("model_type", Text("t5")), ("is_encoder_decoder", Flag(true))],
    blocks: &[("enc.blk.", "encoder.block."), ("dec.blk.", "decoder.block.")],
    tensors: &[
        ("token_embd", "shared"),
        ("output", "lm_head"),
        ("enc.output_norm", "encoder.final_layer_norm"),
        ("dec.output_norm", "decoder.final_layer_norm"),
        ("enc.attn_norm", "layer.0.layer_norm"),
        ("enc.attn_q", "layer.0.SelfAttention.q"),
        ("enc.attn_k", "layer.0.SelfAttention.k"),
        ("enc.attn_v", "layer.0.SelfAttention.v"),
        ("enc.attn_o", "layer.0.SelfAttention.o"),
        ("enc.attn_rel_b", "layer.0.SelfAttention.relative_attention_bias"),
        ("enc.ffn_norm", "layer.1.layer_norm"),
        ("enc.ffn_gate", "layer.1.DenseReluDense.wi_0"),
        ("enc.ffn_up", "layer.1.DenseReluDense.wi_1"),
        ("enc.ffn_down", "layer.1.DenseReluDense.wo"),
        ("dec.attn_norm", "layer.0.layer_norm"),
        ("dec.attn_q", "layer.0.SelfAttention.q"),
        ("dec.attn_k", "layer.0.SelfAttention.k"),
        ("dec.attn_v", "layer.0.SelfAttention.v"),
        ("dec.attn_o", "layer.0.SelfAttention.o"),
        ("dec.attn_rel_b", "layer.0.SelfAttention.relative_attention_bias"),
        ("dec.cross_attn_norm", "layer.1.layer_norm"),
        ("dec.cross_attn_q", "layer.1.EncDecAttention.q"),
        ("dec.cross_attn_k", "layer.1.EncDecAttention.k"),
        ("dec.cross_attn_v", "layer.1.EncDecAttention.v"),
        ("dec.cross_attn_o", "layer.1.EncDecAttention.o"),
        ("dec.ffn_norm", "layer.2.layer_norm"),
        ("dec.ffn_gate", "layer.2.DenseReluDense.wi_0"),
        ("dec.ffn_up", "layer.2.DenseReluDense.wi_1"),
        ("dec.ffn_down", "layer.2.DenseReluDense.wo"),
    ],
    ..PLAIN
};

/// All supported architectures.
pub(super) const ARCHITECTURES: &[Architecture] = &[
    Architecture {
        name: "llama",
        // A Mistral is converted as a Llama; `config.rs` turns a Llama with a window into a
        // Mistral.
        keys: &[RMS, WINDOW],
        constants: &[("model_type", Text("llama")), SILU],
        changes: &[Change::PairedTurns],
        ..PLAIN
    },
    Architecture {
        name: "mistral3",
        keys: &[RMS],
        constants: &[("model_type", Text("mistral")), SILU, ("sliding_window", Null)],
        changes: &[Change::PairedTurns],
        ..PLAIN
    },
    Architecture {
        name: "smollm3",
        keys: &[RMS],
        // llama.cpp rotates three layers of four, whatever the file says.
        constants: &[("model_type", Text("smollm3")), SILU, ("no_rope_layer_interval", Number(4))],
        changes: &[Change::PairedTurns],
        ..PLAIN
    },
    Architecture {
        name: "qwen2",
        keys: &[RMS],
        constants: &[("model_type", Text("qwen2")), SILU],
        ..PLAIN
    },
    Architecture {
        name: "qwen3",
        keys: &[RMS],
        constants: &[("model_type", Text("qwen3")), SILU],
        ..PLAIN
    },
    Architecture {
        name: "olmo2",
        keys: &[RMS],
        constants: &[("model_type", Text("olmo2")), SILU],
        tensors: &[
            ("post_attention_norm", "post_attention_layernorm"),
            ("post_ffw_norm", "post_feedforward_layernorm"),
        ],
        ..PLAIN
    },
    Architecture {
        name: "phi3",
        keys: &[
            RMS,
            WINDOW,
            ("rope.scaling.original_context_length", Size("original_max_position_embeddings")),
        ],
        constants: &[("model_type", Text("phi3")), SILU, ("sliding_window", Null)],
        turned_share: Some("partial_rotary_factor"),
        tensors: &[("ffn_up", "mlp.gate_up_proj")],
        ..PLAIN
    },
    Architecture {
        name: "stablelm",
        keys: &[
            ("attention.layer_norm_epsilon", Field("layer_norm_eps")),
            // The converter writes true where the config is silent; llama.cpp decides by the norm.
            ("use_parallel_residual", Without("a block without ffn_norm is parallel")),
        ],
        constants: &[("model_type", Text("stablelm")), SILU],
        turned_share: Some("partial_rotary_factor"),
        ..PLAIN
    },
    Architecture {
        name: "starcoder2",
        keys: &[("attention.layer_norm_epsilon", Field("norm_epsilon")), WINDOW],
        constants: &[
            ("model_type", Text("starcoder2")),
            ("hidden_act", Text("gelu_pytorch_tanh")),
            ("sliding_window", Null),
        ],
        tensors: &[("ffn_up", "mlp.c_fc"), ("ffn_down", "mlp.c_proj")],
        ..PLAIN
    },
    Architecture {
        name: "gemma",
        keys: &[RMS],
        constants: &[("model_type", Text("gemma")), ("hidden_act", Text("gelu_pytorch_tanh"))],
        changes: &[Change::GainsOverOne],
        ..PLAIN
    },
    Architecture {
        name: "gemma2",
        keys: &[
            RMS,
            WINDOW,
            ("attn_logit_softcapping", Cap("attn_logit_softcapping")),
            ("final_logit_softcapping", Cap("final_logit_softcapping")),
        ],
        constants: &[
            ("model_type", Text("gemma2")),
            ("hidden_activation", Text("gelu_pytorch_tanh")),
        ],
        changes: &[Change::GainsOverOne],
        tensors: GEMMA_NORMS,
        ..PLAIN
    },
    Architecture {
        name: "gemma3",
        keys: &[
            RMS,
            WINDOW,
            ("attention.sliding_window_pattern", Read),
            ("rope.freq_base_swa", Field("rope_local_base_freq")),
            ("final_logit_softcapping", Cap("final_logit_softcapping")),
        ],
        constants: &[
            ("model_type", Text("gemma3_text")),
            ("hidden_activation", Text("gelu_pytorch_tanh")),
        ],
        changes: &[Change::GainsOverOne],
        tensors: GEMMA_NORMS,
        ..PLAIN
    },
    // EmbeddingGemma, whose window counts the keys of both sides.
    Architecture {
        name: "gemma-embedding",
        keys: &[
            RMS,
            WINDOW,
            BIDIRECTIONAL,
            ("attention.sliding_window_pattern", Read),
            ("rope.freq_base_swa", Field("rope_local_base_freq")),
        ],
        constants: &[
            ("model_type", Text("gemma3_text")),
            ("hidden_activation", Text("gelu_pytorch_tanh")),
            ("use_bidirectional_attention", Flag(true)),
        ],
        changes: &[Change::GainsOverOne],
        tensors: GEMMA_NORMS,
        ..PLAIN
    },
    Architecture {
        name: "gptneox",
        keys: &[
            ("attention.layer_norm_epsilon", Field("layer_norm_eps")),
            ("use_parallel_residual", Field("use_parallel_residual")),
            ("rope.freq_base", Field("rotary_emb_base")),
        ],
        constants: &[
            ("model_type", Text("gpt_neox")),
            ("hidden_act", Text("gelu")),
            ("attention_bias", Flag(true)),
        ],
        turned_share: Some("rotary_pct"),
        changes: &[Change::PartsOfHeads],
        blocks: &[("blk.", "gpt_neox.layers.")],
        tensors: &[
            ("token_embd", "gpt_neox.embed_in"),
            ("output_norm", "gpt_neox.final_layer_norm"),
            ("output", "embed_out"),
            ("attn_norm", "input_layernorm"),
            ("attn_qkv", "attention.query_key_value"),
            ("attn_output", "attention.dense"),
            ("ffn_norm", "post_attention_layernorm"),
            ("ffn_up", "mlp.dense_h_to_4h"),
            ("ffn_down", "mlp.dense_4h_to_h"),
        ],
    },
    Architecture {
        name: "gpt2",
        keys: &[
            ("context_length", Size("n_positions")),
            ("embedding_length", Size("n_embd")),
            ("block_count", Size("n_layer")),
            ("feed_forward_length", Size("n_inner")),
            ("attention.head_count", Size("n_head")),
            ("attention.layer_norm_epsilon", Field("layer_norm_epsilon")),
        ],
        constants: &[
            ("model_type", Text("gpt2")),
            ("activation_function", Text("gelu_new")),
            // The converter transposes the matrices.
            ("has_conv1d", Flag(false)),
        ],
        blocks: &[("blk.", "h.")],
        tensors: &[
            ("token_embd", "wte"),
            ("position_embd", "wpe"),
            ("output_norm", "ln_f"),
            ("output", "lm_head"),
            ("attn_norm", "ln_1"),
            ("attn_qkv", "attn.c_attn"),
            ("attn_output", "attn.c_proj"),
            ("ffn_norm", "ln_2"),
            ("ffn_up", "mlp.c_fc"),
            ("ffn_down", "mlp.c_proj"),
        ],
        ..PLAIN
    },
    Architecture {
        name: "bert",
        keys: &[("attention.layer_norm_epsilon", Field("layer_norm_eps")), BIDIRECTIONAL],
        constants: &[("model_type", Text("bert")), ("hidden_act", Text("gelu"))],
        blocks: &[("blk.", "encoder.layer.")],
        tensors: BERT_TENSORS,
        ..PLAIN
    },
    // A BERT without token types: the converter's output for a DistilBERT.
    Architecture {
        name: "distilbert",
        keys: &[
            ("embedding_length", Size("dim")),
            ("block_count", Size("n_layers")),
            ("feed_forward_length", Size("hidden_dim")),
            ("attention.head_count", Size("n_heads")),
            ("attention.layer_norm_epsilon", Only(1e-12)),
            BIDIRECTIONAL,
        ],
        constants: &[("model_type", Text("distilbert")), ("activation", Text("gelu"))],
        blocks: &[("blk.", "transformer.layer.")],
        tensors: &[
            ("token_embd", "embeddings.word_embeddings"),
            ("position_embd", "embeddings.position_embeddings"),
            ("token_embd_norm", "embeddings.LayerNorm"),
            ("attn_q", "attention.q_lin"),
            ("attn_k", "attention.k_lin"),
            ("attn_v", "attention.v_lin"),
            ("attn_output", "attention.out_lin"),
            ("attn_output_norm", "sa_layer_norm"),
            ("ffn_up", "ffn.lin1"),
            ("ffn_down", "ffn.lin2"),
            ("layer_output_norm", "output_layer_norm"),
        ],
        ..PLAIN
    },
    Architecture {
        name: "modern-bert",
        keys: &[
            ("attention.layer_norm_epsilon", Field("norm_eps")),
            ("attention.sliding_window", Size("local_attention")),
            ("attention.sliding_window_pattern", Size("global_attn_every_n_layers")),
            ("rope.freq_base", Field("global_rope_theta")),
            ("rope.freq_base_swa", Field("local_rope_theta")),
            BIDIRECTIONAL,
        ],
        constants: &[("model_type", Text("modernbert")), ("hidden_activation", Text("gelu"))],
        blocks: &[("blk.", "layers.")],
        tensors: &[
            ("token_embd", "embeddings.tok_embeddings"),
            ("token_embd_norm", "embeddings.norm"),
            ("output_norm", "final_norm"),
            ("attn_norm", "attn_norm"),
            ("attn_qkv", "attn.Wqkv"),
            ("attn_output", "attn.Wo"),
            ("ffn_norm", "mlp_norm"),
            ("ffn_up", "mlp.Wi"),
            ("ffn_down", "mlp.Wo"),
        ],
        ..PLAIN
    },
    T5,
    // The encoder alone: `config.rs` sets its class.
    Architecture { name: "t5encoder", ..T5 },
];

impl Architecture {
    /// The architecture with this name; `has_token_types` tells BERT from `DistilBERT`.
    pub fn of(name: &str, has_token_types: bool) -> Option<&'static Self> {
        let name = match name {
            "bert" if !has_token_types => "distilbert",
            "distilbert" => return None,
            name => name,
        };
        ARCHITECTURES.iter().find(|known| known.name == name)
    }

    /// The treatment of a key, named without the architecture; `None` for an unknown key.
    pub fn key(&self, name: &str) -> Option<Key> {
        let lists = [self.keys, LLAMA_SIZES, KEYS];
        let mut all = lists.into_iter().flatten();
        all.find(|known| known.0 == name).map(|known| known.1)
    }

    /// All keys with a field of config.json.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Key)> {
        let own = self.keys;
        let usual = LLAMA_SIZES.iter().filter(|usual| !own.iter().any(|own| own.0 == usual.0));
        own.iter().chain(usual).copied()
    }

    /// The name of a tensor in a Hugging Face folder, without `.weight` or `.bias`.
    pub fn folder_name(&self, name: &str) -> Option<String> {
        let is_llama = self.blocks == LLAMA_BLOCKS;
        let usual = if is_llama { LLAMA_TENSORS } else { &[] };
        let find = |part: &str| {
            let mut all = self.tensors.iter().chain(usual);
            all.find(|known| known.0 == part).map(|known| known.1)
        };
        for (from, to) in self.blocks {
            let Some((block, part)) = name.strip_prefix(from).and_then(|rest| rest.split_once('.'))
            else {
                continue;
            };
            if block.bytes().all(|byte| byte.is_ascii_digit()) {
                // T5's encoder and decoder have parts of one name.
                let stack = from.strip_suffix("blk.").unwrap_or_default();
                let own = find(&format!("{stack}{part}"))?;
                return Some(format!("{to}{block}.{own}"));
            }
        }
        find(name).map(str::to_owned)
    }
}
