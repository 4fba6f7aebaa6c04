// The documentation, which is in the built page: its figures run, and its links lead somewhere.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, NOTHING, test, watch } from "./page.js";
import { ready } from "./site.js";

const DOCS = "dist/site/docs";

test("the page and its documentation lead to each other", async ({ page, explorer }) => {
  await explorer.open();
  await explorer.button("Questions").click();
  const link = page.locator("headscope-help-dialog").getByRole("link", { name: "Documentation" });
  const [docs] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await docs.getByRole("link", { name: "Open the explorer" }).click();
  await expect(docs.locator("headscope-explorer")).toBeVisible();
});

test("the documentation has figures that run", async ({ page }) => {
  if (!existsSync(DOCS)) throw new Error(`${DOCS} is not there: run \`npm run build:docs\`.`);
  const seen = watch(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("docs/");
  await ready(page.locator(".live > headscope-heatmap"));
  // No page is wider than a phone.
  const over = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await over()).toBeLessThanOrEqual(0);
  const { links, up } = await page.evaluate(() => ({
    links: [...document.querySelectorAll<HTMLAnchorElement>(".tsd-typography a[href]")].map(
      ({ href }) => href,
    ),
    up: document.querySelector<HTMLAnchorElement>("a.explorer")?.href,
  }));
  expect(up).toBe(new URL("../", page.url()).href);
  for (const link of links) {
    const { pathname } = new URL(link);
    expect(existsSync(join("dist/site", pathname)), link).toBe(true);
  }
  await page.goto("docs/documents/Recipes.html");
  const figures = page.locator(".live > *");
  expect(await figures.count()).toBeGreaterThan(5);
  for (const figure of await figures.all()) await ready(figure);
  expect(await over()).toBeLessThanOrEqual(0);
  expect(readdirSync(join(DOCS, "media")).length).toBeGreaterThan(30);
  expect(seen).toEqual(NOTHING);
});
