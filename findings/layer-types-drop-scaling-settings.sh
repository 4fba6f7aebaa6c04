#!/usr/bin/env bash
# transformers 5.24.0: where layers have types, two settings of a scaled rotation are dropped without a word.
#
# `rope_scaling` of older files names its kind by `type`, later ones by `rope_type`, and Llama reads both. Gemma 3, whose layers
# have types with parameters of their own, keeps `type` among them and does not scale: its fastest pair turns 8 times as fast as
# the file asks for. YaRN's `truncate: false` is looked up beside the types, not among the parameters of one, so that it changes
# nothing in Gemma 3. Neither raises.
#
# Output seen:
#   linear by 8, named by type: llama 0.125, gemma3_text 1.0
#   linear by 8, named by rope_type: llama 0.125, gemma3_text 0.125
#   yarn by 8, truncate True: llama 0.1 0.0417, gemma3_text 0.1 0.0417
#   yarn by 8, truncate False: llama 0.0887 0.0332, gemma3_text 0.1 0.0417
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet transformers==5.24.0 torch==2.15.0

cat > "$folder/try.py" <<'PYTHON'
import json
import sys
from pathlib import Path

from transformers import AutoConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

folder = Path(sys.argv[1]) / "model"
folder.mkdir()
SIZES = {"hidden_size": 64, "num_attention_heads": 2, "num_hidden_layers": 2, "head_dim": 32}


def frequencies(model_type: str, scaling: dict) -> list[float]:
    """The angles by which one token turns the pairs of a head."""
    fields = {"model_type": model_type, **SIZES, "rope_scaling": scaling}
    (folder / "config.json").write_text(json.dumps(fields))
    config = AutoConfig.from_pretrained(folder)
    typed = config.rope_parameters.get("full_attention")
    kind = (typed or config.rope_parameters)["rope_type"]
    if kind == "default":
        base = (typed or config.rope_parameters)["rope_theta"]
        return [base ** (-pair / 16) for pair in range(16)]
    found, _ = ROPE_INIT_FUNCTIONS[kind](config, layer_type="full_attention" if typed else None)
    return found.tolist()


def report(name: str, scaling: dict, pairs: list[int]) -> None:
    shown = [
        f"{model_type} " + " ".join(str(round(frequencies(model_type, scaling)[pair], 4)) for pair in pairs)
        for model_type in ("llama", "gemma3_text")
    ]
    print(f"{name}: {', '.join(shown)}")


for field in ("type", "rope_type"):
    report(f"linear by 8, named by {field}", {field: "linear", "factor": 8.0}, [0])
YARN = {"rope_type": "yarn", "factor": 8.0, "rope_theta": 1e4, "original_max_position_embeddings": 128}
for truncate in (True, False):
    report(f"yarn by 8, truncate {truncate}", {**YARN, "truncate": truncate}, [3, 4])
PYTHON

"$folder/venv/bin/python" "$folder/try.py" "$folder" 2>/dev/null | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
