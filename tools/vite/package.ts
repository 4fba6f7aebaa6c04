import { resolve } from "node:path";
import { defineConfig } from "vite";
import { packageScripts } from "./first-scripts.ts";
import { fontSlices } from "./fonts.ts";
import { siteOfPackage } from "./package-site.ts";
import {
  coreLicences,
  describePackage,
  FIGURES,
  leanTemplates,
  leaveColourMaps,
  litWithoutDocument,
  onlyOwnSources,
  plainAddresses,
} from "./plugins.ts";

const www = resolve(import.meta.dirname, "../../www");

export default defineConfig({
  mode: "package",
  base: "./",
  publicDir: false,
  plugins: [
    leaveColourMaps(),
    leanTemplates(),
    // Chinese ones are nine tenths of all fonts, and half of the package.
    fontSlices(/noto-sans-(?:sc|devanagari)-/),
    coreLicences(),
    litWithoutDocument(),
    plainAddresses(),
    describePackage(),
    siteOfPackage(),
  ],
  worker: {
    format: "es",
    plugins: () => [onlyOwnSources()],
    // One file, which a bundler may copy unchanged.
    rolldownOptions: {
      output: { entryFileNames: "worker.js", codeSplitting: false, minify: true },
    },
  },
  build: {
    outDir: "dist/npm",
    license: { fileName: "licences/npm.md" },
    lib: {
      entry: {
        headscope: resolve(www, "headscope.ts"),
        elements: resolve(www, "embed/index.ts"),
        reveal: resolve(www, "embed/reveal.ts"),
        cli: resolve(www, "command/cli.ts"),
        page: resolve(www, "page.ts"),
        "embed-frame": resolve(www, "embed/frame.ts"),
        loader: resolve(www, "embed/loader.ts"),
        ...Object.fromEntries(
          FIGURES.map((name) => [name, resolve(www, `embed/entries/${name}.ts`)]),
        ),
      },
      formats: ["es"],
    },
    target: "es2022",
    // `light-dark()` stays unchanged: its replacement for older browsers does not work in shadow
    // roots.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    rolldownOptions: {
      // Groups that name each of their modules need it.
      preserveEntrySignatures: "allow-extension",
      output: {
        entryFileNames: "[name].js",
        // Beside `worker.js` and `assets`: where bundlers do not follow addresses, both are copied
        // beside the bundle.
        chunkFileNames: "[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
        codeSplitting: packageScripts(),
        minify: true,
      },
    },
  },
});
