/**
 * The page of `cargo xtask serve` until the whole site is built: without the core, without the
 * first picture, which the built package computes, and without the service worker.
 */

import { defineConfig, type Plugin } from "vite";
import { pageScripts } from "./first-scripts.ts";
import { lateCores } from "./late-cores.ts";
import site, { pageParts } from "./site.ts";

/** Answers the page's request for the first picture with nothing. */
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
  build: {
    ...site.build,
    outDir: "target/first-page",
    rolldownOptions: {
      ...site.build?.rolldownOptions,
      input: { index: "index.html", embed: "www/embed/index.ts" },
      output: {
        entryFileNames: ({ name }) => (name === "embed" ? "embed.js" : "assets/[name]-[hash].js"),
        codeSplitting: pageScripts(),
      },
    },
  },
});
