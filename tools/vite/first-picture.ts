import { existsSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runnerImport, type Plugin } from "vite";
import type * as Headscope from "../../www/headscope.js";
import type * as Draw from "../../www/session/first-picture.js";
import { filesIn } from "./offline.ts";
import { outputFolder } from "./plugins.ts";

const root = resolve(import.meta.dirname, "../..");
const ENGINE = resolve(root, "dist/npm/headscope.js");
/**
 * The parts of the package that compute the picture, including the wasm built from the Rust
 * sources.
 */
const ENGINE_SOURCES = ["www/engine", "www/data"];

/**
 * Writes the picture that the page shows before its model is loaded: the package, built just
 * before, computes it from the bundled weights. Without that package, the page starts without a
 * picture.
 */
export function drawFirstPicture(): Plugin {
  let site = "";
  return {
    name: "headscope-draw-first-picture",
    apply: "build",
    configResolved: (config) => {
      site = outputFolder(config);
    },
    // The picture is requested with the page itself: after the scripts it would arrive when the
    // page is already drawn.
    transformIndexHtml: () => [
      {
        tag: "link",
        attrs: { rel: "preload", href: "./first-picture.json", as: "fetch", crossorigin: true },
        injectTo: "head-prepend",
      },
    ],
    async closeBundle() {
      const there = existsSync(ENGINE);
      if (!there)
        this.warn(
          "dist/npm is not there, so this site HAS NO FIRST PICTURE: run `npm run build:npm` before, or `npm run build` for both.",
        );
      else if (newest(ENGINE_SOURCES) > statSync(ENGINE).mtimeMs)
        this.warn(
          "dist/npm is OLDER THAN ITS SOURCES, and the first picture is computed with it: run `npm run build:npm` before, or `npm run build` for both.",
        );
      writeFileSync(
        resolve(site, "first-picture.json"),
        JSON.stringify(there ? await drawn() : {}),
      );
    },
  };
}

/** The time of the latest change of a file in some folders. */
function newest(folders: readonly string[]): number {
  const times = folders.flatMap((folder) =>
    filesIn(resolve(root, folder))
      .filter((path) => !path.includes(".test."))
      .map((path) => statSync(resolve(root, folder, path)).mtimeMs),
  );
  return Math.max(...times);
}

async function drawn(): Promise<object> {
  const { loadModel } = (await import(pathToFileURL(ENGINE).href)) as typeof Headscope;
  const { module } = await runnerImport<typeof Draw>(
    resolve(root, "www/session/first-picture.ts"),
    {
      configFile: false,
      root,
      logLevel: "warn",
    },
  );
  const model = await loadModel(resolve(root, module.FIRST_MODEL));
  const picture = await module.drawFirst(model);
  model.dispose();
  return picture;
}
