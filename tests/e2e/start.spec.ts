// From the first byte to the first picture: what is fetched, shown, cancelled, missing.
import type { MatrixLayout } from "../../www/draw/layout.js";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import {
  boxOf,
  delay,
  expect,
  expectInView,
  ExplorerPage,
  NOTHING,
  shareOf,
  test,
  watch,
} from "./page.js";
import type { Page } from "./page.js";

/** The most kilobytes of script that a first visit may fetch: in English, in another language. */
const MOST_SCRIPTS = { english: 129.5, other: 138.5 };

function scriptsOf(page: Page): string[] {
  const fetched: string[] = [];
  page.context().on("request", (request) => {
    if (request.url().endsWith(".js")) fetched.push(request.url());
  });
  return fetched;
}

/**
 * Kilobytes of scripts as a server that compresses with brotli sends them, with the service worker.
 */
const kilobytes = (fetched: string[]): number =>
  ["/service-worker.js", ...new Set(fetched.map((address) => new URL(address).pathname))]
    .map((path) => brotliCompressSync(readFileSync(`dist/site${path}`)).length / 1000)
    .reduce((sum, size) => sum + size, 0);

test("a first visit shows one head, and fetches no more", async ({ page, explorer }) => {
  const seen = watch(page);
  const scripts = scriptsOf(page);
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("headscope_demos") && asked.push("asked"));
  await page.setViewportSize({ width: 1280, height: 720 });
  await explorer.open();
  await expect(explorer.figure).toBeInViewport({ ratio: 1 });
  await expect(explorer.inspected("weights")).toHaveText(/^\s*(0\.\d{3}|1\.000)\s*$/);
  await expect(page.getByText("Kernel: ")).toContainText("simd128");
  expect(kilobytes(scripts)).toBeLessThanOrEqual(MOST_SCRIPTS.english);
  expect(asked).toEqual([]);
  // Where Noto Sans is not installed, its letters are fetched.
  for (const font of ['14px "Headscope Sans"', '600 14px "Headscope Sans"'])
    expect(
      await page.evaluate(async (name) => (await document.fonts.load(name)).length, font),
    ).toBe(1);
  for (const picture of ["Lines", "Dimensions", "Steps", "Positions"]) {
    const before = scripts.length;
    if (picture === "Positions") await explorer.showPictureOf("Positional encoding");
    else await explorer.choose(picture);
    await expect(
      page.locator(`headscope-${picture.toLowerCase()}`).getByRole("application"),
    ).toBeVisible();
    expect(scripts.length, picture).toBeGreaterThan(before);
  }
  const before = scripts.length;
  await explorer.choose("Lines");
  expect(scripts.length).toBe(before);
  expect(seen).toEqual(NOTHING);
});

test("a part of the page that cannot be fetched is reported", async ({ page, explorer }) => {
  await explorer.open("text=The+dog+bites.");
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort("connectionfailed"));
  const status = page.locator("headscope-later-status");
  await explorer.radio("Lines").check({ force: true });
  await expect(status.getByRole("alert")).toContainText(
    "A part of Headscope could not be loaded. Try again, or reload the page. Details page/part",
  );
  await page.unrouteAll();
  // A browser may remember for as long as the page lives that a script did not come.
  await explorer.reload();
  await expect(page.locator("headscope-lines").getByRole("application")).toBeVisible();
});

test("a precomputed picture is shown before the model is there", async ({ page, explorer }) => {
  const deliver = await delay(page, "**/model.safetensors*");
  const heatmap = page.locator("headscope-heatmap");
  const grid = page.locator("headscope-grid");
  await page.goto("./");
  await expect(grid).toHaveAttribute("inert");
  await expect(page.getByText("Precomputed; model loading.")).toBeVisible();
  await expect(explorer.button("Cancel")).toBeInViewport({ ratio: 1 });
  const drawn = await heatmap.elementHandle();
  const early = {
    translation: await explorer.translation.inputValue(),
    place: await heatmap.boundingBox(),
    gridTop: (await grid.boundingBox())?.y,
  };
  const numbers = (): Promise<number[]> =>
    heatmap.evaluate((element: HTMLElement & { tensor?: { data: number[] } }) => [
      ...(element.tensor?.data ?? []),
    ]);
  const weights = await numbers();
  await test.step("it answers the pointer, and keeps a pair that is held", async () => {
    await pointAt(explorer, { row: 4, column: 4 });
    await expect(heatmap.locator(".tip")).toHaveText(/le.*book\s*0\.\d+/);
    await page.mouse.down();
    await page.mouse.up();
    await expect(page).toHaveURL(/cell=5-5/);
    await expect(page.getByText("Precomputed; model loading.")).toBeVisible();
  });
  deliver();
  await explorer.settle();
  await expect(grid).not.toHaveAttribute("inert");
  await expect(explorer.inspector.locator(".pair")).toContainText("le attends to book");
  await expect(explorer.translation).toHaveValue(early.translation);
  const computed = await numbers();
  // A precomputed map has 255 steps up to its largest number.
  const step = Math.max(...computed) * (0.5 / 255 + 1e-5);
  expect(weights).toHaveLength(computed.length);
  for (const [at, value] of computed.entries())
    expect(Math.abs((weights[at] ?? NaN) - value)).toBeLessThanOrEqual(step);
  // The same element all along, at the same place: nothing moves under a reader's eyes.
  expect(await heatmap.evaluate((element, before) => element === before, drawn)).toBe(true);
  expect(await heatmap.boundingBox()).toEqual(early.place);
  expect((await grid.boundingBox())?.y).toBe(early.gridTop);
});

test("a download is cancelled and started again", async ({ page, explorer }) => {
  const deliver = await delay(page, "**/model.safetensors*");
  await page.goto("./#v=1&text=The+dog.");
  await explorer.button("Cancel").click();
  await expect(page.getByText("The model was not loaded. Your text is unchanged.")).toBeVisible();
  await explorer.sentence.fill("My sister.");
  deliver();
  await explorer.press("Load the model");
  await expect(explorer.tokens.first()).toHaveText("My");
});

test("a missing model is one notice", async ({ page, explorer }) => {
  await page.route("**/models/**", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("./");
  await expect(explorer.alert).toContainText("There is no config.json (http");
  await page.unrouteAll();
  await explorer.press("Load the model");
  await expect(explorer.alert).toHaveText("");
  await page.goto(pathToFileURL("dist/site/index.html").href);
  await expect(page.locator("body")).toContainText(
    "run cargo xtask serve and open the address that it prints.",
  );
});

test("in Chinese all parts have Chinese words", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ locale: "zh-CN", ...(baseURL && { baseURL }) });
  const page = await context.newPage();
  const scripts = scriptsOf(page);
  const explorer = new ExplorerPage(page);
  // A browser that prefers Chinese gets it without being asked.
  await explorer.open("text=The+dog+bites+the+man.&stack=encoder");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(explorer.radio("热力图")).toBeChecked();
  expect(kilobytes(scripts)).toBeLessThanOrEqual(MOST_SCRIPTS.other);
  await explorer.set("English", "设置");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await explorer.set("简体中文");
  await expect(page).toHaveTitle("Headscope：看见每一个注意力头");
  await page.getByRole("button", { name: "掩码", exact: true }).press("Enter");
  await page.getByLabel("添加规则").selectOption("分块");
  await expect(explorer.chips).toHaveText([/编码器：分块/]);
  await context.close();
});

test("the picture has its share of every window", async ({ page, explorer }) => {
  for (const [width, height, least] of [
    [1400, 900, 0.4],
    [1280, 800, 0.34],
    [1920, 1080, 0.45],
    [390, 844, 0.45],
    // 1400 × 900 at 200 % zoom.
    [700, 450, 0.45],
  ] as const) {
    await page.setViewportSize({ width, height });
    await explorer.fresh();
    // The figure alone, without what is chosen above it.
    const share = await shareOf(explorer.picture.locator(".picture"));
    expect(share, `${width} × ${height}`).toBeGreaterThanOrEqual(least);
    await expect(explorer.button("Tour")).toBeInViewport({ ratio: 1 });
    await expect(explorer.button("Questions")).toBeInViewport({ ratio: 1 });
  }
});

/** The most stops of the Tab key before the picture of a first view. */
const MOST_STOPS = 25;

async function stopsBefore({ page, figure }: ExplorerPage): Promise<number> {
  for (let stops = 0; stops < 100; stops += 1) {
    if (await figure.evaluate((pad) => pad.matches(":focus"))) return stops;
    await page.keyboard.press("Tab");
  }
  return Infinity;
}

/** Moves the pointer to the middle of a cell of the heatmap, by the place where it is drawn. */
async function pointAt(
  { page, figure }: ExplorerPage,
  { row, column }: { row: number; column: number },
): Promise<void> {
  const { x, y, width } = await boxOf(figure);
  const place = await page.locator("headscope-heatmap").evaluate((element) => {
    const { layout } = element as unknown as { layout: MatrixLayout };
    return { cell: layout.cell, left: layout.plot.x, top: layout.plot.y, width: layout.width };
  });
  const scale = width / place.width;
  await page.mouse.move(
    x + scale * (place.left + (column + 0.5) * place.cell),
    y + scale * (place.top + (row + 0.5) * place.cell),
  );
}

test("the first view says what runs here, what to do, and takes a model", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    reducedMotion: "no-preference",
    viewport: { width: 1400, height: 900 },
    ...(baseURL && { baseURL }),
  });
  const page = await context.newPage();
  const explorer = new ExplorerPage(page);
  await page.goto("./");
  await expect(page.getByText("A real Transformer runs in this page.")).toBeInViewport();
  // The crosshair walks over the first row, and comes back to the pair of the picture.
  const pair = explorer.inspector.locator(".pair");
  await expect(pair).toContainText("start");
  await expect(pair).toContainText("le attends to book");
  await test.step("one action is stronger than the others", async () => {
    await expect(page.locator("headscope-top-bar .primary")).toHaveText(["Tour"]);
    const stops = await stopsBefore(explorer);
    expect(stops).toBeLessThanOrEqual(MOST_STOPS);
  });
  await page.getByRole("button", { name: "Open your own model" }).click();
  await expect(page.getByRole("menuitem", { name: "Open a folder…" })).toBeFocused();
  await test.step("the presenter's size is in the address", async () => {
    await page.goto("./?present");
    await explorer.settle();
    // The pointer finds the cells of an enlarged picture.
    await pointAt(explorer, { row: 2, column: 1 });
    await expect(pair).toContainText("lui attends to gave");
    await explorer.openMenu("Settings");
    await explorer.button("Presenter’s size").click();
    await expect(page).toHaveURL(/\/$/);
    await explorer.keys("Escape");
    await pointAt(explorer, { row: 4, column: 4 });
    await expect(pair).toContainText("le attends to book");
  });
  await context.close();
});

test("a window of 1024 px cuts neither a control of the sentence nor the numbers of heads", async ({
  page,
  explorer,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await explorer.open();
  const controls = page.locator("headscope-sentence-bar :is(button, select)");
  await expectInView(controls.filter({ visible: true }));
  await explorer.button("Show the heads as a table").click();
  const entropies = page.locator("headscope-grid td:nth-child(3)");
  await entropies.first().scrollIntoViewIfNeeded();
  await expectInView(page.locator("headscope-grid tr:nth-child(1) > :nth-child(-n + 3)"));
});

test("in the presenter's size a comparison shows both texts and all its pictures", async ({
  page,
  explorer,
}) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.goto("./?present#v=1&tour=meaning");
  await explorer.settle();
  const pictures = page.locator("headscope-pairs-panel figure canvas:first-of-type");
  await expect(page.locator("headscope-pairs-panel headscope-difference")).toBeInViewport({
    ratio: 0.8,
  });
  const tops = await pictures.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect().top),
  );
  expect(new Set(tops).size).toBe(1);
});

const LONGER = "&text=The+animal+did+not+cross+the+street+because+it+was+tired.";
const EDITED =
  "&edits={'masks':[{'stack':'cross','layers':[1],'heads':[4],'block':[[4,4]]}],'heads':[{'stack':'cross','layers':[1],'heads':[2],'gate':0}]}";

for (const language of ["en", "zh-CN"])
  test(`in the presenter's size the picture is whole beside its answer (${language})`, async ({
    page,
    explorer,
  }) => {
    for (const shown of ["", LONGER, EDITED])
      for (const [width, height] of [
        [1280, 800],
        [1400, 900],
        [1920, 1080],
      ] as const)
        await test.step(`${width} × ${height} ${shown}`, async () => {
          await page.setViewportSize({ width, height });
          await page.goto("about:blank");
          await page.goto(`./?present#v=1&language=${language}${shown}`);
          await explorer.settle();
          await expectInView(page.locator("headscope-heatmap .stage"));
          await expectInView(explorer.inspector.locator(".pair, [data-stage=weights]"));
          if (shown !== EDITED) return;
          expect(await shareOf(explorer.picture)).toBeGreaterThanOrEqual(0.37);
          await expectInView(explorer.picture.locator(".toggle"));
          await expectInView(page.locator("headscope-edits-panel .panel"));
        });
  });
