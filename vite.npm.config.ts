import { resolve } from "node:path";
import { defineConfig } from "vite";
import { fontSlices } from "./vite.fonts.ts";
import {
  COLOUR_MAKERS,
  describePackage,
  keepNodeImports,
  leanStyles,
  leaveColourLists,
} from "./vite.plugins.ts";

const www = resolve(import.meta.dirname, "www");

export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [keepNodeImports(), leaveColourLists(), leanStyles(), fontSlices(), describePackage()],
  worker: {
    format: "es",
    plugins: () => [keepNodeImports()],
    rolldownOptions: {
      output: {
        entryFileNames: "worker.js",
        chunkFileNames: "chunks/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
      },
    },
  },
  build: {
    outDir: "dist/npm",
    target: "es2022",
    // `light-dark()` stays as it is: what stands in for it in older browsers does not reach into shadow roots.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: { headscope: resolve(www, "headscope.ts"), elements: resolve(www, "embed/index.ts") },
      preserveEntrySignatures: "strict",
      treeshake: { manualPureFunctions: COLOUR_MAKERS },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
      },
    },
  },
});
