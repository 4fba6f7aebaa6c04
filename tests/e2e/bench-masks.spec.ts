import { expect, test, type Locator, type Page } from "@playwright/test";
import { ExplorerPage, shownNumber } from "./explorer-page.js";

const TEXT = "text=The+dog+bites+the+man.";

/** Gives the middle of a cell of the picture, in the coordinates of the window. */
async function cells(
  page: Page,
  tag: "headscope-heatmap" | "headscope-mask",
): Promise<(query: number, key: number) => [x: number, y: number]> {
  // The open drawer covers what is below.
  await page
    .locator("headscope-picture-panel .picture")
    .evaluate((picture) => picture.scrollIntoView({ block: "start" }));
  const { x, y, side } = await page
    .locator(`headscope-picture-panel ${tag}`)
    .evaluate(
      (figure: HTMLElement & { layout: { plot: { x: number; y: number }; cell: number } }) => {
        const stage = figure.shadowRoot?.querySelector(".stage")?.getBoundingClientRect();
        const { plot, cell } = figure.layout;
        return { x: (stage?.x ?? 0) + plot.x, y: (stage?.y ?? 0) + plot.y, side: cell };
      },
    );
  return (query, key) => [x + (key + 0.5) * side, y + (query + 0.5) * side];
}

/** The numbers of one row of the picture's table. */
const row = (page: Page, at: number): Locator =>
  page
    .locator("headscope-picture-panel headscope-heatmap tbody tr")
    .nth(at)
    .locator("td:not(.sum)");
const showNumbers = (page: Page): Promise<void> =>
  page.locator("headscope-picture-panel").getByRole("button", { name: "Show the numbers" }).click();

test("masks: a rule is added by the keyboard, changed by its number, refused out of range, undone and shared", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&stack=encoder&picture=mask`);
  const tokens = await explorer.tokens("Tokens of your sentence").count();
  const mask = page.locator("headscope-mask").getByRole("application");
  await expect(mask).toHaveAccessibleName(new RegExp(`${tokens * tokens} pairs allowed`));
  await page.getByRole("button", { name: "Masks", exact: true }).click();
  const add = page.getByLabel("Add a rule");
  await expect(add).toBeVisible();
  const options = await add.locator("option").allTextContents();
  const at = options.findIndex((option) => option.trim() === "sliding window");
  expect(at).toBeGreaterThan(0);
  await add.focus();
  // The first key opens the list. Nothing is added before Enter.
  for (let pressed = 0; pressed <= at; pressed += 1) await page.keyboard.press("ArrowDown");
  await expect(explorer.chips).toHaveCount(0);
  await page.keyboard.press("Enter");
  await explorer.settle();
  /** Pairs no further apart than `width`. */
  const near = (width: number): number =>
    Array.from(
      { length: tokens },
      (_, query) => Math.min(tokens - 1, query + width) - Math.max(0, query - width) + 1,
    ).reduce((sum, count) => sum + count, 0);
  await expect(mask).toHaveAccessibleName(new RegExp(`[ ,]${near(2)} pairs allowed`));
  const width = page.getByRole("spinbutton", { name: "each side" });
  await width.fill("1e9");
  await width.press("Enter");
  await expect(page.locator("headscope-mask-rule .refusal code")).toHaveText("field/out-of-range");
  await width.fill("0");
  await width.press("Enter");
  await explorer.settle();
  await expect(mask).toHaveAccessibleName(new RegExp(`[ ,]${near(0)} pairs allowed`));
  await expect(page.locator("headscope-mask-bench [role=status]")).toContainText(
    `${near(0)} of ${tokens * tokens} pairs allowed`,
  );
  await page.getByRole("radio", { name: "Heatmap" }).check();
  await explorer.settle();
  await showNumbers(page);
  expect((await row(page, 1).allTextContents()).map(Number)).toEqual(
    Array.from({ length: tokens }, (_, key) => (key === 1 ? 1 : 0)),
  );
  await expect(explorer.unedited).toContainText("Without your edits");
  await expect(explorer.chips).toHaveText([/Encoder: sliding window, each side 0/]);
  await page.reload();
  await explorer.settle();
  await expect(width).toHaveValue("0");
  await page.getByRole("button", { name: "Take this rule away" }).click();
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(0);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(1);

  await test.step("a fully masked row is empty, and uniform where −10⁹ is added", async () => {
    await page.goto("about:blank");
    await explorer.open(`#v=1&model=models/tiny-bert&${TEXT}&bench=masks`);
    await showNumbers(page);
    const count = await explorer.tokens("Tokens of your sentence").count();
    await page.getByLabel("Add a rule").selectOption("everybody");
    await page.getByLabel("How it joins what stands above").selectOption("and only");
    await page.getByRole("button", { name: "inverted" }).click();
    await explorer.settle();
    const first = async (): Promise<number[]> => (await row(page, 0).allTextContents()).map(Number);
    await expect.poll(first).toEqual(Array.from({ length: count }, () => 0));
    await page.locator("headscope-mask-bench").getByRole("radio", { name: "−10⁹" }).check();
    await explorer.settle();
    for (const weight of await first()) expect(weight).toBeCloseTo(1 / count, 3);
  });
});

test("masks: a stroke blocks or opens its cells as one step, Escape gives it up, and keys fill a rectangle", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&stack=encoder&picture=mask&bench=masks`);
  const tokens = await explorer.tokens("Tokens of your sentence").count();
  await page.getByRole("button", { name: "Paint cells" }).click();
  await page.getByLabel("Whom the strokes are for").selectOption("Encoder, all layers");
  const masked = await cells(page, "headscope-mask");
  await page.mouse.move(...masked(1, 0));
  await page.mouse.down();
  await page.mouse.move(...masked(1, 4));
  await page.mouse.up();
  await explorer.settle();
  await expect(
    page.locator("headscope-picture-panel headscope-mask").getByRole("application"),
  ).toHaveAccessibleName(new RegExp(`[ ,]${tokens * tokens - 5} pairs allowed`));
  await expect(explorer.chips).toHaveText([/Encoder: 5 cells blocked/]);
  await expect(page).toHaveURL(
    /edits=\{'masks':\[\{'stack':'encoder','block':\[\[1,0\],\[1,1\],\[1,2\],\[1,3\],\[1,4\]/,
  );
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(0);

  await test.step("from a masked cell it opens", async () => {
    await explorer.open(
      "#v=1&model=models/tiny-gpt&text=The+dog+sees+the+cat&stage=masked&bench=masks",
    );
    const at = await cells(page, "headscope-heatmap");
    const stroke = async (): Promise<void> => {
      await page.mouse.move(...at(0, 1));
      await page.mouse.down();
      await page.mouse.move(...at(0, 3), { steps: 4 });
    };
    await explorer.figure.focus();
    await stroke();
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await expect(explorer.chips).toHaveCount(0);
    await stroke();
    await page.mouse.up();
    await explorer.settle();
    await expect(explorer.chips).toHaveText([/3 cells opened/]);
    await showNumbers(page);
    const numbers = await row(page, 0).allTextContents();
    expect(numbers.slice(0, 4).every((number) => number !== "−∞")).toBe(true);
    expect(numbers[4]).toContain("−∞");
  });

  await test.step("a rectangle by keys", async () => {
    await page.goto("about:blank");
    await explorer.open(`#v=1&${TEXT}&stack=encoder`);
    await page.getByRole("button", { name: "Block cells" }).press("Enter");
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
});

const lab = (page: Page, name: string): Locator =>
  page.locator("headscope-mask-labs details", { has: page.locator("summary", { hasText: name }) });

test("masks: experiments show the stages of a pair, the cost, a decoder without its mask, and padding", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    `#v=1&${TEXT}&stack=encoder&bench=masks&edits={'masks':[{'stack':'encoder','preset':{'kind':'window','width':2}}]}`,
  );
  await test.step("the stages of a pair", async () => {
    await lab(page, "What the rules do").locator("summary").click();
    const stages = page.locator("headscope-demo[name=stages]");
    await stages.locator("headscope-heatmap").first().getByRole("application").focus();
    for (const key of ["PageUp", "Home", "ArrowDown"]) await page.keyboard.press(key);
    const [, score = "", masked = "", weight = ""] =
      /([−\d.,]+) \+ \S+ = ([−\d.,]+) → softmax → (.+)$/.exec(
        (await stages.locator(".reading").textContent())?.replace(/\s+/g, " ").trim() ?? "",
      ) ?? [];
    expect(shownNumber(score)).toBe(shownNumber(masked));
    await showNumbers(page);
    expect(await row(page, 1).first().textContent()).toBe(weight);
  });
  await test.step("the cost, saved with the model and the text", async () => {
    await lab(page, "What attention costs").locator("summary").click();
    const cost = page.locator("headscope-demo[name=cost]");
    const line = cost
      .locator("tbody")
      .first()
      .getByRole("row", { name: /^4,096 / });
    await expect(line.locator("td")).toHaveText([
      "1.68 × 10⁷",
      (4096 * 5 - 6).toLocaleString("en"),
      "0.1%",
      "64 MiB",
      "80 KiB",
    ]);
    const downloaded = page.waitForEvent("download");
    await cost.getByRole("button", { name: "CSV" }).first().click();
    expect((await downloaded).suggestedFilename()).toBe(
      "headscope_en-fr_encoder_layer-2_cost-pairs_edited_the-dog-bites-the-man.csv",
    );
  });
  await test.step("a decoder without its mask is asked the same as before", async () => {
    await explorer.open(
      "#v=1&model=models/tiny-gpt&text=The+dog+sees+the+cat.&stack=decoder&bench=masks",
    );
    const cheating = page.locator("headscope-demo[name=cheat]");
    const open = lab(page, "Cheating");
    if ((await open.getAttribute("open")) === null) await open.locator("summary").click();
    await expect(cheating.locator("#sum")).toContainText(/Predicts the next word: \d+ of \d+\./);
    await page.getByRole("button", { name: "Take the decoder’s own mask away" }).click();
    await explorer.settle();
    await expect(explorer.chips).toHaveText([/Decoder: instead everybody/]);
    await expect(cheating.locator("#sum")).toContainText(/\d+ of \d+ → \d+ of \d+/);
  });
  await test.step("padding behind a mask changes no number, without one it does", async () => {
    await explorer.open(
      "#v=1&model=models/tiny-bert&text=The+small+dog+bites+the+old+man.&bench=masks",
    );
    const open = lab(page, "Padding");
    if ((await open.getAttribute("open")) === null) await open.locator("summary").click();
    const rows = page.locator("headscope-demo[name=pad] tr[data-row]");
    await expect(rows).toHaveCount(2);
    const [, pads = 0, masked = NaN, unmasked = NaN] = (
      await rows.nth(1).locator("td").allTextContents()
    ).map(shownNumber);
    expect(pads).toBeGreaterThan(0);
    expect(masked).toBeLessThan(1e-5);
    expect(unmasked).toBeGreaterThan(1e-3);
  });
});

test("the open bench leaves its picture in view, and does not scroll a page in use", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const explorer = new ExplorerPage(page);
  /** How much of the picture's height lies above the drawer. */
  const share = async (): Promise<number> => {
    const figure = await explorer.figure.boundingBox();
    const drawer = await page.locator(".edits").boundingBox();
    return figure === null || drawer === null || figure.y < 0
      ? 0
      : (drawer.y - figure.y) / figure.height;
  };
  await explorer.open(`#v=1&${TEXT}&bench=masks`);
  await expect.poll(share).toBeGreaterThan(0.9);
  await page.evaluate(() => window.scrollTo(0, 0));
  await explorer.sentence.press("End");
  await explorer.sentence.pressSequentially(" He");
  await explorer.settle();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await page.goto("about:blank");
  await explorer.open(`#v=1&${TEXT}`);
  await page.getByRole("button", { name: "Masks", exact: true }).click();
  await expect(page.getByLabel("Add a rule")).toBeInViewport();
  await expect.poll(share).toBeGreaterThan(0.9);
});
