#!/usr/bin/env bash
# transformers 5.24.0 and tokenizers 0.23.3: the same tokenizer.json gives other ids by AutoTokenizer than by Tokenizer.
#
# A tokenizer.json says how numbers are cut: here each digit alone, as in StarCoder's and SmolLM's. A tokenizer_config.json
# beside it with `"tokenizer_class": "GPT2Tokenizer"` makes AutoTokenizer build the pre-tokenizer of that class anew and take
# only vocabulary, merges and post-processor out of the file: digits are cut as GPT-2 cuts them. The class
# `PreTrainedTokenizerFast` leaves the file as it is.
#
# Output seen:
#   Tokenizer.from_file: ['1', '2']
#   AutoTokenizer, GPT2Tokenizer: ['12']
#   AutoTokenizer, PreTrainedTokenizerFast: ['1', '2']
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
from transformers import AutoTokenizer

folder = Path(sys.argv[1]) / "model"
folder.mkdir()
vocabulary = {"<|endoftext|>": 0, "1": 1, "2": 2, "12": 3}
tokenizer = Tokenizer(models.BPE(vocabulary, [("1", "2")]))
tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
    [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
)
tokenizer.save(str(folder / "tokenizer.json"))
(folder / "config.json").write_text(json.dumps({"model_type": "gpt2"}))

print("Tokenizer.from_file:", Tokenizer.from_file(str(folder / "tokenizer.json")).encode("12").tokens)
for name in ("GPT2Tokenizer", "PreTrainedTokenizerFast"):
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": name}))
    print(f"AutoTokenizer, {name}:", AutoTokenizer.from_pretrained(folder).tokenize("12"))
PYTHON

"$folder/venv/bin/python" "$folder/try.py" "$folder" 2>/dev/null | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
