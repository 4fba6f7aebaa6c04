#!/usr/bin/env bash
# Fails unless everything that names the version of a release names the same one, and, with a tag, that one.
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

cargo publish --dry-run --locked --package headscope-kernels --package headscope
(cd dist/npm && npm publish --dry-run --loglevel=warn)
