import { type BuildEnvironmentOptions, defineConfig, type Plugin } from "vite";
import { embedScript } from "./embed-script.ts";
import { drawFirstPicture } from "./first-picture.ts";
import { pageScripts } from "./first-scripts.ts";
import { fontSlices } from "./fonts.ts";
import { openOffline } from "./offline.ts";
import {
  copyFolders,
  coreLicences,
  leanTemplates,
  leaveColourMaps,
  onlyOwnSources,
  plainImports,
  smallestStart,
} from "./plugins.ts";

/** The plugins of a page, complete or first. */
export const pageParts = (): Plugin[] => [
  leaveColourMaps(),
  leanTemplates(),
  plainImports(),
  fontSlices(),
  copyFolders(),
];

/** What all scripts of the site have in common. */
const SCRIPTS: BuildEnvironmentOptions = {
  target: "es2022",
  // `light-dark()` stays unchanged: its replacement for older browsers does not work in shadow
  // roots.
  cssTarget: ["chrome123", "firefox120", "safari17.5"],
  assetsInlineLimit: 0,
  modulePreload: {
    polyfill: false,
    // A list of the imports of each later part costs more bytes of a script than the round trip is
    // worth.
    resolveDependencies: (_, imports, { hostType }) => (hostType === "html" ? imports : []),
  },
};

export default defineConfig({
  // A relative base, so that the site works in any folder of any server.
  base: "./",
  publicDir: "www/public",
  plugins: [
    ...pageParts(),
    coreLicences(),
    drawFirstPicture(),
    smallestStart(),
    embedScript(SCRIPTS),
    openOffline(),
  ],
  worker: { format: "es", plugins: () => [onlyOwnSources()] },
  build: {
    ...SCRIPTS,
    outDir: "dist/site",
    license: { fileName: "licences/npm.md" },
    rolldownOptions: {
      input: { index: "index.html" },
      output: {
        entryFileNames: "assets/[name]-[hash].js",
        codeSplitting: pageScripts(),
      },
      preserveEntrySignatures: "allow-extension",
      treeshake: {
        // Else the script of the page imports what its modules only pass on.
        moduleSideEffects: [{ test: /[\\/]engine[\\/]trainer\.ts$/, sideEffects: false }],
      },
    },
  },
});
