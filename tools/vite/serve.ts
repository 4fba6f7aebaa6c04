/** The server of the package's page, `serve.js`: one file with the library that it is built on. */
import { resolve } from "node:path";
import { defineConfig } from "vite";

export default defineConfig({
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: resolve(import.meta.dirname, "../serve/site.js"),
    outDir: "dist/npm",
    // Beside the package, which is built before.
    emptyOutDir: false,
    license: { fileName: "licences/serve.md" },
    target: "node20",
    minify: true,
    rolldownOptions: { output: { entryFileNames: "serve.js" } },
  },
});
