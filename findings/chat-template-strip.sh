#!/usr/bin/env bash
# @huggingface/jinja 0.5.11 and jinja2 3.1.6: `strip`, `lstrip` and `rstrip` of a chat template take other characters away.
#
# Templates in the shape of Qwen 3's part an answer from its reasoning with `.rstrip('\n')` and `.lstrip('\n')`. Python takes
# line ends alone. The JavaScript library does not read the argument: it takes all white space, so that an answer that begins
# with spaces, such as an indented list or code, loses them, and with other characters as the argument nothing of them goes.
#
# Output seen:
#   jinja2: "[    return x]"
#   jinja2: "[a]"
#   @huggingface/jinja: "[return x]"
#   @huggingface/jinja: "[--a--]"
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" @huggingface/jinja@0.5.11 > "$folder/log"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet jinja2==3.1.6

cat > "$folder/templates.json" <<'JSON'
["[{{ text.split('</think>')[-1].lstrip('\\n') }}]", "[{{ '--a--'.strip('-') }}]"]
JSON

cat > "$folder/try.py" <<'PYTHON'
import json
import sys

from jinja2.sandbox import ImmutableSandboxedEnvironment

environment = ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
)
for template in json.load(open(f"{sys.argv[1]}/templates.json")):
    text = environment.from_string(template).render({"text": "<think>\n</think>\n\n    return x"})
    print("jinja2:", json.dumps(text))
PYTHON

cat > "$folder/try.mjs" <<'JAVASCRIPT'
import { readFileSync } from "node:fs";
import { Template } from "@huggingface/jinja";

for (const template of JSON.parse(readFileSync(new URL("templates.json", import.meta.url))))
  console.log("@huggingface/jinja:", JSON.stringify(new Template(template).render({"text": "<think>\n</think>\n\n    return x"})));
JAVASCRIPT

{
  "$folder/venv/bin/python" "$folder/try.py" "$folder"
  node "$folder/try.mjs"
} | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
