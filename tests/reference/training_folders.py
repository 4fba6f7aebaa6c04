"""What transformers computes of the models that the page trains, saved before their first step.

    npm run training-folders -- OUT
    python training_folders.py OUT

A folder is named by its settings, and has an `example.json` with a `text`, its `ids` and, for an
encoder–decoder, `targetIds`. Writes the logits of the last position of each as
`training_folders.json`. A folder that transformers reads with a warning, or with another tokenizer,
is an error.
"""

import argparse
import json
from pathlib import Path

import torch
import transformers
from transformers import (
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
)

from vectors import HERE, save_json


def model_class(config: dict):
    architecture = config["architectures"][0]
    if architecture.endswith("MaskedLM"):
        return AutoModelForMaskedLM
    return AutoModelForSeq2SeqLM if config.get("is_encoder_decoder") else AutoModelForCausalLM


@torch.no_grad()
def logits_of(folder: Path) -> list[float]:
    config = json.loads((folder / "config.json").read_text())
    example = json.loads((folder / "example.json").read_text())
    model, info = model_class(config).from_pretrained(
        folder, attn_implementation="eager", output_loading_info=True
    )
    wrong = {key: value for key, value in info.items() if value}
    if wrong:
        raise RuntimeError(f"{folder.name}: {wrong}")

    def row(numbers):
        return torch.tensor([numbers])

    target = {"decoder_input_ids": row(example["targetIds"])} if "targetIds" in example else {}
    # A text that is typed has one more token than what is read while it is trained.
    read = AutoTokenizer.from_pretrained(folder)(example["text"])["input_ids"]
    if read[: len(example["ids"])] != example["ids"]:
        raise RuntimeError(
            f"{folder.name}: {example['text']!r} is read as {read}, not {example['ids']}"
        )
    return model.eval()(input_ids=row(example["ids"]), **target).logits[0, -1].tolist()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folders", type=Path)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    folders = sorted(arguments.parse_args().folders.iterdir())
    found = [{"settings": folder.name, "logits": logits_of(folder)} for folder in folders]
    save_json(HERE / "training_folders.json", found)


if __name__ == "__main__":
    main()
