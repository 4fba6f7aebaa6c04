// The tour of eight steps.
import { expect, NOTHING, test, watch, type ExplorerPage, type Locator } from "./page.js";

const card = ({ page }: ExplorerPage): Locator =>
  page.locator("headscope-tour-card").getByRole("region");
const button = (explorer: ExplorerPage, name: string): Locator =>
  card(explorer).getByRole("button", { name, exact: true });

async function expectStep(explorer: ExplorerPage, step: number): Promise<void> {
  await expect(card(explorer).getByRole("heading")).toHaveText(new RegExp(`^\\s*${step} of 8\\s`));
  await expect(explorer.page).toHaveURL(new RegExp(`tour=${step}(&|$)`));
  await explorer.settle();
}

test("the tour works by keyboard", async ({ page, explorer }) => {
  const watched = watch(page);
  await explorer.open();
  await explorer.button("Tour").press("Enter");
  for (let step = 1; step <= 8; step += 1) {
    await expectStep(explorer, step);
    await expect(card(explorer).getByRole("heading")).toBeFocused();
    if (step === 1) await expect(button(explorer, "Back")).toBeDisabled();
    if (step === 8) break;
    const next = button(explorer, "Next");
    // Before it are at most what the step does, and Back.
    for (let tabs = 0; tabs < 3; tabs += 1)
      if (!(await next.evaluate((one) => one.matches(":focus")))) await explorer.keys("Tab");
    await expect(next).toBeFocused();
    await explorer.keys("Enter");
  }
  await expect(button(explorer, "Finish")).toBeVisible();
  await explorer.keys("Escape");
  await expect(card(explorer)).toHaveCount(0);
  await expect(explorer.button("Tour")).toBeFocused();
  await expect(page).not.toHaveURL(/tour=/);
  expect(watched).toEqual(NOTHING);
});

test("a link opens a step of the tour, and Back leaves", async ({ page, explorer }) => {
  await explorer.open("tour=5&model=models/tiny-gpt&text=Mine.");
  await expect(explorer.sentence).toHaveValue("Mine.");
  await expect(button(explorer, "Restore this step")).toBeVisible();
  await explorer.open("tour=8");
  await button(explorer, "Ablate head").click();
  await expect(button(explorer, "Restore this step")).toBeVisible();
  await button(explorer, "Undo").click();
  await expect(button(explorer, "Ablate head")).toBeVisible();
  await explorer.fresh("text=My+own.");
  await explorer.button("Tour").click();
  await expectStep(explorer, 1);
  await page.goBack();
  await expect(card(explorer)).toHaveCount(0);
  await expect(explorer.sentence).toHaveValue("My own.");
  await page.goForward();
  await expectStep(explorer, 1);
  await button(explorer, "Leave").click();
  await explorer.keys("Control+z");
  await expectStep(explorer, 1);
});
