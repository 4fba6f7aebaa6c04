"""Activation patching by TransformerLens on a bundled model of GPT-2's shape: the same grids as
`model.patchGrid`, on the same texts with the same target, by TransformerLens's own `patching` on
its `TransformerBridge`. Needs `transformer_lens==4.3.0` and nothing else.

    python transformer_lens_patches.py            # writes transformer_lens.json
    python transformer_lens_patches.py --serve    # for `cargo xtask bench`

With `--serve` it times a grid of all heads for each line of standard input.
"""

import argparse
import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import torch
from transformer_lens import patching
from transformer_lens.model_bridge import TransformerBridge

HERE = Path(__file__).parent
MODEL = "tiny-gpt"
# By ids: "The dogs in the garden" against "The dog in the garden", " are" less " is"; and a second
# "cat and" against "dog and", " Tom" less " is".
CASES = {
    "agreement": ([0, 324, 2043, 310, 276, 1804], [0, 324, 788, 310, 276, 1804], (384, 299)),
    "repetition": (
        [0, 324, 888, 420, 302, 891, 259, 888, 420],
        [0, 324, 888, 420, 302, 891, 259, 788, 420],
        (302, 299),
    ),
}
# The activation of a grid, by the name that `patchGrid` has for it.
GRIDS = {
    "head": patching.get_act_patch_attn_head_out_all_pos,
    "pattern": patching.get_act_patch_attn_head_pattern_all_pos,
    "values": patching.get_act_patch_attn_head_v_all_pos,
    "feed-forward": patching.get_act_patch_mlp_out,
    "residual": patching.get_act_patch_resid_pre,
}


def opened() -> TransformerBridge:
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    return TransformerBridge.boot_transformers(
        str(HERE / "../../models" / MODEL), device="cpu", dtype=torch.float32
    )


def difference(logits: torch.Tensor, target: tuple[int, int]) -> torch.Tensor:
    return logits[0, -1, target[0]] - logits[0, -1, target[1]]


def written(model: TransformerBridge) -> dict:
    cases = {}
    for name, (clean, corrupted, target) in CASES.items():
        texts = {"clean": torch.tensor([clean]), "corrupted": torch.tensor([corrupted])}
        ends = {text: difference(model(ids), target).item() for text, ids in texts.items()}
        grids = {}
        for direction, (source, base) in {
            "denoise": ("clean", "corrupted"),
            "noise": ("corrupted", "clean"),
        }.items():
            _, cache = model.run_with_cache(texts[source])
            for what, grid in GRIDS.items():
                values = grid(
                    model,
                    texts[base],
                    cache,
                    lambda logits, target=target: difference(logits, target),
                )
                grids[f"{direction}/{what}"] = [
                    [round(value, 6) for value in row] for row in values.tolist()
                ]
        asked = {
            "clean": clean,
            "corrupted": corrupted,
            "target": {"id": target[0], "minus": target[1]},
        }
        cases[name] = asked | {"ends": ends, "grids": grids}
    return {
        "transformer_lens": version("transformer_lens"),
        "torch": version("torch"),
        "model": MODEL,
        "cases": cases,
    }


def serve(model: TransformerBridge) -> None:
    """For each line with the ids of two texts, milliseconds of a grid of all heads, both texts' own
    runs with it."""
    print("ready", flush=True)
    for line in sys.stdin:
        clean, corrupted = (torch.tensor([ids]) for ids in json.loads(line))
        start = time.perf_counter()
        difference(model(corrupted), (1, 2))
        _, cache = model.run_with_cache(clean)
        GRIDS["head"](model, corrupted, cache, lambda logits: difference(logits, (1, 2)))
        print(1000 * (time.perf_counter() - start), flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    arguments.add_argument(
        "--serve", action="store_true", help="time grids instead of writing the vectors"
    )
    model = opened()
    if arguments.parse_args().serve:
        serve(model)
    else:
        path = HERE / "transformer_lens.json"
        path.write_text(json.dumps(written(model)) + "\n")
        print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
