import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, type Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { ExplorerPage, shownNumber } from "./explorer-page.js";

const TEXT = "text=The+dog+bites+the+man.";

/** The rows of the table of numbers under the picture. */
async function weights(page: Page): Promise<number[][]> {
  const rows = page.locator("headscope-picture-panel headscope-heatmap tbody tr");
  const texts = await Promise.all(
    (await rows.all()).map((row) => row.locator("td").allTextContents()),
  );
  return texts.map((row) => row.map(shownNumber));
}

async function engine(name: string): Promise<Headscope.Model> {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  return headscope.loadModel(resolve(`dist/site/models/${name}`));
}

const bench = (page: Page): ReturnType<Page["locator"]> => page.locator("headscope-heads-bench");

test("heads: a head is frozen or drawn by the keyboard, undone and shared, and the model computes with it", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&stack=encoder&layer=1&head=2`);
  const tokens = await explorer.tokens("Tokens of your sentence").count();
  await page
    .locator("headscope-picture-panel")
    .getByRole("button", { name: "Show the numbers" })
    .click();
  const computed = await weights(page);
  await page.getByRole("button", { name: "Heads and blocks", exact: true }).click();
  await bench(page).getByRole("radio", { name: "the token before" }).check();
  await explorer.settle();
  await expect(explorer.chips).toHaveText([/Encoder 1\.2: the token before/]);
  expect(await weights(page)).toEqual(
    Array.from({ length: tokens }, (_, query) =>
      Array.from({ length: tokens }, (__, key) => (key === Math.max(0, query - 1) ? 1 : 0)),
    ),
  );
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await explorer.settle();
  expect(await weights(page)).toEqual(computed);
  // A drawing begins as what the head does; its first row is given to its last key.
  await bench(page).getByRole("radio", { name: "drawn" }).check();
  await explorer.settle();
  const pad = page.locator("headscope-draw-pattern").getByRole("application");
  await pad.focus();
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Home");
  const drawn = await weights(page);
  for (const [query, row] of drawn.entries())
    for (const [key, value] of row.entries())
      expect(Math.abs(value - (computed[query]?.[key] ?? 0))).toBeLessThan(0.002);
  await bench(page).getByRole("radio", { name: "0%", exact: true }).check();
  await pad.focus();
  for (let key = 0; key < tokens - 1; key += 1) {
    await page.keyboard.press("b");
    await page.keyboard.press("ArrowRight");
  }
  await explorer.settle();
  const first = (await weights(page))[0] ?? [];
  expect(first).toEqual(Array.from({ length: tokens }, (_, key) => (key === tokens - 1 ? 1 : 0)));
  await expect(page).toHaveURL(
    /edits=\{'heads':\[\{'stack':'encoder','layers':\[0\],'heads':\[1\],'pattern':'\*[\w-]+'\}\]\}/,
  );
  await page.reload();
  await explorer.settle();
  await page
    .locator("headscope-picture-panel")
    .getByRole("button", { name: "Show the numbers" })
    .click();
  expect((await weights(page))[0]).toEqual(first);
});

test("heads: a rule finds heads, which are ablated in one step; blocks lose residuals and norms", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&bench=heads`);
  await bench(page).getByLabel("What is measured").selectOption("broad");
  await bench(page).getByRole("spinbutton", { name: "The number" }).fill("0.8");
  await bench(page).getByRole("spinbutton", { name: "The number" }).press("Enter");
  const pick = bench(page).getByRole("button", { name: /^Pick \d+ heads?$/ });
  const count = Number(((await pick.textContent()) ?? "").replace(/\D/g, ""));
  expect(count).toBeGreaterThan(0);
  await pick.click();
  await expect(explorer.chips).toHaveCount(0);
  await expect(page.locator("headscope-head-picker [aria-pressed=true]")).toHaveCount(count);
  await bench(page).getByRole("radio", { name: "silent" }).check();
  await explorer.settle();
  await expect(explorer.unedited).toContainText("Without your edits");
  expect(await explorer.chips.count()).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(0);
  await test.step("residuals and norms", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open(`#v=1&model=models/tiny-gpt&text=The+dog+sees+the+cat&bench=heads`);
    await bench(page).getByRole("radio", { name: "Blocks" }).check();
    const row = bench(page).getByRole("row", { name: /feed-forward/ });
    await row.getByRole("radio", { name: "left out" }).check();
    await explorer.settle();
    await row.getByRole("radio", { name: "none" }).check();
    await explorer.settle();
    await expect(explorer.chips).toHaveCount(2);
    await expect(page).toHaveURL(
      /edits=\{'blocks':\[\{[^}]*'sublayers':\['feed-forward'\],'residual':false\},\{[^}]*'sublayers':\['feed-forward'\],'norm':'none'\}\]\}/,
    );
    await row.getByRole("radio", { name: "added" }).check();
    await row.getByRole("radio", { name: "as trained" }).check();
    await explorer.settle();
    await expect(explorer.chips).toHaveCount(0);
  });
});

test("heads: they are ranked by their effect on a word, and the strongest one opens", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&bench=heads&target=Le+chien+mord+l'homme.`);
  await bench(page).getByRole("radio", { name: "Effect on a word" }).check();
  await bench(page).getByRole("button", { name: "Measure 72 heads" }).click();
  await expect(bench(page).getByRole("button", { name: "Measure 72 heads" })).toBeVisible({
    timeout: 30_000,
  });
  const list = bench(page).getByRole("list", { name: "Heads by their effect, strongest first" });
  const strongest = list.getByRole("button").first();
  const said = (await strongest.textContent()) ?? "";
  const effect = shownNumber(/[+−][\d.]+$/.exec(said.trim())?.[0].replace("+", "") ?? "");
  const map = bench(page).locator("headscope-numbers");
  await map.getByRole("button", { name: "Show the numbers" }).click();
  const numbers = (await map.locator("tbody td").allTextContents()).map(shownNumber);
  expect(numbers).toHaveLength(72);
  expect(Math.max(...numbers.map(Math.abs))).toBeCloseTo(Math.abs(effect), 3);
  await strongest.click();
  await explorer.settle();
  const [, stack = "", layer = "", head = ""] =
    /^\s*(Encoder|Decoder|Cross-attention) (\d)\.(\d)/.exec(said) ?? [];
  await expect(explorer.stack(stack as "Encoder")).toBeChecked();
  await expect(explorer.headTitle).toHaveText(`Layer ${layer} · head ${head}`);
});

test("heads: pruning curves are computed live, held and continued, and end in a sentence", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&model=models/tiny-bert&text=The+dog+sees+the+cat&bench=heads");
  await bench(page).getByRole("radio", { name: "Pruning" }).check();
  await bench(page).getByLabel("How many held-out sentences").selectOption("12");
  await bench(page).getByRole("button", { name: "Compute" }).click();
  const bar = bench(page).getByRole("progressbar");
  await expect.poll(async () => Number(await bar.getAttribute("value"))).toBeGreaterThan(5);
  await bench(page).getByRole("button", { name: "Hold" }).click();
  await expect(bench(page).getByRole("button", { name: "Go on" })).toBeVisible();
  const held = Number(await bar.getAttribute("value"));
  // Another part of the page in between loses nothing.
  await bench(page).getByRole("radio", { name: "Blocks" }).check();
  await bench(page).getByRole("radio", { name: "Pruning" }).check();
  expect(Number(await bar.getAttribute("value"))).toBeGreaterThanOrEqual(held);
  await bench(page).getByRole("button", { name: "Go on" }).click();
  await expect(bench(page)).toContainText(/With [\d.]+% of its heads removed the loss goes from/, {
    timeout: 120_000,
  });
  await expect(bench(page)).toContainText("readings of a sentence done, with ever fewer heads", {
    timeout: 60_000,
  });
  const curves = bench(page).locator("headscope-curves");
  await curves.getByRole("button", { name: "Show the numbers" }).click();
  const losses = (await curves.locator("tbody td").allTextContents()).map(shownNumber);
  const [, before, after] =
    /from ([\d.]+) to ([\d.]+)\.$/.exec(
      (await bench(page).locator(".verdict").textContent()) ?? "",
    ) ?? [];
  // Half of the last digit of either.
  const near = (said: string | undefined, loss: number | undefined): boolean =>
    Math.abs(Number(said) - (loss ?? NaN)) < 0.0056;
  expect(near(before, losses[0])).toBe(true);
  expect(near(after, losses[Math.round(0.6 * (losses.length - 1))])).toBe(true);
});

test("heads: the residual stream and a layer norm by hand show numbers of the run", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&model=models/tiny-gpt&text=The+dog+sees+the+cat&layer=2&bench=heads");
  await bench(page).getByRole("radio", { name: "Add & norm" }).check();
  const map = bench(page).locator("headscope-stream headscope-numbers");
  await expect(map.getByRole("application")).toBeVisible();
  await map.getByRole("button", { name: "Show the numbers" }).click();
  await bench(page).getByLabel("token", { exact: true }).selectOption({ index: 2 });
  await bench(page).getByRole("spinbutton", { name: "number" }).fill("7");
  await bench(page).getByRole("spinbutton", { name: "number" }).press("Enter");
  const model = await engine("tiny-gpt");
  try {
    const run = await model.run({ text: "The dog sees the cat" });
    const lengths = (await run.residuals({ stack: "decoder" })).flatMap(({ norm }) => norm);
    const shown = (await map.locator("tbody td").allTextContents()).map(shownNumber);
    lengths.forEach((length, at) =>
      expect(Math.abs((shown[at] ?? NaN) - length), String(at)).toBeLessThan(0.001),
    );
    const { value } = await run.explain({
      stack: "decoder",
      layer: 1,
      head: 0,
      step: "entered",
      row: 2,
      column: 6,
    });
    await expect
      .poll(async () =>
        Math.abs(
          shownNumber((await bench(page).locator("[data-norm=value]").textContent()) ?? "") - value,
        ),
      )
      .toBeLessThan(0.001);
  } finally {
    model.dispose();
  }
});
