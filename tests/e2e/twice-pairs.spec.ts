import { expect } from "@playwright/test";
import { DONE, test } from "./gpu-pages.js";
import { twice } from "./gpu-twice.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

test("a hidden word, two texts and two models are the CPU's on the GPU", async ({ shared }) => {
  await twice(shared, {
    address: "#v=1&model=models/tiny-bert&text=The+dog+bites+the+man.&stack=encoder&layer=2&head=2",
    tell: async ({ explorer, open, look, page }) => {
      await explorer.tokens("Tokens of your sentence").nth(2).click();
      await explorer.settle();
      await expect(page.locator("headscope-predictions").getByRole("listitem")).toHaveCount(5);
      await look("with a word hidden", ["headscope-bars", "headscope-grid"]);
      await page.getByRole("button", { name: "Undo", exact: true }).click();
      await explorer.settle();
      await expect(page.locator("headscope-tokens .hidden")).toHaveCount(0);
      await open("&compare=other&other=The+man+bites+the+dog.&cell=3-6");
      await expect(page.locator("headscope-pairs-panel .cosines").first()).toBeVisible();
      await look("two texts", ["headscope-difference", "headscope-heatmap"]);
      await page
        .locator("headscope-other-bar")
        .getByRole("radio", { name: "aligned by position" })
        .check();
      await explorer.settle();
      await look("two texts by position", ["headscope-difference"]);
      await page
        .getByRole("combobox", { name: "The other model" })
        .selectOption({ label: "Tiny GPT" });
      await expect(page.locator("headscope-pairs-panel figcaption").nth(1)).toContainText(
        "Tiny GPT",
      );
      await explorer.settle();
      await look("two models", ["headscope-heatmap"]);
      await open("&edits=e1.2x0;e2.~norm-pre(f)&compare=original&cell=3-6");
      await expect(
        page.locator("headscope-moved-states headscope-numbers").getByRole("application"),
      ).toBeVisible();
      await expect(page.locator("headscope-edit-changes tbody tr").first()).toBeVisible(DONE);
      await look("beside the original", ["headscope-difference", "headscope-numbers"]);
      await open("&edits=e2.2!3-6&cell=3-6");
      await expect(page.locator("headscope-edit-changes tbody tr").first()).toBeVisible(DONE);
      await look("what edits changed", ["headscope-grid"]);
    },
  });
});

test("a translation as it is written, typed and given back is the CPU's on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address: "#v=1&text=My+sister+has+a+black+cat.&stack=cross&layer=2&head=3",
    tell: async ({ explorer, look, page }) => {
      await look("written by the model", ["headscope-grid", "headscope-bars"]);
      await explorer.type("My sister has a black dog.");
      await look("of a changed text", ["headscope-grid"]);
      await explorer.stack("Decoder").check();
      await explorer.settle();
      await look("the decoder's side", ["headscope-grid"]);
      await explorer.translation.fill("Ma sœur a un chat.");
      await explorer.settle();
      await look("of a typed translation", ["headscope-grid", "headscope-bars"]);
      await page.getByRole("button", { name: "Let the model write" }).click();
      await explorer.settle();
      await expect(explorer.translation).not.toHaveValue("Ma sœur a un chat.");
      await look("given back to the model", ["headscope-grid"]);
    },
  });
});

test("every step of the tour shows the CPU's numbers on the GPU", async ({ shared }) => {
  await twice(shared, {
    address: "#v=1&tour=1",
    tell: async ({ explorer, look, page }) => {
      const card = page.locator("headscope-tour-card").getByRole("region");
      for (let step = 1; step <= 8; step += 1) {
        await expect(card.getByRole("heading")).toHaveText(new RegExp(`^\\s*${step} of 8`));
        await explorer.settle();
        await look(`step ${step}`, ["headscope-grid"]);
        if (step < 8) await card.getByRole("button", { name: "Next", exact: true }).click();
      }
    },
  });
});
