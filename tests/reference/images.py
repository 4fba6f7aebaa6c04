"""What Hugging Face's image processors make of images that are drawn by a formula: the class that
AutoImageProcessor picks, which computes with torchvision, and the one that computes with Pillow.
Written as bytes before they become numbers; of a few cases the numbers too. A resampling that
torchvision does not have, or fails at, is there by Pillow alone."""

import json
import tempfile
from pathlib import Path

import numpy
import torch
import transformers
from PIL import Image
from safetensors.torch import save_file
from transformers import AutoImageProcessor

from vectors import HERE, save_json

FILTERS = range(6)
# Heights and widths, of the image and of the model: down, up, both, sides that are odd or one pixel
# long.
SIZES = [
    ((40, 56), (12, 10)),
    ((199, 301), (12, 10)),
    ((7, 9), (17, 20)),
    ((5, 120), (12, 10)),
    ((1, 1), (3, 4)),
    ((1, 30), (9, 7)),
    ((31, 1), (7, 9)),
    ((23, 10), (11, 10)),
    ((12, 10), (12, 10)),
]
BYTES = {"do_rescale": False, "do_normalize": False}


def drawn(kind: str, height: int, width: int, mode: str = "RGB") -> Image.Image:
    """An image of noise or of slopes, in some cases transparent in places, or grey."""
    y, x, colour = numpy.meshgrid(
        numpy.arange(height), numpy.arange(width), numpy.arange(4), indexing="ij"
    )
    if kind == "noise":
        pixels = (x * 37 + y * 61 + colour * 83 + x * y * 7) % 256
    else:
        pixels = (x * 5 + y * 3 + colour * 40) // 2 % 256
    image = Image.fromarray(pixels.astype(numpy.uint8), "RGBA")
    return image if mode == "RGBA" else image.convert("RGB").convert(mode)


def cases() -> dict:
    """By name: the family, the model's height and width, the image, and what the file says."""
    found = {}

    def add(
        name: str, size, image, settings, family="vit", kind="noise", mode="RGB", numbers=False
    ):
        found[name] = {
            "family": family,
            "size": list(size),
            "kind": kind,
            "image": list(image),
            "mode": mode,
            "settings": settings,
            "numbers": numbers,
        }

    for resample in FILTERS:
        for image, size in SIZES:
            for kind in ("noise", "slopes") if image == (40, 56) else ("noise",):
                name = f"filter {resample}, {image[0]}x{image[1]} to {size[0]}x{size[1]}, {kind}"
                add(
                    name,
                    size,
                    image,
                    {"size": {"height": size[0], "width": size[1]}, "resample": resample},
                    kind=kind,
                )
    photo = (45, 64)
    add("by name", (9, 7), photo, {"size": [9, 7], "resample": "bicubic"})
    add("one number", (12, 12), photo, {"size": 12})
    add(
        "one number, of the shortest side",
        (12, 12),
        photo,
        {"size": 12, "default_to_square": False, "do_center_crop": True, "crop_size": 12},
    )
    add(
        "an old file",
        (12, 12),
        photo,
        {
            "feature_extractor_type": "ViTFeatureExtractor",
            "size": 12,
            "resample": 2,
            "do_normalize": True,
            "image_mean": [0.4, 0.5, 0.6],
            "image_std": [0.2, 0.3, 0.4],
        },
        numbers=True,
    )
    for high, wide in ((45, 64), (64, 45), (33, 33), (40, 9)):
        crops = {"do_center_crop": True, "crop_size": {"height": 11, "width": 8}}
        add(
            f"shortest, {high}x{wide}",
            (11, 8),
            (high, wide),
            crops | {"size": {"shortest_edge": 12}},
        )
        add(
            f"between, {high}x{wide}",
            (11, 8),
            (high, wide),
            crops | {"size": {"shortest_edge": 12, "longest_edge": 15}},
        )
        add(
            f"within, {high}x{wide}",
            (11, 8),
            (high, wide),
            crops | {"size": {"max_height": 14, "max_width": 19}},
        )
        add(f"cropped, {high}x{wide}", (11, 8), (high, wide), crops | {"do_resize": False})
    add("stays as it is", (45, 64), photo, {"size": {"shortest_edge": 45, "longest_edge": 64}})
    for high, wide in ((6, 5), (5, 20), (20, 5), (11, 9)):
        add(
            f"padded, {high}x{wide}",
            (11, 8),
            (high, wide),
            {"do_resize": False, "do_center_crop": True, "crop_size": {"height": 11, "width": 8}},
        )
    add(
        "deit, of a small model",
        (14, 14),
        photo,
        {"size": 16, "crop_size": 14},
        family="deit",
        numbers=True,
    )
    add(
        "clip",
        (12, 12),
        photo,
        {"image_processor_type": "CLIPImageProcessor", "size": 12, "crop_size": 12},
        numbers=True,
    )
    add(
        "clip, transparent",
        (12, 12),
        photo,
        {
            "image_processor_type": "CLIPImageProcessorFast",
            "size": {"shortest_edge": 12},
            "crop_size": 12,
        },
        mode="RGBA",
    )
    add(
        "bit",
        (12, 12),
        photo,
        {"image_processor_type": "BitImageProcessor", "size": 12, "crop_size": 12},
    )
    add(
        "on white",
        (9, 7),
        photo,
        {"size": {"height": 9, "width": 7}, "do_convert_rgb": True},
        mode="RGBA",
    )
    grey = {"size": [9, 7], "image_mean": [0.5], "image_std": [0.25]}
    add("grey", (9, 7), photo, grey, mode="L", numbers=True)
    for family in ("vit", "deit"):
        settings = {"do_center_crop": True, "crop_size": 12}
        add(f"crop without a size, {family}", (12, 12), (20, 33), settings, family=family)
    # Null is false, also where the class says true.
    for flag in "do_resize do_center_crop do_rescale do_normalize default_to_square".split():
        settings = {"size": 12, "crop_size": 12, flag: None}
        add(f"{flag} null", (12, 12), (20, 33), settings, family="deit", numbers=True)
    for name, changes in {
        "as usual": {},
        "one mean": {"image_mean": 0.25, "image_std": [0.5]},
        "not rescaled": {
            "do_rescale": False,
            "image_mean": [100, 110, 120],
            "image_std": [50, 60, 70],
        },
        "not normalised": {"do_normalize": False},
        "bytes": BYTES,
        "another factor": {
            "rescale_factor": 1 / 127.5,
            "image_mean": [1, 1, 1],
            "image_std": [1, 2, 4],
        },
    }.items():
        add(f"numbers {name}", (5, 4), (5, 4), {"size": [5, 4]} | changes, numbers=True)
    return found


def processed(case: dict, backend: str, **changes) -> torch.Tensor | None:
    """`[channels, height, width]`; none where the class refuses, as torchvision does two
    filters."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "config.json").write_text(json.dumps({"model_type": case["family"]}))
        Path(folder, "preprocessor_config.json").write_text(json.dumps(case["settings"]))
        processor = AutoImageProcessor.from_pretrained(folder, backend=backend)
    image = drawn(case["kind"], *case["image"], case["mode"])
    try:
        found = processor(image, **changes)["pixel_values"][0]
    except (NotImplementedError, RuntimeError):
        return None
    return torch.as_tensor(numpy.asarray(found))


def defaults() -> dict:
    """By class, all that a file says which the class itself has saved, but its name."""
    found = {}
    for name in ("ViT", "DeiT", "CLIP", "Bit"):
        saved = getattr(transformers, f"{name}ImageProcessor")().to_dict()
        found[saved.pop("image_processor_type")] = saved
    return found


def write() -> None:
    tensors, described = {}, cases()
    for name, case in described.items():
        size = tuple(case["size"])
        for backend in ("torchvision", "pil"):
            if backend == "pil" and isinstance(case["settings"].get("resample"), str):
                continue  # It takes every name for the bilinear filter.
            found = processed(case, backend, **BYTES)
            if found is None:
                assert backend == "torchvision"
                continue
            assert found.dtype == torch.uint8 and found.shape[1:] == size, name
            tensors[f"{name}/{backend}"] = found.contiguous()
        if case.pop("numbers"):
            tensors[f"{name}/numbers"] = processed(case, "torchvision").float().contiguous()
    save_json(HERE / "images.json", {"cases": described, "defaults": defaults()})
    save_file(tensors, HERE / "images.safetensors")


if __name__ == "__main__":
    write()
