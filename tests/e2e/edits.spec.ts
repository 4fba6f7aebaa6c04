// Edits: blocked cells, ablated heads, the original beside them.
import { BITES, boxOf, cellsOf, expect, test } from "./page.js";

test("a blocked cell weighs nothing", async ({ page, explorer }) => {
  await explorer.open(BITES);
  const before = await explorer.inspectedNumber("weights");
  expect(before).toBeGreaterThan(0.1);
  await explorer.figure.focus();
  await explorer.keys("Enter", "b");
  await explorer.settle();
  await expect(explorer.inspected("weights")).toHaveText("0.000");
  await expect(explorer.inspected("mask")).toHaveText("−∞");
  await expect(explorer.chips).toHaveText([/→ .* blocked/]);
  await explorer.keys("b");
  await explorer.settle();
  expect(await explorer.inspectedNumber("weights")).toBe(before);
  await expect(explorer.chips).toHaveCount(0);
  // In block mode the picture stays under the pointer.
  await explorer.fresh(BITES);
  await explorer.button("Block cells").click();
  const box = await boxOf(explorer.figure);
  for (const count of [1, 0]) {
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await explorer.settle();
    await expect(explorer.chips).toHaveCount(count);
    expect((await explorer.figure.boundingBox())?.y).toBe(box.y);
  }
});

test("the likeliest tokens move while a stroke blocks cells, under a picture that keeps its size", async ({
  page,
  explorer,
}) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  await explorer.open("model=models/tiny-gpt&text=He+has+an+old+car.+He+has+an+old&layer=2&head=2");
  await explorer.button("Block cells").click();
  const at = await cellsOf(page, "headscope-heatmap");
  const before = await boxOf(explorer.figure);
  await page.mouse.move(...at(10, 5));
  await page.mouse.down();
  await page.mouse.move(...at(10, 6));
  const first = page.locator("headscope-output-ribbon tbody tr").first();
  const seen = await first.textContent();
  await page.mouse.move(...at(10, 1), { steps: 5 });
  await expect(first).not.toHaveText(seen ?? "");
  expect(await boxOf(explorer.figure)).toEqual(before);
  await page.mouse.up();
  await expect(explorer.chips).toHaveText([/6 cells blocked/]);
  await page.evaluate(() => scrollTo(0, 0));
  // Elsewhere the pointer lets the picture make room for the effect of the edits.
  await page.mouse.move(20, 20);
  await explorer.settle();
  const edits = await boxOf(page.locator("headscope-edits-panel"));
  const after = await boxOf(explorer.figure);
  expect(after.y + after.height).toBeLessThanOrEqual(edits.y);
  await explorer.press("Undo");
  await expect(explorer.chips).toHaveCount(0);
});

test("without cross-attention the translation changes", async ({ page, explorer }) => {
  await explorer.open(BITES);
  const [, original] = await explorer.texts();
  const heads = Array.from({ length: 24 }, (_, at) => ({
    stack: "cross",
    layers: [Math.floor(at / 8)],
    heads: [at % 8],
    gate: 0,
  }));
  await explorer.open(`${BITES}&edits=${JSON.stringify({ heads })}`);
  expect((await explorer.texts())[1]).not.toBe(original);
  await expect(explorer.unedited).toHaveText(
    new RegExp(`^\\s*Without your edits:\\s+${original.replaceAll(".", "\\.")}\\s*$`),
  );
  // Many edits leave space for the page.
  await expect(explorer.chips).toHaveCount(24);
  expect((await page.locator("headscope-edits-panel").boundingBox())?.height).toBeLessThan(200);
  await explorer.press("Clear all");
  await expect(explorer.translation).toHaveValue(original);
  await expect(explorer.unedited).toHaveCount(0);
});

test("a head is ablated and restored", async ({ page, explorer }) => {
  await explorer.open(`${BITES}&cell=3-2`);
  const beliefs = explorer.inspector.locator("headscope-bars").last().locator(".text");
  const before = await beliefs.allTextContents();
  await explorer.press("Ablate head");
  await expect(explorer.chips).toHaveText(/Cross-attention 2\.5 ablated/);
  expect(await beliefs.allTextContents()).not.toEqual(before);
  await explorer.keys("Control+z");
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(0);
  expect(await beliefs.allTextContents()).toEqual(before);
  await explorer.head(1, 1).focus();
  await explorer.keys("s");
  await explorer.head(1, 2).hover();
  await page.getByRole("button", { name: "Ablate layer 1, head 2" }).click();
  await expect(explorer.chips).toHaveCount(2);
  await test.step("a double click leaves one head of its layer, and another one restores all", async () => {
    await explorer.fresh(BITES);
    await explorer.head(1, 3).dblclick();
    await expect(explorer.head(1, 3)).not.toHaveAccessibleName(/ablated/);
    await expect(explorer.head(1, 8)).toHaveAccessibleName(/ablated/);
    await explorer.head(1, 3).dblclick();
    await expect(explorer.chips).toHaveCount(0);
  });
});

test("the likeliest tokens move while a gate is dragged", async ({ page, explorer }) => {
  const text = "He+has+an+old+car.+He+has+an+old";
  const at = `model=models/tiny-gpt&text=${text}&stack=decoder&layer=1&head=2`;
  await explorer.open(`${at}&experiment=heads`);
  const gate = page.getByRole("slider", { name: "Head gate" });
  const { x, y, width, height } = await boxOf(gate);
  const moveTo = (share: number): Promise<void> =>
    page.mouse.move(x + share * width, y + height / 2, { steps: 3 });
  // The gate of all heads of the layer is 1 in the middle.
  await moveTo(0.5);
  await page.mouse.down();
  const first = page.locator("headscope-output-ribbon tbody tr").first();
  const barOf = async (): Promise<number> => (await boxOf(first.locator(".after"))).width;
  await moveTo(0.3);
  await expect(first).toContainText("car");
  const before = await barOf();
  // Longer than the pause that ends a step of keys.
  await page.waitForTimeout(1200);
  await moveTo(0.05);
  await expect.poll(barOf).toBeLessThan(before);
  await expect(gate).not.toHaveAttribute("aria-valuetext", "unchanged");
  await page.mouse.up();
  await explorer.settle();
  // All of the drag is one step.
  await explorer.press("Undo");
  await expect(gate).toHaveAttribute("aria-valuetext", "unchanged");
  await expect(explorer.chips).toHaveCount(0);
});
