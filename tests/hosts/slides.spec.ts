// Slides: figures fit, have the colours of their background, and keep their keys.
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { example, expect, isDrawn, opened, test } from "./hosts.js";

test("reveal.js: a plug-in", async ({ page }) => {
  const folder = example("reveal", ".");
  cpSync(resolve("target/hosts/node_modules/reveal.js/dist"), join(folder, "reveal.js"), {
    recursive: true,
  });
  cpSync("dist/npm", join(folder, "headscope"), { recursive: true });
  await page.setViewportSize({ width: 1280, height: 800 });
  await opened(folder, page, async (address) => {
    await page.goto(`${address}#/1`);
    const heatmap = page.locator("headscope-heatmap");
    await isDrawn(heatmap);
    const scheme = (): Promise<string> =>
      page.locator("section.present").evaluate((slide) => getComputedStyle(slide).colorScheme);
    expect(await scheme()).toBe("dark");
    const box = await heatmap.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 900)).toBeLessThanOrEqual(800);
    // An arrow moves the cell of a figure that has the focus, and otherwise the slides.
    await page.keyboard.press("ArrowRight");
    await expect(heatmap.locator("[aria-live]")).toContainText(": 0.398");
    expect(page.url()).toMatch(/#\/1$/);
    await heatmap.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(/#\/2$/);
    await isDrawn(page.locator("headscope-lines"));
    expect(await scheme()).toBe("light");
  });
});
