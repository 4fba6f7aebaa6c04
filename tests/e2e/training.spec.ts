// Training in the page, with the core that trains: what only a browser shows of it.
import type { Tensor } from "../../www/data/index.js";
import { expect, type Page, test } from "./page.js";

/** A training of a few seconds. */
const SMALL = "training=copy_length.4_layers.1_width.16_heads.2_batch.8_steps.120";

const training = (page: Page) => page.locator("headscope-training");

/** The number behind a word of the status. */
async function numberIn(page: Page, pattern: RegExp): Promise<number> {
  const words = await training(page).locator(".status").innerText();
  return Number(pattern.exec(words)?.[1]?.replaceAll(",", "") ?? NaN);
}
const stepOf = (page: Page): Promise<number> => numberIn(page, /Step ([\d,]+) of/);
const lossOf = (page: Page): Promise<number> => numberIn(page, /held out ([\d.]+)/);

/** The thumbnails of all heads, as the grid has them. */
const headsOf = (page: Page): Promise<number[]> =>
  training(page)
    .locator("headscope-grid")
    .evaluate((grid) => {
      const { thumbnails } = grid as HTMLElement & { thumbnails: Tensor | null };
      return [...(thumbnails?.data ?? [])];
    });

test("a model is trained in the page, rewound, and opened like any other", async ({
  page,
  explorer,
}) => {
  const cores: string[] = [];
  page.on("request", (request) => request.url().includes("gradients") && cores.push(request.url()));
  await explorer.open();
  expect(cores).toEqual([]);

  await page.goto(`./#v=1&${SMALL}`);
  const part = training(page);
  const slider = part.getByRole("slider", { name: "Checkpoint" });
  await expect.poll(() => stepOf(page), { timeout: 120_000 }).toBe(120);
  await expect(slider).toHaveAttribute("max", "6");
  expect(cores.length).toBeGreaterThan(0);

  await test.step("the loss has fallen, and the heads have changed", async () => {
    const [after, heads] = [await lossOf(page), await headsOf(page)];
    await slider.fill("0");
    await expect(part.getByText("All heads at step 0")).toBeVisible();
    expect(await headsOf(page)).not.toEqual(heads);
    const before = 2.8; // Close to ln 22, the loss of a guess among all tokens.
    expect(after).toBeLessThan(before);
  });

  await test.step("it goes back to a checkpoint, and comes to the same end again", async () => {
    await part.getByRole("button", { name: "Show the newest" }).click();
    const end = await headsOf(page);
    await slider.fill("2");
    await part.getByRole("button", { name: "Go back to step 40" }).click();
    await expect.poll(() => stepOf(page)).toBe(40);
    await part.getByRole("button", { name: "Go on" }).click();
    await expect.poll(() => stepOf(page), { timeout: 120_000 }).toBe(120);
    await expect(part.getByText("All heads at step 120")).toBeVisible();
    expect(await headsOf(page)).toEqual(end);
  });

  await test.step("the trained model opens with its text", async () => {
    await part.getByRole("button", { name: "Open in the explorer" }).click();
    await explorer.settle();
    await expect(part).toHaveCount(0);
    await expect(page.getByRole("button", { name: /^Model: copy/ })).toBeVisible();
    await expect(explorer.sentence).toHaveValue(/^[a-p] [a-p] [a-p] [a-p] >/);
    await expect(explorer.figure).toBeVisible();
  });
});

test("a closed page loses little of a training, which can be removed", async ({ page }) => {
  await page.goto(`./#v=1&${SMALL}`);
  await expect.poll(() => stepOf(page), { timeout: 120_000 }).toBe(120);
  const kept = training(page).getByText("This browser kept it from an earlier visit");
  await expect(async () => {
    await page.reload();
    await expect(kept).toContainText("at step 120", { timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  expect(await stepOf(page)).toBe(120);
  await training(page).getByRole("button", { name: "Remove it" }).click();
  await expect.poll(() => stepOf(page)).toBe(0);
  await page.reload();
  await expect.poll(() => stepOf(page), { timeout: 120_000 }).toBeGreaterThan(0);
  await expect(kept).toHaveCount(0);
});
