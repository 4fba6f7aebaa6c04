/**
 * The script of figures in other people's pages, `embed.js`, and the files that it fetches. They
 * are built apart from the page: a page with one figure fetches little, and the page itself, whose
 * parts are fetched together anyway, is one script, which compresses better than several.
 */

import { copyFileSync } from "node:fs";
import { resolve } from "node:path";
import { build, type BuildEnvironmentOptions, type Plugin } from "vite";
import { figureScripts } from "./first-scripts.ts";
import { fontSlices } from "./fonts.ts";
import {
  leanTemplates,
  leaveColourMaps,
  onlyOwnSources,
  outputFolder,
  plainImports,
} from "./plugins.ts";

const root = resolve(import.meta.dirname, "../..");

/** The page for a frame in another page. */
export const FRAME_PAGE = "www/embed/embed.html";

/** The folder of the scripts that `embed.js` fetches; wasm and fonts are those of the page. */
export const EMBED_FOLDER = "embed/";

/** Builds `embed.js` into the folder of the site, with the site's own options for all scripts. */
export function embedScript(options: BuildEnvironmentOptions): Plugin {
  let site = "";
  return {
    name: "headscope-embed-script",
    apply: "build",
    configResolved: (config) => {
      site = outputFolder(config);
    },
    closeBundle: {
      sequential: true,
      handler: async () => {
        await build({
          configFile: false,
          root,
          base: "./",
          publicDir: false,
          logLevel: "warn",
          plugins: [leaveColourMaps(), leanTemplates(), plainImports(), fontSlices()],
          worker: { format: "es", plugins: () => [onlyOwnSources()] },
          build: {
            ...options,
            outDir: site,
            emptyOutDir: false,
            license: { fileName: "licences/embed.md" },
            rolldownOptions: {
              input: { embed: "www/embed/loader.ts", "embed-frame": "www/embed/frame.ts" },
              // Other people's pages name these scripts, so their names stay; the files that they
              // fetch have a hash in the name.
              output: {
                entryFileNames: "[name].js",
                chunkFileNames: `${EMBED_FOLDER}[name]-[hash].js`,
                codeSplitting: figureScripts(),
              },
              // Groups that name each of their modules need it.
              preserveEntrySignatures: "allow-extension",
            },
          },
        });
        copyFileSync(resolve(root, FRAME_PAGE), resolve(site, "embed.html"));
      },
    },
  };
}
