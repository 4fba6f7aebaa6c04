#!/usr/bin/env bash
# @huggingface/jinja 0.5.11 and jinja2 3.1.6: what a chat template compares with `none`, and how it prints it.
#
# A field that a message lacks is undefined, which in Python is not equal to `none`, so that `message.tool_calls == none` is false
# and `!= none` is true for a plain message. The JavaScript library compares as JavaScript's `==` does: the branch is the other
# one. It also equals `1` and `'1'`, and two equal lists are unequal. `none` prints as `None` in Python and as nothing there.
#
# Output seen:
#   jinja2: "call"
#   jinja2: "False True None"
#   @huggingface/jinja: "plain"
#   @huggingface/jinja: "true false "
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" @huggingface/jinja@0.5.11 > "$folder/log"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet jinja2==3.1.6

cat > "$folder/templates.json" <<'JSON'
["{% if message.tool_calls == none %}plain{% else %}call{% endif %}", "{{ 1 == '1' }} {{ [1] == [1] }} {{ none }}"]
JSON

cat > "$folder/try.py" <<'PYTHON'
import json
import sys

from jinja2.sandbox import ImmutableSandboxedEnvironment

environment = ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
)
for template in json.load(open(f"{sys.argv[1]}/templates.json")):
    text = environment.from_string(template).render({"message": {"content": "a"}})
    print("jinja2:", json.dumps(text))
PYTHON

cat > "$folder/try.mjs" <<'JAVASCRIPT'
import { readFileSync } from "node:fs";
import { Template } from "@huggingface/jinja";

for (const template of JSON.parse(readFileSync(new URL("templates.json", import.meta.url))))
  console.log("@huggingface/jinja:", JSON.stringify(new Template(template).render({"message": {"content": "a"}})));
JAVASCRIPT

{
  "$folder/venv/bin/python" "$folder/try.py" "$folder"
  node "$folder/try.mjs"
} | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
