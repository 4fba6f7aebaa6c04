/** The script of figures in notebooks: one file, which the package and the Python wheel have. */
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { COLOUR_MAKERS, leanTemplates, leaveColourLists } from "./plugins.ts";

const FONTS = "virtual:headscope-font-slices";
const www = resolve(import.meta.dirname, "../../www");

/**
 * Leaves out the sentences that a page loads later, which would all be in the one file:
 * `www/notebook/sentences.ts` has those of a figure.
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

/** Leaves out the fonts of saved pictures: they are files of their own, and a notebook has none. */
const noFonts: Plugin = {
  name: "headscope-no-fonts",
  resolveId: (id) => (id === FONTS ? `\0${FONTS}` : null),
  load: (id) => (id === `\0${FONTS}` ? "export default [];" : null),
};

export default defineConfig({
  publicDir: false,
  plugins: [leaveColourLists(), leanTemplates(), noLaterSentences, noUnusedSentences, noFonts],
  // Each sentence on a line, not all in one string.
  json: { stringify: false },
  build: {
    outDir: "dist/npm",
    // Beside the package, which is built before.
    emptyOutDir: false,
    license: { fileName: "licences/anywidget.md" },
    lib: { entry: { anywidget: resolve(www, "notebook/anywidget.ts") }, formats: ["es"] },
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    rolldownOptions: {
      treeshake: { manualPureFunctions: COLOUR_MAKERS },
      output: { entryFileNames: "[name].js", codeSplitting: false, minify: true },
    },
  },
});
