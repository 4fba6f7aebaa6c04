#!/usr/bin/env bash
# Writes the files of a release into target/release-files: the npm package, the Python wheel, the site as a zip and the page as one
# file, both without models, the example models as a zip and as a package, the extension of Quarto, and what is new.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=$(node --print 'require("./package.json").version')
folder=target/release-files
rm -rf "$folder"
mkdir -p "$folder"

npm pack ./dist/npm --loglevel=warn --pack-destination "$folder"
cp dist/python/headscope-"$version"-py3-none-any.whl "$folder"
node dist/npm/cli.js file --out "$folder/headscope-$version.html"
(cd dist/site && ls -A | grep -vx models | xargs python3 -m zipfile -c "../../$folder/headscope-site-$version.zip")
# Unpacked beside index.html, it completes the site.
(cd dist/site && python3 -m zipfile -c "../../$folder/headscope-models-$version.zip" models)
(cd dist/quarto && python3 -m zipfile -c "../../$folder/headscope-quarto-$version.zip" _extensions)
# Installed beside the package, it is what `npx headscope` shows first.
package=target/models-package
rm -rf "$package"
cp -R models "$package"
node --eval '
  const { version, author, homepage, bugs, repository } = require("./package.json");
  const description = "The example models of Headscope: four small Transformers with the notes on their heads";
  const own = { name: "headscope-models", version, description, license: "CC-BY-2.0", author, homepage, bugs, repository };
  fs.writeFileSync("target/models-package/package.json", `${JSON.stringify(own, null, 2)}\n`);
'
npm pack "./$package" --loglevel=warn --pack-destination "$folder"
# The section of this version, without its title.
awk -v start="## [$version]" 'index($0, "## ") == 1 { on = index($0, start) == 1; next } on' CHANGELOG.md >"$folder/notes.md"
[ -s "$folder/notes.md" ]
ls -l "$folder"
