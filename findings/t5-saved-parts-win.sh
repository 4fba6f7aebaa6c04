#!/usr/bin/env bash
# transformers 5.24.0: a T5 that was saved once keeps its old activation when `feed_forward_proj` is changed in the file.
#
# The class takes `feed_forward_proj` apart into `dense_act_fn` and `is_gated_act`, and saves all three. When the file is read,
# the two parts are set again after the field has been taken apart, so they win, whatever the field says. The same file also says
# how outputs are scaled in two ways: `tie_word_embeddings: false`, which once marked T5 1.1 and Flan-T5, is saved as true with
# `scale_decoder_outputs: false` beside it; a reader that knows the first field alone scales the logits of such a model.
#
# Output seen:
#   gated-gelu alone: gelu_new gated=True
#   relu, saved, then gated-gelu: relu gated=False
#   tied=false, saved: tied=True scaled=False
#   the same without scale_decoder_outputs: tied=True scaled=True
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet transformers==5.24.0

cat > "$folder/try.py" <<'PYTHON'
import json
import sys
from pathlib import Path

from transformers import T5Config

folder = Path(sys.argv[1]) / "model"
folder.mkdir()


def read(fields: dict) -> T5Config:
    (folder / "config.json").write_text(json.dumps({"model_type": "t5", **fields}))
    return T5Config.from_pretrained(folder)


def saved(fields: dict) -> dict:
    read(fields).save_pretrained(folder)
    return json.loads((folder / "config.json").read_text())


def activation(config: T5Config) -> str:
    return f"{config.dense_act_fn} gated={config.is_gated_act}"


def scale(config: T5Config) -> str:
    return f"tied={config.tie_word_embeddings} scaled={config.scale_decoder_outputs}"


print("gated-gelu alone:", activation(read({"feed_forward_proj": "gated-gelu"})))
print("relu, saved, then gated-gelu:", activation(read({**saved({"feed_forward_proj": "relu"}), "feed_forward_proj": "gated-gelu"})))
untied = saved({"tie_word_embeddings": False})
print("tied=false, saved:", scale(read(untied)))
untied.pop("scale_decoder_outputs")
print("the same without scale_decoder_outputs:", scale(read(untied)))
PYTHON

"$folder/venv/bin/python" "$folder/try.py" "$folder" 2>/dev/null | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
