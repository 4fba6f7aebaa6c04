import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { EmbedSite, ready, SCRIPT } from "./embed-page.js";
import { ExplorerPage, watch } from "./explorer-page.js";

const site = new EmbedSite();

const EXPLORER =
  '<head-scope model="models/tiny-gpt" text="A cat and a dog." stack="decoder" layer="2" head="2"></head-scope>';
const FIGURE =
  '<headscope-heatmap model="models/tiny-gpt" text="A cat and a dog." stack="decoder" layer="2" head="2"></headscope-heatmap>';

/** Collects the workers of a page, each of which is one model. */
function workersOf(page: Page): string[] {
  const workers: string[] = [];
  page.on("worker", (worker) => workers.push(worker.url()));
  return workers;
}

async function settled(explorer: Locator): Promise<void> {
  await explorer.scrollIntoViewIfNeeded();
  await expect(explorer).toHaveAttribute("state", "ready", { timeout: 60_000 });
  await new ExplorerPage(explorer.page()).settle();
}

test("an explorer shares the worker of the figures around it, comes when it is near, and goes on where it is moved", async ({
  page,
}) => {
  test.setTimeout(120000);
  const seen = watch(page);
  const workers = workersOf(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  writeFileSync(join(site.folder, "far.css"), "#far { height: 4000px }");
  await site.write(
    page,
    `${FIGURE}<div id="far"></div>${EXPLORER}${SCRIPT}`,
    '<link rel="stylesheet" href="far.css">',
  );
  await ready(page.locator("headscope-heatmap").first());
  expect(site.server.asked.filter((path) => path.includes("explorer"))).toEqual([]);
  const explorer = page.locator("head-scope");
  expect(
    await explorer.evaluate((element) => element.getBoundingClientRect().height),
  ).toBeGreaterThan(500);
  await settled(explorer);
  expect(workers).toHaveLength(1);
  expect(
    site.server.asked.filter((path) => path === "models/tiny-gpt/model.safetensors"),
  ).toHaveLength(1);
  // The worker stays for the figure when the explorer goes, and ends with the last of them.
  const ended = page.workers()[0]?.waitForEvent("close", { timeout: 20_000 });
  await explorer.evaluate((element) => element.remove());
  await page.waitForTimeout(2500);
  expect(page.workers()).toHaveLength(1);
  await page.locator("headscope-heatmap").evaluate((element) => element.remove());
  await ended;
  expect(seen).toEqual({ foreign: [], errors: [] });
  await test.step("moved", async () => {
    const workers = workersOf(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await site.write(
      page,
      `<div id="here">${FIGURE}${EXPLORER}</div><div id="there"></div>${SCRIPT}`,
    );
    const [figure, host] = [page.locator("headscope-heatmap").first(), page.locator("head-scope")];
    await ready(figure);
    await settled(host);
    const explorer = new ExplorerPage(page);
    await explorer.sentence.fill("A bird sings.");
    await explorer.settle();
    const pad = figure.getByRole("application");
    await pad.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const pair = await figure.evaluate((element) =>
      JSON.stringify((element as HTMLElement & { locked: unknown }).locked),
    );
    expect(pair).toContain("key");
    const asked = site.server.asked.length;
    await page.evaluate(() => {
      const there = document.getElementById("there");
      for (const tag of ["head-scope", "headscope-heatmap"])
        there?.append(document.querySelector(tag) ?? "");
    });
    await explorer.settle();
    await expect(explorer.sentence).toHaveValue("A bird sings.");
    expect(
      await figure.evaluate((element) =>
        JSON.stringify((element as HTMLElement & { locked: unknown }).locked),
      ),
    ).toBe(pair);
    await expect(figure).toHaveAttribute("state", "ready");
    // Also where it is away for a while; the model waits for it.
    await page.evaluate(async () => {
      const explorer = document.querySelector("head-scope");
      explorer?.remove();
      await new Promise((resolve) => setTimeout(resolve, 300));
      document.getElementById("here")?.append(explorer ?? "");
    });
    await explorer.settle();
    await expect(explorer.sentence).toHaveValue("A bird sings.");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(explorer.sentence).toHaveValue("A cat and a dog.");
    expect([workers.length, site.server.asked.length - asked]).toEqual([1, 0]);
  });
});

test("an explorer is laid out by its own width: tabs in a narrow column of a wide window", async ({
  browser,
}) => {
  test.setTimeout(120_000);
  // The policy would keep axe itself out.
  const context = await browser.newContext({
    bypassCSP: true,
    viewport: { width: 1400, height: 900 },
  });
  const page = await context.newPage();
  await site.write(page, `<div id="column">${EXPLORER}</div>${SCRIPT}`);
  const resize = (width: number): Promise<void> =>
    page.locator("#column").evaluate((column, to) => {
      column.style.width = `${to}px`;
    }, width);
  await resize(520);
  const host = page.locator("head-scope");
  await settled(host);
  const explorer = new ExplorerPage(page);
  await expect(explorer.tab("Picture")).toHaveAttribute("aria-selected", "true");
  const fits = async (width: number): Promise<void> => {
    expect(await host.evaluate((element) => element.getBoundingClientRect().width)).toBe(width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      1400,
    );
    const over = await page
      .locator("headscope-explorer")
      .evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(over).toBe(0);
  };
  await fits(520);
  await explorer.tab("Heads").click();
  await explorer.head(1, 2).click();
  await page.getByRole("button", { name: "Look at it" }).click();
  await expect(page.locator("headscope-heatmap")).toBeVisible();
  // The tour's sheet lies at the lower edge of the window, within the column.
  await page.getByRole("button", { name: "Tour" }).click();
  const card = page.locator("headscope-tour-card");
  await expect(card).toBeInViewport();
  await expect(async () => {
    const [sheet, column] = await Promise.all([card.boundingBox(), host.boundingBox()]);
    expect([sheet?.x, sheet?.width]).toEqual([column?.x, column?.width]);
    expect(Math.round((sheet?.y ?? 0) + (sheet?.height ?? 0))).toBe(
      Math.round(Math.min(900, (column?.y ?? 0) + (column?.height ?? 0))),
    );
  }).toPass({ timeout: 10_000 });
  await page.getByRole("button", { name: "Leave", exact: true }).click();

  // All parts side by side as soon as there is space, and tabs again where there is none.
  await resize(1200);
  await expect(page.getByRole("tablist")).toHaveCount(0);
  for (const part of ["heads-panel", "picture-panel", "inspector", "edits-panel"])
    await expect(page.locator(`headscope-${part}`)).toBeVisible();
  await fits(1200);
  await resize(820);
  await expect(explorer.tab("Picture")).toBeVisible();
  await fits(820);
  // Where its page gives it no width of its own it does not vanish.
  await page.locator("#column").evaluate((one) => {
    Object.assign(one.style, { width: "", display: "flex" });
  });
  await expect
    .poll(() => host.evaluate((element) => element.clientWidth))
    .toBeGreaterThanOrEqual(320);
  await context.close();
});

test("figures and explorers are found in shadow roots, before and after the script", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const workers = workersOf(page);
  await site.write(
    page,
    '<section id="open"></section><section id="closed"></section><section id="later"></section>',
  );
  const states = page.evaluate(
    ([figure, explorer]) => {
      const fill = (id: string, mode: ShadowRootMode, inside: string): ShadowRoot => {
        const root = document.getElementById(id)?.attachShadow({ mode });
        if (!root) throw new Error("no such section");
        root.innerHTML = inside;
        return root;
      };
      const closed = fill("closed", "closed", figure);
      fill("open", "open", explorer);
      const script = Object.assign(document.createElement("script"), {
        type: "module",
        src: "embed.js",
      });
      document.head.append(script);
      return new Promise<(string | null | undefined)[]>((resolve) => {
        script.onload = () => {
          const later = fill("later", "closed", figure);
          const roots = [closed, later];
          const look = (): void => {
            const found = roots.map((root) => root.firstElementChild?.getAttribute("state"));
            if (found.every((state) => state === "ready")) resolve(found);
            else setTimeout(look, 100);
          };
          look();
        };
      });
    },
    [FIGURE, EXPLORER] as const,
  );
  await settled(page.locator("head-scope"));
  await page.locator("#later").scrollIntoViewIfNeeded();
  expect(await states).toEqual(["ready", "ready"]);
  expect(workers).toHaveLength(1);
});
