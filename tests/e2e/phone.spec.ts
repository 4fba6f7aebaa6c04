import { devices, expect, test, type Locator, type Page } from "@playwright/test";
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

test("one part at a time: tabs at the lower edge, the picture on the first screen, and a link to the bench opens Edits", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  await expectOpen(page, "Picture");
  const cells = await explorer.figure.boundingBox();
  const bar = await page.locator(".phone").boundingBox();
  // The labels take about 60 pixels of the figure; the rest of this is rows.
  expect((bar?.y ?? 0) - (cells?.y ?? 0)).toBeGreaterThan(100);
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
  await test.step("a picture without pairs, and a wide window", async () => {
    await page.goto("about:blank");
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
  await test.step("by the keyboard", async () => {
    await page.goto("about:blank");
    await page.setViewportSize({ width: 390, height: 844 });
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
  await test.step("a link to the bench", async () => {
    await page.goto("about:blank");
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+dog+bites+the+man.&bench=masks");
    await expectOpen(page, "Edits");
    await expect(page.getByRole("button", { name: "Masks", exact: true })).toHaveAttribute(
      "aria-expanded",
      "true",
    );
    await explorer.tab("Picture").tap();
    await expectOpen(page, "Picture");
    // What was changed meanwhile is in the address, which opens the picture.
    await page.getByRole("radio", { name: "Lines" }).check();
    await expect(page).toHaveURL(/picture=lines/);
    await page.reload();
    await explorer.settle();
    await expectOpen(page, "Picture");
  });
});

test("what has no space is behind Menu, Tokens and More, for the finger and the keyboard", async ({
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
  await test.step("Tokens", async () => {
    await page.goto("about:blank");
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+dog+bites+the+man.");
    await page.getByRole("button", { name: "Tokens", exact: true }).tap();
    await expect(page.getByRole("group", { name: "How tokens are looked at" })).toBeVisible();
    await page.getByRole("button", { name: "Hide special tokens" }).tap();
    await expect(page).toHaveURL(/specials=hidden/);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Tokens 1 changed" })).toBeFocused();
  });
  await test.step("More", async () => {
    await page.goto("about:blank");
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+dog+bites+the+man.");
    const more = page.getByRole("button", { name: "More", exact: true });
    await more.tap();
    await page.getByRole("radio", { name: "Viridis" }).check();
    await expect(page).toHaveURL(/colours=viridis/);
    await page.getByRole("button", { name: "Export", exact: true }).tap();
    const sheet = page.getByRole("dialog", { name: "Export" });
    await expect(sheet.getByRole("button", { name: "Copy embed code" })).toBeVisible();
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
});

test("a head is chosen, shown by one tap, a pair is held; the head is ablated, counted on a tab and restored", async ({
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
  await test.step("ablated and restored", async () => {
    await page.goto("about:blank");
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+dog+bites+the+man.");
    const before = await explorer.translation.inputValue();
    await explorer.tab("Heads").tap();
    await page.getByRole("button", { name: "Silence this head" }).tap();
    await explorer.settle();
    await page.getByRole("tab", { name: "Edits 1", exact: true }).tap();
    await expect(explorer.chips).toHaveCount(1);
    // The edit's effect is in view beside its undo.
    const result = page.getByRole("region", { name: "Your edits" }).locator(".now");
    await expect(result).toHaveText(await explorer.translation.inputValue());
    await expect(result).toBeInViewport({ ratio: 1 });
    await page.getByRole("button", { name: "Undo", exact: true }).tap();
    await explorer.settle();
    await expect(page.getByRole("tab", { name: "Edits", exact: true })).toBeVisible();
    await expect(explorer.chips).toHaveCount(0);
    expect(await explorer.translation.inputValue()).toBe(before);
  });
});

test("each step of the tour opens its part, and its text lies at the lower edge", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&tour=1");
  await expectOpen(page, "Picture");
  const card = page.locator("headscope-tour-card").getByRole("region");
  const sheet = await card.boundingBox();
  expect([sheet?.x, sheet?.width, (sheet?.y ?? 0) + (sheet?.height ?? 0)]).toEqual([0, 390, 844]);
  expect(sheet?.height).toBeLessThanOrEqual(304);
  await expect
    .poll(async () => (await page.locator("headscope-picture-panel").boundingBox())?.y)
    .toBeLessThan(200);
  // The end of the page can be read above the sheet.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const foot = await page.locator("headscope-page-footer").boundingBox();
  expect((foot?.y ?? Infinity) + (foot?.height ?? 0)).toBeLessThanOrEqual((sheet?.y ?? 0) + 1);
  for (const name of ["Details", "Picture", "Heads"] as const) {
    await page.getByRole("button", { name: "Next", exact: true }).tap();
    await explorer.settle();
    await expectOpen(page, name);
  }
});

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

/** Each bench, the element that offers its parts, and what each of them shows. */
const BENCH_PARTS = {
  masks: { parts: null, holds: ["headscope-demo[name=cost] headscope-curves"] },
  positions: {
    parts: "headscope-position-lab",
    holds: [
      "[name=waves] headscope-curves",
      "[name=learned]",
      "[name=rotary] headscope-curves",
      "[name=alibi] headscope-curves",
      "[name=buckets] headscope-curves",
      "[name=terms] headscope-number-slider",
    ].map((part) => `headscope-demo${part}`),
  },
  kinds: { parts: null, holds: ["headscope-demo[name=scores] headscope-curves"] },
  heads: {
    parts: "headscope-heads-bench",
    holds: [
      "headscope-change-heads",
      "headscope-change-blocks",
      "headscope-head-ranking",
      "headscope-pruning",
      "headscope-norm-by-hand table",
    ],
  },
  numbers: { parts: null, holds: ["headscope-worked-matrices figure"] },
} as const;

test("controls are large enough for a finger and words are whole, in each picture and bench", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const explorer = new ExplorerPage(page);
  const text = encodeURIComponent("A bee, I say, is unbelievable.");
  for (const picture of ["heatmap", "lines", "dimensions", "steps", "mask", "positions"]) {
    await explorer.open(`#v=1&text=${text}&stack=encoder&picture=${picture}`);
    expect(await tooSmall(page), picture).toEqual([]);
    expect(await controlsOf(page).count()).toBeGreaterThan(20);
  }
  await test.step("hints have a line of their own, and long words beside bars are whole", async () => {
    await explorer.open(
      "#v=1&model=models/tiny-bert&text=The+photographer+misunderstood+the+unbelievable+architecture.&layer=1&head=2&by=word&specials=hidden&cell=1-2&picture=lines",
    );
    const switches = await page.getByRole("button", { name: "Block cells" }).boundingBox();
    const hint = await page.locator("headscope-picture-panel .hint").boundingBox();
    expect(hint?.y ?? 0).toBeGreaterThanOrEqual(
      (switches?.y ?? Infinity) + (switches?.height ?? 0),
    );
    await explorer.tab("Details").tap();
    const words = page.locator("headscope-inspector headscope-bars").first().locator(".label");
    await expect(words.filter({ hasText: "misunderstood" })).toBeVisible();
    for (const word of await words.all())
      expect(await word.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(
        0,
      );
  });
  for (const [bench, { parts: chooser, holds }] of Object.entries(BENCH_PARTS)) {
    await test.step(bench, async () => {
      await page.goto("about:blank");
      await explorer.open(`#v=1&text=The+dog+bites+the+man.&stack=encoder&bench=${bench}`);
      const body = page.locator("headscope-bench .body");
      await expect(controlsOf(body).first()).toBeVisible({ timeout: 30_000 });
      for (const fold of await body.locator("details > summary").all()) await fold.tap();
      const parts =
        chooser === null
          ? null
          : body.locator(chooser).locator("headscope-choice").first().getByRole("radio");
      for (const [index, held] of holds.entries()) {
        await parts?.nth(index).check();
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
});

/** 61 tokens: too many to read as one picture. */
const LONG = `#v=1&model=models/tiny-gpt&text=${encodeURIComponent(Array.from({ length: 15 }, () => "the dog sees her").join(" "))}`;
const part = /Queries (\d+)–(\d+) of (\d+), keys (\d+)–(\d+) of (\d+)/;

/** The part of its picture that the page names. */
async function shown(explorer: ExplorerPage): Promise<number[]> {
  await expect(explorer.figure).toHaveAccessibleName(part);
  return (part.exec((await explorer.figure.getAttribute("aria-label")) ?? "") ?? [])
    .slice(1)
    .map(Number);
}

test("two fingers zoom, one moves along, selects in the lines, and paints only while that is on", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(LONG);
  await explorer.figure.scrollIntoViewIfNeeded();
  await page.evaluate(() =>
    document.documentElement.scrollTo(0, document.documentElement.scrollHeight / 3),
  );
  const box = await explorer.figure.boundingBox();
  if (!box) throw new Error("no picture");
  const at = { x: box.x + box.width / 2, y: box.y + 160 };
  const session = await page.context().newCDPSession(page);
  const touch = (
    type: "touchStart" | "touchMove" | "touchEnd",
    points: { x: number; y: number }[],
  ) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map((point, id) => ({ ...point, id })),
    });
  const fingers = (half: number) => [
    { x: at.x - half, y: at.y },
    { x: at.x + half, y: at.y },
  ];
  await touch("touchStart", fingers(30));
  for (const half of [40, 60, 90]) await touch("touchMove", fingers(half));
  await touch("touchEnd", []);
  const [first = 0, last = 0, queries = 0] = await shown(explorer);
  expect(last - first + 1).toBeLessThan(queries / 2);
  await touch("touchStart", [at]);
  for (const by of [20, 60, 120]) await touch("touchMove", [{ x: at.x, y: at.y + by }]);
  await touch("touchEnd", []);
  await expect.poll(async () => (await shown(explorer))[0]).toBeLessThan(first);
  // Chromium takes a tap that follows a swipe too soon for a part of it.
  await expect(async () => {
    await page.getByRole("button", { name: "Show all" }).tap({ timeout: 1000 });
    await expect(explorer.figure).not.toHaveAccessibleName(part, { timeout: 500 });
  }).toPass();
  await page.getByRole("button", { name: "Zoom in" }).tap();
  await shown(explorer);
  await test.step("lines", async () => {
    await page.goto("about:blank");
    await explorer.open("#v=1&picture=lines&text=My+sister+doesn't+like+milk.");
    const canvas = page.locator("headscope-lines canvas.axes");
    await canvas.scrollIntoViewIfNeeded();
    const width = (await canvas.boundingBox())?.width ?? 0;
    await canvas.tap({ position: { x: 40, y: 44 + 10 } });
    await expect(page).toHaveURL(/cell=1-/);
    // Of so few tokens each has a row of 28 pixels.
    await canvas.tap({ position: { x: width - 20, y: 44 + 2.5 * 28 } });
    await expect(page).toHaveURL(/cell=1-3/);
  });
  await test.step("painting", async () => {
    await explorer.open("#v=1&text=The+dog+bites+the+man.&stack=encoder");
    const touch = (): Promise<string> =>
      page
        .locator("headscope-heatmap .stage")
        .evaluate((element) => getComputedStyle(element).touchAction);
    expect(await touch()).toBe("pan-x pan-y");
    await page.getByRole("button", { name: "Block cells" }).tap();
    await expect.poll(touch).toBe("none");
    await explorer.figure.tap();
    await explorer.settle();
    await expect(explorer.chips).toHaveCount(1);
    expect(await width(page)).toBe(390);
  });
});
