#!/usr/bin/env bash
# Writes the files of a release into target/release-files: the npm package, the Python wheel, the site as a zip, and what is new.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=$(node --print 'require("./package.json").version')
folder=target/release-files
rm -rf "$folder"
mkdir -p "$folder"

npm pack ./dist/npm --loglevel=warn --pack-destination "$folder"
cp dist/python/headscope-"$version"-py3-none-any.whl "$folder"
(cd dist/site && python3 -m zipfile -c "../../$folder/headscope-site-$version.zip" .)
(cd dist/npm/quarto && python3 -m zipfile -c "../../../$folder/headscope-quarto-$version.zip" .)
# The section of this version, without its title.
awk -v start="## [$version]" 'index($0, "## ") == 1 { on = index($0, start) == 1; next } on' CHANGELOG.md >"$folder/notes.md"
[ -s "$folder/notes.md" ]
ls -l "$folder"
