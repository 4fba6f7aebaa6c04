import { afterEach, describe, expect, it, vi } from "vitest";
import { fetchEngineFile, fetchFile } from "./fetch-file.js";
import type { LoadProgress } from "./contract.js";
import { loadModel } from "./model-pool.js";
import { locate } from "./source.js";

const ADDRESS = "https://other.example/m/config.json";
const FILE = { name: "config.json", url: new URL(ADDRESS) };
const expected = `config.json (${ADDRESS})`;
const failed = (): Promise<Response> => Promise.reject(new TypeError("Failed to fetch"));
const answers = (): Promise<Response> => Promise.resolve(new Response());
const never = (): Promise<never> => new Promise(() => undefined);

/** A page of another origin whose fetches are answered so. */
function page(answer: (mode: RequestMode | undefined) => Promise<Response>): EventTarget {
  const scope = new EventTarget();
  vi.stubGlobal("origin", "https://page.example");
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("fetch", (_: URL, init: RequestInit) => answer(init.mode));
  vi.stubGlobal("addEventListener", scope.addEventListener.bind(scope));
  vi.stubGlobal("removeEventListener", scope.removeEventListener.bind(scope));
  return scope;
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a file that cannot be fetched", () => {
  it.each([
    ["no server answers", failed, "load/network", "TypeError: Failed to fetch"],
    [
      "the server answers, but not to this origin",
      (mode?: RequestMode) => (mode === "no-cors" ? answers() : failed()),
      "load/cross-origin",
      "a server that lets no page of another origin read it",
    ],
    [
      "the server has an error",
      () => Promise.resolve(new Response("", { status: 500, statusText: "Broken" })),
      "load/network",
      "the answer 500 Broken",
    ],
  ])("because %s says so with its address", async (_, answer, code, got) => {
    page(answer);
    const message = expect.stringContaining(ADDRESS) as string;
    await expect(fetchFile(FILE)).rejects.toMatchObject({ code, got, expected, message });
  });

  it.each([
    ["about:", "null", ADDRESS, "load/sandboxed", "a sandboxed frame without an origin"],
    ["https:", "null", ADDRESS, "load/sandboxed", "a sandboxed frame without an origin"],
    ["file:", "null", ADDRESS, "load/cross-origin", "a server that lets no page of another"],
    [
      "file:",
      "null",
      "file:///m/a.json",
      "load/opened-as-file",
      "a page that was opened as a file",
    ],
    ["https:", "https://page.example", ADDRESS, "load/cross-origin", "a server that lets no page"],
  ])("in a page at %s of the origin %s: %s is %s", async (protocol, origin, url, code, reason) => {
    page((mode) => (mode === "no-cors" ? answers() : failed()));
    vi.stubGlobal("origin", origin);
    vi.stubGlobal("location", { protocol });
    const got = expect.stringContaining(reason) as string;
    await expect(fetchFile({ name: "a", url: new URL(url) })).rejects.toMatchObject({ code, got });
  });

  it.each([
    ["enforced", "enforce", "load/blocked", "connect-src"],
    ["only reported", "report", "load/network", "TypeError: Failed to fetch"],
  ])("because of a policy that is %s", async (_, disposition, code, got) => {
    const violation = { blockedURI: ADDRESS, effectiveDirective: "connect-src", disposition };
    const scope = page(() => {
      // Browsers report it after what they forbid has failed.
      const event = Object.assign(new Event("securitypolicyviolation"), violation);
      setTimeout(() => scope.dispatchEvent(event));
      return failed();
    });
    await expect(fetchFile(FILE)).rejects.toMatchObject({ code, got });
  });

  it("because its server is silent, at first or within the file, says so after a minute", async () => {
    vi.useFakeTimers();
    const silent = { code: "load/timeout", got: "no answer within 60 seconds", expected };
    page(never);
    const first = expect(fetchFile(FILE)).rejects.toMatchObject(silent);
    await vi.advanceTimersByTimeAsync(60_000);
    await first;

    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (pieces++ === 2) await never();
        await new Promise((resolve) => setTimeout(resolve, 50_000));
        controller.enqueue(Uint8Array.of(pieces));
      },
    });
    page(() => Promise.resolve(new Response(body)));
    const read: number[] = [];
    const folder = await locate("https://other.example/m", "");
    const onProgress = ({ loadedBytes }: LoadProgress): void => void read.push(loadedBytes);
    const within = expect(folder.file("config.json", { onProgress })).rejects.toMatchObject(silent);
    await vi.advanceTimersByTimeAsync(200_000);
    await within;
    expect([read, vi.getTimerCount()]).toEqual([[1, 2], 0]);
  });

  it("because there is none says which, be it the model's or the engine's", async () => {
    page(() => Promise.resolve(new Response("", { status: 404 })));
    const model = loadModel("https://other.example/m");
    const engine = fetchEngineFile(FILE.url);
    await expect(model).rejects.toMatchObject({ code: "load/not-found", expected });
    await expect(engine).rejects.toMatchObject({ code: "load/engine-not-found", expected });
  });
});
