#!/usr/bin/env bash
# transformers 5.24.0: `num_hidden_layers` of T5 changes the encoder alone, and the decoder keeps 6 layers.
#
# T5 and mT5 call the number of layers `num_layers`, and say that `num_hidden_layers`, the name that other families use, is
# another name of it. A shallow model by the usual name has a shallow encoder and a decoder of the class's default depth: the
# decoder's number is taken from `num_layers` before the other name is applied. Neither raises, and a file in which both names
# differ has two depths although it says nothing of the decoder.
#
# Output seen:
#   t5 {'num_layers': 2}: encoder 2, decoder 2
#   t5 {'num_hidden_layers': 2}: encoder 2, decoder 6
#   t5 {'num_layers': 3, 'num_hidden_layers': 2}: encoder 2, decoder 3
#   mt5 {'num_hidden_layers': 2}: encoder 2, decoder 8
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
for model_type, fields in [
    ("t5", {"num_layers": 2}),
    ("t5", {"num_hidden_layers": 2}),
    ("t5", {"num_layers": 3, "num_hidden_layers": 2}),
    ("mt5", {"num_hidden_layers": 2}),
]:
    (folder / "config.json").write_text(json.dumps({"model_type": model_type, **fields}))
    found = AutoConfig.from_pretrained(folder)
    print(f"{model_type} {fields}: encoder {found.num_layers}, decoder {found.num_decoder_layers}")
PYTHON

"$folder/venv/bin/python" "$folder/try.py" "$folder" 2>/dev/null | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
