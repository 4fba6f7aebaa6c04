/**
 * The built page in Firefox: it opens with its picture, computes what the package computes in Node,
 * and reads a typed sentence. `npm run firefox` runs it against `dist/`, with the Firefox that
 * `HEADSCOPE_FIREFOX` names or that is installed.
 */
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { filesOf } from "../../tools/serve/files.js";
import { loadModel } from "../node/package.js";

const FIREFOX = [
  process.env.HEADSCOPE_FIREFOX ?? "",
  "/usr/bin/firefox",
  "/usr/bin/firefox-esr",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];
const SENTENCE = "The cat bites the dog.";
const HEAD = { stack: "decoder", layer: 0, head: 1 } as const;
const CELL = { query: 3, key: 2 };

let server: Server;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const executablePath = FIREFOX.find((path) => path !== "" && existsSync(path));
  if (executablePath === undefined)
    throw new Error("No Firefox was found: install it, or set HEADSCOPE_FIREFOX to its path.");
  server = createServer((request, response) => filesOf(["dist/site"])(request, response));
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  browser = await puppeteer.launch({ browser: "firefox", executablePath });
  page = await browser.newPage();
  await page.setViewport({ width: 1400, height: 900 });
}, 120_000);

afterAll(async () => {
  await browser.close();
  server.close();
});

/** Opens a State and waits for the weight that the inspector shows. */
async function open(state: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  await page.goto("about:blank");
  await page.goto(`http://localhost:${port}/#v=1&${state}`, { timeout: 60_000 });
  return weight();
}

async function weight(): Promise<string> {
  const shown = await page.waitForSelector(">>> headscope-inspector >>> [data-stage=weights]", {
    timeout: 60_000,
  });
  return (await shown?.evaluate((element) => element.textContent)) ?? "";
}

it("shows the weight that the package computes in Node", async () => {
  const model = await loadModel(new URL("../../models/tiny-gpt/", import.meta.url));
  const run = await model.run({ text: SENTENCE });
  const { data, shape } = await run.attention(HEAD);
  const expected = data[CELL.query * (shape[1] ?? 0) + CELL.key] ?? NaN;
  model.dispose();

  const state = `model=models/tiny-gpt&text=${SENTENCE.replaceAll(" ", "+")}&stack=decoder&layer=1&head=2&cell=4-3`;
  expect(await open(state)).toContain(expected.toFixed(3));
});

it("reads a sentence as it is typed", async () => {
  await open(`model=models/tiny-gpt&text=${SENTENCE.replaceAll(" ", "+")}&stack=decoder`);
  const sentence = await page.waitForSelector(">>> headscope-sentence-bar >>> textarea");
  await sentence?.press("End");
  await sentence?.type(" We sleep.");
  await page.waitForFunction(() => location.hash.includes("We+sleep."), { timeout: 30_000 });
  const tokens = await page.$$eval(">>> headscope-tokens >>> button", (chips) =>
    chips.map(({ textContent }) => textContent.trim()),
  );
  expect(tokens.slice(-3).join(" ")).toMatch(/We\s+sleep\s+\./);
});
