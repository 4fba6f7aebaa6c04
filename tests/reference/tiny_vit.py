"""The image model of `models/tiny-vit` on an image that both languages draw: its logits, by
PyTorch.

python tiny_vit.py
"""

import json

import numpy as np
import torch
from transformers import ViTForImageClassification

from vectors import HERE

SIDE = 64


def drawn() -> np.ndarray:
    """A ring of one colour on a slope of another, in whole numbers, `[row, column, channel]`."""
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    away = (x - 34) ** 2 + (y - 30) ** 2
    ring = (away < 18**2) & (away > 10**2)
    ground = np.stack([40 + x, 90 + y, 200 - x], axis=-1)
    return np.where(ring[..., None], [250, 220, 30], ground).astype(np.uint8)


def main() -> None:
    folder = HERE.parents[1] / "models" / "tiny-vit"
    model = ViTForImageClassification.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    pixels = torch.from_numpy(drawn()).permute(2, 0, 1)[None] / 255
    with torch.no_grad():
        output = model(pixel_values=(pixels - 0.5) / 0.5, output_attentions=True)
    answer = {
        "logits": output.logits[0].tolist(),
        "class_token": output.attentions[-1][0, :, 0].tolist(),
    }
    (HERE / "tiny-vit.json").write_text(json.dumps(answer) + "\n")
    print(model.config.id2label[output.logits.argmax().item()])


if __name__ == "__main__":
    main()
