import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LoadProgress } from "./contract.js";
import { download, inMemory, type Sink } from "./download.js";
import { HeadscopeError } from "./errors.js";
import { folderUrl, locate } from "./source.js";

const FILE = { name: "model.safetensors", url: new URL("https://hub.example/m/model.safetensors") };
const BYTES = "0123456789";

/**
 * The response of a server: a status with headers, or the bytes from `from` up to the place where
 * the connection is lost.
 */
interface Answer {
  status?: number;
  headers?: Record<string, string>;
  from?: number;
  lostAt?: number;
  body?: string;
}

/** A stubbed network that gives each answer in turn, and the last one again and again. */
function network(answers: Answer[]): RequestInit[] {
  const asked: RequestInit[] = [];
  vi.stubGlobal("fetch", (_: URL, init: RequestInit) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? {};
    asked.push(init);
    const { from = 0, lostAt, status = from > 0 ? 206 : 200, headers, body = BYTES } = answer;
    const parts = status < 300 ? Array.from(body.slice(from, lostAt)) : [];
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const part = parts.shift();
        if (part !== undefined) controller.enqueue(new TextEncoder().encode(part));
        else if (lostAt === undefined) controller.close();
        else controller.error(new TypeError("network error"));
      },
    });
    const length = String(BYTES.length - from);
    const own = { etag: '"1"', "content-length": length, ...headers };
    return Promise.resolve(new Response(stream, { status, headers: own }));
  });
  return asked;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/**
 * The text of a file or the code of its failure, the reported progress, and whether written bytes
 * are left.
 */
async function fetched(
  onProgress: (progress: LoadProgress) => void = () => undefined,
  signal?: AbortSignal,
): Promise<{ result: unknown; waits: number[]; isLeft: boolean }> {
  const waits: number[] = [];
  let isLeft = false;
  const open = async (): Promise<Sink> => {
    isLeft = true;
    const sink = await inMemory();
    return { ...sink, abort: () => Promise.resolve((isLeft = false)) };
  };
  const follow = (progress: LoadProgress): void => {
    if (progress.waitSeconds !== undefined) waits.push(progress.waitSeconds);
    onProgress(progress);
  };
  const options = { onProgress: follow, ...(signal && { signal }) };
  const ending = download(FILE, options, open).then(
    async (blob) => (await blob?.text()) ?? null,
    (thrown: unknown) => (thrown instanceof HeadscopeError ? thrown.code : (thrown as Error).name),
  );
  await vi.advanceTimersByTimeAsync(400_000);
  return { result: await ending, waits, isLeft };
}

const LOST = { lostAt: 4 };
const OTHER = { headers: { etag: '"2"' } };
const BUSY = { status: 429, headers: { "retry-after": "2" } };
const RANGE = { Range: "bytes=4-", "If-Range": '"1"' };

describe("a download", () => {
  it.each<[string, Answer[], result: string | null, requests: number, waits?: number[]]>([
    ["of a whole file", [{}], BYTES, 1],
    ["that is continued where it was lost", [LOST, { from: 4 }], BYTES, 2, [1]],
    ["that is lost twice", [LOST, { from: 4, lostAt: 7 }, { from: 7 }], BYTES, 3, [1, 2, 1]],
    ["lost too often", [LOST, { from: 4, lostAt: 4 }], "load/network", 6],
    ["from a server without ranges", [LOST, {}], BYTES, 2, [1]],
    ["of a file without a version", [{ ...LOST, headers: { etag: "" } }, {}], BYTES, 2, [1]],
    [
      "of a file that changed once",
      [LOST, { status: 412 }, { ...OTHER, body: "abcdefghij" }],
      "abcdefghij",
      3,
    ],
    ["of a part of another version", [LOST, { from: 4, ...OTHER }, OTHER], BYTES, 3],
    ["of a file that changes again", [LOST, { ...OTHER, lostAt: 4 }, {}], "load/changed", 3],
    ["of a file that is gone", [LOST, { status: 404 }], "load/changed", 3],
    ["of too few bytes", [{ body: "0123" }], "load/wrong-length", 1],
    ["of too many bytes", [{ body: `${BYTES}0` }], "load/wrong-length", 1],
    ["that needs a token", [{ status: 401 }], "load/unauthorized", 1],
    ["of terms that are not accepted", [{ status: 403 }], "load/unauthorized", 1],
    ["of no such file", [{ status: 404 }], null, 1],
    ["of a page in its place", [{ headers: { "content-type": "text/html" } }], null, 1],
    ["from a server that is busy for a while", [BUSY, {}], BYTES, 2, [2, 1]],
    ["from a server that stays busy", [BUSY], "load/busy", 6],
    [
      "from one that is busy for long",
      [{ status: 503, headers: { "retry-after": "3600" } }],
      "load/busy",
      1,
    ],
  ])(
    "a download is continued or ends as it must: %s",
    async (_, answers, result, requests, waits) => {
      const asked = network(answers);
      const seen = await fetched();
      expect([seen.result, asked.length]).toEqual([result, requests]);
      if (waits) expect(seen.waits).toEqual(waits);
      expect(seen.isLeft).toBe(seen.result === BYTES || seen.result === "abcdefghij");
    },
  );

  it("asks another origin for a part without a header that needs its leave", async () => {
    const asked = network([LOST, { from: 4 }]);
    await fetched();
    expect(asked[1]?.headers).toEqual(RANGE);
    vi.stubGlobal("origin", "https://page.example");
    const elsewhere = network([LOST, { from: 4 }]);
    await fetched();
    expect(elsewhere[1]?.headers).toEqual({ Range: "bytes=4-" });
  });

  it.each([
    ["within the file", {}, 1],
    ["while it waits", BUSY, 1],
  ])("is stopped %s", async (_, answer, requests) => {
    const asked = network([answer]);
    const stop = new AbortController();
    const seen = await fetched(() => stop.abort(), stop.signal);
    expect([seen.result, seen.isLeft, asked.length]).toEqual(["AbortError", false, requests]);
    expect(asked[0]?.signal?.aborted).toBe(true);
  });
});

/**
 * Stubs a page whose storage has `left` bytes left; returns the files that are created and those
 * that are removed.
 */
function storage(left: number): [created: string[], removed: string[]] {
  const [created, removed]: [string[], string[]] = [[], []];
  const full = (): Promise<void> => Promise.reject(new DOMException("full", "QuotaExceededError"));
  const file = { write: full, abort: () => Promise.resolve() };
  const directory = {
    getDirectoryHandle: () => Promise.resolve(directory),
    getFileHandle: (name: string, { create = false } = {}) => {
      if (!create) return Promise.reject(new DOMException("none", "NotFoundError"));
      created.push(name);
      return Promise.resolve({ createWritable: () => Promise.resolve(file) });
    },
    removeEntry: (name: string) => Promise.resolve(removed.push(name)),
  };
  const getDirectory = (): Promise<object> => Promise.resolve(directory);
  const estimate = (): Promise<object> => Promise.resolve({ quota: 100 + left, usage: 100 });
  vi.stubGlobal("navigator", { storage: { getDirectory, estimate } });
  return [created, removed];
}

it.each<[string, Record<string, string>, string, string[]]>([
  ["before its first byte", {}, "4 bytes", []],
  ["of no known length", { "content-encoding": "gzip" }, "QuotaExceededError: full", [FILE.name]],
])("a storage without room refuses the file %s, and keeps none", async (_, headers, got, made) => {
  network([{ headers }]);
  const files = storage(6);
  const folder = await locate("https://hub.example/m", "");
  const refused = { code: "load/no-room", expected: FILE.name, got };
  await expect(folder.file(FILE.name, { store: true })).rejects.toMatchObject(refused);
  expect(files).toEqual([made, made]);
});

describe("an access token", () => {
  const servers: Server[] = [];
  const serve = (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    servers.push(server);
    const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(address())));
  };
  beforeEach(() => void vi.useRealTimers());
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  it("goes to the hub, and neither to another server nor to one that the hub redirects to", async () => {
    const seen: (string | undefined)[] = [];
    const store = await serve(({ headers }, response) => {
      seen.push(headers.authorization);
      response.end("{}");
    });
    const hub = await serve(({ headers, url }, response) => {
      seen.push(headers.authorization);
      response.writeHead(302, { Location: `${store}${url ?? ""}` }).end();
    });
    const options = { hub, token: "secret" };
    for (const source of ["org/name", folderUrl("org/name", store).href]) {
      const file = await (await locate(source, hub)).file("config.json", options);
      expect(file).toBeInstanceOf(Blob);
    }
    expect(seen).toEqual(["Bearer secret", undefined, undefined]);
  });
});
