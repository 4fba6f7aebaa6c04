import { expect, test } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";
import { randomModel } from "./random-model.js";

test("a long run says which layer it computes, can be stopped, and is computed again when that is asked for", async ({ page }) => {
  test.setTimeout(300_000);
  // On a fast machine even this run is over before the page speaks of it: here it speaks at once.
  await page.addInitScript(() => {
    const wait = window.setTimeout.bind(window);
    window.setTimeout = ((act: () => void, millis?: number) => wait(act, millis === 600 ? 0 : millis)) as typeof window.setTimeout;
  });
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog.");
  await explorer.folder.setInputFiles(randomModel());
  await expect(explorer.picker).toHaveAccessibleName("Model: random-bert");
  await explorer.settle();
  const notices = page.locator("headscope-notices");
  // Looked at with every frame: the words of one layer are soon those of the next.
  const stopped = notices.evaluate(
    (element) =>
      new Promise<{ words: string; bar: string | null }>((resolve) => {
        const look = (): void => {
          const line = element.shadowRoot?.querySelector("progress")?.parentElement;
          const words = line?.querySelector("p")?.textContent.trim() ?? "";
          if (!line || !words.includes("layer")) {
            requestAnimationFrame(look);
            return;
          }
          resolve({ words, bar: line.querySelector("progress")?.getAttribute("aria-label") ?? null });
          line.querySelector("button")?.click();
        };
        look();
      }),
  );
  await explorer.sentence.fill("the man and the dog ".repeat(102).trim());
  const { words, bar } = await stopped;
  expect(words).toMatch(/^Computing: Encoder, layer ([1-9]|1[0-2]) of 12$/);
  expect(bar).not.toBe("");
  await expect(notices).toContainText("Stopped.");
  await expect(notices.getByRole("progressbar")).toHaveCount(0);
  await notices.getByRole("button", { name: "Compute again" }).click();
  await expect(explorer.figure).toHaveAccessibleName(/512 queries by 512 keys/, { timeout: 180_000 });
  await expect(notices).not.toContainText("Stopped.");
});
