import { expect } from "@playwright/test";
import { DONE, test } from "./gpu-pages.js";
import { twice } from "./gpu-twice.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

/** Each preset once, joined in each way, one of them inverted, and what stands in the place of −∞. */
const RULES = [
  "~window(w1)",
  "~or-dilated(w2d2)",
  "~global(w1t1)",
  "~or-random(w1k2s3t1)",
  "~block(b3)",
  "~replace-strided(r2)",
  "~or-prefix(n3)",
  "~causal",
  "~padding(n4)",
  "~replace-none",
  "~replace-not-window(w1o)",
  "~fill",
];

test("every preset of the masks, and what it costs, is the CPU's on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address:
      "#v=1&model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=2&head=2&bench=masks&labs=masks(open-stages.cost)",
    tell: async ({ open, look, explorer }) => {
      for (const rule of RULES) {
        await open(`&edits=d.${rule}`);
        await expect(explorer.chips).toHaveCount(1);
        await look(rule, [
          "headscope-heatmap",
          "headscope-mask",
          "headscope-curves",
          "headscope-grid",
        ]);
      }
    },
  });
});

test("strokes, a cell followed through its stages, cheating and padding are the CPU's on the GPU", async ({
  shared,
}) => {
  await twice(shared, {
    address:
      "#v=1&model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=1&head=1&bench=masks",
    tell: async ({ explorer, look, page }) => {
      const lab = (name: string): Promise<void> =>
        page
          .locator("headscope-mask-labs details", {
            has: page.locator("summary", { hasText: name }),
          })
          .locator("summary")
          .click();
      await page.getByRole("button", { name: "Paint cells" }).click();
      await page.getByLabel("Whom the strokes are for").selectOption("Decoder, all layers");
      await explorer.figure.focus();
      for (const key of [
        "PageUp",
        "Home",
        "ArrowDown",
        "ArrowDown",
        "Shift+ArrowRight",
        "Shift+ArrowDown",
        "Enter",
      ])
        await page.keyboard.press(key);
      await explorer.settle();
      await expect(explorer.chips).toHaveCount(1);
      await look("painted cells", ["headscope-heatmap", "headscope-grid"]);
      await lab("What the rules do");
      const stages = page.locator("headscope-mask-stages headscope-heatmap");
      await stages.first().getByRole("application").focus();
      for (const key of ["PageUp", "Home", "ArrowDown", "ArrowDown", "ArrowDown", "Enter"])
        await page.keyboard.press(key);
      await look("a cell's stages", ["headscope-heatmap", "headscope-mask"]);
      await lab("Padding");
      await expect(
        page.locator("headscope-mask-padding .wide").last().locator("tbody tr"),
      ).toHaveCount(2, DONE);
      await look("two texts padded together");
      await lab("Cheating");
      await page.getByRole("button", { name: "Take the decoder’s own mask away" }).click();
      await explorer.settle();
      await expect(page.locator("headscope-mask-cheating .sum")).toContainText(
        /\d+ of \d+ → \d+ of \d+/,
        DONE,
      );
      await look("a decoder that cheats", ["headscope-save-figure"]);
    },
  });
});
