import { expect } from "@playwright/test";
import { test } from "./gpu-pages.js";
import { twice } from "./gpu-twice.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const ADDRESS = "#v=1&text=The+cat+is+sleeping.&stack=encoder&layer=2&head=3";

test("a translation beside what it would have been without an edit is the CPU's on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address: `${ADDRESS}&cell=3-2`,
    tell: async ({ explorer, look, open, page }) => {
      await expect(explorer.unedited).toHaveCount(0);
      const before = await explorer.translation.inputValue();
      await page.getByRole("button", { name: "Silence this head" }).click();
      await explorer.settle();
      await expect(explorer.unedited).toBeVisible();
      await look("without a head of the encoder");
      await explorer.stack("Cross-attention").check();
      await explorer.settle();
      await look("what follows from it in cross-attention");
      await open("&edits=c.x0");
      await expect(explorer.unedited).toContainText(`Without your edits: ${before}`);
      await expect(explorer.translation).not.toHaveValue(before);
      await look("another translation");
      await explorer.stack("Decoder").check();
      await explorer.settle();
      await look("the decoder of another translation");
      await page.getByRole("button", { name: "Clear all" }).click();
      await explorer.settle();
      await expect(explorer.translation).toHaveValue(before);
      await look("the translation again");
    },
  });
});

test("translations under a rule of the mask, a scheme of positions and a kind of attention are the CPU's on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address: ADDRESS,
    tell: async ({ explorer, look, open, page }) => {
      const changes = [
        [
          "masks",
          /sliding window/,
          () => page.getByLabel("Add a rule").selectOption("sliding window"),
        ],
        [
          "positions",
          /rotary/,
          () => page.locator("headscope-positions-bench #scheme").selectOption("rotary"),
        ],
        [
          "kinds",
          /linear/,
          () => page.getByLabel("Change this head to").selectOption({ label: "linear (elu + 1)" }),
        ],
      ] as const;
      for (const [bench, chip, change] of changes) {
        await open(`&bench=${bench}`);
        await change();
        await explorer.settle();
        await expect(explorer.chips).toHaveText([chip]);
        await expect(explorer.unedited).toBeVisible();
        await look(`${bench}, encoder`);
        await explorer.stack("Cross-attention").check();
        await explorer.settle();
        await look(`${bench}, cross-attention`);
      }
    },
  });
});
