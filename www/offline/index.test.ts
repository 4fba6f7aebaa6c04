// @vitest-environment happy-dom
// What of a site can be opened without a network: the list of models in the page, and the caches.
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  cacheForOffline,
  cacheName,
  isCached,
  isThere,
  modelCacheName,
  startServiceWorker,
  versionedFolder,
} from "./index.js";

const BUILT = "models/en-fr=1a models/tiny-gpt=2b";
const SCOPE = "https://example.org/site/";
const FILES = ["config.json", "model.safetensors"].map(
  (name) => `${SCOPE}models/en-fr/${name}?v=1a`,
);

/** The page, with the models that stand beside it; null for a development server. */
function page(models: string | null): void {
  document.head.innerHTML = models === null ? "" : `<meta name="headscope-models">`;
  document.querySelector("meta")?.setAttribute("content", models ?? "");
}

/** A browser with service workers and caches that hold some addresses. */
function browser(held: readonly string[] = [], controller: object | null = {}) {
  const register = vi.fn(() => Promise.resolve());
  const serviceWorker = { ready: Promise.resolve({ scope: SCOPE }), controller, register };
  const added: string[][] = [];
  const match = (address: string, options: object): Promise<object | undefined> =>
    Promise.resolve(held.includes(address) && "ignoreVary" in options ? { address } : undefined);
  const open = vi.fn((_name: string) =>
    Promise.resolve({
      match,
      addAll: (all: string[]) => {
        added.push(all);
        return Promise.resolve();
      },
    }),
  );
  vi.stubGlobal("navigator", { serviceWorker });
  vi.stubGlobal("caches", { open, match });
  return { register, open, added };
}

afterEach(() => {
  page(null);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("the models beside the page", () => {
  it("are those of the list, each by its version", () => {
    page(BUILT);
    const folders = ["models/en-fr", "models/tiny-gpt", "models/tiny-bert"];
    expect(folders.map(isThere)).toEqual([true, true, false]);
    expect(folders.map(versionedFolder)).toEqual([
      "models/en-fr/?v=1a",
      "models/tiny-gpt/?v=2b",
      "models/tiny-bert/",
    ]);
  });

  it("have no version where a program serves them, and are all there where no list is", () => {
    page("models/en-fr");
    expect(["models/en-fr", "models/tiny-gpt"].map(isThere)).toEqual([true, false]);
    expect(versionedFolder("models/en-fr")).toBe("models/en-fr/");
    page(null);
    expect([isThere("models/any"), versionedFolder("models/any")]).toEqual([true, "models/any/"]);
    page("models/en-fr=a=b");
    expect(versionedFolder("models/en-fr")).toBe("models/en-fr/?v=a=b");
  });
});

describe("the service worker", () => {
  it("is started beside the page, at once or when the page has its own files", () => {
    page(BUILT);
    const { register } = browser();
    const address = new URL("service-worker.js", document.baseURI).href;
    const state = vi.spyOn(document, "readyState", "get").mockReturnValue("complete");
    startServiceWorker();
    expect(register.mock.calls).toEqual([[address, { updateViaCache: "none" }]]);
    state.mockReturnValue("interactive");
    startServiceWorker();
    expect(register).toHaveBeenCalledTimes(1);
    for (let at = 0; at < 2; at += 1) window.dispatchEvent(new Event("load"));
    expect(register).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["without versions", "models/en-fr", "https://example.org"],
    ["without a list", null, "https://example.org"],
    ["without an origin", BUILT, "null"],
  ])("is none of a page %s", (_, models, origin) => {
    page(models);
    const { register } = browser();
    vi.stubGlobal("origin", origin);
    vi.spyOn(document, "readyState", "get").mockReturnValue("complete");
    startServiceWorker();
    expect(register).not.toHaveBeenCalled();
  });
});

describe("the files of a model", () => {
  it("are stored in the cache of their model, where they are not yet there", async () => {
    page(BUILT);
    const { open, added } = browser(FILES.slice(0, 1));
    expect(await cacheForOffline(FILES)).toBe(true);
    expect(open).toHaveBeenCalledWith("headscope https://example.org/site/ models/en-fr/?v=1a");
    expect(added).toEqual([FILES.slice(1)]);
    expect(await cacheForOffline([])).toBe(false);
    page(null);
    expect(await cacheForOffline(FILES)).toBe(false);
    expect(added).toHaveLength(1);
  });

  it("are there without a network where a worker answers for all of them", async () => {
    page(BUILT);
    browser(FILES);
    expect(await isCached(FILES)).toBe(true);
    browser(FILES.slice(1));
    expect(await isCached(FILES)).toBe(false);
    browser(FILES, null);
    expect(await isCached(FILES)).toBe(false);
    browser(FILES);
    page(null);
    expect(await isCached(FILES)).toBe(false);
  });
});

it("caches are named by the site and by what they hold", () => {
  expect(cacheName(SCOPE, "used 3")).toBe(`headscope ${SCOPE} used 3`);
  const file = new URL(FILES[1] ?? "");
  expect(modelCacheName(SCOPE, file)).toBe(`headscope ${SCOPE} models/en-fr/?v=1a`);
  expect(modelCacheName(SCOPE, new URL("./?v=1a", file))).toBe(modelCacheName(SCOPE, file));
});
