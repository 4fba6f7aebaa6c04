import { expect, test, type Page } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";
import { fetchedScripts, MOST_SCRIPTS } from "./feel-meter.js";

const TEXT = "The+dog+bites+the+man.";
const SORRY = "A part of Headscope could not be fetched. Try again, or reload the page. page/part";

/** The scripts that a page fetched, by their names without the hash. */
function scriptsOf(page: Page): string[] {
  const names: string[] = [];
  page.on("request", (request) => {
    const [, name] = /\/([^/]+)-[^/]{8}\.js$/.exec(request.url()) ?? [];
    if (name !== undefined) names.push(name);
  });
  return names;
}

/** Lets no script of that name through, until it is let go. */
async function withhold(page: Page, name: string): Promise<() => Promise<void>> {
  const pattern = new RegExp(`/${name}-[^/]{8}\\.js$`);
  await page.route(pattern, (route) => route.abort("connectionfailed"));
  return () => page.unroute(pattern);
}

const failure = (page: Page): ReturnType<Page["locator"]> =>
  page.locator("headscope-later-status").getByRole("alert");
const again = (page: Page): ReturnType<Page["locator"]> =>
  page.locator("headscope-later-status").getByRole("button", { name: "Try again" });

test("a first visit fetches no picture that it does not show, and each is fetched when it is opened", async ({
  page,
}) => {
  const scripts = scriptsOf(page);
  const fetched: string[] = [];
  page.context().on("request", (request) => fetched.push(request.url()));
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&text=${TEXT}`);
  expect(fetchedScripts("dist/site", fetched)).toBeLessThanOrEqual(MOST_SCRIPTS);
  expect(fetched.filter((address) => address.includes("headscope_lab"))).toEqual([]);
  const later = [
    "lines",
    "dimensions",
    "steps-panel",
    "mask",
    "positions",
    "side",
    "card",
    "export-sheet",
  ];
  expect(scripts.filter((name) => later.includes(name))).toEqual([]);
  for (const [tab, script, tag] of [
    ["Lines", "lines", "headscope-lines"],
    ["Dimensions", "dimensions", "headscope-dimensions"],
    ["Steps", "steps-panel", "headscope-steps"],
    ["Mask", "mask", "headscope-mask"],
    ["Positions", "positions", "headscope-positions"],
  ] as const) {
    await page.getByRole("radio", { name: tab, exact: true }).check({ force: true });
    await expect(page.locator(tag).getByRole("application")).toBeVisible();
    expect(scripts).toContain(script);
  }
  await page.getByRole("radio", { name: "Heatmap", exact: true }).check({ force: true });
  await page.getByRole("radio", { name: "Lines", exact: true }).check({ force: true });
  await expect(page.locator("headscope-lines").getByRole("application")).toBeVisible();
  expect(scripts.filter((name) => name === "lines")).toHaveLength(1);
});

test("a picture that cannot be fetched says so with its code, and comes when it is tried again; nothing moves meanwhile", async ({
  page,
}) => {
  let deliver = (): void => undefined;
  const held = new Promise<void>((resolve) => (deliver = resolve));
  await page.route(/\/lines-[^/]{8}\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&text=${TEXT}`);
  const panel = page.locator("headscope-picture-panel");
  const before = (await panel.boundingBox())?.height ?? NaN;
  await page.getByRole("radio", { name: "Lines", exact: true }).check({ force: true });
  await expect(panel.getByText("This part of the page is on its way.")).toBeVisible();
  await expect(explorer.main).toHaveAttribute("aria-busy", "true");
  // The hint above is another picture's, and may be a line longer or shorter.
  expect(Math.abs(((await panel.boundingBox())?.height ?? NaN) - before)).toBeLessThan(40);
  deliver();
  await expect(page.locator("headscope-lines").getByRole("application")).toBeVisible();
  await test.step("cannot be fetched", async () => {
    await page.goto("about:blank");
    const explorer = new ExplorerPage(page);
    const release = await withhold(page, "lines");
    await explorer.open(`#v=1&text=${TEXT}`);
    await page.getByRole("radio", { name: "Lines", exact: true }).check({ force: true });
    await expect(failure(page)).toHaveText(SORRY);
    await expect(explorer.main).toHaveAttribute("aria-busy", "false");
    // Another picture is there meanwhile.
    await page.getByRole("radio", { name: "Heatmap", exact: true }).check({ force: true });
    await expect(explorer.figure).toBeVisible();
    await page.getByRole("radio", { name: "Lines", exact: true }).check({ force: true });
    await again(page).click();
    await expect(failure(page)).toHaveText(SORRY);
    await release();
    await again(page).click();
    await expect(page.locator("headscope-lines").getByRole("application")).toBeVisible();
    await expect(page.locator("headscope-later-status")).toHaveCount(0);
    await expect(page.getByRole("radio", { name: "Lines", exact: true })).toBeFocused();
    const table = await withhold(page, "table");
    const grid = page.locator("headscope-grid");
    await grid.getByRole("button", { name: "Show the heads as a table" }).click();
    await expect(grid.getByRole("alert")).toContainText("could not be fetched");
    await table();
    await grid.getByRole("button", { name: "Show the heads as a table" }).click();
    await expect(grid.locator("tbody tr")).toHaveCount(24);
  });
});
