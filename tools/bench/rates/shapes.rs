//! Models of three families with random weights: their configs and files.

use serde_json::json;

use crate::numbers;

/// The sizes of a model.
pub struct Shape {
    pub family: Family,
    pub d_model: usize,
    pub n_heads: usize,
    pub n_kv_heads: usize,
    pub d_ff: usize,
    pub vocabulary: usize,
    pub layers: usize,
    pub positions: usize,
    pub fill: Fill,
}

/// The numbers of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    Random,
    /// Zeros, those of matrices of this many bytes each: f32, or bfloat16.
    Zeros {
        bytes: usize,
    },
}

/// The family of a model.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Gpt2,
    Bert,
    Llama,
}

impl Shape {
    /// The sizes of GPT-2 small, of BERT base or of SmolLM2-135M (a Llama), with other numbers of
    /// layers, positions and tokens.
    pub fn of(family: Family, layers: usize, positions: usize, vocabulary: usize) -> Self {
        let (d_model, n_heads, n_kv_heads, d_ff) = match family {
            Family::Gpt2 | Family::Bert => (768, 12, 12, 3072),
            Family::Llama => (576, 9, 3, 1536),
        };
        Self {
            family,
            d_model,
            n_heads,
            n_kv_heads,
            d_ff,
            vocabulary,
            layers,
            positions,
            fill: Fill::Random,
        }
    }

    /// The columns of all heads of keys, and of values.
    pub fn d_keys(&self) -> usize {
        self.d_model / self.n_heads * self.n_kv_heads
    }

    /// The numbers of the weights of a block that are multiplied.
    pub fn weights(&self) -> usize {
        let maps = if self.family == Family::Llama { 3 } else { 2 };
        let d = self.d_model;
        2 * d * d + 2 * d * self.d_keys() + maps * d * self.d_ff
    }

    /// The text of `config.json`.
    pub fn config(&self) -> String {
        let &Self { d_model, n_heads, n_kv_heads, d_ff, vocabulary, layers, positions, .. } = self;
        let end = vocabulary - 1;
        match self.family {
            Family::Gpt2 => json!({
                "model_type": "gpt2", "n_embd": d_model, "n_head": n_heads, "n_layer": layers,
                "n_positions": positions, "n_ctx": positions, "vocab_size": vocabulary,
                "activation_function": "gelu_new", "scale_attn_weights": true,
                "scale_attn_by_inverse_layer_idx": false, "add_cross_attention": false,
                "layer_norm_epsilon": 1e-5, "bos_token_id": end, "eos_token_id": end
            }),
            Family::Bert => json!({
                "model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_size": d_model,
                "num_attention_heads": n_heads, "num_hidden_layers": layers,
                "intermediate_size": d_ff, "max_position_embeddings": positions,
                "vocab_size": vocabulary, "type_vocab_size": 2, "hidden_act": "gelu",
                "layer_norm_eps": 1e-12, "pad_token_id": 0, "is_decoder": false,
                "tie_word_embeddings": true
            }),
            Family::Llama => json!({
                "model_type": "llama", "hidden_size": d_model, "num_attention_heads": n_heads,
                "num_key_value_heads": n_kv_heads, "num_hidden_layers": layers,
                "intermediate_size": d_ff, "max_position_embeddings": positions,
                "vocab_size": vocabulary, "hidden_act": "silu", "rms_norm_eps": 1e-6,
                "attention_bias": false, "mlp_bias": false, "tie_word_embeddings": true,
                "rope_parameters": {"rope_theta": 10000.0, "rope_type": "default"},
                "bos_token_id": end, "eos_token_id": end
            }),
        }
        .to_string()
    }

    /// A model file with numbers of the right size and shape.
    pub fn checkpoint(&self) -> Vec<u8> {
        let mut header = serde_json::Map::new();
        let mut data = Vec::new();
        for (seed, (name, shape)) in self.tensors().into_iter().enumerate() {
            let first = data.len();
            let count: usize = shape.iter().product();
            let mut dtype = "F32";
            match self.fill {
                Fill::Zeros { bytes: 2 } if shape.len() > 1 => {
                    dtype = "BF16";
                    data.resize(first + 2 * count, 0);
                }
                Fill::Zeros { .. } => data.resize(first + 4 * count, 0),
                Fill::Random => {
                    let is_norm = name.contains("ln_") || name.to_lowercase().contains("norm");
                    let scale = if is_norm { 1.0 } else { 0.035 };
                    data.extend(
                        numbers(seed, count).iter().flat_map(|x| (x * scale).to_le_bytes()),
                    );
                }
            }
            let entry =
                json!({ "dtype": dtype, "shape": shape, "data_offsets": [first, data.len()] });
            header.insert(name, entry);
        }
        let mut header = serde_json::to_vec(&header).unwrap();
        header.resize(header.len().next_multiple_of(8), b' ');
        [&(header.len() as u64).to_le_bytes()[..], &header, &data].concat()
    }

    /// The names and shapes of the tensors.
    fn tensors(&self) -> Vec<(String, Vec<usize>)> {
        let &Self { d_model: d, d_ff, vocabulary, layers, positions, .. } = self;
        let keys = self.d_keys();
        let (once, block, of_block) = match self.family {
            Family::Gpt2 => (
                vec![
                    ("wte.weight", vec![vocabulary, d]),
                    ("wpe.weight", vec![positions, d]),
                    ("ln_f.weight", vec![d]),
                    ("ln_f.bias", vec![d]),
                ],
                "h.",
                vec![
                    ("ln_1.weight", vec![d]),
                    ("ln_1.bias", vec![d]),
                    ("ln_2.weight", vec![d]),
                    ("ln_2.bias", vec![d]),
                    ("attn.c_attn.weight", vec![d, 3 * d]),
                    ("attn.c_attn.bias", vec![3 * d]),
                    ("attn.c_proj.weight", vec![d, d]),
                    ("attn.c_proj.bias", vec![d]),
                    ("mlp.c_fc.weight", vec![d, d_ff]),
                    ("mlp.c_fc.bias", vec![d_ff]),
                    ("mlp.c_proj.weight", vec![d_ff, d]),
                    ("mlp.c_proj.bias", vec![d]),
                ],
            ),
            Family::Bert => (
                vec![
                    ("bert.embeddings.word_embeddings.weight", vec![vocabulary, d]),
                    ("bert.embeddings.position_embeddings.weight", vec![positions, d]),
                    ("bert.embeddings.token_type_embeddings.weight", vec![2, d]),
                    ("bert.embeddings.LayerNorm.weight", vec![d]),
                    ("bert.embeddings.LayerNorm.bias", vec![d]),
                    ("cls.predictions.bias", vec![vocabulary]),
                    ("cls.predictions.transform.dense.weight", vec![d, d]),
                    ("cls.predictions.transform.dense.bias", vec![d]),
                    ("cls.predictions.transform.LayerNorm.weight", vec![d]),
                    ("cls.predictions.transform.LayerNorm.bias", vec![d]),
                ],
                "bert.encoder.layer.",
                vec![
                    ("attention.self.query.weight", vec![d, d]),
                    ("attention.self.query.bias", vec![d]),
                    ("attention.self.key.weight", vec![d, d]),
                    ("attention.self.key.bias", vec![d]),
                    ("attention.self.value.weight", vec![d, d]),
                    ("attention.self.value.bias", vec![d]),
                    ("attention.output.dense.weight", vec![d, d]),
                    ("attention.output.dense.bias", vec![d]),
                    ("attention.output.LayerNorm.weight", vec![d]),
                    ("attention.output.LayerNorm.bias", vec![d]),
                    ("intermediate.dense.weight", vec![d_ff, d]),
                    ("intermediate.dense.bias", vec![d_ff]),
                    ("output.dense.weight", vec![d, d_ff]),
                    ("output.dense.bias", vec![d]),
                    ("output.LayerNorm.weight", vec![d]),
                    ("output.LayerNorm.bias", vec![d]),
                ],
            ),
            Family::Llama => (
                vec![
                    ("model.embed_tokens.weight", vec![vocabulary, d]),
                    ("model.norm.weight", vec![d]),
                ],
                "model.layers.",
                vec![
                    ("input_layernorm.weight", vec![d]),
                    ("post_attention_layernorm.weight", vec![d]),
                    ("self_attn.q_proj.weight", vec![d, d]),
                    ("self_attn.k_proj.weight", vec![keys, d]),
                    ("self_attn.v_proj.weight", vec![keys, d]),
                    ("self_attn.o_proj.weight", vec![d, d]),
                    ("mlp.gate_proj.weight", vec![d_ff, d]),
                    ("mlp.up_proj.weight", vec![d_ff, d]),
                    ("mlp.down_proj.weight", vec![d, d_ff]),
                ],
            ),
        };
        let of_layer = |layer: usize| {
            let named = of_block.clone().into_iter();
            named.map(move |(name, shape)| (format!("{block}{layer}.{name}"), shape))
        };
        let once = once.into_iter().map(|(name, shape)| (name.to_owned(), shape));
        once.chain((0..layers).flat_map(of_layer)).collect()
    }
}
