#!/usr/bin/env bash
# transformers 5.24.0: the sliding window of a Gemma 3 that looks both ways (EmbeddingGemma) is another one by the way
# its number takes into the config.
#
# The class counts the file's number as the keys of both sides: 512 becomes 257, a bound that distances stay below. That is
# done once, when the file is read. The same number as an argument of `from_pretrained` is set afterwards, so it stays 512: the
# window is twice as wide. Turned causal by an argument, the model keeps the halved window of 257 keys, where the file's number
# alone would give 512. What is saved is worked out backwards, so 513 comes back as 512 and a number that was set is doubled.
#
# Output seen:
#   file 512: 257
#   argument 512: 512
#   argument use_bidirectional_attention=False: 257
#   file 513, read and saved: 512
#   set to 512 and saved: 1022
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


def written(window: int) -> Path:
    config = {"model_type": "gemma3_text", "use_bidirectional_attention": True, "sliding_window": window}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def read(window: int, **arguments):
    return AutoConfig.from_pretrained(written(window), **arguments)


print("file 512:", read(512).sliding_window)
print("argument 512:", read(512, sliding_window=512).sliding_window)
print("argument use_bidirectional_attention=False:", read(512, use_bidirectional_attention=False).sliding_window)
print("file 513, read and saved:", read(513).to_dict()["sliding_window"])
changed = read(512)
changed.sliding_window = 512
print("set to 512 and saved:", changed.to_dict()["sliding_window"])
PYTHON

"$folder/venv/bin/python" "$folder/try.py" "$folder" 2>/dev/null | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
