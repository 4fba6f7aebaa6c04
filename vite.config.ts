import { defineConfig } from "vite";
import { openOffline } from "./vite.offline.ts";
import { copyModels, keepNodeImports } from "./vite.plugins.ts";

export default defineConfig({
  // Relative, so that the site can live in any folder of any server.
  base: "./",
  publicDir: "www/public",
  plugins: [keepNodeImports(), copyModels(), openOffline()],
  worker: { format: "es", plugins: () => [keepNodeImports()] },
  build: {
    outDir: "dist/site",
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  preview: { host: "localhost" },
});
