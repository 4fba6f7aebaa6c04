import { expect, test, type Locator } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";

test("everything can be reached and done with the keyboard alone, and letters typed into the sentence are letters", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Skip to the attention picture" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("radio", { name: "Heatmap" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("headscope-lines")).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("radio", { name: "Indigo" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(
    page.locator("headscope-export-menu").getByRole("button", { name: "Export" }),
  ).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Block cells" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(explorer.stage("weights")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(explorer.stage("masked")).toBeChecked();
  await page.keyboard.press("Tab");
  await expect(explorer.figure).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("s");
  await expect(explorer.chips).toContainText("silenced");
  await test.step("the Tab key reaches every control", async () => {
    await page.goto("about:blank");
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+dog+bites+the+man.");
    const places = {
      models: explorer.picker,
      sentence: explorer.sentence,
      translation: explorer.translation,
      stacks: explorer.stack("Cross-attention"),
      grid: explorer.head(2, 5),
      pictures: page.getByRole("radio", { name: "Heatmap" }),
      blocking: page.getByRole("button", { name: "Block cells" }),
      stages: explorer.stage("weights"),
      picture: explorer.figure,
    };
    const isFocused = (place: Locator): Promise<boolean> =>
      place.evaluate(
        (element) => (element.getRootNode() as Document | ShadowRoot).activeElement === element,
      );
    const reached: string[] = [];
    for (let stop = 0; stop < 40; stop += 1) {
      await page.keyboard.press("Tab");
      for (const [name, place] of Object.entries(places)) {
        if (!reached.includes(name) && (await isFocused(place))) reached.push(name);
      }
    }
    expect(reached).toEqual(Object.keys(places));
  });
  await test.step("letters in the sentence", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=");
    await explorer.sentence.pressSequentially("[b]. s? ,x");
    await expect(explorer.sentence).toHaveValue("[b]. s? ,x");
    await expect(explorer.chips).toHaveCount(0);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});
