import { expect, test, type Locator, type Page } from "@playwright/test";
import { ExplorerPage, watch } from "./explorer-page.js";
import { randomLlama } from "./random-model.js";

const TEXT = "The dog and the cat drink milk.";
const AT = `#v=1&text=${encodeURIComponent(TEXT)}&stack=decoder&layer=2&head=4`;

const folder = randomLlama();
const panel = (page: Page): Locator => page.locator("headscope-steps-panel");

/** The page with the folder opened in it. */
async function opened(page: Page, more: string): Promise<ExplorerPage> {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${AT}${more}`);
  await explorer.folder.setInputFiles(folder);
  await expect(explorer.picker).toHaveAccessibleName("Model: random-llama");
  await explorer.settle();
  return explorer;
}

test("a Llama from the disk is drawn in each picture, and a number is traced to a learned weight", async ({
  page,
}) => {
  const seen = watch(page);
  await opened(page, "");
  await expect(page.getByRole("heading", { name: "Decoder" })).toBeVisible();
  for (const [name, figure] of [
    ["Lines", "lines"],
    ["Dimensions", "dimensions"],
    ["Steps", "steps"],
    ["Positions", "positions"],
    ["Heatmap", "heatmap"],
  ] as const) {
    await page.getByRole("radio", { name, exact: true }).click();
    await expect(page.locator(`headscope-${figure}`)).toBeVisible();
    await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "false");
    if (figure === "positions")
      await expect(page.getByText("By what queries and keys are turned")).toBeVisible();
  }
  expect(seen).toEqual({ foreign: [], errors: [] });
  await test.step("trace", async () => {
    await opened(page, "&picture=steps&number=ff-gated.3-2");
    const learnt = panel(page).getByText("Here the trace ends");
    const trail = panel(page).locator(".trail li");
    for (let step = 1; step <= 60 && !(await learnt.isVisible()); step += 1) {
      await panel(page).getByRole("button", { name: "Trace this number" }).click();
      await expect(trail).toHaveCount(step + 1);
      await expect(panel(page)).toHaveAttribute("aria-busy", "false");
    }
    await expect(learnt).toBeVisible();
    // Nothing is added for the position: the token's own number is all there is.
    await expect(panel(page).getByText(/token “/)).toBeVisible();
    await expect(panel(page).getByText(/^position /)).toHaveCount(0);
  });
});
