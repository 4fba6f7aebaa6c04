import { expect, test, type Page } from "@playwright/test";
import { findings } from "./axe.js";
import { ExplorerPage, shownNumber } from "./explorer-page.js";

const TEXT = "text=The+dog+bites+the+man.";

interface Box {
  x: number;
  y: number;
  side: number;
}

/** Where the cells of the picture are, found with the pointer: the figure says which pair is under it. */
async function cells(
  page: Page,
  tag: "headscope-heatmap" | "headscope-mask",
): Promise<(query: number, key: number) => { x: number; y: number }> {
  const box = await page
    .locator(`headscope-picture-panel ${tag}`)
    .evaluate(
      (figure: HTMLElement & { layout: { plot: { x: number; y: number }; cell: number } }): Box => {
        const stage = figure.shadowRoot?.querySelector(".stage")?.getBoundingClientRect();
        const { plot, cell } = figure.layout;
        return { x: (stage?.x ?? 0) + plot.x, y: (stage?.y ?? 0) + plot.y, side: cell };
      },
    );
  return (query, key) => ({
    x: box.x + (key + 0.5) * box.side,
    y: box.y + (query + 0.5) * box.side,
  });
}

/** The picture above the drawer, which covers what is below. */
const toTop = (page: Page): Promise<void> =>
  page
    .locator("headscope-picture-panel .picture")
    .evaluate((picture) => picture.scrollIntoView({ block: "start" }));

const lab = (page: Page, name: string) =>
  page.locator("headscope-mask-labs details", { has: page.locator("summary", { hasText: name }) });

test("a stroke blocks every cell that it goes over, as one step, in the whole stack", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&stack=encoder&picture=mask&bench=masks`);
  const tokens = await explorer.tokens("Tokens of your sentence").count();
  const mask = page.locator("headscope-picture-panel headscope-mask").getByRole("application");
  await page.getByRole("button", { name: "Paint cells" }).click();
  await page.getByLabel("Whom the strokes are for").selectOption("Encoder, all layers");
  await toTop(page);
  const at = await cells(page, "headscope-mask");
  const [from, to] = [at(1, 0), at(1, 4)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
  await explorer.settle();
  await expect(mask).toHaveAccessibleName(new RegExp(`[ ,]${tokens * tokens - 5} pairs allowed`));
  await expect(explorer.chips).toHaveText([/Encoder: 5 cells blocked/]);
  await expect(page).toHaveURL(/edits=e\.!2-1,2-2,2-3,2-4,2-5/);
  // Another layer's weights have the hole as well.
  await explorer.head(2, 3).click();
  await page.getByRole("radio", { name: "Heatmap" }).check();
  await explorer.settle();
  await page.getByRole("button", { name: "Show the numbers" }).click();
  const row = await page
    .locator("headscope-heatmap tbody tr")
    .nth(1)
    .locator("td:not(.sum)")
    .allTextContents();
  expect(row.slice(0, 5).map(shownNumber)).toEqual([0, 0, 0, 0, 0]);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(0);
});

test("a stroke that begins on a masked cell opens, and Escape gives a stroke up", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&model=models/tiny-gpt&text=The+dog+sees+the+cat&stage=masked&bench=masks",
  );
  await page.getByRole("button", { name: "Paint cells" }).click();
  await toTop(page);
  const at = await cells(page, "headscope-heatmap");
  const stroke = async (from: [number, number], to: [number, number]): Promise<void> => {
    await page.mouse.move(at(...from).x, at(...from).y);
    await page.mouse.down();
    await page.mouse.move(at(...to).x, at(...to).y, { steps: 4 });
  };
  await explorer.figure.focus();
  await stroke([0, 1], [0, 3]);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await expect(explorer.chips).toHaveCount(0);
  await stroke([0, 1], [0, 3]);
  await page.mouse.up();
  await explorer.settle();
  await expect(explorer.chips).toHaveText([/3 cells opened/]);
  await page.getByRole("button", { name: "Show the numbers" }).click();
  const row = await page
    .locator("headscope-heatmap tbody tr")
    .first()
    .locator("td:not(.sum)")
    .allTextContents();
  expect(row.slice(0, 4).every((number) => number !== "−∞")).toBe(true);
  expect(row[4]).toContain("−∞");
});

test("a rectangle is laid out and painted by the keyboard alone", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&stack=encoder`);
  await page.getByRole("button", { name: "Block cells" }).focus();
  await page.keyboard.press("Enter");
  await explorer.figure.focus();
  for (const key of ["PageUp", "Home", "Shift+ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown"])
    await page.keyboard.press(key);
  await expect(page.locator("headscope-heatmap [aria-live]")).toContainText(
    "Laid out: 3 queries by 2 keys",
  );
  await page.keyboard.press("Enter");
  await explorer.settle();
  await expect(explorer.chips).toHaveText([/6 cells blocked/]);
});

test("the stages of a pair add up to what the picture shows", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&stack=encoder&bench=masks&edits=e.~window(w1)`);
  await lab(page, "What the rules do").locator("summary").click();
  const reading = page.locator("headscope-mask-stages .reading");
  await page
    .locator("headscope-mask-stages headscope-heatmap")
    .first()
    .getByRole("application")
    .focus();
  for (const key of ["PageUp", "Home", "ArrowDown"]) await page.keyboard.press(key);
  const [, score = "", , masked = "", weight = ""] =
    /([−\d.,]+) \+ (\S+) = ([−\d.,]+) → softmax → (.+)$/.exec(
      (await reading.textContent())?.replace(/\s+/g, " ").trim() ?? "",
    ) ?? [];
  expect(shownNumber(score)).toBe(shownNumber(masked));
  await page.keyboard.press("Enter");
  await page
    .locator("headscope-picture-panel headscope-heatmap")
    .getByRole("button", { name: "Show the numbers" })
    .click();
  const row = await page
    .locator("headscope-picture-panel headscope-heatmap tbody tr")
    .nth(1)
    .locator("td:not(.sum)")
    .allTextContents();
  expect(row[0]).toBe(weight);
  expect(row.slice(3).every((number) => number === "0")).toBe(true);
});

test("the counter follows the rules and knows the paper's numbers", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&stack=encoder&bench=masks&edits=e.~window(w2)`);
  await lab(page, "What attention costs").locator("summary").click();
  const row = (length: string) =>
    page
      .locator("headscope-mask-cost tbody")
      .first()
      .getByRole("row", { name: new RegExp(`^${length} `) });
  await expect(row("1,000").locator("td").first()).toHaveText("1 × 10⁶");
  await expect(row("4,096").locator("td")).toHaveText([
    "1.68 × 10⁷",
    (4096 * 5 - 6).toLocaleString("en"),
    "0.1%",
    "64 MiB",
    "80 KiB",
  ]);
  await expect(row("100,000").locator("td").first()).toHaveText("1 × 10¹⁰");
  const tokens = await explorer.tokens("Tokens of your sentence").count();
  // The row of the page's own text is what the picture counts.
  await expect(page.locator("headscope-mask-bench .head [role=status]")).toContainText(
    `${tokens * 5 - 6} of ${tokens * tokens} pairs`,
  );
  await expect(row(String(tokens)).locator("td").nth(1)).toHaveText(String(tokens * 5 - 6));
  const info = await page.evaluate(() => ({
    width:
      document
        .querySelector("headscope-explorer")
        ?.shadowRoot?.querySelector<HTMLElement & { info: { dModel: number } }>("headscope-top-bar")
        ?.info.dModel ?? 0,
  }));
  await expect(page.getByRole("row", { name: /^Recurrent/ })).toContainText(
    (tokens * info.width ** 2).toLocaleString("en"),
  );
  await page
    .locator("headscope-mask-cost")
    .getByRole("radio", { name: "memory of the layer" })
    .check();
  await expect(
    page.getByRole("application", { name: /memory of the layer by tokens/ }),
  ).toBeVisible();
  // Three rules are joined cell by cell: an estimate, which says so.
  await explorer.open(
    `#v=1&${TEXT}&stack=encoder&bench=masks&edits=e.~window(w2);e.~or-global(w0t1);e.~block(b4)`,
  );
  await page.reload();
  await explorer.settle();
  await lab(page, "What attention costs").locator("summary").click();
  await expect(row("100,000")).toContainText("≈");
});

for (const [model, stack] of [
  ["models/tiny-gpt", "decoder"],
  ["models/en-fr", "decoder"],
] as const) {
  test(`a decoder without its mask is asked the same as before: ${model}`, async ({ page }) => {
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&model=${model}&text=The+dog+sees+the+cat.&stack=${stack}&bench=masks`,
    );
    await lab(page, "Cheating").locator("summary").click();
    const sum = page.locator("headscope-mask-cheating .sum");
    await expect(sum).toContainText(/Predicts the next word: \d+ of \d+\./);
    const [, before, all] = /(\d+) of (\d+)/.exec((await sum.textContent()) ?? "") ?? [];
    await page.getByRole("button", { name: "Take the decoder’s own mask away" }).click();
    await explorer.settle();
    await expect(explorer.chips).toHaveText([/Decoder: instead everybody/]);
    await expect(sum).toContainText(
      new RegExp(
        `${model === "models/tiny-gpt" ? `${before} of ${all}` : `\\d+ of \\d+`} → \\d+ of \\d+`,
      ),
    );
    await expect(
      page.locator("headscope-mask-cheating tbody tr").first().locator("td"),
    ).toHaveCount(4);
  });
}

test("padding behind a mask changes no number, without one it does", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    `#v=1&model=models/tiny-bert&text=The+small+dog+bites+the+old+man.&bench=masks`,
  );
  await lab(page, "Padding").locator("summary").click();
  const rows = page.locator("headscope-mask-padding .wide").last().locator("tbody tr");
  await expect(rows).toHaveCount(2);
  const numbers = async (row: number): Promise<number[]> =>
    (await rows.nth(row).locator("td").allTextContents()).map(shownNumber);
  const [, pads = 0, masked = NaN, open = NaN] = await numbers(1);
  expect(pads).toBeGreaterThan(0);
  expect(masked).toBeLessThan(1e-5);
  expect(open).toBeGreaterThan(1e-3);
  await expect(page.locator("headscope-mask-padding .batch .pad")).toHaveCount(pads);
  await page
    .getByRole("textbox", { name: "Second text" })
    .fill("The small dog bites the old man and the cat.");
  await expect(
    page.locator("headscope-mask-padding .batch tr").first().locator(".pad").first(),
  ).toBeVisible();
});

test("a finger paints while that is on, and scrolls while it is not", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&stack=encoder`);
  const stage = page.locator("headscope-heatmap .stage");
  const touch = (): Promise<string> =>
    stage.evaluate((element) => getComputedStyle(element).touchAction);
  expect(await touch()).toBe("pan-x pan-y");
  await page.getByRole("button", { name: "Block cells" }).click();
  await expect.poll(touch).toBe("none");
});

for (const [theme, width, language] of [
  ["light", 1280, "en"],
  ["dark", 1280, "zh-CN"],
  ["light", 390, "zh-CN"],
  ["dark", 390, "en"],
] as const) {
  test(`axe finds nothing wrong with the laboratories: ${theme}, ${width} px, ${language}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(
      `./#v=1&${TEXT}&theme=${theme}&language=${language}&bench=masks&stack=decoder&edits=d.~replace-none`,
    );
    await expect(page.locator("headscope-explorer .parts")).toHaveAttribute("aria-busy", "false", {
      timeout: 30_000,
    });
    if (width < 820) await page.getByRole("tab").last().click();
    const summaries = page.locator("headscope-mask-labs summary");
    await expect(summaries).toHaveCount(4);
    for (let at = 0; at < 4; at += 1) await summaries.nth(at).click();
    await expect(page.locator("headscope-mask-cost tbody tr").first()).toBeVisible();
    await expect(page.locator("headscope-mask-cheating tbody tr").first()).toBeVisible();
    await expect(page.locator("headscope-mask-padding tbody tr").first()).toBeVisible();
    expect(await findings(page)).toEqual([]);
    expect(
      await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    ).toBe(0);
  });
}

test("a bench that is opened leaves the picture it changes in sight", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}`);
  const picture = page.locator("headscope-picture-panel headscope-heatmap");
  await page.getByRole("button", { name: "Masks", exact: true }).click();
  await expect(page.getByLabel("Add a rule")).toBeInViewport();
  // Every cell of the picture lies above the drawer.
  const seen = async (): Promise<boolean> => {
    const cell = (await cells(page, "headscope-heatmap"))(0, 0);
    const last = (await cells(page, "headscope-heatmap"))(5, 5);
    return picture.evaluate(
      (figure, points) =>
        points.every(
          ({ x, y }) =>
            figure.shadowRoot?.elementFromPoint(x, y)?.closest(".stage") instanceof Element,
        ),
      [cell, last],
    );
  };
  await expect.poll(seen).toBe(true);
});
