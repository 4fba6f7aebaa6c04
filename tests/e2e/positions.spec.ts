import { expect, test } from "@playwright/test";
import { findings } from "./axe.js";
import { ExplorerPage } from "./explorer-page.js";

const BERT = "v=1&model=models/tiny-bert&text=The+dog+sees+the+cat.&bench=positions";
const bench = "headscope-positions-bench";

test("without positions tokens in another order have their rows in another order and nothing else", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#${BERT}`);
  await page.locator(`${bench} #scheme`).selectOption("none");
  await explorer.settle();
  await expect(explorer.chips).toHaveText([/Encoder, positions: none/]);
  await page.getByRole("button", { name: "Measure" }).click();
  const said = page.locator("headscope-broken-heads [data-residue]");
  await expect(said).toContainText("permutes the output and nothing else", { timeout: 30_000 });
  const number = async (name: string): Promise<number> =>
    Number(
      await page.locator(`headscope-broken-heads [data-${name}]`).getAttribute(`data-${name}`),
    );
  // What is left is rounding; with the model's own positions the rows really differ.
  expect(await number("residue")).toBeLessThan(1e-3);
  expect(await number("own")).toBeGreaterThan(0.1);
  const first = page.locator("headscope-broken-heads li button").first();
  const name = /Layer (\d+) · head (\d+)/.exec((await first.textContent()) ?? "");
  expect(
    Number(await first.locator("[data-divergence]").getAttribute("data-divergence")),
  ).toBeGreaterThan(0.01);
  await first.click();
  await explorer.settle();
  await expect(explorer.headTitle).toContainText(`Layer ${name?.[1]} · head ${name?.[2]}`);
});

test("the picture of positions shows those that are in force", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#${BERT}&picture=positions&edits=e.~at-alibi`);
  const figure = page.locator("headscope-positions");
  const distances = 2 * (await explorer.tokens("Tokens of your sentence").count()) - 1;
  await expect(figure.getByRole("application")).toHaveAccessibleName(
    new RegExp(`Relative positions: ${distances} distances by \\d+ heads`),
  );
  await figure.getByRole("application").focus();
  await page.keyboard.press("ArrowDown");
  await expect(figure.locator(".reading")).toContainText(/Distance [−-]\d+, head 1: [−-]/);
});

test("tokens are moved by keyboard and pointer; the text stays, the address and undo know of it", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#${BERT}`);
  const tokens = page.locator("headscope-order-strip [data-token]");
  const row = async (): Promise<string[]> =>
    (await tokens.allTextContents()).map((text) => text.trim());
  const before = await row();
  await tokens.nth(1).focus();
  await page.keyboard.press("ArrowRight");
  await explorer.settle();
  expect((await row()).slice(1, 3)).toEqual([before[2], before[1]]);
  await expect(tokens.nth(2)).toBeFocused();
  await expect(explorer.chips).toHaveText([/other order/]);
  await expect(page).toHaveURL(/edits=e\.~at\(o1\.3\.2[.)]/);
  const [from, to] = [await tokens.nth(4).boundingBox(), await tokens.nth(0).boundingBox()];
  if (!from || !to) throw new Error("no tokens");
  const dragged = (await row())[4];
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 6 });
  await page.mouse.up();
  await explorer.settle();
  expect((await row())[0]).toBe(dragged);
  await expect(explorer.sentence).toHaveValue("The dog sees the cat.");
  const moved = await row();
  await page.reload();
  await explorer.settle();
  expect(await row()).toEqual(moved);
  await page.getByRole("button", { name: "Back to the order of the text" }).click();
  await explorer.settle();
  expect(await row()).toEqual(before);
  await expect(explorer.chips).toHaveCount(0);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await explorer.settle();
  expect(await row()).toEqual(moved);
});

test("a decoder's causal mask still knows the order, and the page says so", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&model=models/tiny-gpt&text=The+dog+sees+the+cat&bench=positions&edits=d.~at-none",
  );
  await page.getByRole("button", { name: "Measure" }).click();
  const said = page.locator("headscope-broken-heads [data-residue]");
  await expect(said).toContainText("A causal mask still knows the order", { timeout: 30_000 });
});

for (const [width, height, theme] of [
  [1280, 800, "light"],
  [390, 844, "dark"],
] as const) {
  test(`is for everybody, at ${width} pixels and in Chinese`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&text=The+dog+bites+the+man.&stack=encoder&bench=positions&language=zh-CN&theme=${theme}&edits=e.~at-t5(k8,o2.1)`,
    );
    if (width < 820) await page.getByRole("tab").last().click();
    await expect(page.locator("headscope-order-strip [data-token]").first()).toBeVisible();
    await page.locator("headscope-broken-heads #measure").click();
    await expect(page.locator("headscope-broken-heads li").first()).toBeVisible({
      timeout: 30_000,
    });
    expect(await findings(page)).toEqual([]);
  });
}
