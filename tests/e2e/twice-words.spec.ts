import { expect } from "@playwright/test";
import { test } from "./gpu-pages.js";
import { twice } from "./gpu-twice.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

test("words, ordinary tokens, several tokens and what is left without the sink are the CPU's on the GPU", async ({
  shared,
}) => {
  const text = encodeURIComponent("The photographer misunderstood the unbelievable architecture.");
  await twice(shared, {
    address: `#v=1&model=models/tiny-gpt&text=${text}&stack=decoder&layer=3&head=1`,
    tell: async ({ explorer, open, look, page }) => {
      await page.getByRole("radio", { name: "words", exact: true }).check();
      await look("by word", ["headscope-heatmap", "headscope-grid"]);
      await page.getByRole("button", { name: "Hide special tokens" }).click();
      await look("without special tokens");
      await open();
      await page.getByRole("complementary", { name: "Attention sink" }).getByRole("button").click();
      await expect(page).toHaveURL(/sink=out/);
      await look("without the sink");
      await open();
      const tokens = explorer.tokens("Tokens of your sentence");
      for (const at of [2, 4]) await tokens.nth(at).click({ modifiers: ["Shift"] });
      await look("two tokens together", ["headscope-bars", "headscope-tokens"]);
      const together = page.locator("headscope-together-list");
      await together.getByRole("radio", { name: "are looked at by" }).check();
      await together.getByRole("radio", { name: "mean" }).check();
      await look("their mean as keys", ["headscope-bars", "headscope-tokens"]);
    },
  });
});

test("what is written, undone, chosen and filtered is the CPU's on the GPU", async ({ shared }) => {
  await twice(shared, {
    address: "#v=1&model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=2&head=2",
    tell: async ({ explorer, look, page }) => {
      const candidates = page.locator("headscope-continuation-area").getByRole("button");
      await expect(candidates.nth(1)).toBeVisible();
      await look("how the text goes on", ["headscope-grid"]);
      await candidates.nth(1).click();
      await explorer.settle();
      await look("with a candidate added", ["headscope-grid"]);
      await page.getByRole("button", { name: "Silence this head" }).click();
      await explorer.settle();
      await expect(explorer.chips).toHaveCount(1);
      await look("without a head", ["headscope-heatmap", "headscope-grid"]);
      for (const [name, chips] of [
        ["Undo", 0],
        ["Redo", 1],
        ["Undo", 0],
      ] as const) {
        await page.getByRole("button", { name, exact: true }).click();
        await explorer.settle();
        await expect(explorer.chips).toHaveCount(chips);
      }
      await look("with the head again", ["headscope-grid"]);
      await page.getByRole("button", { name: "Undo", exact: true }).click();
      await explorer.settle();
      await expect(explorer.sentence).toHaveValue("The cat bites the dog.");
      await look("without the candidate", ["headscope-grid"]);
      await page.locator("headscope-like-heads").getByRole("button").first().click();
      await explorer.settle();
      await look("a head like the first", ["headscope-grid", "headscope-spectrum"]);
    },
  });
});

test("every picture of a head and what a number came from are the CPU's on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address:
      "#v=1&model=models/tiny-bert&text=The+cat+bites+the+dog.&stack=encoder&layer=2&head=3&cell=3-2",
    tell: async ({ explorer, look, open, page }) => {
      for (const [picture, figure] of [
        ["Lines", "lines"],
        ["Dimensions", "dimensions"],
        ["Mask", "mask"],
        ["Positions", "positions"],
      ] as const) {
        await page.getByRole("radio", { name: picture, exact: true }).check();
        await explorer.settle();
        await look(picture, [`headscope-${figure}`]);
      }
      await open("&picture=lines&beside=1,4");
      await look("several heads in one picture", ["headscope-lines"]);
      await open("&picture=steps&number=attended.2-3");
      const steps = page.locator("headscope-steps-panel");
      for (let traced = 2; traced <= 4; traced += 1) {
        await steps.getByRole("button", { name: "Trace this number" }).click();
        await expect(steps.locator(".trail li")).toHaveCount(traced);
        await look(`traced ${traced - 1} times`, []);
      }
    },
  });
});
