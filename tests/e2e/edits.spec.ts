import { expect, test } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";

const ADDRESS = "#v=1&text=The+dog+bites+the+man.";

test("a blocked cell weighs nothing, the others take its share, and it can be allowed again", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(ADDRESS);
  const before = await explorer.inspectedNumber("weights");
  expect(before).toBeGreaterThan(0.1);
  await explorer.figure.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("b");
  await explorer.settle();
  await expect(explorer.inspected("weights")).toHaveText("0.000");
  await expect(explorer.inspected("mask")).toHaveText("−∞");
  await expect(explorer.chips).toHaveCount(1);
  await expect(explorer.chips).toContainText("may not look at");
  await page.keyboard.press("b");
  await explorer.settle();
  expect(await explorer.inspectedNumber("weights")).toBe(before);
  await expect(explorer.chips).toHaveCount(0);
  await test.step("a click in block mode blocks, and the picture stays under the pointer", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open(ADDRESS);
    const mode = page.getByRole("button", { name: "Block cells" });
    await mode.click();
    await expect(mode).toHaveAttribute("aria-pressed", "true");
    const before = await explorer.figure.boundingBox();
    const [x, y] = [
      (before?.x ?? 0) + (before?.width ?? 0) / 2,
      (before?.y ?? 0) + (before?.height ?? 0) / 2,
    ];
    for (const count of [1, 0]) {
      await page.mouse.click(x, y);
      await explorer.settle();
      await expect(explorer.chips).toHaveCount(count);
      expect((await explorer.figure.boundingBox())?.y).toBe(before?.y);
    }
  });
});

test("without cross-attention the model writes another translation beside the original, until all edits are cleared", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(ADDRESS);
  const [, original] = await explorer.texts();
  await explorer.open(`${ADDRESS}&edits={'heads':[{'stack':'cross','gate':0}]}`);
  const [, edited] = await explorer.texts();
  expect(edited).not.toBe(original);
  await expect(explorer.unedited).toContainText("Without your edits:");
  const words = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
  expect(words((await explorer.unedited.textContent()) ?? "")).toBe(
    `Without your edits: ${original}`,
  );
  await page.getByRole("button", { name: "Clear all" }).click();
  await explorer.settle();
  await expect(explorer.translation).toHaveValue(original);
  await expect(explorer.unedited).toHaveCount(0);
  await test.step("24 edits leave space for the page", async () => {
    const explorer = new ExplorerPage(page);
    const heads = [0, 1, 2].flatMap((layer) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((head) => ({
        stack: "cross",
        layers: [layer],
        heads: [head],
        gate: 0,
      })),
    );
    await explorer.open(`${ADDRESS}&edits=${JSON.stringify({ heads })}`);
    await expect(explorer.chips).toHaveCount(24);
    expect((await page.locator("headscope-edits-panel").boundingBox())?.height).toBeLessThan(180);
  });
});

test("a head is ablated by its button, in the grid and by a key; the predictions change, and undo restores them", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${ADDRESS}&cell=3-2`);
  const beliefs = page.locator("headscope-inspector headscope-bars").last().locator(".text");
  const before = await beliefs.allTextContents();
  expect(before).toHaveLength(5);
  await page.getByRole("button", { name: "Silence this head" }).click();
  await explorer.settle();
  await expect(explorer.chips).toHaveText(/Cross-attention 2\.5 silenced/);
  await expect(explorer.unedited).toBeVisible();
  expect(await beliefs.allTextContents()).not.toEqual(before);
  await page.keyboard.press("Control+z");
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(0);
  expect(await beliefs.allTextContents()).toEqual(before);
  await page.keyboard.press("Control+y");
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(1);
  await test.step("in the grid", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open(ADDRESS);
    await explorer.head(1, 1).focus();
    await page.keyboard.press("s");
    await expect(explorer.head(1, 1)).toHaveAccessibleName(/^Layer 1, head 1, silenced/);
    await explorer.head(1, 2).hover();
    await page.getByRole("button", { name: "Silence layer 1, head 2" }).click();
    await expect(explorer.chips).toHaveCount(2);
  });
});

test("a double click leaves one head of its layer, and another one restores all", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(ADDRESS);
  const [, before] = await explorer.texts();
  await explorer.head(1, 3).dblclick();
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(1);
  await expect(explorer.head(1, 3)).not.toHaveAccessibleName(/silenced/);
  for (const other of [1, 2, 8])
    await expect(explorer.head(1, other)).toHaveAccessibleName(/silenced/);
  await expect(explorer.head(2, 1)).not.toHaveAccessibleName(/silenced/);
  expect((await explorer.texts())[1]).not.toBe(before);
  await explorer.head(1, 3).dblclick();
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(0);
  expect((await explorer.texts())[1]).toBe(before);
  await explorer.head(2, 2).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("o");
  await expect(page.getByRole("button", { name: "Let the others speak again" })).toBeVisible();
  await expect(explorer.chips).toHaveCount(1);
});

test("an edit that does not fit the text or the model says so, and applies where it fits", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    `${ADDRESS}&edits={'masks':[{'stack':'encoder','layers':[0],'heads':[0],'block':[[8,8]]}]}`,
  );
  await expect(explorer.chips).toContainText("does not fit this text");
  await expect(page.getByRole("alert")).toHaveText("");
  await explorer.type("The dog that lives next door bites the man every day.");
  await expect(explorer.chips).not.toContainText("does not fit this text");
  await explorer.open(
    "#v=1&model=models/tiny-bert&text=The+dog+sees+the+cat.&edits={'masks':[{'stack':'encoder','preset':{'kind':'global','tokens':[0,39],'width':1}}],'heads':[{'stack':'encoder','layers':[8],'heads':[0],'gate':0}]}",
  );
  await expect(explorer.chips.locator("small")).toHaveText([
    "1 of its 2 tokens in this text edit/not-in-text",
    /edit\/not-in-model$/,
  ]);
});
