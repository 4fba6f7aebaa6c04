// @vitest-environment happy-dom
// @isolate: the worker registers its routes when it is imported.
// Which requests the worker of a site answers, from which cache, and which caches it deletes.
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Site } from "./service-worker.js";

type Asked<Answer> = (asked: { url: URL }) => Answer;
interface Strategy {
  kind: string;
  cacheName?: string;
  plugins: Record<string, (given: Given) => Promise<unknown>>[];
}
interface Given {
  request: Request;
  response: Response;
}

const made = vi.hoisted(() => ({
  routes: [] as [match: Asked<boolean> | object, handler: Asked<object> | object][],
  precached: [] as unknown[],
  claimed: 0,
}));
vi.mock("workbox-core", () => ({
  setCacheNameDetails: () => undefined,
  clientsClaim: () => (made.claimed += 1),
}));
vi.mock("workbox-routing", () => ({
  registerRoute: (...route: (typeof made.routes)[number]) => made.routes.push(route),
}));
vi.mock("workbox-precaching", () => ({
  PrecacheController: class {
    strategy = {};
    precache = (entries: unknown[]): number => made.precached.push(...entries);
    matchPrecache = (path: string): Promise<string> => Promise.resolve(`precached ${path}`);
  },
  PrecacheRoute: class {
    kind = "precache";
  },
}));
vi.mock("workbox-strategies", () => {
  const strategy = (kind: string) =>
    class {
      kind = kind;
      constructor(options: object) {
        Object.assign(this, options);
      }
      handle = (): unknown => this;
    };
  return { CacheFirst: strategy("cache"), NetworkFirst: strategy("network") };
});
vi.mock("../data/browser.js", () => ({ hasRelaxedSimd: () => true }));

const SITE: Site = {
  files: [
    { url: "./", revision: "1" },
    { url: "embed.js", revision: "2" },
  ],
  parts: ["assets/page-1.js", "assets/headscope_bg-2.wasm", "assets/headscope_relaxed_bg-3.wasm"],
  used: "7",
  models: { "models/en-fr": "1a" },
};
const SCOPE = new URL("./", location.href).href;

beforeAll(async () => {
  vi.stubGlobal("HEADSCOPE_SITE", SITE);
  await import("./service-worker.js");
});

/** The strategy that answers a request; null where none does. */
function answerTo(path: string): Strategy | null {
  const url = new URL(path, SCOPE);
  const route = made.routes.find(([match]) => typeof match === "function" && match({ url }));
  const handler = route?.[1];
  const strategy = typeof handler === "function" ? (handler as Asked<object>)({ url }) : handler;
  return (strategy ?? null) as Strategy | null;
}

it("stores the page with the engine that the browser runs, and none of the others", () => {
  expect(made.precached).toEqual([
    ...SITE.files,
    "assets/page-1.js",
    "assets/headscope_relaxed_bg-3.wasm",
  ]);
  expect(made.claimed).toBe(1);
});

it.each([
  ["", "network", undefined],
  ["index.html", "network", undefined],
  ["embed.js", "network", undefined],
  ["models/en-fr/config.json?v=1a", "cache", `headscope ${SCOPE} models/en-fr/?v=1a`],
  ["models/en-fr/config.json", undefined, undefined],
  ["other/models/en-fr/config.json?v=1a", undefined, undefined],
  ["assets/sans-1.woff2", "cache", `headscope ${SCOPE} used 7`],
  ["assets/headscope_gpu_bg-4.wasm", "cache", `headscope ${SCOPE} used 7`],
  ["assets/page-1.js", undefined, undefined],
  ["https://elsewhere.example/embed.js", undefined, undefined],
])("a request of %j is answered by the %s", (path, kind, name) => {
  const strategy = answerTo(path);
  expect([strategy?.kind, strategy?.cacheName]).toEqual([kind, name]);
});

describe("what is stored", () => {
  const answer = (status: number, type: string): Response =>
    new Response("", { status, headers: { "content-type": type } });
  const stores = async (response: Response, integrity = ""): Promise<boolean> => {
    const [plugin] = answerTo("assets/sans-1.woff2")?.plugins ?? [];
    const request = { integrity } as Request;
    return (await plugin?.cacheWillUpdate?.({ request, response })) === response;
  };

  it("are files alone, no page in the place of one that is missing", async () => {
    expect(await stores(answer(200, "font/woff2"))).toBe(true);
    expect(await stores(answer(404, "font/woff2"))).toBe(false);
    expect(await stores(answer(200, "text/html; charset=utf-8"))).toBe(false);
    expect(await stores(answer(200, "text/html"), "sha256-abc")).toBe(true);
  });

  it("is no page of a newer build: it comes from the network, or from this build", async () => {
    const [plugin = {}] = answerTo("")?.plugins ?? [];
    vi.stubGlobal("Request", function ({ url }: Request, options: object) {
      return { url, ...options };
    });
    const request = { url: `${SCOPE}index.html` } as Request;
    const given = (response = new Response()): Given => ({ request, response });
    const asked = (await plugin.requestWillFetch?.(given())) as Request;
    expect(asked).toEqual({ url: request.url, cache: "no-cache" });
    const found = answer(404, "text/html");
    expect(await plugin.fetchDidSucceed?.(given(found))).toBe(found);
    await expect(plugin.fetchDidSucceed?.(given(answer(500, "text/html")))).rejects.toThrow("5xx");
    expect(await plugin.cacheWillUpdate?.(given())).toBeNull();
    expect(await plugin.cachedResponseWillBeUsed?.(given())).toBe("precached ./");
  });
});

it("a new build deletes what earlier ones stored, and nothing of other sites", async () => {
  const kept = ["models/en-fr/?v=1a", "used 7"].map((holds) => `headscope ${SCOPE} ${holds}`);
  const outdated = ["models/en-fr/?v=0", "used 6"].map((holds) => `headscope ${SCOPE} ${holds}`);
  const others = [`headscope ${SCOPE}inner/ used 6`, "of another page"];
  const deleted: string[] = [];
  vi.stubGlobal("caches", {
    keys: () => Promise.resolve([...kept, ...outdated, ...others]),
    delete: (name: string) => Promise.resolve(deleted.push(name)),
  });
  let work: Promise<void> | undefined;
  const waitUntil = (until: Promise<void>): void => void (work = until);
  dispatchEvent(Object.assign(new Event("activate"), { waitUntil }));
  await work;
  expect(deleted).toEqual(outdated);
  vi.unstubAllGlobals();
});
