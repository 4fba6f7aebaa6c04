#!/usr/bin/env bash
# Fails unless everything that names the version of a release names the same one, and, with a tag, that one, and unless the files
# that `pack.sh` wrote are those of a release, of the sizes that are promised.
# Usage: tools/release/check.sh [vX.Y.Z]
set -euo pipefail
cd "$(dirname "$0")/../.."

version=$(node --print 'require("./package.json").version')
refuse() {
  echo "$1: write $version there, or the other version into package.json." >&2
  exit 1
}

[ -z "${1:-}" ] || [ "$1" = "v$version" ] || refuse "the tag $1"
for manifest in Cargo.toml src/kernels/Cargo.toml; do
  grep --quiet "^version = \"$version\"$" "$manifest" || refuse "$manifest"
done
for file in CITATION.cff quarto/_extensions/headscope/_extension.yml; do
  grep --quiet "^version: $version$" "$file" || refuse "$file"
done
grep --quiet "version = \"$version\"" quarto/_extensions/headscope/headscope.lua || refuse "headscope.lua"
grep --quiet "^## \[$version\]" CHANGELOG.md || refuse "CHANGELOG.md has no section of this version"
[ "$(node --print 'require("./dist/npm/package.json").version')" = "$version" ] || refuse "dist/npm"

files=target/release-files
# A file of the release, and the most bytes that it may have.
at_most() {
  [ "$(wc -c <"$files/$1")" -le "$2" ] || {
    echo "$1 is missing or has more than $2 bytes: run tools/release/pack.sh, or make it smaller." >&2
    exit 1
  }
}
at_most "headscope-$version.tgz" 4450000
at_most "headscope-$version-py3-none-any.whl" 1500000
at_most "headscope-$version.html" 3500000
at_most "headscope-models-$version.tgz" 20000000
at_most "headscope-quarto-$version.zip" 400000
listed() { python3 -m zipfile -l "$1" | awk 'NR > 1 { print $1 }'; }
! listed "$files/headscope-site-$version.zip" | grep -q '^models/' || refuse "the zip of the site has models, and no version"
! listed "$files/headscope-models-$version.zip" | grep -qv '^models/' || refuse "the zip of the models has more"

cargo publish --dry-run --locked --package headscope-kernels --package headscope
for package in headscope headscope-models; do
  npm publish "./$files/$package-$version.tgz" --dry-run --loglevel=warn
done
