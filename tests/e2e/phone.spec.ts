import { devices, expect, test, type Locator, type Page } from "@playwright/test";
import { findings } from "./axe.js";
import { ExplorerPage, shownNumber } from "./explorer-page.js";

const { userAgent, deviceScaleFactor, isMobile, hasTouch } = devices["Pixel 7"];
test.use({
  userAgent,
  deviceScaleFactor,
  isMobile,
  hasTouch,
  viewport: { width: 390, height: 844 },
});

/** Which part of the page each tab shows. */
const PARTS = {
  Heads: "headscope-heads-panel",
  Picture: "headscope-picture-panel",
  Details: "headscope-inspector",
  Edits: "headscope-edits-panel",
} as const;
const NAMES = ["Heads", "Picture", "Details", "Edits"] as const;

const line = (page: Page) => page.locator(".phone .line");
const width = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth);

async function expectOpen(page: Page, name: keyof typeof PARTS): Promise<void> {
  for (const [tab, part] of Object.entries(PARTS))
    await expect(page.locator(part)).toBeVisible({ visible: tab === name });
  await expect(page.getByRole("tabpanel")).toHaveCount(1);
  await expect(page.getByRole("tabpanel", { name })).toBeInViewport();
}

test("one part at a time, the tabs always under the thumb", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  await expectOpen(page, "Picture");
  for (const name of NAMES) {
    await explorer.tab(name).tap();
    await expectOpen(page, name);
    const box = await explorer.tab(name).boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    for (const other of NAMES) await expect(explorer.tab(other)).toBeInViewport({ ratio: 1 });
    expect(await width(page)).toBe(390);
  }
  const top = await page.locator("headscope-top-bar").boundingBox();
  expect(top?.height).toBeLessThanOrEqual(56);
});

for (const language of ["en", "zh-CN"]) {
  for (const model of ["models/en-fr", "models/tiny-gpt", "models/tiny-bert"]) {
    test(`the picture begins on the first screen: ${model}, ${language}`, async ({ page }) => {
      const explorer = new ExplorerPage(page);
      await explorer.open(`#v=1&language=${language}&model=${model}`);
      const cells = await explorer.figure.boundingBox();
      const bar = await page.locator(".phone").boundingBox();
      // The labels take about 60 pixels of the figure; the rest of this is rows.
      expect((bar?.y ?? 0) - (cells?.y ?? 0)).toBeGreaterThan(100);
    });
  }
}

test("what a narrow page has no room for is behind a button, for the finger and for the keyboard", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const button = page.getByRole("button", { name: "Menu", exact: true });
  await button.tap();
  const menu = page.getByRole("group", { name: "Menu", exact: true });
  await expect(menu).toBeVisible();
  await expect(
    page.locator("headscope-top-bar").getByRole("button", { name: "Copy link" }),
  ).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("radio", { name: "Dark" }).check();
  await expect(page).toHaveURL(/theme=dark/);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("radio", { name: "English" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("button", { name: "菜单", exact: true })).toHaveAttribute(
    "aria-expanded",
    "true",
  );
  expect(await width(page)).toBe(390);
});

test("how tokens are looked at is behind one word, which says when it is not as at first", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  await page.getByRole("button", { name: "Tokens", exact: true }).tap();
  await expect(page.getByRole("group", { name: "How tokens are looked at" })).toBeVisible();
  await page.getByRole("button", { name: "Hide special tokens" }).tap();
  await expect(page).toHaveURL(/specials=hidden/);
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Tokens 1 changed" })).toBeFocused();
});

test("colours and files of a picture are behind one word", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const more = page.getByRole("button", { name: "More", exact: true });
  await more.tap();
  await page.getByRole("radio", { name: "Viridis" }).check();
  await expect(page).toHaveURL(/colours=viridis/);
  await page.getByRole("button", { name: "Export", exact: true }).tap();
  const sheet = page.getByRole("dialog", { name: "Export" });
  await expect(sheet.getByRole("button", { name: "Copy embed code" })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(page.getByRole("button", { name: "Export", exact: true })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  // A page that grows has its controls in their rows again.
  await more.tap();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(more).toBeHidden();
  await expect(page.getByRole("radio", { name: "Viridis" })).toBeVisible();
});

test("a head is chosen, looked at by one tap, and a pair that is held is said beside its picture", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  await explorer.tab("Heads").tap();
  await explorer.head(1, 8).tap();
  await expect(line(page)).toContainText("Layer 1 · head 8");
  await page.getByRole("button", { name: "Look at it" }).tap();
  await expectOpen(page, "Picture");
  await explorer.settle();
  await explorer.figure.tap();
  await expect(page).toHaveURL(/cell=/);
  await expect(line(page)).toBeInViewport({ ratio: 1 });
  const said = shownNumber((await line(page).locator(".numbers").textContent()) ?? "");
  const pair = await line(page).locator("bdi").allTextContents();
  await explorer.tab("Details").tap();
  expect(await explorer.inspectedNumber("weights")).toBe(said);
  expect(await page.locator("headscope-inspector .pair bdi").allTextContents()).toEqual(pair);
});

test("a head is silenced, counted on a tab, and woken again", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const before = await explorer.translation.inputValue();
  await explorer.tab("Heads").tap();
  await page.getByRole("button", { name: "Silence this head" }).tap();
  await explorer.settle();
  await page.getByRole("tab", { name: "Edits 1", exact: true }).tap();
  await expect(explorer.chips).toHaveCount(1);
  await page.getByRole("button", { name: "Undo", exact: true }).tap();
  await explorer.settle();
  await expect(page.getByRole("tab", { name: "Edits", exact: true })).toBeVisible();
  await expect(explorer.chips).toHaveCount(0);
  expect(await explorer.translation.inputValue()).toBe(before);
});

test("each step of the tour opens the part that it is about", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&tour=1");
  await expectOpen(page, "Picture");
  for (const name of ["Details", "Picture", "Heads"] as const) {
    await page.getByRole("button", { name: "Next", exact: true }).tap();
    await explorer.settle();
    await expectOpen(page, name);
  }
});

test("the keyboard moves between tabs, and skips to the picture from any", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  await explorer.tab("Picture").focus();
  await page.keyboard.press("ArrowRight");
  await expect(explorer.tab("Details")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await expectOpen(page, "Heads");
  await page.getByRole("button", { name: "Skip to the attention picture" }).press("Enter");
  await expectOpen(page, "Picture");
  await expect(page.getByRole("radio", { name: "Heatmap" })).toBeFocused();
});

test("a picture without pairs has no details, and a wide window has no tabs", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.&stack=encoder");
  await explorer.tab("Details").tap();
  await expectOpen(page, "Details");
  await explorer.tab("Picture").tap();
  await page.getByRole("radio", { name: "Positions", exact: true }).check();
  await explorer.settle();
  await expect(explorer.tab("Details")).toHaveCount(0);
  await expect(line(page)).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole("tab")).toHaveCount(0);
  for (const part of [PARTS.Heads, PARTS.Picture, PARTS.Edits])
    await expect(page.locator(part)).toBeVisible();
});

test("two runs have the same tabs", async ({ page }) => {
  await page.goto("./#v=1&text=The+dog+bites+the+man.&edits=c2.5x0&compare=original");
  const panel = page.locator("headscope-pairs-panel");
  await expect(panel.locator("figure").first()).toBeVisible({ timeout: 30_000 });
  await page.getByRole("tab", { name: "Heads" }).tap();
  await expect(panel).toBeHidden();
  await page.getByRole("button", { name: "Look at it" }).tap();
  await expect(panel.locator("figure").first()).toBeInViewport();
  expect(await findings(page)).toEqual([]);
  expect(await width(page)).toBe(390);
});

for (const [theme, language] of [
  ["light", "en"],
  ["dark", "en"],
  ["dark", "zh-CN"],
] as const) {
  test(`axe finds nothing wrong on any tab: ${theme}, ${language}`, async ({ page }) => {
    test.setTimeout(120_000);
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&text=The+dog+bites+the+man.&edits=c2.5x0&theme=${theme}&language=${language}`,
    );
    for (const tab of await page.getByRole("tab").all()) {
      await tab.tap();
      expect(await findings(page)).toEqual([]);
      expect(await width(page)).toBe(390);
    }
  });
}

const controlsOf = (place: Page | Locator): Locator =>
  place.locator("button, input, select, summary, [role=tab]").filter({ visible: true });

/** What can be tapped and is smaller than a finger needs. */
function tooSmall(place: Page | Locator): Promise<string[]> {
  return controlsOf(place).evaluateAll((all) =>
    all.flatMap((control) => {
      const label =
        control instanceof HTMLInputElement ? (control.labels?.[0] ?? control) : control;
      const { width, height } = label.getBoundingClientRect();
      // A pixel wide or high is what only screen readers and the keyboard come by.
      return (width < 24 || height < 24) && width > 1 && height > 1
        ? [`${control.localName} ${control.textContent.trim()} ${width} × ${height}`]
        : [];
    }),
  );
}

test("whatever can be tapped is large enough for a finger, in every picture", async ({ page }) => {
  test.setTimeout(120_000);
  const explorer = new ExplorerPage(page);
  const text = encodeURIComponent("A bee, I say, is unbelievable.");
  for (const picture of ["heatmap", "lines", "dimensions", "steps", "mask", "positions"]) {
    await explorer.open(`#v=1&text=${text}&stack=encoder&picture=${picture}`);
    expect(await tooSmall(page), picture).toEqual([]);
    expect(await controlsOf(page).count()).toBeGreaterThan(20);
  }
});

/** Each bench, who offers its rooms, and what shows that each of them has come. */
const BENCH_ROOMS = {
  masks: { rooms: null, holds: ["headscope-mask-cost headscope-curves"] },
  positions: {
    rooms: "headscope-position-lab",
    holds: [
      "sinusoidal headscope-curves",
      "learned",
      "rotary headscope-curves",
      "alibi headscope-curves",
      "buckets headscope-curves",
      "four-terms headscope-number-slider",
    ].map((part) => `headscope-lab-${part}`),
  },
  kinds: { rooms: null, holds: ["headscope-score-lab headscope-curves"] },
  heads: {
    rooms: "headscope-heads-bench",
    holds: [
      "headscope-change-heads",
      "headscope-change-blocks",
      "headscope-head-ranking",
      "headscope-pruning",
      "headscope-norm-by-hand table",
    ],
  },
  numbers: { rooms: null, holds: ["headscope-worked-matrices figure"] },
} as const;

for (const language of ["en", "zh-CN"]) {
  for (const [bench, { rooms, holds }] of Object.entries(BENCH_ROOMS)) {
    test(`no control of a bench is wider than the page or too small for a finger: ${bench}, ${language}`, async ({
      page,
    }) => {
      test.setTimeout(120_000);
      const explorer = new ExplorerPage(page);
      await explorer.open(
        `#v=1&text=The+dog+bites+the+man.&stack=encoder&language=${language}&bench=${bench}`,
      );
      const body = page.locator("headscope-bench .body");
      await expect(controlsOf(body).first()).toBeVisible({ timeout: 30_000 });
      for (const fold of await body.locator("details > summary").all()) await fold.tap();
      const doors =
        rooms === null
          ? null
          : body.locator(rooms).locator("headscope-choice").first().getByRole("radio");
      for (const [index, held] of holds.entries()) {
        await doors?.nth(index).check();
        await expect(body.locator(held).first()).toBeVisible({ timeout: 30_000 });
        // What is wide scrolls in a box of its own, never the bench.
        expect(
          await body.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
          held,
        ).toBe(0);
        expect(await tooSmall(body), held).toEqual([]);
      }
    });
  }
}

test("what a picture means stands on a line of its own, and long words beside their bars are whole", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  const text = encodeURIComponent("The photographer misunderstood the unbelievable architecture.");
  for (const picture of ["dimensions", "mask", "lines"]) {
    await explorer.open(
      `#v=1&model=models/tiny-bert&stack=encoder&text=${text}&layer=1&head=2&by=word&specials=hidden&cell=1-2&picture=${picture}`,
    );
    const switches = await page.getByRole("button", { name: "Block cells" }).boundingBox();
    const hint = await page.locator("headscope-picture-panel .hint").boundingBox();
    expect(hint?.y ?? 0).toBeGreaterThanOrEqual(
      (switches?.y ?? Infinity) + (switches?.height ?? 0),
    );
  }
  await explorer.tab("Details").tap();
  const words = page.locator("headscope-inspector headscope-bars").first().locator(".label");
  await expect(words.filter({ hasText: "misunderstood" })).toBeVisible();
  for (const word of await words.all())
    expect(await word.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(
      0,
    );
});

test("a link to the bench leads to the bench, and its reader to any other part", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.&bench=masks");
  await expectOpen(page, "Edits");
  await expect(page.getByRole("button", { name: "Masks", exact: true })).toHaveAttribute(
    "aria-expanded",
    "true",
  );
  await explorer.tab("Picture").tap();
  await expectOpen(page, "Picture");
  // What was changed meanwhile is in the address, and who comes back to it knows where the bench is.
  await page.getByRole("radio", { name: "Lines" }).check();
  await expect(page).toHaveURL(/picture=lines/);
  await page.reload();
  await explorer.settle();
  await expectOpen(page, "Picture");
});
