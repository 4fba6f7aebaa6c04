import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SiteCache, type Site } from "./site-cache.js";
import { FakeCaches } from "./testing/fake-caches.js";

const SCOPE = "https://pages.example/headscope/";

/** A server with one build of the site on it, which can be cut off. */
class Server {
  readonly asked: string[] = [];
  reachable = true;

  constructor(public files: Record<string, string>) {}

  fetch = (input: RequestInfo | URL): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    this.asked.push(url.href.slice(SCOPE.length));
    if (!this.reachable) return Promise.reject(new TypeError("Failed to fetch"));
    const text = this.files[url.pathname.slice(new URL(SCOPE).pathname.length)];
    return Promise.resolve(new Response(text ?? "", { status: text === undefined ? 404 : 200 }));
  };
}

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

function siteOf(version: string, files: Record<string, string>): Site {
  const own = Object.keys(files).filter(
    (path) => !path.startsWith("models/") && !path.endsWith(".woff2"),
  );
  const fonts = Object.keys(files)
    .filter((path) => path.endsWith(".woff2"))
    .join();
  // Node's fetch would check a hash; the fake server does not.
  return {
    version,
    files: Object.fromEntries(own.map((path) => [path, ""])),
    gpuEngine:
      own.find((path) => path.includes("headscope_gpu_bg")) ?? "assets/headscope_gpu_bg-none.wasm",
    fonts,
    models: { "models/m": version },
  };
}

let caches: FakeCaches;
let server: Server;

beforeEach(() => {
  caches = new FakeCaches();
  server = new Server(FIRST);
});

afterEach(() => {
  vi.useRealTimers();
});

function siteCacheOf(
  version: string,
  files: Record<string, string>,
): { cache: SiteCache; settled: () => Promise<unknown> } {
  const work: Promise<unknown>[] = [];
  const cache = new SiteCache(siteOf(version, files), {
    scope: new URL(SCOPE),
    caches: caches as unknown as CacheStorage,
    fetch: server.fetch,
    linger: (more) => work.push(more),
  });
  return { cache, settled: () => Promise.all(work) };
}

async function installed(version: string, files: Record<string, string>): Promise<SiteCache> {
  const { cache } = siteCacheOf(version, files);
  await cache.install();
  await cache.tidy();
  return cache;
}

async function textOf(cache: SiteCache, path: string): Promise<string | undefined> {
  return (await cache.answer(new Request(SCOPE + path)))?.text();
}

describe("a page that was visited", () => {
  it("stops waiting for a network that does not answer, and does not show a broken server's answer", async () => {
    await installed("1", FIRST);
    vi.useFakeTimers();
    server.fetch = () => new Promise(() => undefined);
    const { cache: slow } = siteCacheOf("1", FIRST);
    const opened = textOf(slow, "");
    await vi.advanceTimersByTimeAsync(3000);
    expect(await opened).toBe("page 1");
    server.fetch = () => Promise.resolve(new Response("Bad gateway", { status: 502 }));
    expect(await textOf(siteCacheOf("1", FIRST).cache, "")).toBe("page 1");
  });
});

describe("an update of the site", () => {
  it("takes nothing from the page that still runs", async () => {
    const cache = await installed("1", FIRST);
    await cache.add([`${SCOPE}models/m/config.json?v=1`]);
    server.files = SECOND;
    await siteCacheOf("2", SECOND).cache.install();
    expect(await textOf(cache, "assets/b-1.js")).toBe("b");
    expect(await textOf(cache, "models/m/config.json?v=1")).toBe("model 1");
  });

  it("fetches only what has changed, and deletes what no page asks for", async () => {
    const first = await installed("1", FIRST);
    await first.add([`${SCOPE}models/m/config.json?v=1`]);
    server.files = SECOND;
    server.asked.length = 0;
    const second = await installed("2", SECOND);
    expect(server.asked.sort()).toEqual(["", "assets/b-2.js"]);
    server.reachable = false;
    expect(await textOf(second, "")).toBe("page 2");
    await expect(textOf(second, "models/m/config.json?v=1")).rejects.toThrow("Failed to fetch");
    expect(await caches.keys()).toEqual(
      [`headscope ${SCOPE} models`, `headscope ${SCOPE} page 2`].sort(),
    );
  });

  it("that is only half there is not installed", async () => {
    server.files = { "": "page 2" };
    await expect(siteCacheOf("2", SECOND).cache.install()).rejects.toThrow(
      "could not be cached: 404",
    );
  });
});

describe("a model", () => {
  it("that is not there, or a start page in its place, is not cached", async () => {
    const { cache, settled } = siteCacheOf("1", FIRST);
    await textOf(cache, "models/m/headscope.json?v=1");
    server.fetch = () =>
      Promise.resolve(
        new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
      );
    const other = siteCacheOf("1", FIRST);
    await textOf(other.cache, "models/m/config.json?v=1");
    await Promise.all([settled(), other.settled()]);
    expect(await (await caches.open(`headscope ${SCOPE} models`)).keys()).toEqual([]);
    expect(await other.cache.add([`${SCOPE}models/m/config.json?v=1`])).toBe(false);
  });

  it("cannot be had from elsewhere", async () => {
    const { cache } = siteCacheOf("1", FIRST);
    expect(await cache.add(["https://elsewhere.example/headscope/models/m/config.json?v=1"])).toBe(
      false,
    );
    expect(server.asked).toEqual([]);
  });
});

describe("the engine for a GPU", () => {
  const OF_FIRST = "assets/headscope_gpu_bg-a1_x.wasm";
  const OF_SECOND = "assets/headscope_gpu_bg-b2-y.wasm";
  const WITH_GPU = { ...FIRST, [OF_FIRST]: "gpu 1" };
  const UPDATED = { ...SECOND, [OF_SECOND]: "gpu 2" };

  beforeEach(() => {
    server.files = WITH_GPU;
  });

  it("is cached once it was used, and the next build caches its own", async () => {
    const { cache, settled } = siteCacheOf("1", WITH_GPU);
    await cache.install();
    server.reachable = false;
    await expect(textOf(cache, OF_FIRST)).rejects.toThrow();
    server.reachable = true;
    expect(await textOf(cache, OF_FIRST)).toBe("gpu 1");
    await settled();
    server.reachable = false;
    expect(await textOf(cache, OF_FIRST)).toBe("gpu 1");
    server.reachable = true;
    server.files = UPDATED;
    const next = await installed("2", UPDATED);
    server.reachable = false;
    expect(await textOf(next, OF_SECOND)).toBe("gpu 2");
  });

  it("is cached with a model that was loaded onto it before the service worker ran", async () => {
    const cache = await installed("1", WITH_GPU);
    const model = `${SCOPE}models/m/config.json?v=1`;
    expect(await cache.add([model])).toBe(true);
    expect(server.asked).not.toContain(OF_FIRST);
    expect(await cache.add([model], true)).toBe(true);
    server.reachable = false;
    expect(await textOf(cache, OF_FIRST)).toBe("gpu 1");
  });
});

describe("what is not the site's", () => {
  it.each([
    "https://pages.example/other/",
    "https://elsewhere.example/headscope/",
    `${SCOPE}unknown.html`,
    `${SCOPE}models/m/config.json`,
    `${SCOPE}constructor`,
  ])("%s is left to the browser", async (url) => {
    const cache = await installed("1", FIRST);
    expect(cache.answer(new Request(url))).toBeUndefined();
  });

  it("is also a request that changes something, and the caches of other sites on the same host", async () => {
    await caches.open("headscope https://pages.example/headscope/next/ page 1");
    await caches.open("another site's");
    const cache = await installed("1", FIRST);
    expect(cache.answer(new Request(SCOPE, { method: "POST" }))).toBeUndefined();
    expect(await caches.keys()).toEqual(
      expect.arrayContaining([
        "headscope https://pages.example/headscope/next/ page 1",
        "another site's",
      ]),
    );
  });
});

describe("a slice of a font", () => {
  const USED = "assets/latin-1.woff2";
  const UNUSED = "assets/chinese-1.woff2";
  const WITH_FONTS = { ...FIRST, [USED]: "abc", [UNUSED]: "\u4e00" };

  it.each([
    ["stays with the next build that has the same fonts", USED, "abc"],
    ["goes with a build that has other fonts", "assets/latin-2.woff2", undefined],
  ])("is cached once a picture was saved with it, and %s", async (_, font, kept) => {
    server.files = WITH_FONTS;
    const { cache, settled } = siteCacheOf("1", WITH_FONTS);
    await cache.install();
    await cache.tidy();
    expect(server.asked.filter((path) => path.endsWith(".woff2"))).toEqual([]);
    await textOf(cache, USED);
    await settled();
    server.files = { ...SECOND, [font]: "abc", [UNUSED]: "\u4e00" };
    const next = await installed("2", server.files);
    server.reachable = false;
    const text = await textOf(next, USED).catch(() => undefined);
    expect(text).toBe(kept);
    await expect(textOf(next, UNUSED)).rejects.toThrow();
    expect(server.asked.filter((path) => path === USED)).toHaveLength(kept === undefined ? 2 : 1);
  });
});
