import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { build, type Plugin } from "vite";
import type { Site } from "../../www/offline/service-worker.js";
import { EMBED_FOLDER } from "./embed-script.ts";
import { outputFolder, smallestStart } from "./plugins.ts";

const root = resolve(import.meta.dirname, "../..");
const WORKER = "service-worker.js";
/**
 * Files that the service worker does not precache: a model is cached when it is used; pages of
 * other sites are not cached.
 */
const NOT_THE_PAGES = [
  "models/",
  "examples/",
  "licences/",
  "embed.js",
  "embed-frame.js",
  "embed.html",
  EMBED_FOLDER,
];

/**
 * Writes the versions of the bundled models into index.html, and the service worker with the list
 * of every file of the site.
 */
export function openOffline(): Plugin {
  let site = "";
  return {
    name: "headscope-open-offline",
    apply: "build",
    configResolved: (config) => {
      site = outputFolder(config);
    },
    transformIndexHtml: () => {
      const content = Object.entries(modelVersions())
        .map((pair) => pair.join("="))
        .join(" ");
      return [{ tag: "meta", attrs: { name: "headscope-models", content }, injectTo: "head" }];
    },
    closeBundle: {
      order: "post",
      sequential: true,
      handler: async () => {
        await build({
          configFile: false,
          root,
          publicDir: false,
          logLevel: "warn",
          plugins: [smallestStart()],
          define: { HEADSCOPE_SITE: JSON.stringify(describeSite(site)) },
          build: {
            outDir: site,
            emptyOutDir: false,
            license: { fileName: "licences/workbox.md" },
            target: "es2022",
            rolldownOptions: {
              input: resolve(root, "www/offline/service-worker.ts"),
              output: { format: "iife", entryFileNames: WORKER },
            },
          },
        });
      },
    },
  };
}

/** The list of every file of the page, read from the disk as it will be served. */
function describeSite(site: string): Site {
  const paths = filesIn(site).filter(
    (path) => path !== WORKER && !NOT_THE_PAGES.some((start) => path.startsWith(start)),
  );
  const isUsedLater = (path: string): boolean =>
    path.endsWith(".woff2") || path.includes("headscope_gpu_bg");
  const hasHash = (path: string): boolean => path.startsWith("assets/");
  return {
    files: paths
      .filter((path) => !hasHash(path))
      .map((path) => {
        const integrity = integrityOf(join(site, path));
        // The address of a folder's page is the folder's name, to which some servers redirect.
        const url = path === "index.html" ? "./" : path;
        return { url, revision: integrity, integrity };
      }),
    parts: paths.filter((path) => hasHash(path) && !isUsedLater(path)),
    used: digest(JSON.stringify(paths.filter(isUsedLater))),
    models: modelVersions(),
  };
}

function integrityOf(path: string): string {
  return `sha256-${createHash("sha256").update(readFileSync(path)).digest("base64")}`;
}

/** A short digest of each bundled model's folder. */
function modelVersions(): Record<string, string> {
  const entries = readdirSync(resolve(root, "models"), { withFileTypes: true });
  const versions = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const folder = resolve(root, "models", name);
      const files = filesIn(folder).map((path) => [path, digest(readFileSync(join(folder, path)))]);
      return [`models/${name}`, digest(JSON.stringify(files))] as const;
    });
  return Object.fromEntries(versions);
}

/** The files of a folder and its subfolders, by their paths relative to it. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll(sep, "/"))
    .sort();
}

function digest(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}
