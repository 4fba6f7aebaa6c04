import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { ExplorerPage, shownNumber } from "./explorer-page.js";

const SENTENCE = "My sister doesn't like milk.";
const ADDRESS = `#v=1&text=${encodeURIComponent(SENTENCE)}`;
/** The inspector shows three decimals. */
const SHOWN_DIGITS = 3;

test("heads are chosen by mouse, by arrows and by letters", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&layer=1&head=1`);
  await explorer.head(3, 5).click();
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 5");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(explorer.headTitle).toHaveText("Layer 2 · head 4");
  await explorer.figure.focus();
  await page.keyboard.press("]");
  await page.keyboard.press(".");
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 5");
  await page.keyboard.press("]");
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 5");
});

test("the title names the head whose picture is shown", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&layer=1&head=1`);
  await explorer.head(3, 5).hover();
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 5");
  await page.mouse.move(0, 0);
  await expect(explorer.headTitle).toHaveText("Layer 1 · head 1");
});

test("each stack shows who looks at whom", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(ADDRESS);
  const source = await explorer.tokens("Tokens of your sentence").count();
  const target = await explorer.tokens("Tokens of the translation").count();
  for (const [name, queries, keys] of [["Encoder", source, source], ["Decoder", target, target], ["Cross-attention", target, source]] as const) {
    await explorer.stack(name).check();
    await explorer.settle();
    await expect(explorer.figure).toHaveAccessibleName(`Attention, weights: ${queries} queries by ${keys} keys`);
  }
});

test("the numbers on the screen are the run's, in every stage", async ({ page }) => {
  // The same engine outside the page, through the public package.
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const model = await headscope.loadModel(resolve("dist/site/models/en-fr"));
  const run = await model.run({ text: SENTENCE });
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&layer=2&head=6&cell=3-2`);
  await expect(explorer.translation).toHaveValue(run.targetText);
  for (const stage of ["raw", "scores", "weights"] as const) {
    const { data, shape } = await run.attention({ stack: "cross", layer: 1, head: 5, stage });
    expect(await explorer.inspectedNumber(stage)).toBeCloseTo(data[2 * (shape[1] ?? 0) + 1] ?? NaN, SHOWN_DIGITS - 1);
  }
  await page.getByRole("button", { name: "Show the numbers" }).click();
  for (const stage of ["raw", "scores", "masked", "weights"] as const) {
    await explorer.stage(stage).check();
    const { data } = await run.attention({ stack: "cross", layer: 1, head: 5, stage });
    const shown = await page.locator("headscope-heatmap td").allTextContents();
    expect(shown).toHaveLength(data.length);
    shown.forEach((text, index) => {
      const [number, value] = [shownNumber(text), data[index] ?? NaN];
      if (Number.isFinite(value)) expect(number).toBeCloseTo(value, SHOWN_DIGITS - 1);
      else expect(number).toBe(value);
    });
  }
  model.dispose();
});

test("the decoder's future is masked: minus infinity before the softmax, nothing after", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&stack=decoder&cell=2-4`);
  await expect(explorer.inspected("mask")).toHaveText("−∞");
  await expect(explorer.inspected("weights")).toHaveText("0.000");
  await expect(page.locator("headscope-inspector")).toContainText("softmax over 2 keys");
});

test("the pointer reads a cell, a click holds it, Escape lets it go", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&cell=1-1`);
  await explorer.figure.focus();
  await page.keyboard.press("ArrowDown");
  const read = await page.locator("headscope-inspector .pair").textContent();
  await page.keyboard.press("Enter");
  await explorer.sentence.focus();
  await expect(page.locator("headscope-inspector .pair")).toHaveText(read ?? "");
  await expect(page).toHaveURL(/cell=2-1/);
  await explorer.figure.focus();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/cell=/);
});

test("a token stands for its row", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(ADDRESS);
  const token = explorer.tokens("Tokens of the translation").nth(2);
  await token.hover();
  await expect(page.locator("headscope-inspector .pair bdi").first()).toHaveText((await token.textContent())?.trim() ?? "");
  await token.click();
  await expect(token).toHaveAttribute("aria-pressed", "true");
});

test("the mask and the positions are pictures too", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&stack=decoder`);
  await page.getByRole("radio", { name: "Mask", exact: true }).check();
  const count = await explorer.tokens("Tokens of the translation").count();
  const allowed = (count * (count + 1)) / 2;
  await expect(page.locator("headscope-mask").getByRole("application")).toHaveAccessibleName(new RegExp(`${count} queries by ${count} keys, ${allowed} pairs`));
  await page.getByRole("radio", { name: "Positions" }).check();
  await expect(page.locator("headscope-positions").getByRole("application")).toHaveAccessibleName(new RegExp(`${count} positions`));
});

test("the pair beside the picture says whose it is, names special tokens in words, and leaves with the pairs", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const inspector = page.locator("headscope-inspector");
  await expect(inspector.getByRole("heading", { name: "This pair" })).toBeVisible();
  await explorer.figure.hover();
  await expect(inspector.getByRole("heading", { name: "Under the pointer" })).toBeVisible();
  await explorer.tokens("Tokens of the translation").last().click();
  await explorer.settle();
  await expect(inspector.locator("headscope-bars").last()).toContainText("end");
  await expect(inspector).not.toContainText("</s>");
  await page.getByRole("radio", { name: "Positions" }).check();
  await explorer.settle();
  await expect(inspector).toHaveCount(0);
});
