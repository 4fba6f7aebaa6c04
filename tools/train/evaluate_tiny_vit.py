"""Measures the image model on drawn images that it never saw: how often it names the shape, and
where its class token looks.

Of the class token's weight in each head of the last layer, the part on patches that the shape
covers in part or whole is counted, beside the part of all patches that these are.

    python evaluate_tiny_vit.py --model ../../models/tiny-vit
"""

import argparse
from pathlib import Path

import torch
from transformers import ViTForImageClassification

import shapes
from bundled import write_evaluation
from train_tiny_vit import PATCH, labels, pixels

SEED = 2022
BATCHES, BATCH = 32, 64


def covered(images: list[shapes.Drawn]) -> torch.Tensor:
    """Whether the shape is in each patch, `[image, patch]`."""
    masks = torch.stack([torch.from_numpy(drawn.covered) for drawn in images])
    return torch.nn.functional.max_pool2d(masks[:, None], PATCH)[:, 0].flatten(1) > 0


@torch.no_grad()
def evaluate(folder: Path) -> None:
    """Writes the figures of a folder beside its weights."""
    torch.set_num_threads(1)
    model = ViTForImageClassification.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    right, on_shape, area = torch.zeros(len(shapes.SHAPES)), [], []
    count = torch.zeros(len(shapes.SHAPES))
    for number in range(BATCHES):
        images = shapes.batch(SEED, number, BATCH)
        wanted, output = labels(images), model(pixel_values=pixels(images), output_attentions=True)
        right.index_add_(0, wanted, (output.logits.argmax(1) == wanted).float())
        count.index_add_(0, wanted, torch.ones(len(images)))
        inside = covered(images)
        on_shape.append((output.attentions[-1][:, :, 0, 1:] * inside[:, None]).sum(-1))
        area.append(inside.float().mean(1))
    result = {
        "images": int(count.sum()),
        "accuracy": round((right.sum() / count.sum()).item(), 4),
        "accuracy_by_shape": {
            name: round(value, 4) for name, value in zip(shapes.SHAPES, (right / count).tolist())
        },
        "share_of_patches_with_the_shape": round(torch.cat(area).mean().item(), 4),
        "class_token_on_the_shape_by_head": [
            round(value, 4) for value in torch.cat(on_shape).mean(0).tolist()
        ],
    }
    write_evaluation(folder, result)


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    arguments.add_argument("--model", type=Path, required=True, help="folder of the model")
    evaluate(arguments.parse_args().model)


if __name__ == "__main__":
    main()
