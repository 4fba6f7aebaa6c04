/**
 * Opening the page without a network. It works for a built site alone: the development server
 * caches nothing.
 */
import { trustedScript } from "../data/index.js";

export const IGNORE_VARY = { ignoreVary: true };

/**
 * The bundled models' folders that stand beside the page, with their versions, as index.html lists
 * them: `folder=version …` in a built site; folders without versions where a program serves the
 * page, which changes under one address; null on the development server, which has all of them.
 */
function versions(): ReadonlyMap<string, string> | null {
  const written = document.querySelector<HTMLMetaElement>('meta[name="headscope-models"]')?.content;
  const pairs = written?.split(" ").map((pair) => pair.split(/=(.*)/s));
  return pairs ? new Map(pairs.map(([folder = "", version = ""]) => [folder, version])) : null;
}

/** Whether a bundled model's folder stands beside the page. */
export const isThere = (folder: string): boolean => versions()?.has(folder) ?? true;

/**
 * The address of a bundled model's folder, relative to the page; in a built site with its version.
 */
export function versionedFolder(folder: string): string {
  const version = versions()?.get(folder);
  return version ? `${folder}/?v=${version}` : `${folder}/`;
}

/**
 * The browser's service workers; null if nothing can be cached: the page was not built for a site,
 * the browser has no service workers, or the page has no origin, as in a sandboxed frame, where
 * reading them throws.
 */
const serviceWorkers = (): ServiceWorkerContainer | null =>
  [...(versions()?.values() ?? [])].some(Boolean) &&
  "serviceWorker" in navigator &&
  self.origin !== "null"
    ? navigator.serviceWorker
    : null;

/** Starts the service worker of a built site, once the page has loaded its own files. */
export function startServiceWorker(): void {
  const container = serviceWorkers();
  if (!container) return;
  const start = (): void => {
    const { href } = new URL("service-worker.js", document.baseURI);
    // Refused in some private windows: the page works without.
    container.register(trustedScript(href), { updateViaCache: "none" }).catch(() => undefined);
  };
  if (document.readyState === "complete") start();
  else window.addEventListener("load", start, { once: true });
}

/**
 * The name of a cache of a site, by its scope: caches belong to a whole host, which may have other
 * sites in other folders.
 */
export const cacheName = (scope: string, holds: string): string => `headscope ${scope} ${holds}`;

/** The name of a model's cache, by the address of its folder or of a file in it. */
export function modelCacheName(scope: string, { href, search }: URL): string {
  return cacheName(scope, new URL("./", href).href.slice(scope.length) + search);
}

/**
 * Stores the files of a bundled model, and the page, for a visit without a network; returns whether
 * all of them are stored.
 */
export async function cacheForOffline(addresses: readonly string[]): Promise<boolean> {
  const registration = await serviceWorkers()?.ready;
  const [first] = addresses;
  if (!registration || first === undefined) return false;
  const cache = await caches.open(modelCacheName(registration.scope, new URL(first)));
  const cached = await Promise.all(addresses.map((address) => cache.match(address, IGNORE_VARY)));
  await cache.addAll(addresses.filter((_, at) => !cached[at]));
  return true;
}

/** Whether all of these files are available without a network. */
export async function isCached(addresses: readonly string[]): Promise<boolean> {
  // Only a service worker answers from the caches, which some private windows do not even have.
  if (!serviceWorkers()?.controller || !("caches" in window)) return false;
  const match = (address: string): Promise<unknown> => caches.match(address, IGNORE_VARY);
  return (await Promise.all(addresses.map(match))).every((response) => response !== undefined);
}
