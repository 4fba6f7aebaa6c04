// Browsers open connections that they do not use, close half of one, or read slowly: a page has to
// come all the same.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { filesOf, SHARED } from "./files.js";

const PAGE = "<!doctype html><title>page</title>";
/** More than the buffers of a connection hold. */
const WEIGHTS = new Uint8Array(32 * 2 ** 20).map((_, at) => at % 251);

let folder: string;
let server: Server;
const onWait = vi.fn();

const write = (path: string, content: string | Uint8Array): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), content);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "headscope-serve-"));
  write("site/index.html", PAGE);
  write("site/assets/core_bg.wasm", "wasm");
  write("site/assets/page.js", "export {};");
  write("site/weights.safetensors", WEIGHTS);
  write("first/index.html", "an earlier page");
  write("first/assets/earlier.js", "earlier");
  write("secret.txt", "secret");
  const awaited = { prefix: "/cores/", folder: join(folder, "cores"), onWait };
  const places = [join(folder, "site"), join(folder, "first")];
  server = createServer(filesOf(places, { headers: SHARED, awaited }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const port = (): number => (server.address() as AddressInfo).port;
const get = (path: string, init?: RequestInit): Promise<Response> =>
  fetch(`http://127.0.0.1:${port()}${path}`, init);

/** A connection on which `sent` was written. */
const open = (sent: string): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect({ port: port(), host: "127.0.0.1", allowHalfOpen: true }, () => {
      socket.write(sent, () => resolve(socket));
    });
  });

test("the page comes beside connections that are idle, half written, half closed or slow", async () => {
  const whole = "GET /weights.safetensors HTTP/1.1\r\nHost: here\r\n\r\n";
  const sockets = await Promise.all([
    ...Array.from({ length: 100 }, () => open("")),
    ...Array.from({ length: 50 }, () => open("GET / HTTP/1.1\r\nHost: he")),
    // None reads: each answer fills its connection and stops there.
    ...Array.from({ length: 20 }, async () => (await open(whole)).pause()),
    ...Array.from({ length: 20 }, async () => (await open(whole)).pause().end()),
  ]);
  for (let load = 0; load < 20; load++) expect(await (await get("/")).text()).toBe(PAGE);
  for (const socket of sockets) socket.destroy();
});

test("a file has its length, its type and an ETag, and none is compressed", async () => {
  const answer = await get("/weights.safetensors", { headers: { "Accept-Encoding": "gzip, br" } });
  const { headers } = answer;
  expect(headers.get("content-length")).toBe(String(WEIGHTS.length));
  expect(headers.get("content-type")).toBe("application/octet-stream");
  expect(headers.get("content-encoding")).toBeNull();
  expect(Buffer.from(await answer.arrayBuffer()).equals(WEIGHTS)).toBe(true);
  // Browsers compile wasm while it arrives, and run modules, by their types alone.
  expect((await get("/assets/core_bg.wasm")).headers.get("content-type")).toBe("application/wasm");
  expect((await get("/assets/page.js")).headers.get("content-type")).toMatch("text/javascript");
});

test("an unchanged file is not sent again", async () => {
  const tag = (await get("/")).headers.get("etag") ?? "";
  // Node's `fetch` asks for a fresh copy whenever it is given a tag.
  const options = { port: port(), host: "127.0.0.1", headers: { "If-None-Match": tag } };
  const status = await new Promise((resolve) => {
    request(options, ({ statusCode }) => resolve(statusCode)).end();
  });
  expect(status).toBe(304);
});

test.each([
  ["bytes=3-6", 206, "bytes 3-6/33554432", [3, 4, 5, 6]],
  ["bytes=33554430-", 206, "bytes 33554430-33554431/33554432", [WEIGHTS.at(-2), WEIGHTS.at(-1)]],
  ["bytes=-1", 206, "bytes 33554431-33554431/33554432", [WEIGHTS.at(-1)]],
])("the range %s is answered", async (range, status, content, bytes) => {
  const answer = await get("/weights.safetensors", { headers: { Range: range } });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-range")).toBe(content);
  expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual(bytes);
});

test("a range beyond the end is refused with the length", async () => {
  const answer = await get("/weights.safetensors", { headers: { Range: "bytes=33554432-" } });
  expect([answer.status, answer.headers.get("content-range")]).toEqual([416, "bytes */33554432"]);
});

test("a page of another origin may fetch and read what the answer says", async () => {
  const { headers } = await get("/weights.safetensors", { method: "HEAD" });
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-expose-headers")).toMatch("Content-Range");
  expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  const asked = await get("/weights.safetensors", { method: "OPTIONS" });
  expect([asked.status, asked.headers.get("access-control-allow-headers")]).toEqual([204, "*"]);
});

test("only reading is possible, and nothing outside of the folders", async () => {
  expect((await get("/", { method: "POST", body: "x" })).status).toBe(405);
  for (const path of ["/missing.js", "/..%2fsecret.txt", "/%2e%2e/secret.txt"])
    expect(await (await get(path)).text(), path).not.toContain("secret");
});

test("a file comes from the first folder that has it", async () => {
  expect(await (await get("/")).text()).toBe(PAGE);
  expect(await (await get("/assets/earlier.js")).text()).toBe("earlier");
});

test("a file that is still being made is waited for, with a line", async () => {
  const answer = get("/cores/webgpu/core.js?v=1");
  await vi.waitFor(() => expect(onWait).toHaveBeenLastCalledWith("webgpu/core.js"));
  write("cores/webgpu/core.js", "export const core = 1;");
  expect(await (await answer).text()).toBe("export const core = 1;");
  onWait.mockClear();
  expect((await get("/cores/webgpu/core.js")).status).toBe(200);
  expect(onWait).not.toHaveBeenCalled();
});
