import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SiteKeeper, type Site } from "./keeper.js";
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

function keeperOf(
  version: string,
  files: Record<string, string>,
): { keeper: SiteKeeper; settled: () => Promise<unknown> } {
  const work: Promise<unknown>[] = [];
  const keeper = new SiteKeeper(siteOf(version, files), {
    scope: new URL(SCOPE),
    caches: caches as unknown as CacheStorage,
    fetch: server.fetch,
    linger: (more) => work.push(more),
  });
  return { keeper, settled: () => Promise.all(work) };
}

async function installed(version: string, files: Record<string, string>): Promise<SiteKeeper> {
  const { keeper } = keeperOf(version, files);
  await keeper.install();
  await keeper.tidy();
  return keeper;
}

async function textOf(keeper: SiteKeeper, path: string): Promise<string | undefined> {
  return (await keeper.answer(new Request(SCOPE + path)))?.text();
}

describe("a page that was visited", () => {
  it("does not wait for ever for a network that does not answer, nor show a broken server's answer", async () => {
    await installed("1", FIRST);
    vi.useFakeTimers();
    server.fetch = () => new Promise(() => undefined);
    const { keeper: slow } = keeperOf("1", FIRST);
    const opened = textOf(slow, "");
    await vi.advanceTimersByTimeAsync(3000);
    expect(await opened).toBe("page 1");
    server.fetch = () => Promise.resolve(new Response("Bad gateway", { status: 502 }));
    expect(await textOf(keeperOf("1", FIRST).keeper, "")).toBe("page 1");
  });
});

describe("an update of the site", () => {
  it("takes nothing from the page that still runs", async () => {
    const keeper = await installed("1", FIRST);
    await keeper.keep([`${SCOPE}models/m/config.json?v=1`]);
    server.files = SECOND;
    await keeperOf("2", SECOND).keeper.install();
    expect(await textOf(keeper, "assets/b-1.js")).toBe("b");
    expect(await textOf(keeper, "models/m/config.json?v=1")).toBe("model 1");
  });

  it("fetches only what has changed, and lets go of what nobody asks for any more", async () => {
    const first = await installed("1", FIRST);
    await first.keep([`${SCOPE}models/m/config.json?v=1`]);
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
    await expect(keeperOf("2", SECOND).keeper.install()).rejects.toThrow("could not be kept: 404");
  });
});

describe("a model", () => {
  it("that is not there, or a start page in its place, is not kept", async () => {
    const { keeper, settled } = keeperOf("1", FIRST);
    await textOf(keeper, "models/m/headscope.json?v=1");
    server.fetch = () =>
      Promise.resolve(
        new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
      );
    const other = keeperOf("1", FIRST);
    await textOf(other.keeper, "models/m/config.json?v=1");
    await Promise.all([settled(), other.settled()]);
    expect(await (await caches.open(`headscope ${SCOPE} models`)).keys()).toEqual([]);
    expect(await other.keeper.keep([`${SCOPE}models/m/config.json?v=1`])).toBe(false);
  });

  it("cannot be had from elsewhere", async () => {
    const { keeper } = keeperOf("1", FIRST);
    expect(
      await keeper.keep(["https://elsewhere.example/headscope/models/m/config.json?v=1"]),
    ).toBe(false);
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

  it("is kept once somebody has used it, and the next build's then comes with that", async () => {
    const { keeper, settled } = keeperOf("1", WITH_GPU);
    await keeper.install();
    server.reachable = false;
    await expect(textOf(keeper, OF_FIRST)).rejects.toThrow();
    server.reachable = true;
    expect(await textOf(keeper, OF_FIRST)).toBe("gpu 1");
    await settled();
    server.reachable = false;
    expect(await textOf(keeper, OF_FIRST)).toBe("gpu 1");
    server.reachable = true;
    server.files = UPDATED;
    const next = await installed("2", UPDATED);
    server.reachable = false;
    expect(await textOf(next, OF_SECOND)).toBe("gpu 2");
  });

  it("is kept with a model that was loaded onto it before there was a keeper", async () => {
    const keeper = await installed("1", WITH_GPU);
    const model = `${SCOPE}models/m/config.json?v=1`;
    expect(await keeper.keep([model])).toBe(true);
    expect(server.asked).not.toContain(OF_FIRST);
    expect(await keeper.keep([model], true)).toBe(true);
    server.reachable = false;
    expect(await textOf(keeper, OF_FIRST)).toBe("gpu 1");
  });
});

describe("what is none of the keeper's business", () => {
  it.each([
    "https://pages.example/other/",
    "https://elsewhere.example/headscope/",
    `${SCOPE}unknown.html`,
    `${SCOPE}models/m/config.json`,
    `${SCOPE}constructor`,
  ])("%s is left to the browser", async (url) => {
    const keeper = await installed("1", FIRST);
    expect(keeper.answer(new Request(url))).toBeUndefined();
  });

  it("is also a request that changes something, and the caches of other sites on the same host", async () => {
    await caches.open("headscope https://pages.example/headscope/next/ page 1");
    await caches.open("somebody else's");
    const keeper = await installed("1", FIRST);
    expect(keeper.answer(new Request(SCOPE, { method: "POST" }))).toBeUndefined();
    expect(await caches.keys()).toEqual(
      expect.arrayContaining([
        "headscope https://pages.example/headscope/next/ page 1",
        "somebody else's",
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
  ])("is kept once a picture was saved with it, and %s", async (_, font, kept) => {
    server.files = WITH_FONTS;
    const { keeper, settled } = keeperOf("1", WITH_FONTS);
    await keeper.install();
    await keeper.tidy();
    expect(server.asked.filter((path) => path.endsWith(".woff2"))).toEqual([]);
    await textOf(keeper, USED);
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
