import { expect, type Locator } from "@playwright/test";
import { test } from "./gpu-pages.js";
import { twice } from "./gpu-twice.js";
import { randomLlama } from "./random-model.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const folder = randomLlama();

const SHOWN = [
  ["query-rotated", "queries, turned by position"],
  ["key-rotated", "keys, turned by position"],
  ["ff-linear", "widened once more"],
  ["final", "after the last norm"],
  ["ff-gated", "both multiplied: the gate"],
] as const;

/** Goes to the step of this name, wherever among the block's it stands. */
async function stepTo(slider: Locator, words: string): Promise<void> {
  const count = Number(await slider.getAttribute("max"));
  for (let at = 1; at <= count; at += 1) {
    await slider.fill(String(at));
    await expect(slider).toHaveAttribute("aria-valuetext", new RegExp(`\\b${at}\\b`));
    if ((await slider.getAttribute("aria-valuetext"))?.includes(words)) return;
  }
  throw new Error(`no step of the block is called “${words}”`);
}

test("a Llama from the disk has the CPU's numbers on the GPU in every picture, under an edit, and traced", async ({
  shared,
}) => {
  await twice(shared, {
    address: "#v=1&text=The+dog+and+the+cat+drink+milk.&stack=decoder&layer=2&head=4&cell=4-2",
    tell: async ({ explorer, look, page }) => {
      await explorer.folder.setInputFiles(folder);
      await expect(explorer.picker).toHaveAccessibleName("Model: random-llama");
      await explorer.settle();
      await look("its heatmap", ["headscope-heatmap", "headscope-grid", "headscope-spectrum"]);
      for (const [picture, figure] of [
        ["Lines", "lines"],
        ["Dimensions", "dimensions"],
        ["Positions", "positions"],
      ] as const) {
        await page.getByRole("radio", { name: picture, exact: true }).check();
        await explorer.settle();
        await look(picture, [`headscope-${figure}`]);
      }
      await page.getByRole("radio", { name: "Steps", exact: true }).check();
      await explorer.settle();
      const steps = page.locator("headscope-steps-panel");
      const slider = steps.getByRole("slider", { name: "Step" });
      await steps.getByRole("application").click({ position: { x: 200, y: 100 } });
      // What other families do not have, and where what they share ends.
      for (const [step, words] of SHOWN) {
        await stepTo(slider, words);
        await expect(page).toHaveURL(new RegExp(`number=${step}\\.\\d`));
        await explorer.settle();
        await expect(steps.locator("[data-value]")).toHaveText(/\d/);
        await look(step, []);
      }
      for (let traced = 2; traced <= 3; traced += 1) {
        await steps.getByRole("button", { name: "Trace this number" }).click();
        await expect(steps.locator(".trail li")).toHaveCount(traced);
        await look(`traced ${traced - 1} times`, []);
      }
      await page.getByRole("radio", { name: "Heatmap", exact: true }).check();
      await page.getByRole("button", { name: "Silence this head" }).click();
      await explorer.settle();
      await expect(explorer.chips).toHaveCount(1);
      await look("without a head", ["headscope-heatmap", "headscope-grid"]);
      await expect(explorer.picker).toHaveAccessibleName("Model: random-llama");
    },
  });
});
