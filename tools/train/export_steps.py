"""Turns the kept steps of the image model's training into ordinary Hugging Face folders with f16
weights, each with its figures.

The last step is the model itself, which `export.py` writes; the page's slider has its steps from
`www/session/models/trained-steps.ts`.

    python train_tiny_vit.py --work work/tiny-vit --keep 0 50 100 200 400 800 1500 2250 3000
    python export_steps.py --work work/tiny-vit --out ../../models/tiny-vit
"""

import argparse
from pathlib import Path

from safetensors.torch import load_file
from transformers import ViTForImageClassification

import train_tiny_vit
from evaluate_tiny_vit import evaluate
from export import write_processor


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    arguments.add_argument("--work", type=Path, required=True, help="folder of the training run")
    arguments.add_argument("--out", type=Path, required=True, help="folder of the model")
    options = arguments.parse_args()
    kept = sorted((options.work / "kept").glob("*.safetensors"), key=lambda file: int(file.stem))
    for file in kept[:-1]:
        folder = options.out / "steps" / f"step-{file.stem}"
        model = ViTForImageClassification(train_tiny_vit.configuration())
        model.load_state_dict(load_file(file))
        model.half().save_pretrained(folder)
        write_processor(folder)
        evaluate(folder)
        for written in folder.iterdir():
            written.chmod(0o644)


if __name__ == "__main__":
    main()
