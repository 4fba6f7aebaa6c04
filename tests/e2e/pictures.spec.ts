import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { devices, expect, test, type Locator, type Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { ExplorerPage, shownNumber } from "./explorer-page.js";

/** One head of each bundled model, and a pair of it. */
const HEADS = [
  {
    model: "en-fr",
    text: "My sister doesn't like milk.",
    stack: "cross",
    layer: 1,
    head: 5,
    cell: { query: 2, key: 1 },
  },
  {
    model: "tiny-gpt",
    text: "The dog and the cat drink milk.",
    stack: "decoder",
    layer: 1,
    head: 2,
    cell: { query: 4, key: 2 },
  },
  {
    model: "tiny-bert",
    text: "The dog and the cat drink milk.",
    stack: "encoder",
    layer: 2,
    head: 1,
    cell: { query: 3, key: 5 },
  },
] as const;

const addressOf = ({ model, text, stack, layer, head, cell }: (typeof HEADS)[number]): string =>
  `#v=1&model=models/${model}&text=${encodeURIComponent(text)}&stack=${stack}&layer=${layer + 1}&head=${head + 1}&cell=${cell.query + 1}-${cell.key + 1}`;

/** The same engine outside the page, through the public package. */
async function runOf({
  model: name,
  text,
}: (typeof HEADS)[number]): Promise<{ run: Headscope.Run; close: () => void }> {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const model = await headscope.loadModel(resolve(`dist/site/models/${name}`));
  return { run: await model.run({ text }), close: () => model.dispose() };
}

const numbersOf = async (cells: Locator): Promise<number[]> =>
  (await cells.allTextContents()).map(shownNumber);
const picture = (page: Page, name: "lines" | "dimensions"): Locator =>
  page.locator(`headscope-${name}`);

for (const head of HEADS) {
  test(`${head.model}: the dimensions of a pair are the run's vectors, their products add up to the run's own score`, async ({
    page,
  }) => {
    const { run, close } = await runOf(head);
    const { stack, layer, head: index, cell } = head;
    const which = { stack, layer, head: index };
    const [query, key, raw] = await Promise.all([
      run.qkv({ ...which, part: "query" }),
      run.qkv({ ...which, part: "key" }),
      run.attention({ ...which, stage: "raw" }),
    ]);
    const width = query.shape[1] ?? 0;
    const [rows = 0, columns = 0] = raw.shape;
    for (let at = 0; at < rows * columns; at += 1) {
      const [q, k] = [Math.floor(at / columns), at % columns];
      let sum = 0;
      for (let dimension = 0; dimension < width; dimension += 1)
        sum +=
          (query.data[q * width + dimension] ?? NaN) * (key.data[k * width + dimension] ?? NaN);
      expect(Math.abs(sum - (raw.data[at] ?? NaN))).toBeLessThan(1e-4);
    }
    const explorer = new ExplorerPage(page);
    await explorer.open(`${addressOf(head)}&picture=dimensions`);
    await page.getByRole("button", { name: "Show the numbers" }).click();
    const pair = picture(page, "dimensions").locator("table").last().locator("tbody tr");
    await expect(pair).toHaveCount(width + 1);
    const shown = await numbersOf(pair.locator("td"));
    for (let dimension = 0; dimension < width; dimension += 1) {
      const [q, k] = [
        query.data[cell.query * width + dimension] ?? NaN,
        key.data[cell.key * width + dimension] ?? NaN,
      ];
      const expected = [q, k, q * k];
      expected.forEach((value, column) =>
        expect(shown[dimension * 3 + column]).toBeCloseTo(value, 2),
      );
    }
    const score = raw.data[cell.query * columns + cell.key] ?? NaN;
    expect(shown.at(-1)).toBeCloseTo(score, 2);
    expect(await explorer.inspectedNumber("raw")).toBeCloseTo(score, 2);
    const keys = picture(page, "dimensions").locator("table").first().locator("tbody tr");
    await expect(keys).toHaveCount(columns);
    const weights = await run.attention(which);
    const last = await numbersOf(keys.locator("td:last-child"));
    last.forEach((value, k) =>
      expect(value).toBeCloseTo(weights.data[cell.query * columns + k] ?? NaN, 2),
    );
    close();
  });

  test(`${head.model}: the lines are the fewest that hold the mass, and their numbers the run's`, async ({
    page,
  }) => {
    const { run, close } = await runOf(head);
    const { stack, layer, head: index } = head;
    const { data, shape } = await run.attention({ stack, layer, head: index });
    const [rows = 0, columns = 0] = shape;
    const kept = (percent: number): number =>
      Array.from({ length: rows }, (_, row) =>
        Array.from(data.subarray(row * columns, (row + 1) * columns)).sort((a, b) => b - a),
      ).reduce((count, row) => {
        let held = 0;
        const fewest = row.findIndex((weight) => (held += weight) >= percent / 100 - 1e-6);
        return count + (fewest < 0 ? columns : fewest + 1);
      }, 0);
    const explorer = new ExplorerPage(page);
    for (const percent of [90, 50]) {
      await explorer.open(`${addressOf(head)}&picture=lines&mass=${percent}`);
      await expect(picture(page, "lines").getByRole("application")).toHaveAccessibleName(
        `Lines: ${rows} queries by ${columns} keys, ${kept(percent)} links`,
      );
    }
    await page.getByRole("button", { name: "Show the numbers" }).click();
    const shown = await numbersOf(picture(page, "lines").locator("td"));
    expect(shown).toHaveLength(data.length);
    shown.forEach((value, at) => expect(value).toBeCloseTo(data[at] ?? NaN, 2));
    close();
  });
}

const ADDRESS = addressOf(HEADS[0]);

test("the pair that is held stays when the picture changes, by mouse and by keys, and Escape lets it go", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&picture=lines`);
  const pair = page.locator("headscope-inspector .pair");
  const pad = picture(page, "lines").getByRole("application");
  await pad.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/cell=3-3/);
  const held = (await pair.textContent()) ?? "";
  for (const name of ["Dimensions", "Heatmap", "Lines"]) {
    await page.getByRole("radio", { name, exact: true }).check();
    await explorer.settle();
    await expect(pair).toHaveText(held);
  }
  const box = await pad.boundingBox();
  const canvas = await picture(page, "lines").locator("canvas.axes").boundingBox();
  if (!box || !canvas) throw new Error("nothing is drawn");
  await page.mouse.click(canvas.x + canvas.width / 2 - 240, canvas.y + 44 + 10);
  await expect(page).toHaveURL(/cell=1-/);
  await pad.focus();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/cell=/);
});

test("heads are drawn beside each other, and a link carries them and the mass", async ({
  page,
  context,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&picture=lines`);
  const lines = picture(page, "lines");
  await lines.getByRole("button", { name: "Head 2", exact: true }).click();
  await lines.getByRole("button", { name: "Head 8", exact: true }).click();
  await lines.getByRole("slider").fill("75");
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

test("a blocked key says so in both pictures, and the query can be chosen from the list", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&picture=dimensions`);
  const dimensions = picture(page, "dimensions");
  await dimensions.getByRole("application").focus();
  await page.keyboard.press("b");
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(1);
  await expect(dimensions.locator("[aria-live]")).toContainText("weight 0 · blocked by you");
  await page.getByRole("radio", { name: "Lines", exact: true }).check();
  await explorer.settle();
  await expect(picture(page, "lines").locator("[aria-live]")).toContainText("blocked by you");
  await page.getByRole("radio", { name: "Dimensions", exact: true }).check();
  await explorer.settle();
  await dimensions.getByRole("combobox", { name: "Query" }).selectOption({ index: 4 });
  await expect(page).toHaveURL(/cell=5-/);
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

test.describe("on a phone", () => {
  const { userAgent, deviceScaleFactor, isMobile, hasTouch } = devices["Pixel 7"];
  test.use({
    userAgent,
    deviceScaleFactor,
    isMobile,
    hasTouch,
    viewport: { width: 390, height: 844 },
  });

  test("a finger holds a query, then one of its keys, and nothing runs off the side", async ({
    page,
  }) => {
    const explorer = new ExplorerPage(page);
    await explorer.open(`#v=1&picture=lines&text=${encodeURIComponent(HEADS[0].text)}`);
    const canvas = picture(page, "lines").locator("canvas.axes");
    await canvas.scrollIntoViewIfNeeded();
    const width = (await canvas.boundingBox())?.width ?? 0;
    await canvas.tap({ position: { x: 40, y: 44 + 10 } });
    await expect(page).toHaveURL(/cell=1-/);
    // Of so few tokens each has a row of 28 pixels.
    await canvas.tap({ position: { x: width - 20, y: 44 + 2.5 * 28 } });
    await expect(page).toHaveURL(/cell=1-3/);
    // By the finger: a mouse would stay where the picture comes to lie.
    await page.getByRole("radio", { name: "Dimensions", exact: true }).tap();
    await explorer.settle();
    await expect(picture(page, "dimensions").getByRole("application")).toHaveAccessibleName(
      /query start: /,
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
