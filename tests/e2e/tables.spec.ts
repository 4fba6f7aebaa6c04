import { expect, test, type Locator, type Page } from "@playwright/test";
import { ExplorerPage, shownNumber, watch } from "./explorer-page.js";
import { engine } from "./export-menu.js";

const TEXT = "The dog bites the man.";
const HASH = `#v=1&text=${encodeURIComponent(TEXT)}&stack=encoder&layer=2&head=3`;

/** The rows of a table, its head first. */
const rowsOf = (figure: Locator): Promise<string[][]> =>
  figure
    .locator("tr")
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map(({ textContent }) => textContent.trim())),
    );

/** Opens a figure's table by keyboard and moves to it by the Tab key. */
async function openTable(page: Page, figure: Locator, words: string): Promise<Locator> {
  const button = figure.getByRole("button", { name: words });
  await button.focus();
  await page.keyboard.press("Enter");
  const region = figure.locator(".numbers");
  await expect(region).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(region).toBeFocused();
  return region;
}

test("the heads, the steps and the positions have their numbers as tables, by keyboard", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const seen = watch(page);
  const model = await engine("en-fr");
  const run = await model.run({ text: TEXT });
  const explorer = new ExplorerPage(page);
  await explorer.open(HASH);

  const heads = await openTable(page, page.locator("headscope-grid"), "Show the heads as a table");
  const [names = [], ...all] = await rowsOf(heads);
  const measures = await run.measures({ stack: "encoder" });
  expect(all).toHaveLength(24);
  expect(all.map((row) => row[names.indexOf("Entropy")])).toEqual(
    measures.map(({ entropy }) => `${(entropy ?? NaN).toFixed(3)} nats`),
  );
  expect(all.map(([name]) => name)).toEqual(
    measures.map(({ layer, head }) => `Layer ${layer + 1}, head ${head + 1}`),
  );
  await page.getByLabel("Sort by").selectOption({ label: "entropy, sharpest first" });
  const sharpest = measures.toSorted((one, other) => (one.entropy ?? 0) - (other.entropy ?? 0))[0];
  await expect(heads.locator("tbody th").first()).toHaveText(
    `Layer ${(sharpest?.layer ?? 0) + 1}, head ${(sharpest?.head ?? 0) + 1}`,
  );

  await page.getByRole("radio", { name: "Positions" }).check();
  await explorer.settle();
  const figure = page.locator("headscope-positions");
  const positions = await rowsOf(await openTable(page, figure, "Show the numbers"));
  const encoding = await run.positions({ stack: "encoder" });
  const [, columns = 0] = encoding.shape;
  expect(positions[0]?.slice(0, 3)).toEqual(["position ↓ dimension →", "1", "2"]);
  const [, ...lines] = positions;
  expect(lines.map(([, first]) => shownNumber(first ?? ""))).toEqual(
    lines.map((_, row) => Number((encoding.data[row * columns] ?? NaN).toFixed(3))),
  );

  await page.getByRole("radio", { name: "Steps" }).check();
  await explorer.settle();
  const strip = page.locator("headscope-strip");
  await strip.getByRole("slider").fill("1");
  await explorer.settle();
  const steps = await run.steps({ stack: "encoder", layer: 1, head: 2 });
  const shown = await openTable(page, strip, "Show the numbers");
  const [first] = steps;
  const [rows = 0, wide = 0] = first?.tensor.shape ?? [];
  const table = await rowsOf(shown);
  expect([table.length, table[1]?.length]).toEqual([rows + 1, wide + 1]);
  expect(table.slice(1).map(([, number]) => shownNumber(number ?? ""))).toEqual(
    table.slice(1).map((_, row) => Number((first?.tensor.data[row * wide] ?? NaN).toFixed(3))),
  );
  await strip
    .getByRole("slider")
    .fill(String(steps.findIndex(({ step }) => step === "weights") + 1));
  await expect(shown.locator("thead th").nth(1)).toHaveText("The");
  model.dispose();
  expect(seen).toEqual({ foreign: [], errors: [] });
});
