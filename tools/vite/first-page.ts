/**
 * The page of `cargo xtask serve` until the whole site is built: without the core, what only a
 * build of the package can compute, and what works without a network.
 */

import { defineConfig, type Plugin } from "vite";
import { lateCores } from "./late-cores.ts";
import site, { pageParts } from "./site.ts";

/** The page asks for one in any case. */
const noFirstPicture: Plugin = {
  name: "headscope-no-first-picture",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "first-picture.json", source: "{}" });
  },
};

export default defineConfig({
  ...site,
  plugins: [...pageParts(), noFirstPicture, lateCores()],
  worker: { ...site.worker, plugins: () => [lateCores()] },
  build: { ...site.build, outDir: "target/first-page" },
});
