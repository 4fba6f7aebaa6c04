"""Trains the small image model (ViT architecture, Dosovitskiy et al. 2021) to name the shape in a
drawn image.

`shapes.py` draws every image, so that none is read and none is seen twice: the images of a step
belong to its number. Validation and test images belong to seeds of their own.

    python train_tiny_vit.py --work work/tiny-vit
"""

import numpy as np
import torch
from torch.nn import functional
from transformers import ViTConfig, ViTForImageClassification

import shapes
from training import SEED, Task, arguments, train

D_MODEL = 64
STEPS = 3000
BATCH = 64
PATCH = 8
VALIDATION_SEED = 7
VALIDATION_BATCHES = 8
# Both of the image processor: a byte becomes a number from -1 to 1.
MEAN, DEVIATION = 0.5, 0.5


def configuration() -> ViTConfig:
    return ViTConfig(
        image_size=shapes.SIDE,
        patch_size=PATCH,
        num_channels=3,
        hidden_size=D_MODEL,
        num_hidden_layers=4,
        num_attention_heads=4,
        intermediate_size=2 * D_MODEL,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        # ViT's 0.02 suits a width of 768; here it would leave all attention uniform for a long
        # time.
        initializer_range=D_MODEL**-0.5,
        id2label=dict(enumerate(shapes.SHAPES)),
        label2id={name: index for index, name in enumerate(shapes.SHAPES)},
        attn_implementation="eager",
    )


def pixels(images: list[shapes.Drawn]) -> torch.Tensor:
    """`[image, channel, row, column]`, as the image processor gives it."""
    bytes_read = torch.from_numpy(np.stack([drawn.image for drawn in images])).permute(0, 3, 1, 2)
    return (bytes_read / 255 - MEAN) / DEVIATION


def labels(images: list[shapes.Drawn]) -> torch.Tensor:
    return torch.tensor([drawn.label for drawn in images])


class TinyVit(Task):
    muon_rate = 6e-3
    adam_rate = 3e-3
    average_decay = 0.998

    def __init__(self):
        torch.manual_seed(SEED)
        self.model = ViTForImageClassification(configuration())
        self.validation = [
            shapes.batch(VALIDATION_SEED, number, BATCH) for number in range(VALIDATION_BATCHES)
        ]

    def loss(self, step: int) -> torch.Tensor:
        return self.cross_entropy(shapes.batch(SEED, step, BATCH))

    def validation_loss(self) -> float:
        return (
            sum(self.cross_entropy(images).item() for images in self.validation)
            / VALIDATION_BATCHES
        )

    def cross_entropy(self, images: list[shapes.Drawn]) -> torch.Tensor:
        return functional.cross_entropy(
            self.model(pixel_values=pixels(images)).logits, labels(images)
        )


def main() -> None:
    options = arguments(__doc__, STEPS, reads_pairs=False).parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    train(TinyVit(), options)


if __name__ == "__main__":
    main()
