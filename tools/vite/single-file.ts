/**
 * Scripts that are one file each, for pages that other programs make: of figures in notebooks and
 * of figures of numbers. The package and the Python wheel have both.
 */
import { resolve } from "node:path";
import type { Plugin, UserConfig } from "vite";
import { leanTemplates, leaveColourMaps } from "./plugins.ts";

const FONTS = "virtual:headscope-font-slices";
const www = resolve(import.meta.dirname, "../../www");

/**
 * Leaves out the sentences that a page loads later, which would all be in the one file: its source
 * adds those of its figures.
 */
const noLaterSentences: Plugin = {
  name: "headscope-no-later-sentences",
  enforce: "pre",
  transform: {
    filter: { id: /[\\/]i18n[\\/]index\.ts$/ },
    handler: (code) => {
      return { code: code.replace(/import\.meta\.glob<[^(]+\([^)]+\)/, "{}"), map: null };
    },
  },
};

/** A sentence in a script, on a line of its own: its name and its text. */
const SENTENCE = /^\s*"([a-z][\w-]*\.[^"\s]+)": "(?:[^"\\]|\\.)*",?\n/gm;

/** Leaves out the sentences whose names, or starts of names, are nowhere in the script. */
const noUnusedSentences: Plugin = {
  name: "headscope-no-unused-sentences",
  renderChunk: (code) => {
    const rest = code.replace(SENTENCE, "");
    const starts = [...rest.matchAll(/`([a-z][\w-]*\.(?:[\w-]+\.)*)\$\{/gi)].map(
      ([, start = ""]) => start,
    );
    const isUsed = (name: string): boolean =>
      rest.includes(`"${name}"`) || starts.some((start) => name.startsWith(start));
    const kept = code.replace(SENTENCE, (line, name: string) => (isUsed(name) ? line : ""));
    return { code: kept, map: null };
  },
};

/** Leaves out the fonts of saved pictures, which are files of their own. */
const noFonts: Plugin = {
  name: "headscope-no-fonts",
  resolveId: (id) => (id === FONTS ? `\0${FONTS}` : null),
  load: (id) => (id === `\0${FONTS}` ? "export default [];" : null),
};

/** Leaves out what runs models. */
const noModels: Plugin = {
  name: "headscope-no-models",
  enforce: "pre",
  resolveId: (source) =>
    source === "./model-filling.js" ? resolve(www, "embed/no-model.ts") : null,
};

/** Leaves out the cores, which only code that is left out would fetch. */
const noCores: Plugin = {
  name: "headscope-no-cores",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      const cores = Object.keys(bundle).filter((name) => name.endsWith(".wasm"));
      for (const name of cores) Reflect.deleteProperty(bundle, name);
    },
  },
};

/** The build of the script `name` from its source. */
export const singleFile = (name: string, source: string): UserConfig => ({
  publicDir: false,
  plugins: [
    noCores,
    leaveColourMaps(),
    leanTemplates(),
    noLaterSentences,
    noUnusedSentences,
    noFonts,
    noModels,
  ],
  // Each sentence on a line, not all in one string.
  json: { stringify: false },
  build: {
    outDir: "dist/npm",
    // Beside the package, which is built before.
    emptyOutDir: false,
    license: { fileName: `licences/${name}.md` },
    lib: { entry: { [name]: resolve(www, source) }, formats: ["es"] },
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    rolldownOptions: {
      output: { entryFileNames: "[name].js", codeSplitting: false, minify: true },
    },
  },
});
