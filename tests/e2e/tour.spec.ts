import { expect, test, type Locator } from "@playwright/test";
import { ExplorerPage, watch } from "./explorer-page.js";

const TITLES = [
  "A row is where a word looks",
  "A query meets a key",
  "From scores to shares",
  "Many heads, many questions",
  "Who may not look",
  "Where the order comes from",
  "The decoder looks at the encoder",
  "Change something and watch",
];

/** The tour as a reader meets it. */
class Tour extends ExplorerPage {
  get card(): Locator {
    return this.page.locator("headscope-tour-card").getByRole("region");
  }

  get heading(): Locator {
    return this.card.getByRole("heading");
  }

  button(name: string): Locator {
    return this.card.getByRole("button", { name, exact: true });
  }

  async expectStep(step: number): Promise<void> {
    await expect(this.heading).toHaveText(
      new RegExp(`^\\s*${step} of 8\\s+${TITLES[step - 1]}\\s*$`),
    );
    await expect(this.page).toHaveURL(new RegExp(`tour=${step}(&|$)`));
    await this.settle();
  }
}

test("all eight steps of the tour by keyboard, each with its picture", async ({ page }) => {
  const watched = watch(page);
  const tour = new Tour(page);
  await tour.open();
  await page.getByRole("button", { name: "Tour", exact: true }).focus();
  await page.keyboard.press("Enter");
  for (let step = 1; step <= TITLES.length; step += 1) {
    await tour.expectStep(step);
    await expect(tour.heading).toBeFocused();
    await expect(tour.button("Show this step again")).toHaveCount(0);
    if (step === 2)
      expect(await tour.inspectedNumber("raw")).toBeCloseTo(
        (await tour.inspectedNumber("scores")) * Math.sqrt(32),
        1,
      );
    if (step === 3) expect((await tour.inspectedNumber("weights")).toFixed(2)).toBe("0.57");
    if (step === 5) await expect(tour.inspected("mask")).toHaveText("−∞");
    if (step === TITLES.length) break;
    await page.keyboard.press("Tab");
    if (step > 1) await page.keyboard.press("Tab");
    await expect(tour.button("Next")).toBeFocused();
    await page.keyboard.press("Enter");
  }
  await page.keyboard.press("Escape");
  await expect(tour.card).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Tour", exact: true })).toBeFocused();
  await expect(tour.sentence).toHaveValue(/^He has an old car/);
  await expect(page).not.toHaveURL(/tour=/);
  expect(watched).toEqual({ foreign: [], errors: [] });
});

test("a link opens a step with its own text, the last step has an edit, and Back leads out of the tour", async ({
  page,
}) => {
  const tour = new Tour(page);
  await tour.open("#v=1&tour=5&model=models/tiny-gpt&text=Mine.");
  await expect(tour.sentence).toHaveValue("Mine.");
  await expect(tour.button("Show this step again")).toBeVisible();
  await test.step("the last step", async () => {
    const tour = new Tour(page);
    await tour.open("#v=1&tour=8");
    const first = page
      .locator("headscope-predictions headscope-bars")
      .getByRole("listitem")
      .first();
    await expect(first).toContainText("car");
    await expect(first).toContainText("69.5%");
    await page.getByRole("button", { name: "Silence this head" }).click();
    await tour.settle();
    await expect(page.locator("headscope-predictions")).not.toContainText("car");
    await tour.button("Show this step again").click();
    await tour.settle();
    await expect(first).toContainText("car");
    await expect(tour.heading).toBeFocused();
    await expect(tour.button("Show this step again")).toHaveCount(0);
    await page.keyboard.press("Control+z");
    await expect(tour.chips).toContainText("silenced");
  });
  await test.step("Back and undo", async () => {
    const tour = new Tour(page);
    await tour.open("#v=1&text=My+own.");
    await page.getByRole("button", { name: "Tour", exact: true }).click();
    await tour.expectStep(1);
    await tour.button("Next").click();
    await tour.expectStep(2);
    await page.goBack();
    await tour.expectStep(1);
    await page.goBack();
    await expect(tour.card).toHaveCount(0);
    await expect(tour.sentence).toHaveValue("My own.");
    await page.goForward();
    await tour.expectStep(1);
    await tour.button("Leave").click();
    await expect(tour.card).toHaveCount(0);
    await page.keyboard.press("Control+z");
    await tour.expectStep(1);
  });
  await test.step("back to a text that no link carries", async () => {
    const tour = new Tour(page);
    await tour.open();
    const long = "A word. ".repeat(2500);
    await tour.sentence.fill(long);
    await page.getByRole("button", { name: "Tour", exact: true }).click();
    await tour.expectStep(1);
    await page.goBack();
    await expect(tour.card).toHaveCount(0);
    await expect(tour.sentence).toHaveValue(long);
  });
});
