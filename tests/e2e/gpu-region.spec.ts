import { expect } from "@playwright/test";
import type { ExplorerPage } from "./explorer-page.js";
import { type Both, expectSameColours, openCounted, pointAt } from "./gpu-beside-cpu.js";
import { test } from "./gpu-pages.js";

test.setTimeout(240_000);

/** 61 tokens: too many to read as one picture. */
const LONG = `#v=1&model=models/tiny-gpt&stack=decoder&layer=1&head=2&text=${encodeURIComponent(Array.from({ length: 15 }, () => "the dog sees her").join(" "))}`;
const PART = /Queries (\d+)–(\d+) of \d+, keys (\d+)–(\d+) of \d+/;

/** The first and last query, and the first and last key, that a page says it shows. */
async function part({ figure }: ExplorerPage): Promise<number[]> {
  await expect(figure).toHaveAccessibleName(PART);
  return (PART.exec((await figure.getAttribute("aria-label")) ?? "") ?? []).slice(1).map(Number);
}

/** Waits until either shows the same part in the same colours, and gives back which. */
async function expectSamePart(both: Both): Promise<number[]> {
  const shown = await part(both.cpu);
  await expect.poll(() => part(both.gpu)).toEqual(shown);
  const [first = 0, last = 0, firstKey = 0, lastKey = 0] = shown;
  await expectSameColours(both, last - first + 1, lastKey - firstKey + 1);
  return shown;
}

test("a picture that is enlarged by wheel and keys, and dragged along, has the CPU's colours and numbers on the GPU", async ({
  shared,
}) => {
  const opened = await shared();
  const { both, reads } = await openCounted(opened, LONG);
  const { cpu, pages } = both;
  const n = await cpu.tokens("Tokens of your sentence").count();
  await expectSameColours(both, n, n);
  for (const { figure, page } of pages) {
    await figure.evaluate((element) => element.scrollIntoView());
    const box = await figure.boundingBox();
    if (!box) throw new Error("no picture");
    await page.mouse.move(box.x + box.width / 2, box.y + 300);
    await page.keyboard.down("Control");
    for (let notch = 0; notch < 5; notch += 1) await page.mouse.wheel(0, -100);
    await page.keyboard.up("Control");
  }
  const near = await expectSamePart(both);
  expect((near[1] ?? 0) - (near[0] ?? 0) + 1).toBeLessThan(n / 2);
  for (const { figure, page } of pages) {
    const box = await figure.boundingBox();
    if (!box) throw new Error("no picture");
    const [x, y] = [box.x + box.width / 2, box.y + 300];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 80, { steps: 4 });
    await page.mouse.up();
  }
  await expect.poll(() => part(cpu)).not.toEqual(near);
  const dragged = await expectSamePart(both);
  expect(dragged[0]).toBeLessThan(near[0] ?? 0);
  await pointAt(both, { query: 9, key: 4 });
  for (const { figure, page } of pages) {
    await page.mouse.move(0, 0);
    await figure.focus();
    for (const key of ["0", "PageUp", "Home", "+", "+"]) await page.keyboard.press(key);
  }
  const first = await expectSamePart(both);
  expect(first[0]).toBe(1);
  // One row further than is shown, and the picture goes along.
  for (const { page } of pages)
    for (let row = 1; row <= (first[1] ?? 0); row += 1) await page.keyboard.press("ArrowDown");
  await expect.poll(async () => (await part(cpu))[1]).toBe((first[1] ?? 0) + 1);
  await expectSamePart(both);
  for (const { page } of pages) await page.keyboard.press("0");
  for (const { figure } of pages) await expect(figure).not.toHaveAccessibleName(PART);
  await expectSameColours(both, n, n);
  expect((await reads()).whole).toBe(0);
});
