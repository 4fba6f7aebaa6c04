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
interface FetchEvent extends LastingEvent {
  readonly request: Request;
  respondWith: (response: Promise<Response>) => void;
}
interface Scope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { claim: () => Promise<void> };
  addEventListener(type: "install" | "activate", listener: (event: LastingEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(
    type: "message",
    listener: (event: MessageEvent<CacheRequest> & LastingEvent) => void,
  ): void;
}
const scope = self as unknown as Scope;

const siteCacheFor = (event: LastingEvent): SiteCache =>
  new SiteCache(HEADSCOPE_SITE, {
    scope: new URL(scope.registration.scope),
    caches,
    fetch: (input, init) => fetch(input, init),
    linger: (work) => event.waitUntil(work),
  });

scope.addEventListener("install", (event) => {
  event.waitUntil(siteCacheFor(event).install());
});

scope.addEventListener("activate", (event) => {
  // The page of the first visit is open already.
  event.waitUntil(
    siteCacheFor(event)
      .tidy()
      .then(() => scope.clients.claim()),
  );
});

scope.addEventListener("fetch", (event) => {
  const answer = siteCacheFor(event).answer(event.request);
  if (answer) event.respondWith(answer);
});

scope.addEventListener("message", (event) => {
  const [port] = event.ports;
  event.waitUntil(
    siteCacheFor(event)
      .add(event.data.keep, event.data.onGpu)
      // Without space for it the page works as before, just not offline.
      .catch(() => false)
      .then((kept) => port?.postMessage({ kept } satisfies CacheReply)),
  );
});
