import { SiteKeeper, type KeepReply, type KeepRequest, type Site } from "./keeper.js";

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
    listener: (event: MessageEvent<KeepRequest> & LastingEvent) => void,
  ): void;
}
const scope = self as unknown as Scope;

const keeperFor = (event: LastingEvent): SiteKeeper =>
  new SiteKeeper(HEADSCOPE_SITE, {
    scope: new URL(scope.registration.scope),
    caches,
    fetch: (input, init) => fetch(input, init),
    linger: (work) => event.waitUntil(work),
  });

scope.addEventListener("install", (event) => {
  event.waitUntil(keeperFor(event).install());
});

scope.addEventListener("activate", (event) => {
  // The page of the first visit is open already.
  event.waitUntil(
    keeperFor(event)
      .tidy()
      .then(() => scope.clients.claim()),
  );
});

scope.addEventListener("fetch", (event) => {
  const answer = keeperFor(event).answer(event.request);
  if (answer) event.respondWith(answer);
});

scope.addEventListener("message", (event) => {
  const [port] = event.ports;
  event.waitUntil(
    keeperFor(event)
      .keep(event.data.keep, event.data.onGpu)
      // Without room for it the page works as before, just not offline.
      .catch(() => false)
      .then((kept) => port?.postMessage({ kept } satisfies KeepReply)),
  );
});
