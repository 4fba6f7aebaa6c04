#!/usr/bin/env bash
# tokenizers 0.23.3: the `id` of an added token in tokenizer.json counts for nothing where the vocabulary lacks the token.
#
# The file says that <new> is 900; the library numbers it behind the vocabulary, as 2, and saves it so. Two such tokens get their
# ids by their order in the list. Another reader that takes the file at its word gives the model other ids. And a field that the
# library does not know, in a file that is valid JSON, is reported as a mistake in the JSON.
#
# Output seen:
#   <new>: 2 <older>: 3
#   saved: [2, 3]
#   unknown field: expected `,` or `}` at line 1
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tokenizers==0.23.3

cat > "$folder/try.py" <<'PYTHON'
import json

from tokenizers import Tokenizer

flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
description = {
    "version": "1.0",
    "added_tokens": [{"id": 900, "content": "<new>", **flags}, {"id": 700, "content": "<older>", **flags}],
    "normalizer": None, "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None,
    "model": {"type": "WordLevel", "vocab": {"a": 0, "<unk>": 1}, "unk_token": "<unk>"},
}
tokenizer = Tokenizer.from_str(json.dumps(description))
print("<new>:", tokenizer.token_to_id("<new>"), "<older>:", tokenizer.token_to_id("<older>"))
print("saved:", [token["id"] for token in json.loads(tokenizer.to_str())["added_tokens"]])
try:
    Tokenizer.from_str(json.dumps({**description, "note": "mine"}))
except Exception as error:
    print("unknown field:", str(error).split(" column")[0])
PYTHON

"$folder/venv/bin/python" "$folder/try.py" 2>/dev/null | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
