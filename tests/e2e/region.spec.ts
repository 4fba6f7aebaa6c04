import { expect, test } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";
import { engine, ExportMenu } from "./export-menu.js";
import { csvRows, npyFile } from "./files.js";

/** 61 tokens: too many to read as one picture. */
const LONG = `#v=1&model=models/tiny-gpt&text=${encodeURIComponent(Array.from({ length: 15 }, () => "the dog sees her").join(" "))}`;
const part = /Queries (\d+)–(\d+) of (\d+), keys (\d+)–(\d+) of (\d+)/;

/** Which part of its picture the page says that it shows. */
async function shown(explorer: ExplorerPage): Promise<number[]> {
  await expect(explorer.figure).toHaveAccessibleName(part);
  return (part.exec((await explorer.figure.getAttribute("aria-label")) ?? "") ?? [])
    .slice(1)
    .map(Number);
}

test("a long text is zoomed under the pointer, dragged along, and shared as it is seen", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(LONG);
  const count = await explorer.tokens("Tokens of your sentence").count();
  await explorer.figure.evaluate((figure) => figure.scrollIntoView());
  const box = await explorer.figure.boundingBox();
  if (!box) throw new Error("no picture");
  const centre = { x: box.x + box.width / 2, y: box.y + 300 };
  await page.mouse.move(centre.x, centre.y);
  const before = await page.locator("headscope-heatmap [aria-live]").textContent();
  await page.keyboard.down("Control");
  for (let notch = 0; notch < 5; notch++) await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  const [first = 0, last = 0, queries, firstKey = 0] = await shown(explorer);
  expect(queries).toBe(count);
  expect(last - first + 1).toBeLessThan(count / 2);
  expect(await page.locator("headscope-heatmap [aria-live]").textContent()).toBe(before);
  await page.mouse.down();
  await page.mouse.move(centre.x + 60, centre.y + 80, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await shown(explorer))[0]).toBeLessThan(first);
  expect((await shown(explorer))[3]).toBeLessThan(firstKey);
  // A drag is no click: nothing is held.
  await expect(page).toHaveURL(/region=/);
  await expect(page).not.toHaveURL(/cell=/);
  const now = await shown(explorer);
  // The address follows a drag a moment later.
  await expect(page).toHaveURL(new RegExp(`region=${now[0]}-${now[1]}x${now[3]}-${now[4]}(&|$)`));
  await page.reload();
  await explorer.settle();
  expect(await shown(explorer)).toEqual(now);
});

test("the keyboard zooms and moves beyond what is shown; a shorter text and words are shown whole", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(LONG);
  await explorer.figure.focus();
  await page.keyboard.press("PageUp");
  for (let down = 0; down < 30; down++) await page.keyboard.press("ArrowDown");
  const spoken = page.locator("headscope-heatmap [aria-live]");
  const said = await spoken.textContent();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  expect(await spoken.textContent()).toBe(said);
  const [, last = 0] = await shown(explorer);
  // One row further than it shows; the thirty-first is where the keyboard stands.
  for (let row = 31; row <= last; row++) await page.keyboard.press("ArrowDown");
  await expect.poll(async () => (await shown(explorer))[1]).toBe(last + 1);
  await page.keyboard.press("Enter");
  await page.keyboard.press("0");
  await expect(explorer.figure).not.toHaveAccessibleName(part);
  // The cell that is held is the one that was walked to, counted in the whole text.
  await expect(page).toHaveURL(new RegExp(`cell=${last + 1}-\\d+(&|$)`));
  await test.step("shorter text and words", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open(`${LONG}&region=41-60x31-50`);
    expect(await shown(explorer)).toEqual([41, 60, expect.any(Number), 31, 50, expect.any(Number)]);
    await explorer.type("the dog sees her");
    await expect(explorer.figure).not.toHaveAccessibleName(part);
    await page.goto(`./${LONG}&region=11-20x1-10`);
    await explorer.settle();
    await page.getByRole("radio", { name: "words" }).check();
    await explorer.settle();
    await expect(explorer.figure).not.toHaveAccessibleName(part);
    await expect(page).not.toHaveURL(/region=/);
  });
});

test("a saved part holds its tokens and numbers, and the whole can be chosen", async ({ page }) => {
  const model = await engine("tiny-gpt");
  const run = await model.run({
    text: Array.from({ length: 15 }, () => "the dog sees her").join(" "),
  });
  const whole = await run.attention({ stack: "decoder", layer: 1, head: 1 });
  const explorer = new ExplorerPage(page);
  await explorer.open(`${LONG}&layer=2&head=2&region=41-60x31-38`);
  const menu = new ExportMenu(page);
  await menu.open();
  const json = await menu.save("Numbers", "JSON");
  expect(json.name).toContain("_weights_q41-60_k31-38_");
  const saved = JSON.parse(json.text) as {
    shape: number[];
    data: number[][];
    labels: Record<string, string[]>;
    part: unknown;
  };
  expect(saved.shape).toEqual([20, 8]);
  const rows = Array.from({ length: 20 }, (_, row) =>
    Array.from(
      whole.data.subarray((40 + row) * run.tokens.length + 30, (40 + row) * run.tokens.length + 38),
    ),
  );
  expect(saved.data.map((row) => row.map(Math.fround))).toEqual(rows);
  expect(saved.labels).toEqual({
    query: run.tokens.slice(40, 60).map(({ text }) => text),
    key: run.tokens.slice(30, 38).map(({ text }) => text),
  });
  const ends = (first: number, last: number) => ({
    first: { index: first - 1, number: first },
    last: { index: last - 1, number: last },
    of: run.tokens.length,
  });
  expect(saved.part).toEqual({ query: ends(41, 60), key: ends(31, 38) });
  const [heads = [], firstRow = []] = csvRows((await menu.save("Numbers", "CSV")).text);
  expect([heads[1], firstRow[0]]).toEqual([
    `31 ${run.tokens[30]?.text}`,
    `41 ${run.tokens[40]?.text}`,
  ]);
  expect(npyFile((await menu.save("Numbers", ".npy")).bytes)).toEqual({
    shape: [20, 8],
    data: Float32Array.from(rows.flat()),
  });
  await menu.dialog.getByRole("radio", { name: "all of them" }).check();
  const all = await menu.save("Numbers", ".npy");
  expect(all.name).toContain("_weights_the-dog");
  expect(npyFile(all.bytes)).toEqual({ shape: whole.shape, data: whole.data });
  // What the picture is no part of has no parts.
  await menu.choose("queries (Q)");
  await expect(menu.dialog.getByRole("radio", { name: "all of them" })).toHaveCount(0);
  run.release();
  model.dispose();
});
