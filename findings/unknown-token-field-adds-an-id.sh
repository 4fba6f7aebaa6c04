#!/usr/bin/env bash
# transformers 5.24.0: any field of tokenizer_config.json that ends in `_token` makes a token, with an id that the model lacks.
#
# `box_token` is no field of any class. Its text becomes a special token all the same, numbered behind the vocabulary: a text
# that spells it out gives an id for which the embedding has no row, where the same text gave known pieces without the field.
# AutoTokenizer does not warn, and Tokenizer of the library `tokenizers` never reads that file.
#
# Output seen:
#   {}: ids [0, 5, 0] of 6 rows
#   {"box_token": "[BOX]"}: ids [6] of 6 rows
#   {"box_tokens": "[BOX]"}: ids [0, 5, 0] of 6 rows
set -euo pipefail
# The folder is local: nothing is asked of a hub.
export HF_HUB_OFFLINE=1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet transformers==5.24.0 tokenizers==0.23.3

cat > "$folder/try.py" <<'PYTHON'
import json
import sys
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import AutoConfig, AutoTokenizer

folder = Path(sys.argv[1]) / "model"
folder.mkdir()
vocabulary = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "[PAD]": 3, "[MASK]": 4, "box": 5}
tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
tokenizer.save(str(folder / "tokenizer.json"))
(folder / "config.json").write_text(json.dumps({"model_type": "bert", "vocab_size": len(vocabulary)}))

for more in ({}, {"box_token": "[BOX]"}, {"box_tokens": "[BOX]"}):
    settings = {"tokenizer_class": "BertTokenizer", **more}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    ids = AutoTokenizer.from_pretrained(folder)("[BOX]", add_special_tokens=False).input_ids
    print(f"{json.dumps(more)}: ids {ids} of {AutoConfig.from_pretrained(folder).vocab_size} rows")
PYTHON

"$folder/venv/bin/python" "$folder/try.py" "$folder" 2>/dev/null | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
