import { expect, test, type TestInfo } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";
import { fetchedScripts, spreadOf, watchTyping, workPerFrame, type Spread } from "./feel-meter.js";
import { randomModel } from "./random-model.js";

/*
 * How the page feels, as figures: each is printed and attached to its test. No time is a condition here, since a
 * machine that is busy with something else would decide it; that what is timed has really happened, is one.
 */

/** 31 tokens and the end: each of the keystrokes below changes what is read. */
const LONG =
  "The woman who lives next door has a very little black dog and the man who knows her brother has a big white cat that likes to sleep in the warm";
const KEYS = " sun and the old house";
const BATCHES = 30;
async function report(
  info: TestInfo,
  figures: Record<string, Spread | number | string>,
): Promise<void> {
  const lines = Object.entries(figures).map(([name, value]) => {
    if (typeof value !== "object") return `    ${name}: ${value}`;
    return `    ${name}: median ${value.median} ms, p95 ${value.p95} ms, at most ${value.most} ms (${value.times} times)`;
  });
  process.stdout.write(`${lines.join("\n")}\n`);
  await info.attach("feel.json", {
    body: JSON.stringify(figures, null, 2),
    contentType: "application/json",
  });
}

test("figures: what a keystroke takes until its patterns and the first word of its translation are on the screen", async ({
  page,
}, info) => {
  test.setTimeout(180_000);
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&stack=encoder&text=${encodeURIComponent(LONG)}`);
  expect(await explorer.tokens("Tokens of your sentence").count()).toBeGreaterThanOrEqual(32);
  await explorer.sentence.press("End");
  await watchTyping(page);
  for (const key of KEYS) {
    await page.keyboard.press(key);
    await page.waitForTimeout(400);
  }
  await explorer.settle();
  const { keystrokes, longTasks } = await page.evaluate(() => window.feel);
  expect(keystrokes).toHaveLength(KEYS.length);
  const answered = keystrokes.filter(({ source }) => source !== null);
  const written = keystrokes.filter(({ firstWord }) => firstWord !== null);
  expect(answered.length).toBeGreaterThan(KEYS.length / 2);
  expect(written.length).toBeGreaterThan(KEYS.length / 2);
  await report(info, {
    "keystroke to the frame that shows the source's patterns": spreadOf(
      answered.map(({ frame }) => frame ?? NaN),
    ),
    "… until that frame is made": spreadOf(answered.map(({ source }) => source ?? NaN)),
    "patterns to the first word": spreadOf(written.map(({ firstWord }) => firstWord ?? NaN)),
    "tasks over 50 ms while typing": longTasks.length,
    "longest of them, ms": Math.round(Math.max(0, ...longTasks)),
  });
});

test("what stands below the sentence keeps its place while the translation is written", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&stack=encoder&text=${encodeURIComponent(LONG)}`);
  const [, before] = await explorer.texts();
  await explorer.sentence.press("End");
  const seen = page.evaluate(async () => {
    const root = document.querySelector("headscope-explorer")?.shadowRoot;
    const [main, sentence] = [
      root?.querySelector(".parts"),
      root?.querySelector<HTMLElement & { translation: string }>("headscope-sentence-bar"),
    ];
    if (!main || !sentence) throw new Error("there is no explorer");
    const frames: { top: number; words: number }[] = [];
    for (let left = 90; left > 0; left -= 1) {
      await new Promise(requestAnimationFrame);
      frames.push({
        top: main.getBoundingClientRect().top,
        words: sentence.translation.split(" ").length,
      });
    }
    return frames;
  });
  await page.keyboard.press("s");
  const frames = await seen;
  await explorer.settle();
  const words = before.split(" ").length;
  expect(Math.min(...frames.map((frame) => frame.words))).toBeLessThan(words);
  expect(Math.min(...frames.map(({ top }) => top))).toBeGreaterThanOrEqual(frames[0]?.top ?? NaN);
});

test("figures: a heatmap of 512 by 512 and a grid of 12 by 12 heads under the pointer and the wheel", async ({
  page,
}, info) => {
  test.setTimeout(300_000);
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog.");
  await explorer.folder.setInputFiles(randomModel());
  await expect(explorer.picker).toHaveAccessibleName("Model: random-bert");
  await explorer.settle();
  const started = Date.now();
  await explorer.sentence.fill("the man and the dog ".repeat(102).trim());
  await expect(explorer.figure).toHaveAccessibleName(/512 queries by 512 keys/, {
    timeout: 120_000,
  });
  const shown = Date.now() - started;
  await expect(explorer.main).toHaveAttribute("aria-busy", "false", { timeout: 120_000 });
  const read = Date.now() - started;
  await expect(page.locator("headscope-grid .head")).toHaveCount(144);
  const spoken = page.locator("headscope-heatmap [aria-live]");
  const before = await spoken.textContent();
  const hover = await workPerFrame(page, "hover", BATCHES);
  expect(await spoken.textContent()).not.toBe(before);
  const scroll = await workPerFrame(page, "scroll", BATCHES);
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  expect(hover.length + scroll.length).toBe(2 * BATCHES);
  await report(info, {
    "hovering the heatmap, work per frame": spreadOf(hover),
    "scrolling the grid, work per frame": spreadOf(scroll),
    "512 tokens typed at once to their heatmap, ms": shown,
    "… to everything on the page, ms": read,
  });
});

test("figures: what is fetched, and what is there before the model", async ({ page }, info) => {
  const fetched: string[] = [];
  page.context().on("request", (request) => fetched.push(request.url()));
  let deliver = (): void => undefined;
  const held = new Promise<void>((resolve) => (deliver = resolve));
  await page.route("**/models/**", async (route) => {
    await held;
    await route.continue();
  });
  const explorer = new ExplorerPage(page);
  await page.goto("./#v=1&text=The+dog+bites+the+man.");
  await expect(explorer.sentence).toHaveValue("The dog bites the man.");
  await expect(explorer.sentence).toBeEditable();
  await expect(page.getByRole("heading", { name: "Headscope" })).toBeVisible();
  const painted = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
  );
  expect(painted).toBeGreaterThan(0);
  deliver();
  await explorer.settle();
  const scripts = fetchedScripts("dist/site", fetched);
  await report(info, {
    "scripts of a first visit, kB brotli": scripts,
    "first paint, before the model, ms": Math.round(painted),
  });
});
