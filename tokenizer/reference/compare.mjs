// Compares the wasm of the crate `tokenizer` with lines that `tokenizer-reference` wrote:
// node tokenizer/reference/compare.mjs FILE
import { readFileSync } from "node:fs";
import process from "node:process";
import { URL } from "node:url";
import * as wasm from "../../www/engine/wasm/tokenizer/headscope_tokenizer.js";

const file = "../../www/engine/wasm/tokenizer/headscope_tokenizer_bg.wasm";
wasm.initSync({ module: readFileSync(new URL(file, import.meta.url)) });

/** Words counted on from the first text to the second, -1 for those of the template. */
function counted({ words, sequences }) {
  const first = words.filter((word, at) => word !== null && sequences[at] === 0);
  const count = 1 + Math.max(-1, ...first);
  return words.map((word, at) => (word === null ? -1 : word + (sequences[at] === 1 ? count : 0)));
}

let compared = 0;
let different = 0;
for (const line of readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean)) {
  const { tokenizer: description, cases } = JSON.parse(line);
  const tokenizer = new wasm.WasmTokenizer(JSON.stringify(description), [], new Uint32Array());
  for (const one of cases) {
    const { ids, types, words } = tokenizer.encode(one.text, one.pair ?? undefined, true);
    const decoded = tokenizer.decode(Uint32Array.from(one.ids), true);
    const given = JSON.stringify([[...ids], [...types], [...words], decoded]);
    compared += 1;
    if (given === JSON.stringify([one.ids, one.types, counted(one), one.decoded])) continue;
    different += 1;
    process.stdout.write(`${JSON.stringify({ description, one, given })}\n`);
  }
}
process.stdout.write(`${compared} compared, ${different} different\n`);
process.exitCode = different === 0 && compared > 0 ? 0 : 1;
