"""Turns the last checkpoint of a training run into an ordinary Hugging Face folder with f16
weights.

The averaged weights are exported. Everything that runs a model, the reference vectors
included, reads these f16 numbers and computes in f32.

    python export.py --work work/en-fr --out ../../models/en-fr
"""

import argparse
import json
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import (
    BertForMaskedLM,
    GenerationConfig,
    GPT2LMHeadModel,
    MarianMTModel,
    PreTrainedModel,
    ViTForImageClassification,
)

import train_en_fr
import train_tiny_bert
import train_tiny_gpt
import train_tiny_vit

FIRST_LOSSES = 200


def translator(vocabulary: int) -> tuple[PreTrainedModel, dict]:
    pad, end = train_en_fr.PAD_ID, train_en_fr.EOS_ID
    model = MarianMTModel(train_en_fr.configuration(vocabulary))
    model.generation_config = GenerationConfig(
        decoder_start_token_id=pad,
        eos_token_id=end,
        pad_token_id=pad,
        max_length=model.config.max_position_embeddings,
    )
    return model, {"eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}


def gpt(vocabulary: int) -> tuple[PreTrainedModel, dict]:
    end = train_tiny_gpt.END_ID
    model = GPT2LMHeadModel(train_tiny_gpt.configuration(vocabulary))
    model.generation_config = GenerationConfig(bos_token_id=end, eos_token_id=end, pad_token_id=end)
    name = "<|endoftext|>"
    return model, {"bos_token": name, "eos_token": name, "unk_token": name, "pad_token": name}


def bert(vocabulary: int) -> tuple[PreTrainedModel, dict]:
    names = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    model = BertForMaskedLM(train_tiny_bert.configuration(vocabulary))
    model.generation_config = GenerationConfig(pad_token_id=model.config.pad_token_id)
    return model, {f"{k}_token": v for k, v in names.items()}


def write_processor(out: Path) -> None:
    """How an image becomes what the model reads; transformers writes the same with torchvision
    alone."""
    side, mean, deviation = (
        train_tiny_vit.shapes.SIDE,
        train_tiny_vit.MEAN,
        train_tiny_vit.DEVIATION,
    )
    settings = {
        "image_processor_type": "ViTImageProcessor",
        "size": {"height": side, "width": side},
        "do_resize": True,
        "resample": 2,
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": True,
        "image_mean": [mean] * 3,
        "image_std": [deviation] * 3,
    }
    (out / "preprocessor_config.json").write_text(json.dumps(settings, indent=2) + "\n")


BUILDERS = {"en-fr": translator, "tiny-gpt": gpt, "tiny-bert": bert}


def write_curve(work: Path, out: Path) -> None:
    """The losses of the first steps one by one, then a line per checkpoint."""
    by_step = {}
    for line in (work / "log.jsonl").read_text().splitlines():
        entry = json.loads(line)
        # After an interruption the steps behind the checkpoint are there twice, and equal.
        by_step[entry["step"]] = {
            k: entry[k] for k in ("step", "loss", "validation_loss") if k in entry
        }
    kept = [
        entry
        for step, entry in sorted(by_step.items())
        if step <= FIRST_LOSSES or "validation_loss" in entry
    ]
    (out / "training-curve.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in kept))


def write_model_of_texts(state: dict, options: argparse.Namespace) -> PreTrainedModel:
    """A model with its tokenizer."""
    vocabulary = Tokenizer.from_file(str(options.work / "tokenizer.json")).get_vocab_size()
    model, special_tokens = BUILDERS[options.out.name](vocabulary)
    model.load_state_dict(state["average"])
    model.half().save_pretrained(options.out)
    # Transformers writes none for a model that does not write; a page would ask for it in vain.
    model.generation_config.save_pretrained(options.out)
    tokenizer = json.loads((options.work / "tokenizer.json").read_text())
    # Without the indentation, which is a third of the file.
    (options.out / "tokenizer.json").write_text(
        json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":")) + "\n"
    )
    tokenizer_config = {"tokenizer_class": "PreTrainedTokenizerFast", **special_tokens}
    (options.out / "tokenizer_config.json").write_text(
        json.dumps(tokenizer_config, indent=2) + "\n"
    )
    return model


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    arguments.add_argument("--work", type=Path, required=True, help="folder of the training run")
    arguments.add_argument(
        "--out", type=Path, required=True, help="folder to write; its name says which model it is"
    )
    options = arguments.parse_args()
    state = torch.load(options.work / "checkpoint.pt", weights_only=True)
    if options.out.name == "tiny-vit":
        model = ViTForImageClassification(train_tiny_vit.configuration())
        model.load_state_dict(state["average"])
        model.half().save_pretrained(options.out)
        write_processor(options.out)
    else:
        model = write_model_of_texts(state, options)
    write_curve(options.work, options.out)
    for file in options.out.iterdir():
        file.chmod(0o644)
    parameters = sum(one.numel() for one in model.parameters())
    print(f"step {state['step']}: {parameters} parameters -> {options.out}")


if __name__ == "__main__":
    main()
