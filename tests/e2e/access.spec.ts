import { devices, expect, test, type Locator } from "@playwright/test";
import { findings } from "./axe.js";
import { ExplorerPage } from "./explorer-page.js";

for (const theme of ["light", "dark"] as const) {
  for (const picture of ["heatmap", "lines", "dimensions", "steps", "mask", "positions"]) {
    test(`axe finds nothing wrong: ${theme}, ${picture}`, async ({ page }) => {
      const explorer = new ExplorerPage(page);
      await explorer.open(
        `#v=1&theme=${theme}&picture=${picture}&edits=c2.3x0;c1.1!2-2;e9.9x0&cell=2-2`,
      );
      expect(await findings(page)).toEqual([]);
    });
  }
}

for (const theme of ["light", "dark"] as const) {
  for (const [model, more] of [
    ["tiny-gpt", "text=The+dog+and"],
    ["tiny-bert", "text=The+dog+and+the+cat.&hidden=3,6&edits=c1.1x0"],
  ] as const) {
    test(`axe finds nothing wrong: ${theme}, ${model}, with its roles and the list of models open`, async ({
      page,
    }) => {
      const explorer = new ExplorerPage(page);
      await explorer.open(`#v=1&theme=${theme}&model=models/${model}&${more}`);
      await page.getByText("All roles").click();
      expect(await findings(page)).toEqual([]);
      await explorer.picker.click();
      expect(await findings(page)).toEqual([]);
    });
  }
}

for (const [theme, width, order] of [
  ["light", 1280, "sort=entropy&role=none"],
  ["dark", 390, "sort=previous"],
] as const) {
  test(`axe finds nothing wrong: ${theme}, ${width} px wide, the grid in another order, what is measured unfolded`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const explorer = new ExplorerPage(page);
    await explorer.open(`#v=1&theme=${theme}&${order}`);
    // On a narrow page what is measured is behind two of the tabs.
    const tabs = width < 820;
    if (tabs) await explorer.tab("Details").click();
    await page.getByText("All singular values").click();
    if (tabs) {
      expect(await findings(page)).toEqual([]);
      await explorer.tab("Heads").click();
    }
    await page.getByText("All roles").click();
    expect(await findings(page)).toEqual([]);
    expect(
      await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    ).toBe(0);
  });
}

test("axe finds nothing wrong in the list of shortcuts and beside an error", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open();
  await explorer.type("word ".repeat(2000));
  await page.getByRole("button", { name: "Shortcuts" }).click();
  await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test("everything can be reached and done with the keyboard alone", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Skip to the attention picture" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("radio", { name: "Heatmap" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("headscope-lines")).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("radio", { name: "Indigo" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(
    page.locator("headscope-export-menu").getByRole("button", { name: "Export" }),
  ).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Block cells" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(explorer.stage("weights")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(explorer.stage("masked")).toBeChecked();
  await page.keyboard.press("Tab");
  await expect(explorer.figure).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("s");
  await expect(explorer.chips).toContainText("silenced");
});

test("the Tab key alone comes by every place where something can be done", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const places = {
    models: explorer.picker,
    sentence: explorer.sentence,
    translation: explorer.translation,
    stacks: explorer.stack("Cross-attention"),
    grid: explorer.head(2, 5),
    pictures: page.getByRole("radio", { name: "Heatmap" }),
    blocking: page.getByRole("button", { name: "Block cells" }),
    stages: explorer.stage("weights"),
    picture: explorer.figure,
  };
  const isFocused = (place: Locator): Promise<boolean> =>
    place.evaluate(
      (element) => (element.getRootNode() as Document | ShadowRoot).activeElement === element,
    );
  const reached: string[] = [];
  for (let stop = 0; stop < 40; stop += 1) {
    await page.keyboard.press("Tab");
    for (const [name, place] of Object.entries(places)) {
      if (!reached.includes(name) && (await isFocused(place))) reached.push(name);
    }
  }
  expect(reached).toEqual(Object.keys(places));
});

test("letters that are typed into the sentence are letters", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=");
  await explorer.sentence.pressSequentially("[b]. s? ,x");
  await expect(explorer.sentence).toHaveValue("[b]. s? ,x");
  await expect(explorer.chips).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test.describe("on a phone", () => {
  const { userAgent, deviceScaleFactor, isMobile, hasTouch } = devices["Pixel 7"];
  test.use({
    userAgent,
    deviceScaleFactor,
    isMobile,
    hasTouch,
    viewport: { width: 390, height: 844 },
  });

  test("a finger does everything and nothing runs off the side", async ({ page }) => {
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+little+black+cat+that+I+gave+my+sister+doesn't+like+milk.");
    await explorer.tab("Heads").tap();
    await explorer.head(1, 8).tap();
    await expect(explorer.headTitle).toHaveText("Layer 1 · head 8");
    await explorer.tab("Picture").tap();
    await explorer.figure.tap();
    await expect(page).toHaveURL(/cell=/);
    await page.getByRole("button", { name: "Block cells" }).tap();
    await explorer.figure.tap();
    await explorer.settle();
    await expect(explorer.chips).toHaveCount(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await findings(page)).toEqual([]);
  });

  test("what an edit did is in sight, and can be undone, without scrolling", async ({ page }) => {
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+dog+bites+the+man.");
    const edits = page.getByRole("region", { name: "Your edits" });
    await expect(edits).not.toBeVisible();
    await explorer.tab("Heads").tap();
    await page.getByRole("button", { name: "Silence this head" }).tap();
    await explorer.settle();
    await expect(page.getByRole("tab", { name: "Edits 1", exact: true })).toBeInViewport({
      ratio: 1,
    });
    await explorer.tab("Edits").tap();
    await expect(edits.locator(".now")).toHaveText(await explorer.translation.inputValue());
    await expect(edits.locator(".now")).toBeInViewport({ ratio: 1 });
    await page.getByRole("button", { name: "Undo", exact: true }).tap();
    await expect(explorer.chips).toHaveCount(0);
  });
});

test("still where motion is unwelcome", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const explorer = new ExplorerPage(page);
  await explorer.open();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});
