// The package's page is served to this machine alone, with models that other sites cannot read.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { siteServer } from "./site.js";

let folder = "";
let server: Server;

const write = (path: string, content: string): void => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), content);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "headscope-site-"));
  write("site/index.html", '<head><meta name="headscope-models" content="" /></head>');
  write("site/embed.js", "export {};");
  write("models/tiny-gpt/config.json", "{}");
  write('models/of "mine"/config.json', "{}");
  write("mine/a model/config.json", "{}");
  write("mine/secret.txt", "secret");
  write("mine/my model.gguf", "GGUF");
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void server.close());

type Opened = { name: string; path: string } | null;

async function serve(opened: Opened = null, models: string | null = null): Promise<void> {
  server = siteServer({ folder: join(folder, "site"), models, opened });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}

interface Answer {
  status: number | undefined;
  text: string;
  headers: IncomingHttpHeaders;
}

/** The answer to a request with headers that a browser would set itself. */
const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const asking = request({ host: "127.0.0.1", port, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({
          status: response.statusCode,
          text: Buffer.concat(parts).toString(),
          headers: response.headers,
        }),
      );
    });
    asking.on("error", reject).end();
  });
const statusOf = async (path: string): Promise<number | undefined> => (await get(path)).status;

test("the page lists the models of a folder that it can name, and serves them", async () => {
  await serve();
  expect((await get("/")).text).toContain('content=""');
  server.close();
  await serve(null, join(folder, "models"));
  expect((await get("/")).text).toContain('content="models/tiny-gpt"');
  expect((await get("/models/tiny-gpt/config.json")).text).toBe("{}");
  expect(await statusOf("/opened/config.json")).toBe(404);
});

test("a named folder is served under its name, and nothing beside it", async () => {
  await serve({ name: "a model/", path: join(folder, "mine/a model") });
  expect((await get("/opened/a%20model/config.json")).text).toBe("{}");
  for (const path of ["/opened/a%20model/../secret.txt", "/opened/secret.txt", "/models/x"])
    expect(await statusOf(path), path).toBe(404);
});

test("of a GGUF file's folder the file alone is served", async () => {
  await serve({ name: "my model.gguf", path: join(folder, "mine/my model.gguf") });
  expect((await get("/opened/my%20model.gguf")).text).toBe("GGUF");
  for (const path of ["/opened/secret.txt", "/opened/x/..%2fsecret.txt", "/opened/%"])
    expect(await statusOf(path), path).toBe(404);
});

test("other sites may use the scripts, and read no model", async () => {
  await serve({ name: "a model/", path: join(folder, "mine/a model") });
  const shared = async (path: string, origin: string): Promise<unknown> =>
    (await get(path, { Origin: origin })).headers["access-control-allow-origin"];
  expect(await shared("/embed.js", "https://example.org")).toBe("*");
  const model = "/opened/a%20model/config.json";
  expect(await shared(model, "http://localhost:8888")).toBe("http://localhost:8888");
  for (const origin of ["https://example.org", "null", "http://127.0.0.1.example.org"])
    expect(await shared(model, origin), origin).toBeUndefined();
});

test("a site that gives its own name this machine's address gets nothing", async () => {
  await serve();
  expect((await get("/", { Host: "example.org:80" })).status).toBe(403);
  expect((await get("/", { Host: "localhost:80" })).status).toBe(200);
});
