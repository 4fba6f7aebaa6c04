#!/usr/bin/env bash
# @huggingface/jinja 0.5.11 and jinja2 3.1.6: loops of a chat template keep variables and drop text.
#
# Python forgets what a turn of a loop has set when the turn ends, and keeps what the turn wrote before `continue` or `break`.
# The JavaScript library does neither: a variable that the first turn set is still there in the second, and the text of a turn
# that `continue` or `break` ends is lost. Neither raises.
#
# Output seen:
#   jinja2: "[system][]"
#   jinja2: "<user>a<user>"
#   @huggingface/jinja: "[system][system]"
#   @huggingface/jinja: "<user>a"
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" @huggingface/jinja@0.5.11 > "$folder/log"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet jinja2==3.1.6

cat > "$folder/templates.json" <<'JSON'
[
  "{% for m in messages %}{% if loop.first %}{% set role = 'system' %}{% endif %}[{{ role }}]{% endfor %}",
  "{% for m in messages %}{% if loop.last %}<user>{% continue %}{% endif %}<user>a{% endfor %}"
]
JSON

cat > "$folder/try.py" <<'PYTHON'
import json
import sys

from jinja2.sandbox import ImmutableSandboxedEnvironment

environment = ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
)
for template in json.load(open(f"{sys.argv[1]}/templates.json")):
    text = environment.from_string(template).render({"messages": ["a", "b"]})
    print("jinja2:", json.dumps(text))
PYTHON

cat > "$folder/try.mjs" <<'JAVASCRIPT'
import { readFileSync } from "node:fs";
import { Template } from "@huggingface/jinja";

for (const template of JSON.parse(readFileSync(new URL("templates.json", import.meta.url))))
  console.log("@huggingface/jinja:", JSON.stringify(new Template(template).render({"messages": ["a", "b"]})));
JAVASCRIPT

{
  "$folder/venv/bin/python" "$folder/try.py" "$folder"
  node "$folder/try.mjs"
} | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
