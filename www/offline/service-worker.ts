import { clientsClaim, setCacheNameDetails } from "workbox-core";
import { PrecacheController, PrecacheRoute, type PrecacheEntry } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { CacheFirst, NetworkFirst } from "workbox-strategies";
import { hasRelaxedSimd } from "../data/browser.js";
import { cacheName, IGNORE_VARY, modelCacheName } from "./index.js";

/*
 * The worker between the page and the network: it opens the page again when there is none. Built by
 * `tools/vite/offline.ts` into one file beside index.html.
 *
 * The page itself comes from the network whenever there is one, so that a new build is there at the
 * next visit. Its parts have their hash in their names and the models' files have their version in
 * their addresses: whatever is cached under such an address is right for ever. So a page never gets
 * parts or weights of another build than its own. A new worker waits until no page of the build
 * before is open.
 */

export interface Site {
  /** Files whose names stay from build to build, with their hashes. */
  files: (PrecacheEntry & { url: string })[];
  /**
   * Files with their hash in their names, except fonts and the engine for a GPU, which are cached
   * when they are first used.
   */
  parts: string[];
  /** A version that changes with the fonts or the engine for a GPU. */
  used: string;
  /** The folders of the bundled models, with the versions of their contents. */
  models: Readonly<Record<string, string>>;
}

/** The description of the site, which the build inserts. */
declare const HEADSCOPE_SITE: Site;
const SITE = HEADSCOPE_SITE;

const SCOPE = new URL("./", self.location.href);
const USED = cacheName(SCOPE.href, `used ${SITE.used}`);

setCacheNameDetails({ prefix: "headscope" });
clientsClaim();

/**
 * Whether a response is what was asked for: many servers answer a request for a missing file with
 * their start page.
 */
function isFile({ status, headers }: Response): boolean {
  return status === 200 && !headers.get("content-type")?.startsWith("text/html");
}

/** A cache rule that stores files alone, and what has the hash that its request names. */
const onlyFiles = {
  cacheWillUpdate: ({ request, response }: { request: Request; response: Response }) =>
    Promise.resolve(request.integrity !== "" || isFile(response) ? response : null),
};

const precache = new PrecacheController({ plugins: [onlyFiles] });
precache.strategy.matchOptions = IGNORE_VARY;
// The engine has two builds for the CPU, of which a browser runs one.
const unused = hasRelaxedSimd() ? "/headscope_bg-" : "/headscope_relaxed_bg-";
precache.precache([...SITE.files, ...SITE.parts.filter((url) => !url.includes(unused))]);

/** A path inside the site; undefined for an address elsewhere. The page's own path is `./`. */
function pathOf({ origin, pathname }: URL): string | undefined {
  if (origin !== SCOPE.origin || !pathname.startsWith(SCOPE.pathname)) return undefined;
  const path = pathname.slice(SCOPE.pathname.length);
  return path === "index.html" ? "./" : path || "./";
}

/** The page, and the files beside it without a hash in their names. */
const unhashed = new Set(SITE.files.map(({ url }) => url));
registerRoute(
  ({ url }) => unhashed.has(pathOf(url) ?? ""),
  new NetworkFirst({
    networkTimeoutSeconds: 3,
    plugins: [
      {
        // A host may let browsers keep a page as current for minutes after it has changed.
        requestWillFetch: ({ request }) =>
          Promise.resolve(new Request(request, { cache: "no-cache" })),
        fetchDidSucceed: ({ response }) =>
          response.status < 500 ? Promise.resolve(response) : Promise.reject(new Error("5xx")),
        // The page of a newer build is not stored beside the parts of this one.
        cacheWillUpdate: () => Promise.resolve(null),
        cachedResponseWillBeUsed: ({ request }) =>
          precache.matchPrecache(pathOf(new URL(request.url)) ?? ""),
      },
    ],
  }),
);

const cached = (name: string): CacheFirst =>
  new CacheFirst({ cacheName: name, matchOptions: IGNORE_VARY, plugins: [onlyFiles] });

registerRoute(
  ({ url }) => pathOf(url)?.startsWith("models/") === true && url.searchParams.has("v"),
  (asked) => cached(modelCacheName(SCOPE.href, asked.url)).handle(asked),
);
registerRoute(new PrecacheRoute(precache));
registerRoute(
  ({ url }) => /^assets\/(.*\.woff2|headscope_gpu_bg.*)$/.test(pathOf(url) ?? ""),
  cached(USED),
);

/**
 * Deletes other versions of models, fonts and the engine for a GPU, which earlier builds cached.
 */
async function deleteOutdated(): Promise<void> {
  const models = Object.entries(SITE.models).map(([folder, version]) =>
    modelCacheName(SCOPE.href, new URL(`${folder}/?v=${version}`, SCOPE)),
  );
  const outdated = (await caches.keys()).filter(
    (name) => name.startsWith(cacheName(SCOPE.href, "")) && ![...models, USED].includes(name),
  );
  await Promise.all(outdated.map((name) => caches.delete(name)));
}

addEventListener("activate", (event) =>
  (event as Event & { waitUntil: (work: Promise<void>) => void }).waitUntil(deleteOutdated()),
);
