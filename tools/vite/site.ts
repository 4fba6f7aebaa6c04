import { defineConfig, type Plugin } from "vite";
import { drawFirstPicture } from "./first-picture.ts";
import { firstScripts } from "./first-scripts.ts";
import { fontSlices } from "./fonts.ts";
import { openOffline } from "./offline.ts";
import {
  COLOUR_MAKERS,
  copyFolders,
  coreLicences,
  leanTemplates,
  leaveColourLists,
  onlyOwnSources,
} from "./plugins.ts";

/** What makes a page out of the sources, whole or not. */
export const pageParts = (): Plugin[] => [
  leaveColourLists(),
  leanTemplates(),
  fontSlices(),
  copyFolders(),
];

export default defineConfig({
  // Relative, so that the site can live in any folder of any server.
  base: "./",
  publicDir: "www/public",
  plugins: [...pageParts(), coreLicences(), drawFirstPicture(), openOffline()],
  worker: { format: "es", plugins: () => [onlyOwnSources()] },
  build: {
    outDir: "dist/site",
    license: { fileName: "licences/npm.md" },
    target: "es2022",
    // `light-dark()` stays as it is: what stands in for it in older browsers does not reach into
    // shadow roots.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A list of what each later part imports takes more of a script than the round trip it saves
      // is worth.
      resolveDependencies: (_, imports, { hostType }) => (hostType === "html" ? imports : []),
    },
    rolldownOptions: {
      input: { index: "index.html", embed: "www/embed/index.ts" },
      // Other people's pages name this script, so its name stays; all that it fetches has its hash
      // in the name.
      output: {
        entryFileNames: ({ name }) => (name === "embed" ? "embed.js" : "assets/[name]-[hash].js"),
        codeSplitting: { groups: firstScripts() },
      },
      preserveEntrySignatures: "exports-only",
      treeshake: { manualPureFunctions: COLOUR_MAKERS },
    },
  },
});
