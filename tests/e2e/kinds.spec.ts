import { expect, test, type Page } from "@playwright/test";
import { findings } from "./axe.js";
import { ExplorerPage } from "./explorer-page.js";

const TEXT = "text=The+dog+bites+the+man.";

/** The numbers of the picture's table, NaN where a cell holds none. */
async function numbers(page: Page): Promise<number[][]> {
  const show = page.getByRole("button", { name: "Show the numbers" });
  if (await show.first().isVisible()) await show.first().click();
  const rows = page.locator("headscope-heatmap tbody tr");
  const all: number[][] = [];
  // What dropout took says so, and is a weight of 0.
  for (let row = 0; row < (await rows.count()); row++)
    all.push(
      (await rows.nth(row).locator("td:not(.sum)").allTextContents()).map((cell) =>
        cell === "dropped" ? 0 : Number(cell.replace("−", "-")),
      ),
    );
  return all;
}

const sum = (row: readonly number[]): number => row.reduce((total, cell) => total + cell, 0);
const report = (page: Page): ReturnType<Page["locator"]> => page.locator("headscope-kind-report");

test("a head looks at its neighbours alone: fewer operations, another pattern, a chip, a link", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&stack=encoder&layer=1&head=1&bench=kinds`);
  const operations = report(page).locator("[data-count=operations] td");
  await expect(operations.first()).not.toBeEmpty();
  const [exact, same] = await operations.allTextContents();
  expect(exact).toBe(same);
  await page.getByLabel("Change this head to").selectOption({ label: "sliding window, sparse" });
  await explorer.settle();
  await page.getByRole("spinbutton", { name: "each side" }).fill("0");
  await page.getByRole("spinbutton", { name: "each side" }).press("Enter");
  await explorer.settle();
  await expect(explorer.chips).toHaveText([/Encoder 1\.1: sliding window, sparse.*each side 0/]);
  await expect(operations.first()).not.toHaveText(exact ?? "");
  for (const [row, cells] of (await numbers(page)).entries())
    expect(cells).toEqual(cells.map((_, key) => (key === row ? 1 : 0)));
  await expect(page).toHaveURL(/kind-sliding\(w0\)/);
  await page.reload();
  await explorer.settle();
  await expect(page.getByRole("spinbutton", { name: "each side" })).toHaveValue("0");
  await page.getByRole("button", { name: "Take this kind away" }).click();
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(0);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(explorer.chips).toHaveCount(1);
});

test("every kind can be chosen by keyboard, and its rows are what it promises", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    `#v=1&model=models/tiny-bert&${TEXT}&stack=encoder&layer=1&head=1&bench=kinds&edits=e1.1~kind-softmax`,
  );
  const kind = page.getByLabel("Kind of attention");
  const said = [
    "the one that it implies",
    "cut down to this rank",
    "takes its softmax over segments",
  ];
  for (const [label, sums, words] of [
    ["cosine", true, null],
    ["additive (untrained)", true, null],
    ["blocks, sparse", true, null],
    ["linear (elu + 1)", true, said[0]],
    ["random features", true, said[0]],
    ["pooled keys", true, said[2]],
    ["chunked", true, null],
    ["low rank", false, said[1]],
  ] as const) {
    await kind.focus();
    await kind.selectOption({ label });
    await explorer.settle();
    await expect(report(page).getByRole("heading").first()).toContainText(label);
    for (const row of await numbers(page))
      if (sums) expect(Math.abs(sum(row) - 1), label).toBeLessThan(0.02);
    // What is shown where it is no softmax of the row.
    for (const one of said)
      await (one === words
        ? expect(report(page)).toContainText(one)
        : expect(report(page)).not.toContainText(one));
  }
});

test("the rank is slid from none of the pattern's directions to all of them", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    `#v=1&model=models/tiny-bert&${TEXT}&stack=encoder&layer=1&head=1&bench=kinds&edits=e1.1~kind-low-rank`,
  );
  const slider = page.getByRole("slider", { name: "rank" });
  await slider.press("Home");
  await explorer.settle();
  await expect(page).toHaveURL(/kind-low-rank\(r0\)/);
  for (const row of await numbers(page)) expect(row.every((weight) => weight === 0)).toBe(true);
  // As many as there are tokens are all that the pattern has: its rows are whole again.
  await slider.press("End");
  await explorer.settle();
  await expect(explorer.chips).toHaveText([/rank 9/]);
  for (const row of await numbers(page)) expect(sum(row)).toBeCloseTo(1, 2);
  await slider.press("ArrowLeft");
  await explorer.settle();
  await expect(explorer.chips).toHaveText([/rank 8/]);
});

test("without √d scores are wider, and temperature narrows them again", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    `#v=1&model=models/tiny-gpt&text=The+dog+sees+the+cat&stage=scores&layer=1&head=1&bench=kinds`,
  );
  const scaled = (await numbers(page)).flat();
  await page.getByLabel("Change this head to").selectOption({ label: "softmax of q · k" });
  await page.getByRole("radio", { name: "none", exact: true }).check();
  await explorer.settle();
  const raw = (await numbers(page)).flat();
  const factor = Math.abs(sum(raw.map(Math.abs)) / sum(scaled.map(Math.abs)));
  expect(factor).toBeGreaterThan(2);
  await page
    .getByRole("spinbutton", { name: "temperature" })
    .fill(String(Math.round(factor * 100) / 100));
  await page.getByRole("spinbutton", { name: "temperature" }).press("Enter");
  await explorer.settle();
  const again = (await numbers(page)).flat();
  for (const [at, value] of again.entries())
    expect(Math.abs(value - (scaled[at] ?? NaN))).toBeLessThan(0.02 + 0.02 * Math.abs(value));
});

test("dropout drops cells, divides the rest, and is undropped on the average", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    `#v=1&${TEXT}&stack=encoder&layer=1&head=1&bench=kinds&edits=e1.1~kind-softmax(p0.5,q3)`,
  );
  await expect(report(page)).toContainText("1,000 seeds");
  const pictures = report(page).locator("headscope-numbers");
  await expect(pictures).toHaveCount(3);
  // Each picture's rows bear their own sums.
  const sums = (at: number): Promise<number[]> =>
    pictures
      .nth(at)
      .evaluate((element) =>
        (element as unknown as { rowNames: string[] }).rowNames.map((name) =>
          Number(name.split(" · ")[0]),
        ),
      );
  expect(new Set(await sums(2))).toEqual(new Set([1]));
  for (const sum of await sums(1)) expect(Math.abs(sum - 1)).toBeLessThan(0.1);
  expect((await sums(0)).some((sum) => Math.abs(sum - 1) > 0.1)).toBe(true);
  const dropped = (await numbers(page)).flat();
  expect(dropped.filter((weight) => weight === 0).length).toBeGreaterThan(dropped.length / 5);
  await page.getByRole("spinbutton", { name: "dropout", exact: true }).fill("0");
  await page.getByRole("spinbutton", { name: "dropout", exact: true }).press("Enter");
  await explorer.settle();
  const whole = (await numbers(page)).flat();
  // What was left is twice as much as it is without.
  for (const [at, weight] of dropped.entries())
    if (weight > 0) expect(Math.abs(weight - 2 * (whole[at] ?? NaN))).toBeLessThan(0.02);
  await expect(report(page).locator("headscope-numbers")).toHaveCount(0);
});

test("what needs all tokens at once is not offered where a text is written", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    `#v=1&model=models/tiny-gpt&text=The+dog&bench=kinds&edits=.~kind-low-rank(r2)`,
  );
  await expect(page.locator("#add option[value=low-rank]")).toBeDisabled();
  await expect(page.locator("#add option[value=linear]")).toBeEnabled();
  await expect(page.locator("headscope-kinds-bench")).toContainText(
    "What cannot be chosen needs all tokens at once",
  );
  await expect(explorer.chips).toHaveText([/cannot be applied here/]);
});

for (const scheme of ["light", "dark"] as const) {
  test(`the bench of kinds is accessible, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&${TEXT}&stack=encoder&layer=1&head=1&bench=kinds&edits=e1.1~kind-sliding(w2,p0.3,q1)`,
    );
    await expect(report(page).locator("headscope-numbers")).toHaveCount(3);
    expect(await findings(page)).toEqual([]);
  });
}

test("on a phone and in Chinese it is all there", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const explorer = new ExplorerPage(page);
  await explorer.open(
    `#v=1&${TEXT}&stack=encoder&layer=1&head=1&bench=kinds&edits=e1.1~kind-linear&language=zh-CN`,
  );
  await page.getByRole("tab").last().click();
  await expect(page.locator("headscope-kinds-bench")).toContainText("线性");
  await expect(report(page)).toContainText("运算次数");
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(wide).toBeLessThanOrEqual(0);
});

test("the laboratory of √d: the variance is d, and one when it is scaled, by keyboard", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&stack=encoder&bench=kinds`);
  const lab = page.locator("headscope-score-lab");
  const variance = async (): Promise<number[]> =>
    (await lab.locator("[data-lab=variance] td").allTextContents()).map(Number);
  await expect(lab.locator("[data-lab=variance] td").first()).not.toBeEmpty();
  const slider = lab.getByRole("slider");
  await slider.focus();
  await page.keyboard.press("End");
  await expect.poll(async () => (await variance())[0]).toBeGreaterThan(300);
  const [plain = 0, scaled = 0] = await variance();
  expect(plain / scaled).toBeCloseTo(512, -1);
  await page.keyboard.press("Home");
  await expect.poll(async () => (await variance())[0]).toBeLessThan(3);
});
