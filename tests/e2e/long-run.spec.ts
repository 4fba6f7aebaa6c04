import { expect, test } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";
import { randomModel } from "./random-model.js";

test("a long run says which layer it computes, can be stopped, and is computed again when that is asked for", async ({ page }) => {
  test.setTimeout(300_000);
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog.");
  await explorer.folder.setInputFiles(randomModel());
  await expect(explorer.picker).toHaveAccessibleName("Model: random-bert");
  await explorer.settle();
  await explorer.sentence.fill("the man and the dog ".repeat(102).trim());
  const notices = page.locator("headscope-notices");
  await expect(notices).toContainText(/Computing: Encoder, layer \d+ of 12/, { timeout: 60_000 });
  await expect(notices.getByRole("progressbar")).toBeVisible();
  await notices.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(notices).toContainText("Stopped.");
  await expect(notices.getByRole("progressbar")).toHaveCount(0);
  await notices.getByRole("button", { name: "Compute again" }).click();
  await expect(explorer.figure).toHaveAccessibleName(/512 queries by 512 keys/, { timeout: 180_000 });
  await expect(notices).not.toContainText("Stopped.");
});
