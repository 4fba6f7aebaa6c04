"""Tiny random models of the four families, saved as ordinary Hugging Face folders.

The sizes are awkward on purpose: widths and head counts that are no multiple of
four, encoder and decoder of different depth and head count. The weights are large
enough that attention is far from uniform, and biases and norm gains are random
too, so that a forgotten one shows.
"""

from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertModel,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MarianConfig,
    MarianMTModel,
    PreTrainedModel,
)

from vectors import generator

VOCABULARY = 61
# Without it hardly any greedy text of a random translator reaches the end token.
END_TOKEN_BIAS = 3.0

MARIAN_COMMON = dict(
    vocab_size=VOCABULARY,
    forced_eos_token_id=None,
    bos_token_id=None,
    share_encoder_decoder_embeddings=True,
)
BERT_COMMON = dict(vocab_size=VOCABULARY, type_vocab_size=2, pad_token_id=0)
GPT2_COMMON = dict(
    vocab_size=VOCABULARY,
    n_positions=19,
    n_embd=30,
    bos_token_id=39,
    eos_token_id=39,
    activation_function="gelu_new",
)
# One has a base so small that every pair of dimensions turns far within a text, the other the
# published one.
LLAMA_COMMON = dict(
    vocab_size=VOCABULARY,
    max_position_embeddings=19,
    bos_token_id=39,
    eos_token_id=39,
    pad_token_id=None,
)

CONFIGS = {
    "marian-tiny": (
        MarianMTModel,
        MarianConfig(
            **MARIAN_COMMON,
            d_model=30,
            max_position_embeddings=19,
            scale_embedding=True,
            tie_word_embeddings=True,
            encoder_layers=3,
            encoder_attention_heads=5,
            encoder_ffn_dim=37,
            decoder_layers=2,
            decoder_attention_heads=3,
            decoder_ffn_dim=41,
            activation_function="relu",
            pad_token_id=60,
            eos_token_id=0,
            decoder_start_token_id=60,
        ),
    ),
    "marian-untied": (
        MarianMTModel,
        MarianConfig(
            **MARIAN_COMMON,
            d_model=26,
            max_position_embeddings=13,
            scale_embedding=False,
            tie_word_embeddings=False,
            encoder_layers=2,
            encoder_attention_heads=2,
            encoder_ffn_dim=35,
            decoder_layers=3,
            decoder_attention_heads=13,
            decoder_ffn_dim=31,
            activation_function="swish",
            pad_token_id=3,
            eos_token_id=7,
            decoder_start_token_id=5,
        ),
    ),
    # Saved without its output head, as a MarianModel, which stores its positions.
    "marian-bare": (
        MarianMTModel,
        MarianConfig(
            **MARIAN_COMMON,
            d_model=22,
            max_position_embeddings=13,
            scale_embedding=True,
            tie_word_embeddings=True,
            encoder_layers=2,
            encoder_attention_heads=2,
            encoder_ffn_dim=29,
            decoder_layers=1,
            decoder_attention_heads=11,
            decoder_ffn_dim=27,
            activation_function="gelu",
            pad_token_id=60,
            eos_token_id=0,
            decoder_start_token_id=60,
        ),
    ),
    "bert-tiny": (
        BertForMaskedLM,
        BertConfig(
            **BERT_COMMON,
            hidden_size=30,
            num_hidden_layers=3,
            num_attention_heads=5,
            intermediate_size=41,
            max_position_embeddings=19,
            hidden_act="gelu",
        ),
    ),
    "bert-untied": (
        BertForMaskedLM,
        BertConfig(
            **BERT_COMMON,
            hidden_size=21,
            num_hidden_layers=2,
            num_attention_heads=3,
            intermediate_size=31,
            max_position_embeddings=11,
            hidden_act="gelu",
            tie_word_embeddings=False,
        ),
    ),
    "bert-plain": (
        BertModel,
        BertConfig(
            **BERT_COMMON,
            hidden_size=21,
            num_hidden_layers=2,
            num_attention_heads=3,
            intermediate_size=33,
            max_position_embeddings=11,
            hidden_act="relu",
            layer_norm_eps=1e-5,
        ),
    ),
    "gpt2-tiny": (GPT2LMHeadModel, GPT2Config(**GPT2_COMMON, n_layer=3, n_head=3, n_inner=41)),
    "gpt2-f16": (GPT2LMHeadModel, GPT2Config(**GPT2_COMMON, n_layer=2, n_head=6)),
    "gpt2-bf16": (GPT2LMHeadModel, GPT2Config(**GPT2_COMMON, n_layer=2, n_head=2)),
    "llama-tiny": (
        LlamaForCausalLM,
        LlamaConfig(
            **LLAMA_COMMON,
            hidden_size=28,
            num_hidden_layers=3,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=6,
            intermediate_size=41,
            tie_word_embeddings=True,
            rope_parameters={"rope_type": "default", "rope_theta": 100.0},
        ),
    ),
    "llama-untied": (
        LlamaForCausalLM,
        LlamaConfig(
            **LLAMA_COMMON,
            hidden_size=30,
            num_hidden_layers=2,
            num_attention_heads=3,
            num_key_value_heads=1,
            intermediate_size=37,
            tie_word_embeddings=False,
            attention_bias=True,
            mlp_bias=True,
            rms_norm_eps=1e-5,
        ),
    ),
}
EMBEDDINGS = ("embed", "shared", "wte", "wpe")
# What writes into the residual stream writes little, so that a token stays itself; what reads it
# reads loudly: scores of standard deviation 2.5 after W_Q and W_K.
WRITERS = ("out_proj", "fc2", "c_proj", "output.dense", "o_proj", "down_proj")
STORED_AS = {"gpt2-f16": torch.float16, "gpt2-bf16": torch.bfloat16}


def build(name: str, folder: Path) -> PreTrainedModel:
    """Saves the model `name` and returns what a reader of the folder gets, in f32."""
    model_class, config = CONFIGS[name]
    model = model_class(config)
    _randomise(model, generator(name), stores_positions=name == "marian-bare")
    if isinstance(model, MarianMTModel):
        model.final_logits_bias[0, config.eos_token_id] += END_TOKEN_BIAS
    saved = model.model if name == "marian-bare" else model
    saved.to(STORED_AS.get(name, torch.float32)).save_pretrained(folder)
    # What it says of special ids is in config.json too.
    (folder / "generation_config.json").unlink(missing_ok=True)
    if name == "gpt2-f16":
        _use_published_names(folder / "model.safetensors")
    return load(model_class, folder)


def load(model_class: type[PreTrainedModel], folder: Path) -> PreTrainedModel:
    model, report = model_class.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True
    )
    if report["missing_keys"] or report["mismatched_keys"]:
        raise RuntimeError(f"{folder.name}: not everything was read back: {report}")
    return model.eval()


@torch.no_grad()
def _randomise(model: PreTrainedModel, random: torch.Generator, stores_positions: bool) -> None:
    scaled = getattr(model.config, "scale_embedding", False)
    for name, tensor in model.state_dict().items():
        if "embed_positions" in name and not stores_positions:
            continue  # MarianMTModel's sinusoids: computed, never stored
        drawn = torch.randn(tensor.shape, generator=random)
        if tensor.dim() == 1 or name == "final_logits_bias":
            is_gain = "norm" in name.lower() or "ln_" in name
            tensor.copy_(1 + 0.3 * drawn if is_gain and name.endswith("weight") else 0.2 * drawn)
        elif any(part in name for part in EMBEDDINGS):
            tensor.copy_(drawn / (tensor.shape[1] ** 0.5 / 1.5 if scaled else 1))
        elif any(part in name for part in WRITERS):
            tensor.copy_(drawn * 0.5 / fan_in(name, tensor) ** 0.5)
        else:
            tensor.copy_(drawn * 1.6 / fan_in(name, tensor) ** 0.5)


def fan_in(name: str, matrix: torch.Tensor) -> int:
    """GPT-2 keeps its matrices transposed, [in, out]."""
    return matrix.shape[0] if ".c_" in name else matrix.shape[1]


def _use_published_names(path: Path) -> None:
    """The published GPT-2 checkpoints lack the `transformer.` prefix and carry causal-mask
    buffers."""
    tensors = {name.removeprefix("transformer."): value for name, value in load_file(path).items()}
    positions = GPT2_COMMON["n_positions"]
    causal = (
        torch.ones(positions, positions, dtype=torch.uint8).tril().view(1, 1, positions, positions)
    )
    layers = CONFIGS["gpt2-f16"][1].n_layer
    save_file(
        tensors | {f"h.{layer}.attn.bias": causal.clone() for layer in range(layers)},
        path,
        {"format": "pt"},
    )
