"""Makes every reference vector from fixed seeds: `python generate.py [--only TOPIC]`."""

import argparse

import numpy
import safetensors
import tokenizers
import torch
import transformers

import attention_alone
import cases
import functions
import positions
import tiny_models
import tokenizer_fixtures
from vectors import HERE, SEED, save_json, save_tensors

# Tests compare with 1e-4; a tiny model on which f32 itself is not a good deal better is of no use as a reference.
LARGEST_F32_ERROR = 2e-5


def models() -> dict:
    errors = {}
    for name in tiny_models.CONFIGS:
        folder = HERE / "models" / name
        model = tiny_models.build(name, folder)
        described, tensors, errors[name] = cases.vectors_of(name, model)
        if errors[name] > LARGEST_F32_ERROR:
            raise RuntimeError(f"{name}: f32 is {errors[name]} from f64; choose calmer weights")
        save_json(folder / "cases.json", described)
        save_tensors(folder / "cases.safetensors", tensors)
        print(f"{name}: {len(described)} cases, f32 within {errors[name]:.1e} of f64", flush=True)
    return {"f32_error": errors}


TOPICS = {
    "models": models,
    "attention": attention_alone.write,
    "functions": functions.write,
    "positions": positions.write,
    "tokenizers": tokenizer_fixtures.write,
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", choices=TOPICS, help="one topic instead of all; the manifest stays as it is")
    options = arguments.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()

    if options.only:
        TOPICS[options.only]()
        return
    manifest = {
        "seed": SEED,
        "versions": {
            library.__name__: library.__version__
            for library in (numpy, safetensors, tokenizers, torch, transformers)
        },
    }
    for topic in TOPICS.values():
        manifest |= topic() or {}
    save_json(HERE / "manifest.json", manifest)


if __name__ == "__main__":
    main()
