// The ways in without a checkout: the package's server, the page as one file, a frame.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, NOTHING, test, watch } from "./page.js";

const CLI = "dist/npm/cli.js";
let folder = "";
test.beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "headscope-ways-"))));
test.afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the package's server; the result is the address that it prints, and its end. */
async function served(...words: string[]): Promise<{ address: string; end: () => void }> {
  const child = spawn(process.execPath, [CLI, ...words, "--port", "0"]);
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (part: Buffer) => {
      said += String(part);
      const [found] = /http:\S+/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on("exit", () => reject(new Error(said)));
  });
  return { address, end: () => void child.kill() };
}

test("the package serves the page with a model from the disk, or says what is missing", async ({
  page,
  explorer,
}) => {
  const seen = watch(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).host));
  const { address, end } = await served("models/tiny-gpt");
  try {
    await page.goto(address);
    await explorer.settle();
    await expect(explorer.picker).toHaveText("tiny-gpt");
    await explorer.type("A dog runs and a dog");
    await explorer.reload();
    await expect(explorer.picker).toHaveText("tiny-gpt");
    await expect(explorer.sentence).toHaveValue("A dog runs and a dog");
    await page.goto("about:blank");
    await page.goto(new URL("/", address).href);
    await expect(explorer.alert).toContainText("The example models are not beside this page.");
    await expect(explorer.alert).toContainText("load/no-examples");
    // What needs them is not offered, and what does not is.
    await expect(explorer.button("Tour")).toHaveCount(0);
    await explorer.button("Questions").click();
    const help = page.locator("headscope-help-dialog");
    await expect(help.getByRole("listitem")).toHaveText(["When do heads form?"]);
    await expect(help).toContainText("as the npm package “headscope-models”");
    await page.keyboard.press("Escape");
    await page.locator("headscope-without-models").getByText("Attention calculator").click();
    await expect(page.locator("headscope-calculator")).toBeVisible({ timeout: 30_000 });
    await explorer.folder.setInputFiles("models/tiny-bert");
    await explorer.settle();
    await expect(explorer.picker).toHaveText("tiny-bert");
    expect(new Set(asked)).toEqual(new Set([new URL(address).host]));
  } finally {
    end();
  }
  expect(seen.errors).toEqual([]);
});

test("the package serves the example models of a folder", async ({ page, explorer }) => {
  const seen = watch(page);
  const all = await served("--models", "models");
  try {
    await page.goto(all.address);
    await explorer.settle();
    await expect(explorer.translation).toHaveValue(/\w/);
  } finally {
    all.end();
  }
  expect(seen.errors).toEqual([]);
});

test("the page as one file opens its model from the disk, and fetches nothing", async ({
  page,
  context,
  explorer,
}) => {
  const file = join(folder, "page.html");
  const words = ["--model", "models/tiny-gpt", "--address", "text=A+dog+runs&layer=2&head=3"];
  execFileSync(process.execPath, [CLI, "file", "--out", file, ...words], { stdio: "ignore" });
  await context.setOffline(true);
  const seen = watch(page);
  const schemes = new Set<string>();
  page.on("request", (request) => schemes.add(new URL(request.url()).protocol));
  await page.goto(pathToFileURL(file).href);
  await explorer.settle();
  await expect(explorer.picker).toHaveText("tiny-gpt");
  await expect(explorer.sentence).toHaveValue("A dog runs");
  await expect(explorer.headTitle).toHaveText("Layer 2 · head 3");
  await explorer.type("A dog runs and a dog");
  await explorer.reload();
  await expect(explorer.picker).toHaveText("tiny-gpt");
  await expect(explorer.sentence).toHaveValue("A dog runs and a dog");
  for (const scheme of schemes) expect(["file:", "blob:", "data:"]).toContain(scheme);
  expect(seen.errors).toEqual([]);
});

test("a frame shows a figure or the explorer of a link, and tells its height", async ({
  page,
  baseURL,
}) => {
  const seen = watch(page);
  await page.goto(new URL("examples/frame.html", baseURL).href);
  const frames = page.locator("iframe");
  const grid = frames.first().contentFrame();
  await expect(grid.locator("headscope-grid[state=ready]")).toBeVisible({ timeout: 30_000 });
  await expect(frames.nth(1).contentFrame().locator("headscope-explorer")).toBeVisible();
  for (const frame of await frames.all())
    await expect
      .poll(async () => {
        const inner = await frame.contentFrame().locator("body").boundingBox();
        const outer = await frame.boundingBox();
        return Math.abs((inner?.height ?? 0) - (outer?.height ?? -9)) <= 1;
      })
      .toBe(true);
  expect(seen).toEqual(NOTHING);
});
