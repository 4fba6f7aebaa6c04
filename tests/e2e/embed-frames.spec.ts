import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { ready, SCRIPT, STRICT } from "./embed-page.js";
import { watch } from "./explorer-page.js";
import { SiteServer } from "./site-server.js";

const FIGURE = `<headscope-heatmap model="models/tiny-gpt" text="A cat" stack="decoder"></headscope-heatmap>${SCRIPT}`;
const POLICY = `${STRICT}; require-trusted-types-for 'script'; trusted-types headscope lit-html`;
const FRAMES = [
  '<iframe sandbox="allow-scripts" src="figure.html"></iframe>',
  '<iframe sandbox="allow-scripts" src="index.html"></iframe>',
  `<iframe srcdoc='${FIGURE}'></iframe>`,
  `<iframe sandbox="allow-scripts" srcdoc='${FIGURE}'></iframe>`,
  '<iframe src="trusted.html"></iframe>',
];

test("figures are drawn in sandboxed frames, in srcdoc and under Trusted Types", async ({
  page,
}) => {
  const seen = watch(page);
  const folder = mkdtempSync(join(tmpdir(), "headscope-frames-"));
  cpSync("dist/site", folder, { recursive: true });
  const files = {
    "frames.html": FRAMES.join(""),
    "figure.html": FIGURE,
    "trusted.html": `<meta http-equiv="Content-Security-Policy" content="${POLICY}">${FIGURE}`,
  };
  for (const [name, body] of Object.entries(files))
    writeFileSync(
      join(folder, name),
      `<!doctype html><title>A page</title><link rel="icon" href="data:,">${body}`,
    );
  // Without an origin, a frame asks as one of another host.
  const server = new SiteServer(folder, "/", { "Access-Control-Allow-Origin": "*" });
  await server.start();
  await page.goto(`${server.address}frames.html`);
  for (const index of FRAMES.keys()) {
    const figure = page.locator("iframe").nth(index).contentFrame().locator("headscope-heatmap");
    if (index === 1) await expect(figure).toBeVisible({ timeout: 30_000 });
    else await ready(figure);
    await expect(figure.getByRole("application")).toHaveAccessibleName(/\d+ queries by \d+ keys/);
  }
  await server.kill();
  rmSync(folder, { recursive: true });
  expect(seen).toEqual({ foreign: [], errors: [] });
});
