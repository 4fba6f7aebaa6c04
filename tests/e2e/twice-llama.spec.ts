import { expect } from "@playwright/test";
import { test } from "./gpu-pages.js";
import { twice } from "./gpu-twice.js";
import { randomLlama } from "./random-model.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const folder = randomLlama();

test("a Llama from the disk has the CPU's numbers on the GPU in every picture, under an edit, and traced", async ({ shared }) => {
  await twice(shared, {
    address: "#v=1&text=The+dog+and+the+cat+drink+milk.&stack=decoder&layer=2&head=4&cell=4-2",
    tell: async ({ explorer, look, page }) => {
      await explorer.folder.setInputFiles(folder);
      await expect(explorer.picker).toHaveAccessibleName("Model: random-llama");
      await explorer.settle();
      await look("its heatmap", ["headscope-heatmap", "headscope-grid", "headscope-spectrum"]);
      for (const [picture, figure] of [["Lines", "lines"], ["Dimensions", "dimensions"], ["Positions", "positions"]] as const) {
        await page.getByRole("radio", { name: picture, exact: true }).check();
        await explorer.settle();
        await look(picture, [`headscope-${figure}`]);
      }
      await page.getByRole("radio", { name: "Steps", exact: true }).check();
      await explorer.settle();
      const steps = page.locator("headscope-steps-panel");
      // What other families do not have, and where what they share ends.
      for (const step of ["query-rotated", "key-rotated", "ff-linear", "final", "ff-gated"]) {
        await page.evaluate((number) => (location.hash = `${location.hash.replace(/&number=[^&]*/, "")}&number=${number}`), `${step}.3-2`);
        await expect(page).toHaveURL(new RegExp(`number=${step}\\.3-2`));
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
    },
  });
});
