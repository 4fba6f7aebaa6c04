#!/usr/bin/env bash
# jinja2 3.1.6: the `else` of a loop also runs after a loop that ran, if `continue` or `break` ended every turn; and a filter that
# picks items is true where it picked none.
#
# The manual says that `else` runs if no iteration took place. Its mark is set at the end of a turn's body, which `continue` and
# `break` of the extension `loopcontrols` (which transformers turns on for chat templates) do not reach. Python's own `else`
# of a loop runs after `continue` and not after `break`. `selectattr` gives an iterator, which is true whatever it holds, so that
# `{% if messages | selectattr(...) %}` always takes the first branch.
#
# Output seen:
#   continue: aa-else
#   break: a-else
#   no turn: -else
#   one turn to its end: ab
#   if selectattr of nothing: true
#   if selectattr of nothing, as a list: false
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet jinja2==3.1.6

cat > "$folder/try.py" <<'PYTHON'
from jinja2.sandbox import ImmutableSandboxedEnvironment

environment = ImmutableSandboxedEnvironment(extensions=["jinja2.ext.loopcontrols"])
TEMPLATES = {
    "continue": "{% for i in [1, 2] %}a{% continue %}{% else %}-else{% endfor %}",
    "break": "{% for i in [1, 2] %}a{% break %}{% else %}-else{% endfor %}",
    "no turn": "{% for i in [] %}a{% else %}-else{% endfor %}",
    "one turn to its end": "{% for i in [1] %}ab{% else %}-else{% endfor %}",
    "if selectattr of nothing": "{{ 'true' if [{'a': 1}] | selectattr('b') else 'false' }}",
    "if selectattr of nothing, as a list": "{{ 'true' if [{'a': 1}] | selectattr('b') | list else 'false' }}",
}
for name, template in TEMPLATES.items():
    print(f"{name}: {environment.from_string(template).render()}")
PYTHON

"$folder/venv/bin/python" "$folder/try.py" | tee "$folder/seen"
diff "$folder/seen" <(sed -n 's/^#   //p' "$0")
