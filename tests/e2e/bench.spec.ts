import { expect, test } from "@playwright/test";
import { findings } from "./axe.js";
import { ExplorerPage } from "./explorer-page.js";
import { packCells } from "../../www/state/runs.js";

const TEXT = "text=The+dog+bites+the+man.";

test("a window is laid over the encoder, changed by its number, undone, and shared", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&stack=encoder&picture=mask`);
  const tokens = await explorer.tokens("Tokens of your sentence").count();
  const mask = page.locator("headscope-mask").getByRole("application");
  await expect(mask).toHaveAccessibleName(new RegExp(`${tokens * tokens} pairs allowed`));
  await page.getByRole("button", { name: "Masks", exact: true }).click();
  await page.getByLabel("Add a rule").selectOption("sliding window");
  await explorer.settle();
  /** Pairs no further apart than `width`. */
  const near = (width: number): number =>
    Array.from(
      { length: tokens },
      (_, query) => Math.min(tokens - 1, query + width) - Math.max(0, query - width) + 1,
    ).reduce((sum, count) => sum + count, 0);
  await expect(mask).toHaveAccessibleName(new RegExp(`[ ,]${near(2)} pairs allowed`));
  await page.getByRole("spinbutton", { name: "each side" }).fill("0");
  await page.getByRole("spinbutton", { name: "each side" }).press("Enter");
  await explorer.settle();
  await expect(mask).toHaveAccessibleName(new RegExp(`[ ,]${near(0)} pairs allowed`));
  await expect(page.locator("headscope-mask-bench [role=status]")).toContainText(
    `${near(0)} of ${tokens * tokens} pairs allowed`,
  );
  // It is no picture alone: each token has the weight of itself, and the translation is another one.
  await page.getByRole("radio", { name: "Heatmap" }).check();
  await explorer.settle();
  await page.getByRole("button", { name: "Show the numbers" }).click();
  const rows = page.locator("headscope-heatmap tbody tr");
  for (let row = 0; row < tokens; row++) {
    const numbers = await rows.nth(row).locator("td").allTextContents();
    expect(numbers.map(Number)).toEqual(numbers.map((_, key) => (key === row ? 1 : 0)));
  }
  await expect(explorer.unedited).toContainText("Without your edits");
  await expect(explorer.chips).toHaveText([/Encoder: sliding window, each side 0/]);
  await page.reload();
  await explorer.settle();
  await expect(page.getByRole("spinbutton", { name: "each side" })).toHaveValue("0");
  await page.getByRole("button", { name: "Take this rule away" }).click();
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(0);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(1);
});

test("a link that arrives with its bench open shows the picture above it, and leaves a reader who scrolls alone", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&bench=masks`);
  const drawer = page.locator(".edits");
  await expect
    .poll(async () => {
      const [figure, edits] = [await explorer.figure.boundingBox(), await drawer.boundingBox()];
      // All cells; the bars under them may end below the drawer's edge.
      return figure === null || edits === null || figure.y < 0
        ? 0
        : (edits.y - figure.y) / figure.height;
    })
    .toBeGreaterThan(0.9);
  await page.evaluate(() => window.scrollTo(0, 0));
  await explorer.sentence.press("End");
  await explorer.sentence.pressSequentially(" He");
  await explorer.settle();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

for (const [how, begin] of [
  ["scrolls", (explorer: ExplorerPage) => explorer.page.evaluate(() => window.scrollTo(0, 40))],
  ["begins to write", (explorer: ExplorerPage) => explorer.sentence.focus()],
] as const) {
  test(`a reader who ${how} before the model has come is left there by a link with its bench open`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    let deliver = (): void => undefined;
    const held = new Promise<void>((resolve) => (deliver = resolve));
    await page.route("**/*.safetensors", async (route) => {
      await held;
      await route.continue();
    });
    const explorer = new ExplorerPage(page);
    await page.goto(`./#v=1&${TEXT}&bench=masks`);
    await expect(page.locator(".edits headscope-mask-bench")).toBeVisible();
    await begin(explorer);
    const before = await page.evaluate(() => window.scrollY);
    deliver();
    await explorer.settle();
    // Where it is brought up, that is in the next frame.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await page.evaluate(() => window.scrollY)).toBe(before);
  });
}

test("the bench brings its picture up when it is opened while another picture is coming", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}`);
  await page.evaluate(() => window.scrollTo(0, 0));
  const opener = page.getByRole("button", { name: "Masks", exact: true });
  await expect(opener).toBeVisible();
  // In the very task in which the picture of the letter has come, and what stands below waits for its turn.
  await page.evaluate(() => {
    const root = document.querySelector("headscope-explorer")?.shadowRoot;
    const picture = root?.querySelector<HTMLElement & { looked: object | null }>(
      "headscope-picture-panel",
    );
    const find = (from: ParentNode): HTMLElement | undefined => {
      for (const one of from.querySelectorAll<HTMLElement>("*")) {
        const found =
          one.matches("button") && one.textContent.trim() === "Masks"
            ? one
            : one.shadowRoot
              ? find(one.shadowRoot)
              : undefined;
        if (found) return found;
      }
      return undefined;
    };
    if (!root || !picture) throw new Error("there is no explorer");
    const before = picture.looked;
    const frame = (): void => {
      if (picture.looked === before) requestAnimationFrame(frame);
      else find(root)?.click();
    };
    requestAnimationFrame(frame);
  });
  await explorer.sentence.press("End");
  await page.keyboard.press("s");
  await expect(page.locator(".edits headscope-mask-bench")).toBeVisible();
  await expect.poll(async () => (await explorer.figure.boundingBox())?.y ?? NaN).toBeLessThan(300);
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
});

test("without its own mask the decoder sees what it is to predict", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&model=models/tiny-gpt&text=The+dog+sees+the+cat&bench=masks&picture=mask",
  );
  const mask = page.locator("headscope-mask").getByRole("application");
  const tokens = await explorer.tokens("Tokens of your sentence").count();
  await expect(mask).toHaveAccessibleName(
    new RegExp(`[ ,]${(tokens * (tokens + 1)) / 2} pairs allowed`),
  );
  await page.getByLabel("Add a rule").selectOption("everybody");
  await explorer.settle();
  await expect(mask).toHaveAccessibleName(new RegExp(`[ ,]${tokens * tokens} pairs allowed`));
  await page.getByLabel("Add a rule").selectOption("causal");
  await explorer.settle();
  await expect(mask).toHaveAccessibleName(
    new RegExp(`[ ,]${(tokens * (tokens + 1)) / 2} pairs allowed`),
  );
});

test("a cell that the model itself masks is opened by a click, and masked again by another", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&model=models/tiny-gpt&text=The+dog+sees&stage=masked");
  await page.getByRole("button", { name: "Block cells" }).click();
  await explorer.figure.focus();
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Home");
  for (let step = 0; step < 2; step++) await page.keyboard.press("ArrowRight");
  const spoken = page.locator("headscope-heatmap [aria-live]");
  await expect(spoken).toContainText("masked");
  await page.keyboard.press("b");
  await explorer.settle();
  await expect(explorer.chips).toHaveText([/may look at/]);
  await expect(spoken).not.toContainText("masked");
  await page.keyboard.press("b");
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(0);
  await expect(spoken).toContainText("masked");
});

test("a row that may look nowhere is empty, and with −10⁹ looks everywhere alike", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&model=models/tiny-bert&${TEXT}&bench=masks`);
  const tokens = await explorer.tokens("Tokens of your sentence").count();
  await page.getByRole("button", { name: "Show the numbers" }).click();
  const first = async (): Promise<number[]> =>
    (
      await page
        .locator("headscope-heatmap tbody tr")
        .first()
        .locator("td:not(.sum)")
        .allTextContents()
    ).map(Number);
  await page.getByLabel("Add a rule").selectOption("everybody");
  await page.getByLabel("How it joins what stands above").selectOption("and only");
  await page.getByRole("button", { name: "inverted" }).click();
  await explorer.settle();
  expect(await first()).toEqual(Array.from({ length: tokens }, () => 0));
  const hint = page.locator("headscope-picture-panel p.hint");
  await expect(hint).toHaveText(
    "After softmax: every row adds up to 1, except rows that may look nowhere, which are all 0.",
  );
  await page.locator("headscope-mask-bench").getByRole("radio", { name: "−10⁹" }).check();
  await explorer.settle();
  for (const weight of await first()) expect(weight).toBeCloseTo(1 / tokens, 3);
  await expect(hint).toHaveText("After softmax: every row adds up to 1.");
  await expect(page.getByText("Only a row without one differs")).toBeVisible();
});

test("all of it by the keyboard, in Chinese", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await page.goto(`./#v=1&${TEXT}&language=zh-CN&stack=encoder`);
  await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "false", { timeout: 30_000 });
  await page.getByRole("button", { name: "掩码", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("添加规则").focus();
  await page.getByLabel("添加规则").selectOption("分块");
  await page.getByRole("spinbutton", { name: "块长" }).focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("3");
  await page.keyboard.press("Tab");
  await expect(explorer.chips).toHaveText([/编码器：分块/]);
  await expect(page).toHaveURL(/edits=e\.~block\(b3\)/);
  await page.getByRole("button", { name: "删除这条规则" }).focus();
  await page.keyboard.press("Enter");
  await expect(explorer.chips).toHaveCount(0);
});

for (const [theme, width] of [
  ["light", 1280],
  ["dark", 1280],
  ["light", 390],
  ["dark", 390],
] as const) {
  test(`axe finds nothing wrong with the rules open: ${theme}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&${TEXT}&theme=${theme}&bench=masks&edits=e.~random(w1k2s3t1);d.~or-not-window(w2o);.~fill`,
    );
    if (width < 820) await explorer.tab("Edits").click();
    await expect(page.locator("headscope-mask-rule")).toHaveCount(2);
    expect(await findings(page)).toEqual([]);
    expect(
      await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    ).toBe(0);
  });
}

test("rules that cannot be are refused in words, and nothing is lost", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${TEXT}&edits=e.~window(x9)`);
  await expect(page.getByText("Part of the link could not be read")).toContainText(
    /edits.* link\/unread/,
  );
  await expect(explorer.sentence).toHaveValue("The dog bites the man.");
  await explorer.open(`#v=1&${TEXT}&bench=masks&edits=e.~global(w1t1.90)`);
  await page.reload();
  await explorer.settle();
  // The text has no ninetieth token: the rule keeps it, the run goes without.
  const tokens = page.getByRole("textbox", { name: "tokens no." });
  await expect(tokens).toHaveValue("1, 90");
  await expect(explorer.chips).toContainText("1 of its 2 tokens in this text edit/not-in-text");
  const address = page.url();
  await tokens.fill("first");
  await tokens.press("Enter");
  // What is no list stays to be mended, is called so by its code, and changes nothing.
  await expect(tokens).toHaveValue("first");
  await expect(tokens).toHaveAttribute("aria-invalid", "true");
  await expect(page.locator("headscope-mask-rule .refusal")).toContainText(
    "“first” is no list of tokens",
  );
  await expect(page.locator("headscope-mask-rule .refusal code")).toHaveText("field/not-tokens");
  expect(page.url()).toBe(address);
  await tokens.press("Escape");
  await expect(tokens).toHaveValue("1, 90");
  await expect(page.locator("headscope-mask-rule .refusal")).toHaveCount(0);
});

/** 10⁵ cells; the text has nine tokens. */
const CROWD =
  packCells(
    Array.from({ length: 100_000 }, (_, at): [number, number] => [Math.floor(at / 317), at % 317]),
  ) ?? "";

for (const [what, edits, code] of [
  ["a factor beyond all bounds", ".x1e9", "link/unread"],
  ["a width that is no number", "e.~window(wNaN)", "link/unread"],
  ["a width out of range", "e.~window(w99999999)", "link/unread"],
  ["a temperature out of range", "e.~kind-softmax(t1e9)", "link/unread"],
  ["a cell outside the text", "e.!90-90", "edit/not-in-text"],
  ["a hundred thousand cells", `e.*${CROWD}`, "edit/not-in-text"],
  ["a layer that is not there", "e9.1x0", "edit/not-in-model"],
  ["a stack that is not there", "c.x0", "edit/not-in-model"],
] as const) {
  for (const language of ["en", "zh-CN"]) {
    test(`a link with ${what} is told by a sentence and its code, and the text is computed, in ${language}`, async ({
      page,
    }) => {
      const explorer = new ExplorerPage(page);
      await explorer.open(
        `#v=1&model=models/tiny-bert&text=The+dog+sees+the+cat.&stack=encoder&language=${language}&edits=${edits}`,
      );
      const told =
        code === "link/unread"
          ? page.locator("headscope-notices p", { hasText: code })
          : explorer.chips.filter({ hasText: code });
      await expect(told).toHaveText(language === "en" ? /\w+ \w+/ : /\p{Script=Han}{4,}/u);
      await expect(explorer.figure).toHaveAccessibleName(/9.*9/);
    });
  }
}
