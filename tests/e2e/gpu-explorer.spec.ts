import { expect } from "@playwright/test";
import { ExportMenu } from "./export-menu.js";
import { csvRows, npyFile, pngTexts } from "./files.js";
import {
  expectSameColours,
  expectSamePair,
  losable,
  openBoth,
  openCounted,
  pointAt,
  SETTLED,
} from "./gpu-beside-cpu.js";
import { test } from "./gpu-pages.js";

test.setTimeout(240_000);

/*
 * What a person does with a head of which a GPU paints the picture and the page knows only some rows. The same is done on
 * the CPU beside it, which knows all numbers.
 */

const BERT = `#v=1&model=models/tiny-bert&stack=encoder&layer=2&head=2&text=${encodeURIComponent("The dog bites the man because he ran away.")}`;
const GPT = `#v=1&model=models/tiny-gpt&stack=decoder&layer=1&head=2&text=${encodeURIComponent("The dog bit the man. He was sad.")}`;
const CROSS = `#v=1&stack=cross&layer=1&head=3&text=${encodeURIComponent("The dog bites the man.")}&target=${encodeURIComponent("Le chien mord un homme.")}`;

test("under an edit, taken back, and typed on quickly, the head is painted by the GPU", async ({
  shared,
}) => {
  const opened = await shared();
  const { both, reads } = await openCounted(opened, BERT);
  const { gpu, cpu, pages } = both;
  let n = await cpu.tokens("Tokens of your sentence").count();
  await expectSameColours(both, n, n);
  for (const explorer of pages) {
    await explorer.page.getByRole("button", { name: "Block cells" }).click();
    await explorer.figure.focus();
    for (const key of ["PageUp", "Home", "ArrowDown", "Shift+ArrowRight", "Enter"])
      await explorer.page.keyboard.press(key);
    await explorer.settle();
    await expect(explorer.chips).toHaveCount(1);
    await explorer.page.getByRole("button", { name: "Block cells" }).click();
  }
  await expectSameColours(both, n, n);
  await pointAt(both, { query: 1, key: 4 });
  // How far the weights moved takes those of both runs.
  expect(await reads()).toMatchObject({ whole: 2, scores: 0 });
  for (const explorer of pages) {
    await explorer.page.mouse.move(0, 0);
    await explorer.page.getByRole("button", { name: "Undo", exact: true }).click();
    await explorer.settle();
    await expect(explorer.chips).toHaveCount(0);
  }
  await expectSameColours(both, n, n);
  await pointAt(both, { query: 1, key: 4 });
  // The run that was asked for by the undo was foreseen to be read like the one before.
  const { whole } = await reads();
  for (const explorer of pages) {
    await explorer.page.mouse.move(0, 0);
    await explorer.sentence.press("End");
    await explorer.sentence.pressSequentially(" The man was glad.", { delay: 10 });
    await explorer.settle();
  }
  n = await cpu.tokens("Tokens of your sentence").count();
  await expect(gpu.tokens("Tokens of your sentence")).toHaveCount(n);
  await expectSameColours(both, n, n);
  await pointAt(both, { query: n - 3, key: 2 });
  expect((await reads()).whole).toBe(whole);
});

test("keys move over rows that are read as they are reached, under another map of colours and in the dark", async ({
  shared,
}) => {
  const opened = await shared();
  const { both, reads } = await openCounted(opened, `${GPT}&colours=viridis&theme=dark`);
  const { gpu, cpu, pages } = both;
  const n = await cpu.tokens("Tokens of your sentence").count();
  await expectSameColours(both, n, n);
  for (const { figure } of pages) await figure.focus();
  for (const key of [
    "PageUp",
    "Home",
    "ArrowDown",
    "ArrowDown",
    "ArrowRight",
    "ArrowDown",
    "End",
    "PageDown",
  ]) {
    for (const { figure } of pages) await figure.press(key);
    const spoken = cpu.page.locator("headscope-heatmap [aria-live]");
    const [words, number] = ((await spoken.textContent()) ?? "").split(/(?=\d\.\d+\D*$)/);
    await expect
      .poll(
        async () => (await gpu.page.locator("headscope-heatmap [aria-live]").textContent()) ?? "",
        SETTLED,
      )
      .toContain(words ?? "");
    if (number !== undefined)
      await expect(gpu.page.locator("headscope-heatmap [aria-live]")).toHaveText(
        /\d\.\d+\D*$/,
        SETTLED,
      );
    await expectSamePair(both);
  }
  for (const colours of ["blue", "cividis"] as const) {
    for (const theme of ["light", "dark"] as const) {
      for (const explorer of pages) {
        await explorer.page.evaluate(
          ([colours, theme]) =>
            (location.hash =
              location.hash.replace(/&(colours|theme)=\w+/g, "") +
              `&colours=${colours}&theme=${theme}`),
          [colours, theme] as const,
        );
        await explorer.settle();
        await expect(explorer.page.locator("html")).toHaveAttribute("data-theme", theme);
      }
      await expectSameColours(both, n, n);
    }
  }
  expect((await reads()).whole).toBe(0);
});

test("a token that is pointed at or held stands for its strongest pair, whatever shares its colour", async ({
  shared,
}) => {
  const opened = await shared();
  const { both, reads } = await openCounted(opened, CROSS);
  const { cpu, pages } = both;
  for (const label of ["Tokens of your sentence", "Tokens of the translation"] as const) {
    const count = await cpu.tokens(label).count();
    expect(count).toBeGreaterThan(4);
    for (let index = 0; index < count; index += 1) {
      for (const explorer of pages) await explorer.tokens(label).nth(index).hover();
      await expectSamePair(both);
    }
    for (const explorer of pages) {
      await explorer.tokens(label).nth(1).click();
      await explorer.page.mouse.move(0, 0);
      await expect(explorer.page).toHaveURL(/cell=/);
    }
    await expectSamePair(both);
    for (const explorer of pages) await explorer.page.keyboard.press("Escape");
  }
  expect((await reads()).whole).toBe(0);
});

/** The colours of the rectangles of an SVG, in their order, each as red, green and blue. */
function fills(svg: string): number[][] {
  return [...svg.matchAll(/<rect [^>]*fill="#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})"/g)].map(
    ([, ...channels]) => channels.map((channel) => parseInt(channel, 16)),
  );
}

test("what is saved has all numbers, and the picture that the CPU saves", async ({ shared }) => {
  const opened = await shared();
  const { both, reads } = await openCounted(opened, GPT);
  const n = await both.cpu.tokens("Tokens of your sentence").count();
  await expectSameColours(both, n, n);
  await pointAt(both, { query: 3, key: 1 });
  expect((await reads()).whole).toBe(0);
  const [saved, own] = await Promise.all(
    both.pages.map(async ({ page }) => {
      const menu = new ExportMenu(page);
      await menu.open();
      const files: Record<"svg" | "png" | "csv" | "json" | "npy", { bytes: Buffer; text: string }> =
        {
          svg: await menu.save("Picture", "SVG"),
          png: await menu.save("Picture", "PNG"),
          csv: await menu.save("Numbers", "CSV"),
          json: await menu.save("Numbers", "JSON"),
          npy: await menu.save("Numbers", ".npy"),
        };
      const { data } = JSON.parse(files.json.text) as { data: number[][] };
      return {
        ...files,
        numbers: data.flat(),
        array: npyFile(files.npy.bytes),
        width: pngTexts(files.png.bytes).width,
      };
    }),
  );
  if (!saved || !own) throw new Error("two pages");
  expect((await reads()).whole).toBe(4);
  expect(saved.numbers).toHaveLength(n * n);
  for (const [at, number] of own.numbers.entries())
    expect(saved.numbers[at], String(at)).toBeCloseTo(number, 3);
  expect(saved.array.shape).toEqual([n, n]);
  for (const [at, number] of own.array.data.entries())
    expect(saved.array.data[at], String(at)).toBeCloseTo(number, 3);
  const table = csvRows(saved.csv.text);
  expect(table.map((row) => row.length)).toEqual(csvRows(own.csv.text).map((row) => row.length));
  expect(table.flat().filter((field) => field === "" || field.includes("NaN"))).toEqual(
    csvRows(own.csv.text)
      .flat()
      .filter((field) => field === ""),
  );
  const [cells, ownCells] = [fills(saved.svg.text), fills(own.svg.text)];
  expect(ownCells.length).toBeGreaterThan(n);
  expect(cells).toHaveLength(ownCells.length);
  const apart = cells.filter((cell, at) =>
    cell.some((channel, index) => !(Math.abs(channel - (ownCells[at]?.[index] ?? NaN)) <= 3)),
  );
  expect(apart).toEqual([]);
  expect(saved.width).toBe(own.width);
});

test("a device that is lost while a row is read leaves the picture and its numbers to the CPU", async ({
  page,
  context,
}) => {
  const lose = await losable(page);
  const both = await openBoth({ gpu: page, cpu: await context.newPage() }, BERT);
  const { gpu, cpu } = both;
  const n = await cpu.tokens("Tokens of your sentence").count();
  await expectSameColours(both, n, n);
  const before = await gpu.sentence.inputValue();
  await lose();
  await pointAt(both, { query: 7, key: 3 });
  await expect(
    page.getByText("The GPU failed. The CPU goes on instead; your text and edits are kept."),
  ).toBeVisible(SETTLED);
  await gpu.settle();
  await expect(page.getByText("Kernel: ")).toContainText("simd128");
  await expect(gpu.sentence).toHaveValue(before);
  await expect(page.getByRole("alert")).toHaveText("");
  await expectSameColours(both, n, n);
  await pointAt(both, { query: 2, key: 5 });
});
