import { existsSync } from "node:fs";
import type * as Headscope from "../../www/headscope.js";

const entry = new URL("../../dist/npm/headscope.js", import.meta.url);
if (!existsSync(entry)) throw new Error("dist/npm is not built: run `cargo xtask build` first.");

/** The npm package as it is shipped. */
export const { loadModel, HeadscopeError, latest } = (await import(entry.href)) as typeof Headscope;
