// The pictures of a head: lines, dimensions, mask, positions, steps; zoomed, by word, on the screen itself.
import { boxOf, drag, expect, numberIn, runOf, test, type Locator, type Page } from "./page.js";

const TEXT = "My sister doesn't like milk.";
const HEAD = `text=${encodeURIComponent(TEXT)}&stack=cross&layer=2&head=6&cell=3-2`;
const picture = (page: Page, name: string): Locator => page.locator(`headscope-${name}`);
const pad = (page: Page, name: string): Locator => picture(page, name).getByRole("application");

test("dimensions: products add up to the raw score", async ({ page, explorer }) => {
  await explorer.open(`${HEAD}&picture=dimensions`);
  await picture(page, "dimensions").getByRole("button", { name: "Show values" }).click();
  const rows = picture(page, "dimensions").locator("table").last().locator("tbody tr");
  const products = await Promise.all(
    (await rows.all()).map((row) => numberIn(row.locator("td").last())),
  );
  const score = products.pop() ?? NaN;
  expect(products.reduce((sum, product) => sum + product, 0)).toBeCloseTo(score, 1);
  expect(await explorer.inspectedNumber("raw")).toBeCloseTo(score, 2);
  await picture(page, "dimensions")
    .getByRole("combobox", { name: "Query" })
    .selectOption({ index: 4 });
  await expect(page).toHaveURL(/cell=5-/);
});

test("lines: links by share, and a locked pair", async ({ page, explorer }) => {
  await explorer.open(`${HEAD}&picture=lines`);
  const lines = picture(page, "lines");
  const links = async (share: string): Promise<number> => {
    await lines.getByRole("slider").fill(share);
    const name = (await pad(page, "lines").getAttribute("aria-label")) ?? "";
    return Number(/ (\d+) links$/.exec(name)?.[1]);
  };
  expect(await links("95")).toBeGreaterThan(await links("75"));
  await lines.getByRole("button", { name: "Head 2", exact: true }).click();
  await lines.getByRole("button", { name: "Head 8", exact: true }).click();
  await explorer.settle();
  await expect(page).toHaveURL(/mass=75&beside=2,8/);
  await expect(lines.locator("[aria-live]")).toContainText(/head 6 .+ · head 2 .+ · head 8 /);
  const pair = explorer.inspector.locator(".pair");
  await pad(page, "lines").focus();
  await explorer.keys("ArrowRight", "ArrowDown", "Enter");
  await expect(page).toHaveURL(/cell=3-3/);
  const locked = (await pair.textContent()) ?? "";
  for (const name of ["Dimensions", "Heatmap", "Lines"]) {
    await explorer.choose(name);
    await expect(pair).toHaveText(locked);
  }
  const canvas = await boxOf(lines.locator("canvas.marks"));
  await page.mouse.click(canvas.x + canvas.width / 2 - 240, canvas.y + 44 + 10);
  await expect(page).toHaveURL(/cell=1-/);
});

test("the mask and the positions are pictures", async ({ page, explorer }) => {
  await explorer.open(`text=${encodeURIComponent(TEXT)}&stack=decoder`);
  await explorer.choose("Mask");
  const count = await explorer.targetTokens.count();
  await expect(pad(page, "mask")).toHaveAccessibleName(
    new RegExp(`${count} queries by ${count} keys, ${(count * (count + 1)) / 2} unmasked`),
  );
  await explorer.choose("Positions");
  await expect(pad(page, "positions")).toHaveAccessibleName(new RegExp(`: ${count} × `));
  // Its table is opened by the keyboard, which goes on into it.
  await picture(page, "positions").getByRole("button", { name: "Show values" }).focus();
  await explorer.keys("Enter", "Tab");
  await expect(picture(page, "positions").locator(".scroll")).toBeFocused();
  await expect(picture(page, "positions").locator("tbody tr")).toHaveCount(count);
});

const panel = (page: Page): Locator => page.locator("headscope-steps");
const value = (page: Page): Locator => panel(page).locator("[data-value]");
const STEPS =
  "model=models/tiny-gpt&text=The+dog+and+the+cat&stack=decoder&layer=2&head=3&picture=steps";

test("steps: each is a tensor of the run, played and locked", async ({ page, explorer }) => {
  await explorer.open(`${STEPS}&number=input.2-3`);
  await runOf("tiny-gpt", { text: "The dog and the cat" }, async (run) => {
    const steps = await run.steps({ stack: "decoder", layer: 1, head: 2 });
    const slider = panel(page).getByRole("slider", { name: "Step" });
    for (const [at, { step, tensor }] of steps.entries()) {
      await slider.fill(String(at + 1));
      const number = new RegExp(`number=${step}\\.(\\d+)-(\\d+)`);
      await expect(page).toHaveURL(number);
      const [row = 0, column = 0] = number.exec(page.url())?.slice(1).map(Number) ?? [];
      const cell = tensor.data[(row - 1) * (tensor.shape[1] ?? 0) + column - 1] ?? NaN;
      await expect.poll(() => numberIn(value(page)), step).toBeCloseTo(cell, 2);
    }
  });
  await explorer.open(`${STEPS}&number=input.1-1`);
  await panel(page).getByRole("button", { name: "Play" }).click();
  await expect(page).toHaveURL(/number=(entered|query)\./);
  await panel(page).getByRole("button", { name: "Pause" }).click();
  await pad(page, "strip").focus();
  await explorer.keys(".", "ArrowRight");
  await expect(page).toHaveURL(/number=(query|key)\.1-\d+/);
  const held = page.url();
  const box = await boxOf(panel(page).locator("canvas.marks"));
  await page.mouse.click(box.x + 150, box.y + 90);
  await expect(page).not.toHaveURL(held);
});

/** 61 tokens: too many to read as one picture. */
const LONG = `model=models/tiny-gpt&text=${"the+dog+sees+her+".repeat(15).slice(0, -1)}`;
const part = /Queries (\d+)–(\d+) of (\d+), keys (\d+)–(\d+) of (\d+)/;

async function shownPart(figure: Locator): Promise<number[]> {
  await expect(figure).toHaveAccessibleName(part);
  return (part.exec((await figure.getAttribute("aria-label")) ?? "") ?? []).slice(1).map(Number);
}

test("a long text is zoomed, dragged, scrolled, shared", async ({ page, explorer }) => {
  await explorer.open(LONG);
  const count = await explorer.tokens.count();
  await explorer.figure.evaluate((figure) => figure.scrollIntoView());
  const box = await boxOf(explorer.figure);
  const centre = { x: box.x + box.width / 2, y: box.y + 300 };
  await page.mouse.move(centre.x, centre.y);
  const spoken = picture(page, "heatmap").locator("[aria-live]");
  const before = (await spoken.textContent()) ?? "";
  await page.keyboard.down("Control");
  for (let notch = 0; notch < 5; notch++) await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  const [first = 0, last = 0, queries, firstKey = 0] = await shownPart(explorer.figure);
  expect(queries).toBe(count);
  expect(last - first + 1).toBeLessThan(count / 2);
  await expect(spoken).toHaveText(before);
  await drag(page, [centre.x, centre.y], [centre.x + 60, centre.y + 80]);
  await expect.poll(async () => (await shownPart(explorer.figure))[0]).toBeLessThan(first);
  const now = await shownPart(explorer.figure);
  expect(now[3]).toBeLessThan(firstKey);
  // A drag is no click: no pair is locked. The address follows a drag a moment later.
  await expect(page).not.toHaveURL(/cell=/);
  await expect(page).toHaveURL(new RegExp(`region=${now[0]}-${now[1]}x${now[3]}-${now[4]}(&|$)`));
  await explorer.reload();
  expect(await shownPart(explorer.figure)).toEqual(now);
  await explorer.open(LONG);
  await explorer.figure.focus();
  await explorer.keys("PageUp", ...Array<string>(30).fill("ArrowDown"), "+", "+");
  const [, end = 0] = await shownPart(explorer.figure);
  // One row further than it shows; the thirty-first is where the keyboard stands.
  await explorer.keys(...Array<string>(end - 30).fill("ArrowDown"));
  await expect.poll(async () => (await shownPart(explorer.figure))[1]).toBe(end + 1);
  await explorer.keys("Enter", "0");
  await expect(explorer.figure).not.toHaveAccessibleName(part);
  // Other pictures scroll.
  await explorer.choose("Lines");
  const frame = picture(page, "lines").locator(".frame");
  await pad(page, "lines").focus();
  await explorer.keys("End");
  await expect.poll(() => frame.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(100);
});

const PIECES = "text=The+photographer+misunderstood+the+unbelievable+architecture.";

test("tokens are picked and blocked; a sink is left out", async ({ page, explorer }) => {
  const together = page.locator("headscope-inspector .together");
  await explorer.open(`${PIECES}&stack=encoder&layer=2&head=3`);
  await explorer.tokens.nth(2).click({ modifiers: ["Shift"] });
  await explorer.tokens.nth(4).click({ modifiers: ["Shift"] });
  await explorer.tokens.nth(6).focus();
  await explorer.keys("Shift+Enter");
  await expect(page).toHaveURL(/picked=s3,5,7/);
  await together.getByRole("radio", { name: "attended to by" }).check();
  await together.getByRole("radio", { name: "mean" }).check();
  await expect(page).toHaveURL(/picked=s3,5,7.mean.to/);
  await explorer.keys("Escape");
  await expect(together).toHaveCount(0);
  await expect(page).not.toHaveURL(/picked=/);
  await explorer.open(`${PIECES}&stack=encoder&layer=2&head=3&by=word&cell=1-2`);
  await explorer.figure.focus();
  await explorer.keys("b");
  // The first word has one piece, the second three.
  await expect(page).toHaveURL(/edits=.*'block':\[\[0,1\],\[0,2\],\[0,3\]/);
  // Where the page scrolls under the mouse, no head is hovered, which would be previewed.
  await page.mouse.move(640, 2);
  await explorer.open(`${PIECES}&model=models/tiny-gpt&stack=decoder&layer=3&head=1`);
  const note = page.getByRole("complementary", { name: "Attention sink" });
  await expect(note).toContainText(/“start” takes \d+%/);
  await note.getByRole("button", { name: "Renormalise without “start”" }).click();
  await expect(page).toHaveURL(/sink=out/);
  for (const row of await explorer.table()) {
    const sum = row.reduce((total, weight) => total + weight, 0);
    expect(Math.min(Math.abs(sum), Math.abs(sum - 1))).toBeLessThan(0.01);
  }
});
