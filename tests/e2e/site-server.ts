import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** Serves a built site in a folder of its own, as a host of project pages does, until it is killed. */
export class SiteServer {
  /** What was asked for, by its path inside the site. */
  readonly asked: string[] = [];
  private server: Server | undefined;
  private port = 0;

  constructor(
    public folder: string,
    private readonly path = "/project/headscope/",
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", this.address);
      if (!pathname.startsWith(this.path)) {
        response
          .writeHead(200, { "Content-Type": "text/html" })
          .end("<!doctype html><title>Another page</title>");
        return;
      }
      const inside = pathname.slice(this.path.length);
      this.asked.push(inside);
      const file = join(this.folder, inside === "" ? "index.html" : inside);
      if (!existsSync(file) || !statSync(file).isFile()) {
        response.writeHead(404).end();
        return;
      }
      response
        .writeHead(200, {
          "Content-Type": TYPES[extname(file)] ?? "application/octet-stream",
          "Cache-Control": "max-age=600",
          ...this.headers,
        })
        .end(readFileSync(file));
    });
    const { server, port } = this;
    await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
    this.port = (server.address() as AddressInfo).port;
  }

  /** Nothing answers any more, not even on open connections. */
  async kill(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  /** Where the site is. */
  get address(): string {
    return `http://localhost:${this.port}${this.path}`;
  }

  /** A page on the same host that is not the site's. */
  get elsewhere(): string {
    return `http://localhost:${this.port}/elsewhere`;
  }
}
