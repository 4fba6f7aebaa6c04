import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SiteCache, type Site } from "./site-cache.js";

const SCOPE = "https://pages.example/headscope/";
const FIRST = {
  "": "page 1",
  "assets/a-1.js": "a",
  "assets/b-1.js": "b",
  "models/m/config.json": "model 1",
};
const SECOND = {
  "": "page 2",
  "assets/a-1.js": "a",
  "assets/b-2.js": "b 2",
  "models/m/config.json": "model 2",
};
const MODEL = `${SCOPE}models/m/config.json?v=1`;

/** The browser's caches in memory, by their names: a response for each address. */
let stored: Map<string, Map<string, Response>>;
/** The build on the server, and what was asked of it by its path. */
let files: Record<string, string>;
let asked: string[];
let reachable: boolean;
let lingering: Promise<unknown>[];

const openCache = (name: string): object => {
  const entries = stored.get(name) ?? new Map<string, Response>();
  stored.set(name, entries);
  return {
    match: (url: string) => Promise.resolve(entries.get(url)?.clone()),
    put: async (url: string, response: Response) =>
      entries.set(url, new Response(await response.arrayBuffer(), response)),
    keys: () => Promise.resolve([...entries.keys()].map((url) => ({ url }))),
    delete: ({ url }: Request) => Promise.resolve(entries.delete(url)),
  };
};
const caches = {
  open: (name: string) => Promise.resolve(openCache(name)),
  keys: () => Promise.resolve([...stored.keys()]),
  delete: (name: string) => Promise.resolve(stored.delete(name)),
  match: (url: string, { cacheName }: MultiCacheQueryOptions) => {
    const searched = [...stored].filter(([name]) => (cacheName ?? name) === name);
    const found = searched.flatMap(([, entries]) => entries.get(url) ?? []);
    return Promise.resolve(found[0]?.clone());
  },
};
// The browser's fetch would check a hash.
const serve = (input: RequestInfo | URL): Promise<Response> => {
  const url = new URL(input instanceof Request ? input.url : input);
  asked.push(url.href.slice(SCOPE.length));
  if (!reachable) return Promise.reject(new TypeError("Failed to fetch"));
  const text = files[url.pathname.slice(new URL(SCOPE).pathname.length)];
  return Promise.resolve(new Response(text ?? "", { status: text === undefined ? 404 : 200 }));
};

beforeEach(() => {
  stored = new Map();
  [files, asked, reachable, lingering] = [FIRST, [], true, []];
  vi.stubGlobal("caches", caches);
  vi.stubGlobal("fetch", serve);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The cache of a build with these files. */
function siteCache(version: string, of: Record<string, string>): SiteCache {
  const paths = Object.keys(of);
  const own = paths.filter((path) => !path.startsWith("models/") && !path.endsWith(".woff2"));
  const site: Site = {
    version,
    files: Object.fromEntries(own.map((path) => [path, ""])),
    gpuEngine: own.find((path) => path.includes("headscope_gpu_bg")) ?? "assets/none.wasm",
    fonts: paths.filter((path) => path.endsWith(".woff2")).join(),
    models: { "models/m": version },
  };
  return new SiteCache(site, new URL(SCOPE));
}

async function installed(version: string, of: Record<string, string>): Promise<SiteCache> {
  const cache = siteCache(version, of);
  await cache.install();
  await cache.tidy();
  return cache;
}

async function textOf(cache: SiteCache, path: string): Promise<string | undefined> {
  const answer = await cache.answer(new Request(SCOPE + path), (work) => lingering.push(work));
  return answer?.text();
}

it("a page stops waiting for a network that does not answer, and shows no broken server's answer", async () => {
  const cache = await installed("1", FIRST);
  vi.useFakeTimers();
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const opened = textOf(cache, "");
  await vi.advanceTimersByTimeAsync(3000);
  expect(await opened).toBe("page 1");
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("Bad gateway", { status: 502 })));
  expect(await textOf(cache, "")).toBe("page 1");
});

describe("an update of the site", () => {
  it("fetches only what has changed, and deletes what no page asks for", async () => {
    await (await installed("1", FIRST)).add([MODEL]);
    files = SECOND;
    asked.length = 0;
    const second = await installed("2", SECOND);
    expect(asked.sort()).toEqual(["", "assets/b-2.js"]);
    reachable = false;
    expect(await textOf(second, "")).toBe("page 2");
    await expect(textOf(second, "models/m/config.json?v=1")).rejects.toThrow("Failed to fetch");
    const own = [`headscope ${SCOPE} models`, `headscope ${SCOPE} page 2`];
    expect([...stored.keys()].sort()).toEqual(own);
  });

  it("that is only half there is not installed", async () => {
    files = { "": "page 2" };
    await expect(siteCache("2", SECOND).install()).rejects.toThrow("could not be cached: 404");
  });
});

it("a model that is not there, or a start page in its place, is not cached, nor one from elsewhere", async () => {
  const cache = siteCache("1", FIRST);
  expect(await cache.add([MODEL.replace("pages", "elsewhere")])).toBe(false);
  expect(asked).toEqual([]);
  await textOf(cache, "models/m/headscope.json?v=1");
  const headers = { "content-type": "text/html" };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("<!doctype html>", { headers })));
  await textOf(cache, "models/m/config.json?v=1");
  await Promise.all(lingering);
  expect(await cache.add([MODEL])).toBe(false);
  expect(stored.get(`headscope ${SCOPE} models`)?.size).toBe(0);
});

describe("the engine for a GPU", () => {
  const OF_FIRST = "assets/headscope_gpu_bg-a1_x.wasm";
  const OF_SECOND = "assets/headscope_gpu_bg-b2-y.wasm";
  const WITH_GPU = { ...FIRST, [OF_FIRST]: "gpu 1" };
  const UPDATED = { ...SECOND, [OF_SECOND]: "gpu 2" };

  beforeEach(() => {
    files = WITH_GPU;
  });

  it("is cached once it was used, and the next build caches its own", async () => {
    const cache = await installed("1", WITH_GPU);
    expect(asked).not.toContain(OF_FIRST);
    expect(await textOf(cache, OF_FIRST)).toBe("gpu 1");
    await Promise.all(lingering);
    reachable = false;
    expect(await textOf(cache, OF_FIRST)).toBe("gpu 1");
    [files, reachable] = [UPDATED, true];
    const next = await installed("2", UPDATED);
    reachable = false;
    expect(await textOf(next, OF_SECOND)).toBe("gpu 2");
  });

  it("is cached with a model that was loaded onto it before the service worker ran", async () => {
    const cache = await installed("1", WITH_GPU);
    expect(await cache.add([MODEL])).toBe(true);
    expect(asked).not.toContain(OF_FIRST);
    expect(await cache.add([MODEL], true)).toBe(true);
    reachable = false;
    expect(await textOf(cache, OF_FIRST)).toBe("gpu 1");
  });
});

it.each([
  ["https://pages.example/other/"],
  ["https://elsewhere.example/headscope/"],
  [`${SCOPE}unknown.html`],
  [`${SCOPE}models/m/config.json`],
  [`${SCOPE}constructor`],
  [SCOPE, "POST"],
])(
  "%s %s is left to the browser, as are the caches of other sites",
  async (url, method = "GET") => {
    const others = ["headscope https://pages.example/headscope/next/ page 1", "another site's"];
    for (const name of others) openCache(name);
    const cache = await installed("1", FIRST);
    expect(cache.answer(new Request(url, { method }), () => undefined)).toBeUndefined();
    expect([...stored.keys()]).toEqual(expect.arrayContaining(others));
  },
);
