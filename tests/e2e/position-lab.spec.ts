import { readFileSync } from "node:fs";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { findings } from "./axe.js";
import { halfTensor } from "./checkpoint.js";
import { ExplorerPage, shownNumber } from "./explorer-page.js";
import { npyFile } from "./files.js";

const TEXT = "text=The+dog+bites+the+man.";
/** How far a number may be from what is printed of it. */
const PRINTED = 6e-4;
const lab = (page: Page): Locator => page.locator("headscope-position-lab");

/** The number at the end of what a figure says of the cell it is at. */
async function read(said: Locator): Promise<number> {
  return shownNumber(((await said.textContent()) ?? "").trim().replace(/^.*: \+?/, ""));
}

async function isNear(said: Locator, value: number): Promise<void> {
  await expect.poll(async () => Math.abs((await read(said)) - value)).toBeLessThan(PRINTED);
}

async function put(page: Page, name: string, value: string): Promise<void> {
  const field = lab(page).getByRole("spinbutton", { name, exact: true });
  await field.fill(value);
  await field.press("Enter");
}

/** sin or cos of the formula; position and dimension from 0. */
function wave(position: number, dimension: number, d: number, base: number): number {
  const angle = position / base ** ((2 * Math.floor(dimension / 2)) / d);
  return dimension % 2 ? Math.cos(angle) : Math.sin(angle);
}

test("sinusoidal positions stand without a text: numbers of the formula, by keyboard", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&model=models/tiny-bert&text=&bench=positions");
  const summary = lab(page).getByText("Laboratory: how each scheme works");
  await summary.focus();
  await page.keyboard.press("Enter");
  await expect(lab(page).locator("math").first()).toBeVisible();
  await put(page, "dimensions d", "16");
  await put(page, "positions", "20");
  await put(page, "base b", "100");
  const table = lab(page).locator("headscope-positions");
  await expect(table.getByRole("application")).toHaveAccessibleName(
    /20 positions by 16 dimensions/,
  );
  await table.getByRole("application").focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"])
    await page.keyboard.press(key);
  const said = table.locator(".reading");
  await expect(said).toHaveText(/Position \d+, dimension \d+/);
  const [, position = "", dimension = ""] =
    /Position (\d+), dimension (\d+)/.exec((await said.textContent()) ?? "") ?? [];
  await isNear(said, wave(Number(position) - 1, Number(dimension) - 1, 16, 100));
  // A dot product, of all dimensions, by the same keys.
  const matrix = lab(page).locator("headscope-numbers");
  await matrix.getByRole("button", { name: "Show the numbers" }).click();
  const cell = async (row: number, column: number): Promise<number> =>
    shownNumber(
      (
        (await matrix.locator("tbody tr").nth(row).locator("td").nth(column).textContent()) ?? ""
      ).trim(),
    );
  const product = (one: number, other: number): number =>
    Array.from({ length: 16 }, (_, at) => wave(one, at, 16, 100) * wave(other, at, 16, 100)).reduce(
      (sum, x) => sum + x,
      0,
    );
  for (const [one, other] of [
    [0, 0],
    [2, 9],
    [19, 3],
  ] as const)
    expect(Math.abs((await cell(one, other)) - product(one, other))).toBeLessThan(PRINTED);
  // The wavelength of pair 2: 2π · 100^(4/16).
  await put(page, "pair i", "2");
  await expect(lab(page).locator("[data-wavelength]")).toContainText(
    (2 * Math.PI * 100 ** (4 / 16)).toFixed(2),
  );
  // The slider of the base is one of factors: its end is a million.
  await lab(page).getByRole("slider", { name: "base b" }).focus();
  await page.keyboard.press("End");
  await expect(lab(page).getByRole("spinbutton", { name: "base b" })).toHaveValue("1000000");
  await expect
    .poll(async () =>
      Number(await lab(page).locator("[data-wavelength]").getAttribute("data-wavelength")),
    )
    .toBeCloseTo(2 * Math.PI * 1e6 ** (4 / 16), 6);
});

test("the model's own table is as alike to itself as its checkpoint says", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&model=models/tiny-bert&${TEXT}&bench=positions`);
  await lab(page).getByText("Laboratory: how each scheme works").click();
  await lab(page).getByRole("radio", { name: "Learned" }).check();
  const matrix = lab(page).locator("headscope-lab-learned headscope-numbers");
  await expect(matrix.getByRole("application")).toHaveAccessibleName(/128 .* 128/, {
    timeout: 30_000,
  });
  await put(page, "positions", "24");
  await expect(matrix.getByRole("application")).toHaveAccessibleName(/24 .* 24/);
  await matrix.getByRole("button", { name: "Show the numbers" }).click();
  const { shape, data } = halfTensor("tiny-bert", "bert.embeddings.position_embeddings.weight");
  const [, width = 0] = shape;
  const row = (position: number): number[] => data.slice(position * width, (position + 1) * width);
  const dot = (one: readonly number[], other: readonly number[]): number =>
    one.reduce((sum, x, at) => sum + x * (other[at] ?? NaN), 0);
  const cosine = (one: number, other: number): number =>
    dot(row(one), row(other)) / Math.sqrt(dot(row(one), row(one)) * dot(row(other), row(other)));
  const rows = matrix.locator("tbody tr");
  for (const [one, other] of [
    [0, 1],
    [3, 17],
    [23, 5],
  ] as const) {
    const shown = shownNumber(
      ((await rows.nth(one).locator("td").nth(other).textContent()) ?? "").trim(),
    );
    expect(Math.abs(shown - cosine(one, other))).toBeLessThan(PRINTED);
  }
  // The same under the keyboard and the pointer.
  const figure = matrix.getByRole("application");
  await figure.focus();
  await page.keyboard.press("ArrowRight");
  const said = matrix.locator("[aria-live]");
  await expect(said).toHaveText(/^1, 2: /);
  await isNear(said, cosine(0, 1));
  await figure.hover();
  await expect(said).toHaveText(/^\d+, \d+: /);
  await expect(said).not.toHaveText(/^1, 2: /);
  const [, one = "", other = ""] = /^(\d+), (\d+): /.exec((await said.textContent()) ?? "") ?? [];
  await isNear(said, cosine(Number(one) - 1, Number(other) - 1));
  // Nothing of it reaches the page's own picture.
  await expect(page).not.toHaveURL(/cell=/);
});

test("the translator's table is the laboratory's", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&stack=encoder&bench=positions`);
  await lab(page).getByText("Laboratory: how each scheme works").click();
  await lab(page).getByRole("radio", { name: "Learned" }).check();
  const said = lab(page).locator("[data-from-waves]");
  await expect(said).toContainText("computed by sines and cosines", { timeout: 30_000 });
  expect(Number(await said.getAttribute("data-from-waves"))).toBeLessThan(1e-5);
});

test("what it shows is saved in full precision, without a model's name", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&model=models/tiny-bert&text=&bench=positions");
  await lab(page).getByText("Laboratory: how each scheme works").click();
  await put(page, "positions", "9");
  const saving = lab(page)
    .locator("headscope-save-figure")
    .filter({ has: page.locator("headscope-positions") });
  await expect(saving.getByRole("application")).toHaveAccessibleName(/9 positions/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    saving.getByText(".npy", { exact: true }).click(),
  ]);
  const { shape, data } = npyFile(readFileSync(await download.path()));
  expect(shape).toEqual([9, 64]);
  for (const at of [0, 65, 200, 575])
    expect(
      Math.abs((data[at] ?? NaN) - wave(Math.floor(at / 64), at % 64, 64, 10_000)),
    ).toBeLessThan(1e-6);
  expect(download.suggestedFilename()).toMatch(/sinusoidal.*64/);
});

for (const [width, height, theme] of [
  [1280, 800, "light"],
  [390, 844, "dark"],
] as const) {
  test(`is for everybody, at ${width} pixels and in Chinese`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&model=models/tiny-gpt&text=The+dog+sees&bench=positions&language=zh-CN&theme=${theme}`,
    );
    if (width < 820) await page.getByRole("tab").last().click();
    await lab(page).getByText("实验室：每种方案如何运作").click();
    await expect(lab(page).locator("headscope-lab-sinusoidal headscope-numbers")).toBeVisible({
      timeout: 30_000,
    });
    expect(await findings(page)).toEqual([]);
    await lab(page).getByRole("radio", { name: "学习得到" }).check();
    await expect(lab(page).locator("headscope-lab-learned headscope-numbers")).toBeVisible({
      timeout: 30_000,
    });
    await expect(lab(page).locator("p.said:not(.muted)")).toContainText("256 个位置");
    expect(await findings(page)).toEqual([]);
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wide).toBeLessThanOrEqual(0);
  });
}
