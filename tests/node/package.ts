import { existsSync } from "node:fs";
import type * as Headscope from "../../www/headscope.js";

export const folder = new URL("../../dist/npm/", import.meta.url);
const entry = new URL("headscope.js", folder);
if (!existsSync(entry)) throw new Error("dist/npm is not built: run `cargo xtask build` first.");

/** The npm package as it is shipped. */
export const { loadModel, HeadscopeError, latest, demoCore, openTrainer } = (await import(
  entry.href
)) as typeof Headscope;
