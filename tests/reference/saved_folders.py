"""Folders as `save_pretrained` writes them, one for each family, with what Hugging Face computes of
them.

    python saved_folders.py OUT

A folder has a tiny random model with its head, a tiny tokenizer, and `expected.json`: `ids` (of an
image `pixels`), in a translator `target_ids`, the `logits` of their last position, what is
`generated` greedily after the first `given` ids, and a `pair` of texts with its `ids`, `types`
(null where the model has none) and `logits`. `cargo run --example saved_folders OUT` compares the
core with them.
"""

import argparse
import json
import zlib
from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoModelForImageClassification,
    AutoModelForMaskedLM,
    AutoModelForPreTraining,
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)

TRANSLATORS = ("bart", "m2m_100", "marian", "mbart", "mt5", "mvp", "plbart", "t5")
READERS = (
    "albert",
    "bert",
    "big_bird",
    "camembert",
    "data2vec-text",
    "deberta",
    "deberta-v2",
    "distilbert",
    "electra",
    "ernie",
    "eurobert",
    "ibert",
    "megatron-bert",
    "modernbert",
    "mpnet",
    "roberta",
    "roberta-prelayernorm",
    "xlm-roberta",
    "xlm-roberta-xl",
)
WRITERS = (
    "gemma",
    "gemma2",
    "gemma3_text",
    "gpt2",
    "gpt_neo",
    "gpt_neox",
    "llama",
    "ministral",
    "mistral",
    "olmo2",
    "opt",
    "phi3",
    "qwen2",
    "qwen3",
    "seed_oss",
    "smollm3",
    "stablelm",
    "starcoder2",
)
PICTURES = ("deit", "vit")

WORDS = ["<s>", "<pad>", "</s>", "<unk>", *(f"word{number}" for number in range(60))]
SIZE, HEADS, LAYERS, POSITIONS = 32, 4, 2, 64
# Every name that some family has for a size; a config takes those that it knows.
SIZES = {
    **dict.fromkeys(("hidden_size", "d_model", "n_embd", "dim", "word_embed_proj_dim"), SIZE),
    **dict.fromkeys(("embedding_size",), 16),
    **dict.fromkeys(
        (
            "num_hidden_layers",
            "num_layers",
            "num_decoder_layers",
            "n_layer",
            "n_layers",
            "encoder_layers",
            "decoder_layers",
        ),
        LAYERS,
    ),
    **dict.fromkeys(
        (
            "num_attention_heads",
            "num_heads",
            "n_head",
            "n_heads",
            "encoder_attention_heads",
            "decoder_attention_heads",
        ),
        HEADS,
    ),
    **dict.fromkeys(("num_key_value_heads",), 2),
    **dict.fromkeys(("head_dim", "d_kv"), 8),
    **dict.fromkeys(
        (
            "intermediate_size",
            "encoder_ffn_dim",
            "decoder_ffn_dim",
            "ffn_dim",
            "d_ff",
            "hidden_dim",
        ),
        48,
    ),
    **dict.fromkeys(("max_position_embeddings", "n_positions"), POSITIONS),
    "vocab_size": len(WORDS),
    "bos_token_id": 0,
    "pad_token_id": 1,
    "eos_token_id": 2,
    "cls_token_id": 0,
    "sep_token_id": 2,
    "decoder_start_token_id": 2,
    "forced_eos_token_id": 2,
    "query_pre_attn_scalar": 8,
    "image_size": 16,
    "patch_size": 4,
}
OWN = {
    "big_bird": {"attention_type": "original_full"},
    "gpt_neo": {"attention_types": [[["global", "local"], 1]], "window_size": 4},
    "deit": {"architectures": ["DeiTForImageClassification"]},
    "deberta": {
        "relative_attention": True,
        "pos_att_type": ["c2p", "p2c"],
        "max_relative_positions": 8,
    },
    "deberta-v2": {
        "relative_attention": True,
        "pos_att_type": ["p2c", "c2p"],
        "type_vocab_size": 0,
    },
    **dict.fromkeys(("t5", "mt5"), {"decoder_start_token_id": 1}),
    "marian": {"decoder_vocab_size": len(WORDS)},
}


def config_of(family: str):
    known = type(AutoConfig.for_model(family))().to_dict()
    return AutoConfig.for_model(
        family, **{key: value for key, value in SIZES.items() if key in known} | OWN.get(family, {})
    )


@torch.no_grad()
def randomise(model: PreTrainedModel, label: str) -> None:
    """Gains around 1, small biases, matrices that keep the size of what they read."""
    random = torch.Generator().manual_seed(zlib.crc32(label.encode()))
    for name, tensor in model.named_parameters():
        drawn = torch.randn(tensor.shape, generator=random)
        if tensor.dim() == 1:
            tensor.copy_(
                (name.endswith("weight") and "emma" not in type(model).__name__) + 0.2 * drawn
            )
        else:
            tensor.copy_(
                drawn
                * (1.0 if "embed" in name or "shared" in name else 1.5 / tensor[0].numel() ** 0.5)
            )


def save_tokenizer(folder: Path) -> None:
    tokenizer = Tokenizer(
        models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="<unk>")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> $B:1 </s>:1",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
    ).save_pretrained(folder)


@torch.no_grad()
def expected(model: PreTrainedModel, folder: Path) -> dict:
    config = model.config
    if hasattr(config, "patch_size"):
        random = torch.Generator().manual_seed(1)
        pixels = torch.randn(
            (1, config.num_channels, config.image_size, config.image_size), generator=random
        )
        return {
            "pixels": pixels.flatten().tolist(),
            "logits": model(pixel_values=pixels).logits[0].tolist(),
        }
    ids = [0, 9, 33, 12, 40, 9, 61, 25, 2]
    target = [2, 8, 30, 21] if config.is_encoder_decoder else None

    def row(numbers):
        return torch.tensor([numbers])

    more = {"decoder_input_ids": row(target)} if target else {}

    def logits(**inputs) -> list[float]:
        output = model(**inputs, **more)
        found = output.logits if "logits" in output else output.prediction_logits
        return found[0, -1].tolist()

    answer = {
        "ids": ids,
        "target_ids": target,
        "logits": logits(input_ids=row(ids), attention_mask=torch.ones_like(row(ids))),
    }
    if model.can_generate():
        given = ids if target else ids[:5]
        written = model.generate(
            input_ids=row(given),
            attention_mask=torch.ones_like(row(given)),
            do_sample=False,
            num_beams=1,
            max_new_tokens=10,
        )[0].tolist()
        answer |= {
            "given": len(given),
            "generated": written[1:] if target else written[len(given) :],
        }
    texts = ("word4 word9", "word1 word30 word2")
    named = AutoTokenizer.from_pretrained(folder)(*texts, return_tensors="pt")
    types = getattr(config, "type_vocab_size", 0) or 0
    inputs = {key: value for key, value in named.items() if key != "token_type_ids" or types > 1}
    answer["pair"] = {
        "texts": texts,
        "ids": named["input_ids"][0].tolist(),
        "logits": logits(**inputs),
        "types": inputs["token_type_ids"][0].tolist() if "token_type_ids" in inputs else None,
    }
    return answer


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out", type=Path)
    out = arguments.parse_args().out
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    kinds = (
        (TRANSLATORS, AutoModelForSeq2SeqLM),
        (READERS, AutoModelForMaskedLM),
        (WRITERS, AutoModelForCausalLM),
        (PICTURES, AutoModelForImageClassification),
    )
    for families, auto in kinds:
        for family in families:
            folder = out / family
            config = config_of(family)
            kind = auto if type(config) in auto._model_mapping else AutoModelForPreTraining
            model = kind.from_config(config).eval()
            randomise(model, family)
            model.save_pretrained(folder)
            if family not in PICTURES:
                save_tokenizer(folder)
            loaded = (
                type(model)
                .from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
                .eval()
            )
            (folder / "expected.json").write_text(json.dumps(expected(loaded, folder)))
            print(family, flush=True)


if __name__ == "__main__":
    main()
