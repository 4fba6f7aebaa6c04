import { afterEach, describe, expect, it, vi } from "vitest";
import { fetchEngineFile, fetchFile } from "./fetch-file.js";
import { loadModel } from "./load.js";
import { locate } from "./source.js";

const URL_OF_FILE = "https://other.example/m/config.json";
const FILE = { name: "config.json", url: new URL(URL_OF_FILE) };
const failed = (): Promise<Response> => Promise.reject(new TypeError("Failed to fetch"));
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

function violation(disposition: string): Event {
  return Object.assign(new Event("securitypolicyviolation"), {
    blockedURI: URL_OF_FILE,
    effectiveDirective: "connect-src",
    disposition,
  });
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a file that cannot be fetched", () => {
  const answers = (): Promise<Response> => Promise.resolve(new Response());

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
      () => Promise.resolve(new Response("", { status: 503, statusText: "Busy" })),
      "load/network",
      "the answer 503 Busy",
    ],
  ])("because %s says so with its address", async (_, answer, code, got) => {
    page(answer);
    await expect(fetchFile(FILE)).rejects.toMatchObject({
      code,
      got,
      expected: `config.json (${URL_OF_FILE})`,
      message: expect.stringContaining(URL_OF_FILE) as string,
    });
  });

  it.each([
    ["enforced", "enforce", "load/blocked", "connect-src"],
    ["only reported", "report", "load/network", "TypeError: Failed to fetch"],
  ])("because of a policy that is %s", async (_, disposition, code, got) => {
    const scope = page(() => {
      // Browsers report it after what they forbid has failed.
      setTimeout(() => scope.dispatchEvent(violation(disposition)));
      return failed();
    });
    await expect(fetchFile(FILE)).rejects.toMatchObject({ code, got });
  });

  it("because its server is silent, at first or within the file, says so after a minute", async () => {
    vi.useFakeTimers();
    const silent = {
      code: "load/timeout",
      got: "no answer within 60 seconds",
      expected: `config.json (${URL_OF_FILE})`,
    };
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
    const folder = await locate("https://other.example/m", "");
    const read: number[] = [];
    const within = expect(
      (async () => {
        const file = await folder.open("config.json", undefined);
        for await (const [piece] of file?.chunks ?? []) read.push(piece ?? 0);
      })(),
    ).rejects.toMatchObject(silent);
    await vi.advanceTimersByTimeAsync(200_000);
    await within;
    expect([read, vi.getTimerCount()]).toEqual([[1, 2], 0]);
  });

  it("because there is none says which, be it the model's or the engine's", async () => {
    page(() => Promise.resolve(new Response("", { status: 404 })));
    await expect(loadModel("https://other.example/m")).rejects.toMatchObject({
      code: "load/not-found",
      expected: `config.json (${URL_OF_FILE})`,
      message: expect.stringContaining(URL_OF_FILE) as string,
    });
    await expect(fetchEngineFile(FILE.url)).rejects.toMatchObject({
      code: "load/engine-not-found",
      expected: `config.json (${URL_OF_FILE})`,
    });
  });
});
