"""Makes the reference vectors from fixed seeds: all of them, or one topic."""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

import numpy
import safetensors
import tokenizers
import torch
import transformers

import aggregates
import attribution
import beams
import cases
import circuits
import families
import functions
import generation
import gradients
import heads_and_variants
import influence
import lens
import masked_cases
import patches
import placed_cases
import positions
import retention
import settings
import shares
import tiny_models
import tokenizer_files
import tokenizer_settings
import trained
import training
from vectors import HERE, SEED, save_answers, save_cases, save_json

# Tests compare with 1e-4; a tiny model on which f32 itself is not a good deal better is of no use
# as a reference.
LARGEST_F32_ERROR = 2e-5


def models(names: Iterable[str] = tiny_models.CONFIGS) -> dict:
    path = HERE / "manifest.json"
    errors = json.loads(path.read_text()).get("f32_error", {}) if path.exists() else {}
    for name in names:
        model = tiny_models.build(name, HERE / "models" / name)
        described, tensors, errors[name] = cases.vectors_of(name, model)
        if errors[name] > LARGEST_F32_ERROR:
            raise RuntimeError(f"{name}: f32 is {errors[name]} from f64; choose calmer weights")
        save_cases("models", name, described)
        save_answers("models", name, tensors)
        print(f"{name}: {len(described)} cases, f32 within {errors[name]:.1e} of f64", flush=True)
    return {"f32_error": errors}


# The edits of the tiny models, `aggregates`, `patches` and `retention` come after `models`, and
# `generation` and `beams` after `families`: they read what those write; `beams` takes texts of the
# bundled models from `trained`.
TOPICS = {
    "models": models,
    "families": families.write,
    "settings": settings.write,
    "masks": masked_cases.write,
    "heads": heads_and_variants.write_heads,
    "variants": heads_and_variants.write_variants,
    "functions": functions.write_functions,
    "generation": generation.write,
    "beams": beams.write,
    "position-demos": positions.write_tables,
    "placed": placed_cases.write,
    "schemes": positions.write_schemes,
    "spectrum": functions.write_spectra,
    "tokenizers": tokenizer_files.write_tokenizers,
    "tokenizer-files": tokenizer_files.write_files,
    "tokenizer-settings": tokenizer_settings.write_settings,
    "calculator": functions.write_calculator,
    "aggregates": aggregates.write,
    "patches": patches.write,
    "lens": lens.write,
    "attribution": attribution.write,
    "shares": shares.write,
    "gradients": gradients.write,
    "influence": influence.write,
    "training": training.write,
    "circuits": circuits.write,
    "retention": retention.write,
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", choices=[*TOPICS, "trained"], help="one topic instead of all")
    arguments.add_argument(
        "--model",
        choices=[*tiny_models.CONFIGS, *trained.NAMES],
        help="with --only models: one tiny model; with --only trained: one bundled model",
    )
    arguments.add_argument(
        "--data", type=Path, help="path of fra-eng.zip; without it the topic `trained` is left out"
    )
    options = arguments.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()

    if options.only == "trained" and not options.data:
        arguments.error("the topic `trained` draws held-out sentences: give --data fra-eng.zip")
    if options.model and options.model not in {
        "models": tiny_models.CONFIGS,
        "trained": trained.NAMES,
    }.get(options.only, ()):
        arguments.error(
            "--model names a tiny model with --only models, a bundled one with --only trained"
        )
    path = HERE / "manifest.json"
    manifest = json.loads(path.read_text()) if path.exists() else {}
    manifest["seed"] = SEED
    manifest["versions"] = {
        library.__name__: library.__version__
        for library in (numpy, safetensors, tokenizers, torch, transformers)
    }
    for name, topic in TOPICS.items():
        if options.only in (None, name):
            manifest |= (models([options.model]) if options.model else topic()) or {}
    if options.data and options.only in (None, "trained"):
        names = (options.model,) if options.model else trained.NAMES
        manifest["trained"] = manifest.get("trained", {}) | trained.write(options.data, names)
    save_json(path, manifest)


if __name__ == "__main__":
    main()
