import { expect, test } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";
import { randomModel } from "./random-model.js";
import { LONG_TEXT, speakAtOnce, stopAtLayer } from "./stopped-run.js";

test("a long run names the layer that it computes, can be stopped, and computed again", async ({
  page,
}) => {
  test.setTimeout(300_000);
  await speakAtOnce(page);
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog.");
  await explorer.folder.setInputFiles(randomModel());
  await expect(explorer.picker).toHaveAccessibleName("Model: random-bert");
  await explorer.settle();
  const notices = page.locator("headscope-notices");
  const stopped = stopAtLayer(page);
  await explorer.sentence.fill(LONG_TEXT);
  const { words, bar } = await stopped;
  expect(words).toMatch(/^Computing: Encoder, layer ([1-9]|1[0-2]) of 12$/);
  expect(bar).not.toBe("");
  await expect(notices).toContainText("Stopped.");
  await expect(notices.getByRole("progressbar")).toHaveCount(0);
  await notices.getByRole("button", { name: "Compute again" }).click();
  await expect(explorer.figure).toHaveAccessibleName(/512 queries by 512 keys/, {
    timeout: 180_000,
  });
  await expect(notices).not.toContainText("Stopped.");
});
