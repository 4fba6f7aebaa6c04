import { SiteCache, type CacheReply, type CacheRequest, type Site } from "./site-cache.js";

/*
 * The worker between the page and the network: it opens the page again when there is none. Built by `tools/vite/offline.ts`
 * into one file beside index.html. A new version waits until no page of the one before it is open: a page that runs
 * while the site is updated keeps its own worker, and so its own files.
 */

/** Put in by the build. */
declare const HEADSCOPE_SITE: Site;

/** What TypeScript's library for pages does not know of a service worker. */
interface LastingEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}
interface Events {
  install: LastingEvent;
  activate: LastingEvent;
  fetch: LastingEvent & { request: Request; respondWith: (response: Promise<Response>) => void };
  message: LastingEvent & MessageEvent<CacheRequest>;
}
const scope = self as unknown as {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { claim: () => Promise<void> };
  addEventListener: <Name extends keyof Events>(
    type: Name,
    listener: (event: Events[Name]) => void,
  ) => void;
};

const site = new SiteCache(HEADSCOPE_SITE, new URL(scope.registration.scope));

scope.addEventListener("install", (event) => event.waitUntil(site.install()));

scope.addEventListener("activate", (event) =>
  // The page of the first visit is open already.
  event.waitUntil(site.tidy().then(() => scope.clients.claim())),
);

scope.addEventListener("fetch", (event) => {
  const answer = site.answer(event.request, (work) => event.waitUntil(work));
  if (answer) event.respondWith(answer);
});

scope.addEventListener("message", (event) => {
  const [port] = event.ports;
  // Without space for it the page works as before, just not offline.
  const added = site.add(event.data.keep, event.data.onGpu).catch(() => false);
  event.waitUntil(added.then((kept) => port?.postMessage({ kept } satisfies CacheReply)));
});
