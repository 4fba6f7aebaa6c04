import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { devices, expect, test, type Locator, type Page } from "@playwright/test";
import { ExplorerPage, watch } from "./explorer-page.js";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
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

async function findings(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  const results = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} at ${String(target)}: ${failureSummary ?? ""}`,
    ),
  );
}

test("all eight steps by keyboard, each with its picture", async ({ page }) => {
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

test("a link opens a step in Chinese, with what it shows", async ({ page }) => {
  const tour = new Tour(page);
  await tour.open("#v=1&tour=5&language=zh-CN");
  await expect(tour.heading).toHaveText(/第 5 步，共 8 步\s+谁不能看谁/);
  await expect(page.locator("headscope-mask")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "你的句子" })).toHaveValue(
    "Tom and Mary went to the station.",
  );
  await expect(tour.heading).not.toBeFocused();
});

test("what a link says besides the step is what is shown", async ({ page }) => {
  const tour = new Tour(page);
  await tour.open("#v=1&tour=5&model=models/tiny-gpt&text=Mine.");
  await expect(tour.sentence).toHaveValue("Mine.");
  await expect(tour.button("Show this step again")).toBeVisible();
});

test("the last step: one silenced head and “car” is gone; the step comes again, and undo takes it back", async ({
  page,
}) => {
  const tour = new Tour(page);
  await tour.open("#v=1&tour=8");
  const first = page.locator("headscope-predictions headscope-bars").getByRole("listitem").first();
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

test("the browser's own Back and undo lead back step by step, and out to the sentence before", async ({
  page,
}) => {
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

test("Back leads out of the tour to a text that no link carries", async ({ page }) => {
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

for (const theme of ["light", "dark"]) {
  test(`axe finds nothing wrong on the tour: ${theme}`, async ({ page }) => {
    const tour = new Tour(page);
    await tour.open(`#v=1&tour=1&theme=${theme}`);
    await page.getByRole("radio", { name: "Mask", exact: true }).check();
    await expect(tour.button("Show this step again")).toBeVisible();
    expect(await findings(page)).toEqual([]);
  });
}

test.describe("on a phone", () => {
  const { userAgent, deviceScaleFactor, isMobile, hasTouch } = devices["Pixel 7"];
  test.use({
    userAgent,
    deviceScaleFactor,
    isMobile,
    hasTouch,
    viewport: { width: 390, height: 844 },
  });

  test("the words lie at the bottom and the picture stands above them", async ({ page }) => {
    const tour = new Tour(page);
    await tour.open();
    await page.getByRole("button", { name: "Tour", exact: true }).tap();
    await tour.expectStep(1);
    const sheet = await tour.card.boundingBox();
    expect([sheet?.x, sheet?.width, (sheet?.y ?? 0) + (sheet?.height ?? 0)]).toEqual([0, 390, 844]);
    expect(sheet?.height).toBeLessThanOrEqual(304);
    await expect(tour.button("Next")).toBeInViewport({ ratio: 1 });
    await expect
      .poll(async () => (await page.locator("headscope-picture-panel").boundingBox())?.y)
      .toBeLessThan(200);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    // The end of the page can be read above the sheet.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const foot = await page.locator("headscope-page-footer").boundingBox();
    expect((foot?.y ?? Infinity) + (foot?.height ?? 0)).toBeLessThanOrEqual((sheet?.y ?? 0) + 1);
    expect(await findings(page)).toEqual([]);
  });
});
