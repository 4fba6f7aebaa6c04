/** Tokenizers by Hugging Face's library as it was built for the page, read at once. */

import { readFileSync } from "node:fs";
import { parseDescription } from "../../www/engine/tokenizer/description.js";
import { LibraryEngine } from "../../www/engine/tokenizer/library.js";
import { ModelTokenizer } from "../../www/engine/tokenizer/tokenizer.js";
import * as wasm from "../../www/engine/wasm/tokenizer/headscope_tokenizer.js";

const file = "../../www/engine/wasm/tokenizer/headscope_tokenizer_bg.wasm";
wasm.initSync({ module: readFileSync(new URL(file, import.meta.url)) });

export function engineOf(json: string): LibraryEngine {
  return new LibraryEngine(wasm, json, parseDescription(json));
}

export function tokenizerOf(json: string): ModelTokenizer {
  return new ModelTokenizer(parseDescription(json), engineOf(json));
}
