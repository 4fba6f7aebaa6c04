import { cpSync, existsSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";

const root = import.meta.dirname;

/** The bundled models are ordinary folders that are served as they are. */
function copyModels(): Plugin {
  return {
    name: "headscope-copy-models",
    apply: "build",
    closeBundle() {
      const models = resolve(root, "models");
      if (existsSync(models)) cpSync(models, resolve(root, "dist/site/models"), { recursive: true });
    },
  };
}

export default defineConfig({
  // Relative, so that the site can live in any folder of any server.
  base: "./",
  publicDir: "www/public",
  plugins: [copyModels()],
  worker: { format: "es" },
  build: {
    outDir: "dist/site",
    target: "es2022",
    assetsInlineLimit: 0,
    // The tokenizer and both wasm loaders are chunks of their own already.
    modulePreload: { polyfill: false },
  },
  preview: { host: "localhost" },
});
