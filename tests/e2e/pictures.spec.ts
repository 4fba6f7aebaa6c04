import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, type Locator, type Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { ExplorerPage, shownNumber } from "./explorer-page.js";

const TEXT = "My sister doesn't like milk.";
const HEAD = { stack: "cross", layer: 1, head: 5 } as const;
const CELL = { query: 2, key: 1 };
const ADDRESS = `#v=1&text=${encodeURIComponent(TEXT)}&stack=cross&layer=2&head=6&cell=3-2`;

const numbersOf = async (cells: Locator): Promise<number[]> =>
  (await cells.allTextContents()).map(shownNumber);
const picture = (page: Page, name: "lines" | "dimensions"): Locator =>
  page.locator(`headscope-${name}`);

/** The same run outside the page, through the public package. */
async function sameRun(): Promise<{ run: Headscope.Run; close: () => void }> {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const model = await headscope.loadModel(resolve("dist/site/models/en-fr"));
  return { run: await model.run({ text: TEXT }), close: () => model.dispose() };
}

test("dimensions: the products of query and key add up to the raw score of the run", async ({
  page,
}) => {
  const { run, close } = await sameRun();
  const [query, key, raw] = await Promise.all([
    run.qkv({ ...HEAD, part: "query" }),
    run.qkv({ ...HEAD, part: "key" }),
    run.attention({ ...HEAD, stage: "raw" }),
  ]);
  close();
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&picture=dimensions`);
  const dimensions = picture(page, "dimensions");
  await page.getByRole("button", { name: "Show the numbers" }).click();
  const width = query.shape[1] ?? 0;
  const rows = dimensions.locator("table").last().locator("tbody tr");
  await expect(rows).toHaveCount(width + 1);
  const shown = await numbersOf(rows.locator("td"));
  for (let at = 0; at < width; at += 1) {
    const [q, k] = [query.data[CELL.query * width + at], key.data[CELL.key * width + at]];
    for (const [column, value] of [q, k, (q ?? NaN) * (k ?? NaN)].entries())
      expect(shown[at * 3 + column]).toBeCloseTo(value ?? NaN, 2);
  }
  const score = raw.data[CELL.query * (raw.shape[1] ?? 0) + CELL.key] ?? NaN;
  expect(shown.at(-1)).toBeCloseTo(score, 2);
  expect(await explorer.inspectedNumber("raw")).toBeCloseTo(score, 2);

  await test.step("a blocked key says so here and in the lines", async () => {
    await dimensions.getByRole("application").focus();
    await page.keyboard.press("b");
    await explorer.settle();
    await expect(dimensions.locator("[aria-live]")).toContainText("weight 0 · blocked by you");
    await page.getByRole("radio", { name: "Lines", exact: true }).check();
    await explorer.settle();
    await expect(picture(page, "lines").locator("[aria-live]")).toContainText("blocked by you");
  });
  await test.step("the query is chosen from the list", async () => {
    await page.getByRole("radio", { name: "Dimensions", exact: true }).check();
    await explorer.settle();
    await dimensions.getByRole("combobox", { name: "Query" }).selectOption({ index: 4 });
    await expect(page).toHaveURL(/cell=5-/);
  });
});

test("lines: the fewest links that hold the share of the weight, heads side by side, and a link to them", async ({
  page,
  context,
}) => {
  const { run, close } = await sameRun();
  const { data, shape } = await run.attention(HEAD);
  close();
  const [rows = 0, columns = 0] = shape;
  const fewest = (share: number): number =>
    Array.from({ length: rows }, (_, row) => {
      let sum = 0;
      const sorted = [...data.subarray(row * columns, (row + 1) * columns)].sort((a, b) => b - a);
      return sorted.findIndex((weight) => (sum += weight) >= share - 1e-6) + 1;
    }).reduce((all, count) => all + count, 0);
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&picture=lines`);
  const lines = picture(page, "lines");
  await lines.getByRole("slider").fill("75");
  await expect(lines.getByRole("application")).toHaveAccessibleName(
    `Lines: ${rows} queries by ${columns} keys, ${fewest(0.75)} links`,
  );
  await lines.getByRole("button", { name: "Head 2", exact: true }).click();
  await lines.getByRole("button", { name: "Head 8", exact: true }).click();
  await explorer.settle();
  await expect(page).toHaveURL(/mass=75&beside=2,8/);
  await expect(lines.locator("[aria-live]")).toContainText(/head 6 .+ · head 2 .+ · head 8 /);
  const other = new ExplorerPage(await context.newPage());
  await other.open(new URL(page.url()).hash);
  await expect(picture(other.page, "lines").getByRole("button", { pressed: true })).toHaveCount(2);
  await expect(picture(other.page, "lines").getByRole("application")).toHaveAccessibleName(
    (await lines.getByRole("application").getAttribute("aria-label")) ?? "",
  );
});

test("a held pair stays when the picture changes, by mouse and by keys, and Escape lets it go", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&picture=lines`);
  const pair = page.locator("headscope-inspector .pair");
  const pad = picture(page, "lines").getByRole("application");
  await pad.focus();
  for (const key of ["ArrowRight", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await expect(page).toHaveURL(/cell=3-3/);
  const held = (await pair.textContent()) ?? "";
  for (const name of ["Dimensions", "Heatmap", "Lines"]) {
    await page.getByRole("radio", { name, exact: true }).check();
    await explorer.settle();
    await expect(pair).toHaveText(held);
  }
  const canvas = await picture(page, "lines").locator("canvas.axes").boundingBox();
  if (!canvas) throw new Error("nothing is drawn");
  await page.mouse.click(canvas.x + canvas.width / 2 - 240, canvas.y + 44 + 10);
  await expect(page).toHaveURL(/cell=1-/);
  await pad.focus();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/cell=/);
});

test("the mask and the positions are pictures, of another scheme of positions too", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&text=${encodeURIComponent(TEXT)}&stack=decoder`);
  await page.getByRole("radio", { name: "Mask", exact: true }).check();
  const count = await explorer.tokens("Tokens of the translation").count();
  await expect(page.locator("headscope-mask").getByRole("application")).toHaveAccessibleName(
    new RegExp(`${count} queries by ${count} keys, ${(count * (count + 1)) / 2} pairs`),
  );
  await page.getByRole("radio", { name: "Positions" }).check();
  const positions = page.locator("headscope-positions");
  await expect(positions.getByRole("application")).toHaveAccessibleName(
    new RegExp(`${count} positions`),
  );
  await explorer.open(
    `#v=1&text=${encodeURIComponent(TEXT)}&stack=encoder&picture=positions&edits={'positions':[{'stack':'encoder','scheme':'alibi'}]}`,
  );
  const distances = 2 * (await explorer.tokens("Tokens of your sentence").count()) - 1;
  await expect(positions.getByRole("application")).toHaveAccessibleName(
    new RegExp(`Relative positions: ${distances} distances by \\d+ heads`),
  );
  await positions.getByRole("application").focus();
  await page.keyboard.press("ArrowDown");
  await expect(positions.locator(".reading")).toContainText(/Distance [−-]\d+, head 1: [−-]/);
});

test("a long text scrolls inside the picture and stays at hand", async ({ page }) => {
  const text = "The woman who lives next door has a little black dog. ".repeat(16).trim();
  const explorer = new ExplorerPage(page);
  await explorer.open(
    `#v=1&model=models/tiny-gpt&text=${encodeURIComponent(text)}&picture=lines&mass=100`,
  );
  for (const name of ["lines", "dimensions"] as const) {
    const frame = picture(page, name).locator(".frame");
    const { seen, whole } = await frame.evaluate((element) => ({
      seen: element.clientHeight,
      whole: element.scrollHeight,
    }));
    expect(whole).toBeGreaterThan(2 * seen);
    expect((await picture(page, name).locator("canvas.cells").boundingBox())?.height).toBeLessThan(
      800,
    );
    await picture(page, name).getByRole("application").focus();
    await page.keyboard.press(name === "lines" ? "End" : "PageDown");
    await expect
      .poll(() => frame.evaluate((element) => element.scrollTop))
      .toBeGreaterThan(whole - 2 * seen);
    await page.getByRole("radio", { name: "Dimensions", exact: true }).check();
    await explorer.settle();
  }
});
