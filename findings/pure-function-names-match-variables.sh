#!/usr/bin/env bash
# rollup 4.68.8, rolldown 1.2.19: a name in `treeshake.manualPureFunctions` also drops method calls on any variable of that name.
#
# The list is meant for functions of a library, here one that makes colours, `rgb(…)`. It holds names, in every module and scope:
# `rgb.set(…)` on a local array counts as a call without effect too, and goes, while the array that it was to fill stays. Both
# bundlers give a program that runs and prints zeros, without a warning. A `/* @__PURE__ */` before each call of the library
# says the same of these calls alone.
#
# Output seen:
#   rollup []: 255 128 0 255 128 1
#   rollup ["rgb"]: 0 0 0 0 0 0
#   rolldown []: 255 128 0 255 128 1
#   rolldown ["rgb"]: 0 0 0 0 0 0
set -euo pipefail

script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "module" }' > package.json
npm install --silent --no-audit --no-fund rollup@4.68.8 rolldown@1.2.19

cat > colours.js <<'JAVASCRIPT'
/** The bytes of some colours, three for each. */
export function coloursOf(count) {
  const rgb = new Uint8Array(3 * count);
  for (let at = 0; at < count; at += 1) rgb.set([255, 128, at], 3 * at);
  return rgb;
}
JAVASCRIPT

cat > entry.js <<'JAVASCRIPT'
import { coloursOf } from "./colours.js";
print(coloursOf(2).join(" "));
JAVASCRIPT

cat > try.js <<'JAVASCRIPT'
import { rolldown } from "rolldown";
import { rollup } from "rollup";

for (const bundle of [rollup, rolldown])
  for (const manualPureFunctions of [[], ["rgb"]]) {
    const onwarn = (warning) => console.log(`warning: ${warning.message}`);
    const made = await bundle({ input: "entry.js", treeshake: { manualPureFunctions }, onwarn });
    const { output } = await made.generate({ format: "esm" });
    const print = (line) =>
      console.log(`${bundle.name} ${JSON.stringify(manualPureFunctions)}: ${line}`);
    new Function("print", output[0].code)(print);
  }
JAVASCRIPT

node try.js | tee seen
diff seen <(sed -n 's/^#   //p' "$script")
