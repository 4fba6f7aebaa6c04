import { pathToFileURL } from "node:url";
import { expect, test, type Locator, type Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { findings } from "./axe.js";
import { ExplorerPage } from "./explorer-page.js";

/** A text of several hundred tokens is read several times over. */
test.describe.configure({ timeout: 180_000 });

const GPT = "v=1&model=models/tiny-gpt&text=The+dog+sees+the+cat&bench=positions";
const lab = (page: Page): Locator => page.locator("headscope-length-lab");

async function read(page: Page, only: readonly string[]): Promise<void> {
  for (const toggle of await lab(page).locator("[data-scheme]").all()) {
    const wanted = only.includes((await toggle.getAttribute("data-scheme")) ?? "");
    if ((await toggle.getAttribute("aria-pressed")) !== String(wanted)) await toggle.click();
  }
  await lab(page).locator("#go").click();
  await expect(lab(page).locator("tbody tr")).toHaveCount(only.length + 1, { timeout: 60_000 });
  await expect(lab(page).locator("#go")).toBeVisible();
}

/** The losses of a line, token by token, as its figure has them. */
const losses = (page: Page, line: number): Promise<number[]> =>
  page
    .locator("headscope-length-lab headscope-curves")
    .evaluate(
      (figure, at) =>
        ("lines" in figure ? (figure.lines as { points: { y: number }[] }[]) : []).map(
          ({ points }) => points.map(({ y }) => y),
        )[at] ?? [],
      line,
    );

/** The same run once more, in Node: what rows of the held-out sentences lose under ALiBi. */
async function lossesAt(positions: number[]): Promise<number[]> {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const model = await headscope.loadModel("./models/tiny-gpt");
  const ids = (model.notes?.sentences ?? []).flatMap(({ text }) =>
    model.tokenize(text).map(({ id }) => id),
  );
  const run = await model.run({
    ids: ids.slice(0, 512),
    edits: { positions: [{ scheme: "alibi" }] },
  });
  const rows = await run.predictions({ positions, topK: model.info.vocabSize });
  model.dispose();
  return positions.map(
    (position, at) =>
      -Math.log(rows[at]?.find(({ id }) => id === ids[position + 1])?.probability ?? 0),
  );
}

test("a writer's loss beyond its positions is the engine's own, token by token", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#${GPT}`);
  await read(page, ["model", "none", "alibi"]);
  await lab(page).getByRole("radio", { name: "each token" }).check();
  // The model's own ends with its positions; what is put in its place goes on.
  expect(await losses(page, 1)).toHaveLength(256);
  expect(await losses(page, 3)).toHaveLength(512);
  await expect(lab(page)).toContainText("Positions end at 256 under the model’s own.");
  const expected = await lossesAt([0, 100, 256, 511]);
  const shown = await losses(page, 3);
  [0, 100, 256, 511].forEach((row, at) => expect(shown[row]).toBeCloseTo(expected[at] ?? NaN, 3));
  // What the table says are the means of these.
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const row = lab(page).locator("[data-line=alibi]");
  expect(Number(await row.getAttribute("data-within"))).toBeCloseTo(mean(shown.slice(0, 256)), 9);
  expect(Number(await row.getAttribute("data-beyond"))).toBeCloseTo(mean(shown.slice(256)), 9);
});

test("a translator is read in one, and stopped by the keyboard", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.&stack=decoder&bench=positions");
  await lab(page).locator("#go").focus();
  await page.keyboard.press("Enter");
  await expect(lab(page).getByRole("progressbar")).toBeVisible();
  await lab(page).locator("#stop").focus();
  await page.keyboard.press("Enter");
  await expect(lab(page).locator("#go")).toBeVisible();
  await read(page, ["model", "sinusoidal"]);
  // The waves of the model's own positions go on where its table ends.
  const [own, waves] = [await losses(page, 1), await losses(page, 2)];
  expect(own.length).toBeLessThan(waves.length);
  await expect(lab(page).locator("[data-line=sinusoidal] td").first()).toHaveText("512");
  // Its sentences in training were much shorter than its positions: that is where lengths begin that it never saw.
  await expect(lab(page)).toContainText("had 83 tokens; it has 256 positions");
  await expect(lab(page).locator(".verdict")).toContainText("Beyond 83 tokens");
  expect(
    await lab(page)
      .locator("headscope-curves")
      .evaluate((figure) => ("marked" in figure ? figure.marked : null)),
  ).toBe(83);
});

/** The same gaps once more, in Node: what is lost where every eighth token of the held-out sentences is hidden. */
async function gapsAt(rows: number[], scheme: "alibi"): Promise<number[]> {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const model = await headscope.loadModel("./models/tiny-bert");
  const framed = model.tokenize("a");
  const ids = (model.notes?.sentences ?? [])
    .flatMap(({ text }) => model.tokenize(text).flatMap(({ id, special }) => (special ? [] : [id])))
    .slice(0, 2 * model.info.maxTokens - 2);
  const found: number[] = [];
  for (const row of rows) {
    const hidden = ids.map((id, at) => (at % 8 === row % 8 ? (model.info.maskToken ?? 0) : id));
    const run = await model.run({
      ids: [framed.at(0)?.id ?? 0, ...hidden, framed.at(-1)?.id ?? 0],
      edits: { positions: [{ scheme }] },
    });
    const [best] = await run.predictions({ positions: [row + 1], topK: model.info.vocabSize });
    found.push(-Math.log(best?.find(({ id }) => id === ids[row])?.probability ?? 0));
    run.release();
  }
  model.dispose();
  return found;
}

test("a model that fills gaps is read in gaps, of held-out sentences and of the reader's own text", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&model=models/tiny-bert&text=The+dog+sees+the+cat.&bench=positions");
  await expect(lab(page)).toContainText("every 8th token");
  await read(page, ["model", "alibi"]);
  await lab(page).getByRole("radio", { name: "each token" }).check();
  // Two tokens of its 128 stand around the text.
  expect(await losses(page, 1)).toHaveLength(126);
  expect(await losses(page, 2)).toHaveLength(254);
  await expect(lab(page)).toContainText("Positions end at 126 under the model’s own");
  const rows = [0, 77, 126, 253];
  const expected = await gapsAt(rows, "alibi");
  const shown = await losses(page, 2);
  rows.forEach((row, at) => expect(shown[row]).toBeCloseTo(expected[at] ?? NaN, 3));
  await lab(page).locator("#text").selectOption("own");
  await lab(page).getByRole("textbox").fill("The dog sees the cat.");
  await read(page, ["model"]);
  await expect(lab(page).locator(".verdict")).toContainText("no longer than");
  expect(await findings(page, lab(page))).toEqual([]);
});

for (const [width, height, theme] of [
  [1280, 800, "light"],
  [390, 844, "dark"],
] as const) {
  test(`is for everybody, at ${width} pixels and in Chinese`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const explorer = new ExplorerPage(page);
    await explorer.open(`#${GPT}&language=zh-CN&theme=${theme}`);
    if (width < 820) await page.getByRole("tab").last().click();
    await read(page, ["model", "none", "rotary", "alibi", "t5"]);
    expect(await findings(page, lab(page))).toEqual([]);
  });
}
