// A phone: one part at a time, by the finger.
import { devices } from "@playwright/test";
import { BITES, boxOf, expect, expectInView, numberIn, shareOf, test } from "./page.js";
import type { ExplorerPage, Locator, Page } from "./page.js";

const { userAgent, deviceScaleFactor, isMobile, hasTouch } = devices["Pixel 7"];
test.use({
  userAgent,
  deviceScaleFactor,
  isMobile,
  hasTouch,
  viewport: { width: 390, height: 844 },
});

const PARTS = {
  Text: "headscope-sentence-bar",
  Heads: "headscope-heads-panel",
  Details: "headscope-inspector",
  Edits: "headscope-edits-panel",
} as const;

const line = (page: Page): Locator => page.locator(".phone .line");
const width = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth);

async function expectOpen(
  { page, picture }: ExplorerPage,
  name: keyof typeof PARTS,
): Promise<void> {
  for (const [tab, part] of Object.entries(PARTS))
    await expect(page.locator(part)).toBeVisible({ visible: tab === name });
  await expect(page.getByRole("tabpanel", { name })).toBeInViewport();
  await expect(picture).toBeInViewport();
}

test("a phone shows one part at a time", async ({ page, explorer }) => {
  await explorer.open(BITES);
  await expectOpen(explorer, "Text");
  for (const name of ["Heads", "Text", "Details", "Edits"] as const) {
    await explorer.tab(name).tap();
    await expectOpen(explorer, name);
    expect(await shareOf(explorer.picture)).toBeGreaterThanOrEqual(0.45);
    expect((await boxOf(explorer.tab(name))).height).toBeGreaterThanOrEqual(44);
    await expect(explorer.tab("Edits")).toBeInViewport({ ratio: 1 });
    expect(await width(page)).toBe(390);
  }
  expect((await boxOf(page.locator("headscope-top-bar .settings"))).height).toBeLessThanOrEqual(56);
  await explorer.fresh(`${BITES}&experiment=masks`);
  await expectOpen(explorer, "Edits");
  await test.step("each step of the tour opens its part, with its text at the lower edge", async () => {
    await explorer.open("tour=1");
    await expectOpen(explorer, "Text");
    await expect(async () => {
      const sheet = await boxOf(page.locator("headscope-tour-card").getByRole("region"));
      expect([sheet.x, sheet.width, sheet.y + sheet.height]).toEqual([0, 390, 844]);
      expect(sheet.height).toBeLessThanOrEqual(304);
      // The end of the page can be read above the sheet.
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      const foot = await boxOf(page.locator("headscope-page-footer"));
      expect(foot.y + foot.height).toBeLessThanOrEqual(sheet.y + 1);
    }).toPass();
    for (const name of ["Details", "Text", "Heads"] as const) {
      await explorer.button("Next").tap();
      await explorer.settle();
      await expectOpen(explorer, name);
    }
  });
});

test("the chosen stage is in sight on a phone, and so is what a question's action opens", async ({
  page,
  explorer,
}) => {
  for (const stage of ["effects", "gradient", "raw"]) {
    await explorer.open(`model=models/tiny-gpt&stage=${stage}`);
    const chosen = explorer.picture.locator("headscope-choice[look=segments] label:has(:checked)");
    await expect(chosen).toBeInViewport({ ratio: 0.95 });
  }
  await explorer.open("tour=induction");
  await page.getByRole("button", { name: "Is it this head that does it?" }).tap();
  await expect(explorer.tab("Edits")).toHaveAttribute("aria-selected", "true");
  // The grid lies above the card with its strongest cells.
  await expectInView(page.locator("headscope-demo[name=patching] .stage"));
  await expectInView(page.locator("headscope-tour-card .answer"));
});

test("a phone has Menu, Tokens and More", async ({ page, explorer }) => {
  await explorer.open(BITES);
  await explorer.button("Menu").tap();
  await explorer.button("Settings").tap();
  await explorer.radio("Dark").check({ force: true });
  await expect(page).toHaveURL(/theme=dark/);
  expect(await width(page)).toBe(390);
  await explorer.keys("Escape", "Escape");
  await expect(explorer.button("Menu")).toBeFocused();
  await explorer.button("Tokens").tap();
  await explorer.button("Hide special tokens").tap();
  await expect(page).toHaveURL(/specials=hidden/);
  await explorer.keys("Escape");
  await expect(explorer.button("Tokens 1 changed")).toBeFocused();
  await explorer.button("More").tap();
  await explorer.button("Export").tap();
  await expect(explorer.sheet.getByRole("button", { name: "Copy embed code" })).toBeVisible();
  await explorer.keys("Escape");
  await expect(explorer.button("Export")).toBeFocused();
});

test("a head is chosen, fixed and ablated by touch", async ({ page, explorer }) => {
  await explorer.open(BITES);
  await explorer.tab("Heads").tap();
  await explorer.head(1, 8).tap();
  await explorer.settle();
  await explorer.figure.tap();
  await expect(page).toHaveURL(/cell=/);
  await expect(line(page)).toBeInViewport({ ratio: 1 });
  const weight = await numberIn(line(page).locator("b"));
  await explorer.tab("Details").tap();
  expect(await explorer.inspectedNumber("weights")).toBe(weight);
  // Out of sight, but on the page.
  const translation = page.locator("headscope-sentence-bar textarea").last();
  const before = await translation.inputValue();
  await explorer.tab("Heads").tap();
  await explorer.button("Ablate head").tap();
  await explorer.settle();
  await page.getByRole("tab", { name: "Edits 1", exact: true }).tap();
  // The edit's effect is in view beside its undo.
  const result = page.locator("headscope-edits-panel .outputs");
  await expect(result).toContainText(await translation.inputValue());
  await expect(result).toBeInViewport({ ratio: 1 });
  await explorer.press("Undo");
  await expect(translation).toHaveValue(before);
});

test("a picture beside tabs is whole, with its legend, however long the text is", async ({
  page,
  explorer,
}) => {
  const panel = page.locator("headscope-picture-panel");
  for (const [width, height] of [
    [390, 844],
    [360, 740],
    [700, 450],
  ] as const)
    for (const [words, picture] of [
      [1, "heatmap"],
      [6, "heatmap"],
      [40, "heatmap"],
      [40, "dimensions"],
      [40, "lines"],
    ] as const) {
      await page.setViewportSize({ width, height });
      await explorer.open(
        `model=models/tiny-gpt&picture=${picture}&text=${"The+cat+bites+".repeat(words)}it.`,
      );
      const places = page.locator(`headscope-${picture}`).locator(".frame, .stage").first();
      const below = async (): Promise<number> => {
        const [stage, frame] = [await boxOf(places), await boxOf(panel)];
        return stage.y + stage.height - frame.y - frame.height;
      };
      await expect.poll(below, `${words} × ${picture} at ${width}`).toBeLessThanOrEqual(1);
    }
});

const EDITED =
  "edits={'masks':[{'stack':'cross','layers':[1],'heads':[4],'block':[[4,4]]}],'heads':[{'stack':'cross','layers':[1],'gate':0}]}&cell=5-5";

test("at 200 % zoom each part is beside the picture, and a training beside nothing", async ({
  page,
  explorer,
}) => {
  await page.setViewportSize({ width: 700, height: 450 });
  await explorer.open(EDITED);
  const { x, width: pictured } = await boxOf(explorer.picture);
  for (const name of ["Text", "Heads", "Details", "Edits"] as const) {
    await explorer.tab(name).tap();
    await expectOpen(explorer, name);
    const part = await boxOf(page.locator(PARTS[name]));
    expect([name, part.x]).toEqual([name, x + pictured]);
    expect(part.x + part.width).toBe(700);
  }
  const tokens = page.locator("headscope-output-ribbon th.cut");
  await expect(tokens).toHaveCount(5);
  // Each token has a line of its own.
  const tops = await tokens.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(5);
  expect(await width(page)).toBe(700);
  await page.goto("./#v=1&training=");
  const training = await boxOf(page.locator("headscope-training"));
  const footer = await boxOf(page.locator("headscope-page-footer"));
  expect(footer.y).toBeGreaterThanOrEqual(training.y + training.height);
});

test("the line above the tabs says that a masked pair is masked, and names patches", async ({
  page,
  explorer,
}) => {
  await explorer.open(EDITED);
  await expect(line(page)).toHaveText(/le\s+may not attend to\s+book/);
  await explorer.open("model=models/tiny-vit");
  await expect(line(page)).toHaveText(/row \d, col\. \d\s+attends to\s+row \d, col\. \d/);
});

const overflow = (place: Locator): Promise<number> =>
  place.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
const controlsOf = (place: Page | Locator): Locator =>
  place.locator("button, input, select, summary, [role=tab]").filter({ visible: true });

const tooSmall = (place: Page | Locator): Promise<string[]> =>
  controlsOf(place).evaluateAll((all) =>
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

/** What each part of each experiment shows; where there are several, a choice offers them. */
const EXPERIMENTS = {
  masks: ["[name=cost] headscope-curves"],
  positions: ["waves", "learned", "rotary", "alibi", "buckets", "terms"].map(
    (name) => `[name=${name}]`,
  ),
  kinds: ["[name=scores] headscope-curves"],
  heads: [
    "headscope-rule",
    "headscope-rule",
    "[name=effect]",
    "[name=pruning]",
    "[name=norm] table",
  ],
  patching: [".line-field"],
  numbers: ["[name=worked] figure"],
};

test("controls are large enough for a finger", async ({ page, explorer }) => {
  for (const picture of ["heatmap", "lines", "dimensions", "steps", "mask", "positions"]) {
    await explorer.open(`text=A+bee,+I+say,+is+unbelievable.&stack=encoder&picture=${picture}`);
    expect(await tooSmall(page), picture).toEqual([]);
  }
  for (const [experiment, parts] of Object.entries(EXPERIMENTS)) {
    await explorer.fresh(`${BITES}&stack=encoder&experiment=${experiment}`);
    const body = page.locator("headscope-experiments .body");
    await expect(controlsOf(body).first()).toBeVisible({ timeout: 30_000 });
    for (const fold of await body.locator("details > summary").all()) await fold.tap();
    const choice = body.locator(
      `headscope-${experiment === "heads" ? "heads-experiment" : "position-demos"}`,
    );
    for (const [index, part] of parts.entries()) {
      if (parts.length > 1)
        await choice.locator("headscope-choice").first().getByRole("radio").nth(index).check();
      await expect(body.locator(part.replace(/^\[/, "headscope-demo[")).first()).toBeVisible({
        timeout: 30_000,
      });
      // What is wide scrolls in a box of its own, never the experiments.
      expect(await overflow(body), part).toBe(0);
      expect(await tooSmall(body), part).toEqual([]);
    }
  }
});

test("two fingers zoom, one moves, selects and paints", async ({ page, explorer }) => {
  await explorer.open(`model=models/tiny-gpt&text=${"the+dog+sees+her+".repeat(15)}`);
  const part = /Queries (\d+)–(\d+) of (\d+)/;
  const shown = async (): Promise<number[]> => {
    await expect(explorer.figure).toHaveAccessibleName(part);
    const name = (await explorer.figure.getAttribute("aria-label")) ?? "";
    return (part.exec(name) ?? []).slice(1).map(Number);
  };
  await explorer.figure.scrollIntoViewIfNeeded();
  await page.evaluate(() =>
    document.documentElement.scrollTo(0, document.documentElement.scrollHeight / 3),
  );
  const box = await boxOf(explorer.figure);
  const x = box.x + box.width / 2;
  const y = box.y + 160;
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...points: [number, number][]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  await touch("touchStart", [x - 30, y], [x + 30, y]);
  for (const half of [40, 60, 90]) await touch("touchMove", [x - half, y], [x + half, y]);
  await touch("touchEnd");
  const [first = 0, last = 0, queries = 0] = await shown();
  expect(last - first + 1).toBeLessThan(queries / 2);
  await touch("touchStart", [x, y]);
  for (const by of [20, 60, 120]) await touch("touchMove", [x, y + by]);
  await touch("touchEnd");
  await expect.poll(async () => (await shown())[0]).toBeLessThan(first);
  // Chromium takes a tap that follows a swipe too soon for a part of it.
  await expect(async () => {
    await explorer.button("Show all").tap({ timeout: 1000 });
    await expect(explorer.figure).not.toHaveAccessibleName(part, { timeout: 500 });
  }).toPass();
  await explorer.open(`${BITES}&stack=encoder`);
  const stage = page.locator("headscope-heatmap .stage");
  await expect(stage).toHaveCSS("touch-action", "pan-x pan-y");
  await explorer.button("Block cells").tap();
  await expect(stage).toHaveCSS("touch-action", "none");
  await explorer.figure.tap();
  await expect(explorer.chips).toHaveCount(1);
});
