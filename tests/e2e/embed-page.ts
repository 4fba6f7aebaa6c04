import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, type Locator, type Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { SiteServer } from "./site-server.js";

/** Nothing but what the site itself holds; no inline script or style, and no code from strings but WebAssembly. */
export const STRICT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src 'self' data: blob:; base-uri 'none'";

export const SCRIPT = '<script type="module" src="embed.js"></script>';

/** The site in a folder of its own, under a strict policy, and another page beside it. */
export class EmbedSite {
  folder = "";
  server = new SiteServer("", "");
  private pages = 0;

  /** Serves it for all tests of a file. */
  constructor() {
    test.beforeAll(async () => {
      this.folder = mkdtempSync(join(tmpdir(), "headscope-embed-"));
      cpSync("dist/site", this.folder, { recursive: true });
      this.server = new SiteServer(this.folder, "/articles/", {
        "Content-Security-Policy": STRICT,
      });
      await this.server.start();
    });
    test.beforeEach(() => {
      this.server.asked.length = 0;
    });
    test.afterAll(async () => {
      await this.server.kill();
      rmSync(this.folder, { recursive: true });
    });
  }

  /** Puts a page beside the site and opens it. */
  async write(page: Page, body: string, head = "", server = this.server): Promise<void> {
    writeFileSync(
      join(this.folder, "own.html"),
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Another page</title><meta name="viewport" content="width=device-width">${head}</head><body><main><h1>Another page</h1>${body}</main></body></html>`,
    );
    // The server lets the browser cache a page: each has an address of its own.
    this.pages += 1;
    await page.goto(`${server.address}own.html?${this.pages}`);
  }
}

/** The same engine outside the page. */
export async function engine(model: string): Promise<Headscope.Model> {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  return headscope.loadModel(resolve("dist/site", model));
}

/** Waits for a figure, where a reader would see it. */
export async function ready(figure: Locator): Promise<void> {
  await figure.scrollIntoViewIfNeeded();
  await expect(figure).toHaveAttribute("state", "ready", { timeout: 60_000 });
}

/** A figure's name, and the numbers of its first row. */
export async function described(figure: Locator): Promise<string[]> {
  const pad = figure.getByRole("application");
  const name = (await pad.getAttribute("aria-label")) ?? "";
  await pad.focus();
  const first = (await figure.locator("[aria-live]").textContent()) ?? "";
  await pad.press("ArrowDown");
  return [name, first.trim(), ((await figure.locator("[aria-live]").textContent()) ?? "").trim()];
}
