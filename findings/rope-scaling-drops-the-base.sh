#!/usr/bin/env bash
# transformers 5.24.0: `rope_scaling` beside `rope_parameters` takes the base of the rotary positions away.
#
# Files from before transformers 5 say `rope_theta` and `rope_scaling`, later ones say all of it in `rope_parameters`. A file that
# is amended by hand, as the cards of long-context models ask for ("add this rope_scaling"), then has both. The older field
# replaces the newer as a whole: its base is not that of `rope_parameters` but the class's default, 10 000. Gemma 3 adds the
# fields to those of its global blocks instead, and keeps their base.
#
# Output seen:
#   llama, rope_parameters: linear=False base=500000.0
#   llama, rope_scaling added: linear=True base=10000.0
#   llama, rope_scaling and rope_theta added: linear=True base=500000.0
#   gemma3_text, rope_scaling added: linear=True base=500000.0
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet transformers==5.24.0

cat > "$folder/try.py" <<'PYTHON'
import json
import sys
from pathlib import Path

from transformers import AutoConfig

folder = Path(sys.argv[1]) / "model"
folder.mkdir()
base = {"rope_type": "default", "rope_theta": 500000.0}
scaling = {"rope_type": "linear", "factor": 4.0}


def read(model_type: str, **fields) -> str:
    (folder / "config.json").write_text(json.dumps({"model_type": model_type, **fields}))
    found = AutoConfig.from_pretrained(folder).rope_parameters
    found = found.get("full_attention", found)
    return f"linear={found['rope_type'] == 'linear'} base={found['rope_theta']}"


print("llama, rope_parameters:", read("llama", rope_parameters=base))
print("llama, rope_scaling added:", read("llama", rope_parameters=base, rope_scaling=scaling))
print("llama, rope_scaling and rope_theta added:", read("llama", rope_parameters=base, rope_scaling=scaling, rope_theta=500000.0))
nested = {"full_attention": base, "sliding_attention": base}
print("gemma3_text, rope_scaling added:", read("gemma3_text", rope_parameters=nested, rope_scaling=scaling))
PYTHON

"$folder/venv/bin/python" "$folder/try.py" "$folder" 2>/dev/null | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
