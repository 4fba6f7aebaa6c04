"""Turns the last checkpoint into an ordinary Hugging Face folder with f16 weights.

The averaged weights are exported. Everything that runs the model, the reference
vectors included, reads these f16 numbers and computes in f32.

    python export_en_fr.py --work work/en-fr --out ../models/en-fr
"""

import argparse
import json
import shutil
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import GenerationConfig, MarianMTModel

from train_en_fr import EOS_ID, PAD_ID, configuration


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--work", type=Path, required=True, help="folder of the training run")
    arguments.add_argument("--out", type=Path, required=True, help="folder to write")
    options = arguments.parse_args()
    state = torch.load(options.work / "checkpoint.pt", weights_only=True)
    vocabulary = Tokenizer.from_file(str(options.work / "tokenizer.json")).get_vocab_size()
    model = MarianMTModel(configuration(vocabulary))
    model.load_state_dict(state["average"])
    model.generation_config = GenerationConfig(
        decoder_start_token_id=PAD_ID, eos_token_id=EOS_ID, pad_token_id=PAD_ID, max_length=256
    )
    model.half().save_pretrained(options.out)
    shutil.copy(options.work / "tokenizer.json", options.out / "tokenizer.json")
    tokenizer_config = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    (options.out / "tokenizer_config.json").write_text(json.dumps(tokenizer_config, indent=2) + "\n")
    # One line per checkpoint, so that the curve can be drawn from the card's folder.
    entries = [json.loads(line) for line in (options.work / "log.jsonl").read_text().splitlines()]
    curve = {entry["step"]: entry for entry in entries if "validation_loss" in entry}
    lines = [json.dumps({k: entry[k] for k in ("step", "loss", "validation_loss")}) for entry in curve.values()]
    (options.out / "training-curve.jsonl").write_text("\n".join(lines) + "\n")
    print(f"step {state['step']}: {sum(p.numel() for p in model.parameters())} parameters -> {options.out}")


if __name__ == "__main__":
    main()
