import { readFileSync } from "node:fs";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { ExplorerPage, shownNumber } from "./explorer-page.js";

const TEXT = "text=The+dog+bites+the+man.";
const HEAD = "stack=encoder&layer=1&head=1&bench=kinds";
const report = (page: Page): Locator => page.locator("headscope-kind-report");

/** The numbers of the picture's table, by row; a dropped weight is 0. */
async function numbers(page: Page): Promise<number[][]> {
  const show = page.getByRole("button", { name: "Show the numbers" });
  if (await show.first().isVisible()) await show.first().click();
  const rows = await page
    .locator("headscope-heatmap tbody tr")
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll("td:not(.sum)")].map((cell) => cell.textContent)),
    );
  return rows.map((row) => row.map((cell) => (cell === "dropped" ? 0 : shownNumber(cell))));
}

const sum = (row: readonly number[]): number => row.reduce((total, cell) => total + cell, 0);

test("kinds of attention: a head attends to its neighbours alone, with fewer operations, a chip and a link", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&${HEAD}`);
  const operations = report(page).locator("[data-count=operations] td");
  await expect(operations.first()).not.toBeEmpty();
  const [exact, same] = await operations.allTextContents();
  expect(exact).toBe(same);
  await page.getByLabel("Change this head to").selectOption({ label: "sliding window, sparse" });
  await explorer.settle();
  const width = page.getByRole("spinbutton", { name: "each side" });
  await width.fill("0");
  await width.press("Enter");
  await explorer.settle();
  await expect(explorer.chips).toHaveText([/Encoder 1\.1: sliding window, sparse.*each side 0/]);
  await expect(operations.first()).not.toHaveText(exact ?? "");
  for (const [row, cells] of (await numbers(page)).entries())
    expect(cells).toEqual(cells.map((_, key) => (key === row ? 1 : 0)));
  await expect(page).toHaveURL(/kind-sliding\(w0\)/);
  await page.reload();
  await explorer.settle();
  await expect(width).toHaveValue("0");
  await page.getByRole("button", { name: "Take this kind away" }).click();
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(0);
});

test("kinds of attention: every kind is chosen from the list, with rank, scale, temperature and dropout", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const explorer = new ExplorerPage(page);
  await explorer.open(
    `#v=1&model=models/tiny-bert&${TEXT}&${HEAD}&edits={'attention':[{'stack':'encoder','layers':[0],'heads':[0],'kind':'softmax'}]}`,
  );
  const kind = page.getByLabel("Kind of attention");
  for (const [label, sumsToOne] of [
    ["cosine", true],
    ["additive (untrained)", true],
    ["blocks, sparse", true],
    ["linear (elu + 1)", true],
    ["random features", true],
    ["pooled keys", true],
    ["chunked", true],
    ["low rank", false],
  ] as const) {
    await kind.selectOption({ label });
    await expect(report(page).getByRole("heading").first()).toContainText(label);
    await explorer.settle();
    for (const row of await numbers(page))
      if (sumsToOne) expect(Math.abs(sum(row) - 1), label).toBeLessThan(0.02);
  }
  await test.step("rank", async () => {
    const slider = page.getByRole("slider", { name: "rank" });
    await slider.press("Home");
    await expect(page).toHaveURL(/kind-low-rank\(r0\)/);
    await explorer.settle();
    for (const row of await numbers(page)) expect(row.every((weight) => weight === 0)).toBe(true);
    // As many directions as tokens are all that the pattern has.
    await slider.press("End");
    await expect(explorer.chips).toHaveText([/rank 9/]);
    await explorer.settle();
    for (const row of await numbers(page)) expect(sum(row)).toBeCloseTo(1, 2);
  });
  await test.step("scale and temperature", async () => {
    await explorer.open(
      "#v=1&model=models/tiny-gpt&text=The+dog+sees+the+cat&stage=scores&layer=1&head=1&bench=kinds&edits={'attention':[{'stack':'decoder','layers':[0],'heads':[0],'kind':'softmax'}]}",
    );
    const scaled = (await numbers(page)).flat();
    await page.getByRole("radio", { name: "none", exact: true }).check();
    await explorer.settle();
    const raw = (await numbers(page)).flat();
    const factor = Math.abs(sum(raw.map(Math.abs)) / sum(scaled.map(Math.abs)));
    expect(factor).toBeGreaterThan(2);
    const temperature = page.getByRole("spinbutton", { name: "temperature" });
    await temperature.fill(factor.toFixed(2));
    await temperature.press("Enter");
    await explorer.settle();
    for (const [at, value] of (await numbers(page)).flat().entries())
      expect(Math.abs(value - (scaled[at] ?? NaN))).toBeLessThan(0.02 + 0.02 * Math.abs(value));
  });
  await test.step("what needs all tokens at once is not offered to a decoder", async () => {
    await expect(page.locator("#add option[value=low-rank]")).toBeDisabled();
    await expect(page.locator("#add option[value=linear]")).toBeEnabled();
  });
  await test.step("dropout", async () => {
    await explorer.open(
      `#v=1&${TEXT}&${HEAD}&edits={'attention':[{'stack':'encoder','layers':[0],'heads':[0],'kind':'softmax','dropout':{'rate':0.5,'seed':3}}]}`,
    );
    await expect(report(page)).toContainText("1,000 seeds");
    await expect(report(page).locator("headscope-numbers")).toHaveCount(3);
    await expect(page.locator("headscope-picture-panel headscope-heatmap .sign")).toHaveText(
      "dropped",
    );
    const dropped = (await numbers(page)).flat();
    expect(dropped.filter((weight) => weight === 0).length).toBeGreaterThan(dropped.length / 5);
  });
});

test("kinds of attention: the variance of the scores is drawn over d, set by the keyboard, and saved", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&model=models/tiny-gpt&text=The+dog&bench=kinds");
  const lab = page.locator("headscope-demo[name=scores]");
  const figure = lab.locator("headscope-save-figure").first();
  const variance = async (): Promise<number[]> =>
    (await lab.locator("[data-row=variance] td").allTextContents()).map(shownNumber);
  await lab.getByRole("slider").first().focus();
  await page.keyboard.press("End");
  await expect.poll(async () => (await variance())[0]).toBeGreaterThan(300);
  const [plain = 0, scaled = 0] = await variance();
  expect(plain / scaled).toBeCloseTo(512, -1);
  await figure.getByRole("application").focus();
  await page.keyboard.press("Home");
  await expect(figure.locator(".keys .place")).toHaveText("d 1");
  for (const format of ["CSV", "SVG"]) {
    const downloaded = page.waitForEvent("download");
    await figure.getByRole("button", { name: format }).first().click();
    const download = await downloaded;
    expect(download.suggestedFilename()).toBe(`headscope_variance-seed-1.${format.toLowerCase()}`);
    expect(readFileSync(await download.path(), "utf8")).toContain(
      format === "CSV" ? "\r\n100," : "Variance of the scores",
    );
  }
});
