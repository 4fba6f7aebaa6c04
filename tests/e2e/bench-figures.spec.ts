import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, type Locator, type Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { findings } from "./axe.js";
import { ExplorerPage, shownNumber } from "./explorer-page.js";

async function engine(name: string): Promise<Headscope.Model> {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  return headscope.loadModel(resolve(`dist/site/models/${name}`));
}

async function saved(
  page: Page,
  figure: Locator,
  format: string,
): Promise<{ name: string; content: string }> {
  const downloaded = page.waitForEvent("download");
  await figure.getByRole("button", { name: format }).first().click();
  const download = await downloaded;
  return {
    name: download.suggestedFilename(),
    content: readFileSync(await download.path(), "utf8"),
  };
}

test("why to divide by √d is drawn over d, read by the keyboard, and saved", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&model=models/tiny-gpt&text=The+dog&bench=kinds");
  const lab = page.locator("headscope-score-lab");
  const variance = lab.locator("headscope-save-figure").first();
  await expect(variance.getByRole("application")).toBeVisible();
  await lab.getByRole("slider").fill("100");
  await expect(lab.locator("output")).toHaveText("100");
  const told = lab.locator("[data-lab=variance] td");
  await variance.getByRole("button", { name: "Show the numbers" }).click();
  const row = variance.getByRole("row", { name: /^100 / }).locator("td");
  await expect(row).toHaveCount(2);
  // What the table of the chosen width says, the curve has at that width.
  const shown = (await row.allTextContents()).map(shownNumber);
  const said = (await told.allTextContents()).map(shownNumber);
  shown.forEach((number, at) => expect(Math.abs(number - (said[at] ?? NaN))).toBeLessThan(0.06));
  await variance.getByRole("application").focus();
  await page.keyboard.press("Home");
  await expect(variance.locator(".keys .place")).toHaveText("d 1");
  const { name, content } = await saved(page, variance, "CSV");
  expect(name).toBe("headscope_variance-seed-1.csv");
  const at100 =
    content
      .split("\r\n")
      .find((line) => line.startsWith("100,"))
      ?.split(",")
      .map(Number) ?? [];
  expect(Math.abs((at100[1] ?? NaN) - (said[0] ?? NaN))).toBeLessThan(0.001);
  const picture = await saved(page, variance, "SVG");
  expect(picture.name).toBe("headscope_variance-seed-1.svg");
  expect(picture.content).toContain("Variance of the scores");
});

test("what dropout took is hatched and named in the picture, as the engine drew it", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  const text = "The dog bites the man.";
  await explorer.open(
    `#v=1&model=models/tiny-bert&text=${encodeURIComponent(text)}&layer=1&head=1&edits=e1.1~kind-softmax(p0.4,q3)`,
  );
  const picture = page.locator("headscope-picture-panel headscope-heatmap");
  await expect(picture.locator(".sign")).toHaveText("dropped");
  await picture.getByRole("button", { name: "Show the numbers" }).click();
  const shown = (await picture.locator("tbody td:not(.sum)").allTextContents()).map(
    (cell) => cell === "dropped",
  );
  const model = await engine("tiny-bert");
  try {
    const run = await model.run({
      text,
      edits: {
        attention: [{ stack: "encoder", layers: [0], heads: [0], dropout: { rate: 0.4, seed: 3 } }],
      },
    });
    const { kept } = await run.dropoutMean({ stack: "encoder", layer: 0, head: 0, draws: 1 });
    expect(shown).toEqual(kept.map((factor) => factor === 0));
    expect(shown).toContain(true);
  } finally {
    model.dispose();
  }
  expect(await findings(page)).toEqual([]);
});

test("the cost of attention is read at a length and saved with the model and the text; small figures show a part of themselves", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&text=The+dog+bites+the+man+and+the+man+bites+the+dog+and+the+cat.&stack=encoder&layer=2&bench=masks",
  );
  await page
    .locator("headscope-mask-labs details", { hasText: "What attention costs" })
    .locator("summary")
    .click();
  const cost = page.locator("headscope-mask-cost headscope-save-figure");
  await cost.getByRole("application").focus();
  await page.keyboard.press("End");
  await expect(cost.locator(".keys li").nth(1)).toContainText("10¹⁰");
  const { name, content } = await saved(page, cost, "CSV");
  expect(name).toBe(
    "headscope_en-fr_encoder_layer-2_cost-pairs_the-dog-bites-the-man-and-the-man-bites-the-dog-and-the-cat.csv",
  );
  expect(content).toContain("\r\n1000,1000000,1000000\r\n");
  await page
    .locator("headscope-mask-labs details", { hasText: "What the rules do" })
    .locator("summary")
    .click();
  const stages = page.locator("headscope-mask-stages headscope-save-figure");
  await stages.getByRole("application").first().focus();
  await page.keyboard.press("+");
  await expect(
    stages.locator("headscope-heatmap").last().getByRole("button", { name: "Show all" }),
  ).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test("on a phone and in Chinese they are all there, in the dark", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog&stack=encoder&bench=kinds&language=zh-CN");
  await page.getByRole("tab").last().click();
  const lab = page.locator("headscope-score-lab");
  await expect(lab.locator("headscope-curves")).toHaveCount(3);
  await expect(lab.getByText("保存").first()).toBeVisible();
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(wide).toBeLessThanOrEqual(0);
  expect(await findings(page)).toEqual([]);
});
