import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, type Locator, type Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { findings } from "./axe.js";
import { ExplorerPage, shownNumber, watch } from "./explorer-page.js";
import { randomLlama } from "./random-model.js";

const TEXT = "The dog and the cat drink milk.";
const HEAD = { stack: "decoder", layer: 1, head: 3 } as const;
const AT = `#v=1&text=${encodeURIComponent(TEXT)}&stack=decoder&layer=2&head=4`;

const folder = randomLlama();
const panel = (page: Page): Locator => page.locator("headscope-steps-panel");
const value = (page: Page): Locator => panel(page).locator("[data-value]");

/** The page with the folder opened in it. */
async function opened(page: Page, more: string): Promise<ExplorerPage> {
  const explorer = new ExplorerPage(page);
  await explorer.open(`${AT}${more}`);
  await explorer.folder.setInputFiles(folder);
  await expect(explorer.picker).toHaveAccessibleName("Model: random-llama");
  await explorer.settle();
  return explorer;
}

/** The same engine outside the page, through the public package. */
async function sameRun(): Promise<{
  run: Headscope.Run;
  info: Headscope.ModelInfo;
  close: () => void;
}> {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const model = await headscope.loadModel(resolve(folder));
  return { run: await model.run({ text: TEXT }), info: model.info, close: () => model.dispose() };
}

test("a Llama from the disk is drawn in every picture, and axe finds nothing wrong", async ({
  page,
}) => {
  const seen = watch(page);
  await opened(page, "");
  await expect(page.getByRole("heading", { name: "Decoder" })).toBeVisible();
  for (const [name, figure] of [
    ["Lines", "lines"],
    ["Dimensions", "dimensions"],
    ["Steps", "steps"],
    ["Positions", "positions"],
    ["Heatmap", "heatmap"],
  ] as const) {
    await page.getByRole("radio", { name, exact: true }).click();
    await expect(page.locator(`headscope-${figure}`)).toBeVisible();
    await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "false");
    if (figure === "positions")
      await expect(page.getByText("By what queries and keys are turned")).toBeVisible();
    expect(await findings(page), name).toEqual([]);
  }
  expect(seen).toEqual({ foreign: [], errors: [] });
});

test("every step of its block is a tensor of the run, by sums that give its numbers", async ({
  page,
}) => {
  const { run, info, close } = await sameRun();
  expect(info.stacks.decoder).toMatchObject({ heads: 4, kvHeads: 2, headDim: 10 });
  const steps = await run.steps(HEAD);
  const names = steps.map(({ step }) => step);
  expect(names).toEqual(
    expect.arrayContaining([
      "entered",
      "query-rotated",
      "key-rotated",
      "ff-linear",
      "ff-gated",
      "final",
    ]),
  );
  await opened(page, "&picture=steps&number=input.2-3");
  const slider = panel(page).getByRole("slider", { name: "Step" });
  for (const [at, { step, tensor }] of steps.entries()) {
    await slider.fill(String(at + 1));
    const number = new RegExp(`number=${step}\\.(\\d+)-(\\d+)`);
    await expect(page).toHaveURL(number);
    const [, row = "", column = ""] = number.exec(page.url()) ?? [];
    const [i, j] = [Number(row) - 1, Number(column) - 1];
    const cell = tensor.data[i * (tensor.shape[1] ?? 0) + j] ?? NaN;
    await expect
      .poll(async () => shownNumber((await value(page).textContent()) ?? ""), step)
      .toBeCloseTo(cell, 2);
    const { operation, lines } = await run.explain({ ...HEAD, step, row: i, column: j });
    const [first, second] = lines.map(({ values }) => values);
    if (operation.kind === "rotation") {
      await expect(panel(page)).toHaveAttribute("aria-busy", "false");
      const shown = (await panel(page).locator("[data-amount]").allTextContents()).map(shownNumber);
      expect(shown.reduce((sum, term) => sum + term, 0)).toBeCloseTo(cell, 2);
      expect(
        (first?.[0] ?? NaN) * operation.cosine + (second?.[0] ?? NaN) * operation.sine,
      ).toBeCloseTo(cell, 5);
    }
    if (operation.kind === "rmsNorm") {
      const root = Math.sqrt(operation.meanSquare + operation.epsilon);
      expect(((first?.[operation.term] ?? NaN) / root) * operation.gain).toBeCloseTo(cell, 5);
      await expect(
        panel(page).getByRole("rowheader", { name: "mean of the row’s squares" }),
      ).toBeVisible();
    }
  }
  // The head looks through keys that it shares with the one before it.
  const [own, other] = await Promise.all(
    [2, 3].map((head) => run.qkv({ ...HEAD, head, part: "key" })),
  );
  expect(Array.from(own?.data ?? [])).toEqual(Array.from(other?.data ?? []));
  const [turned, plain] = await Promise.all(
    [true, false].map((rotated) => run.qkv({ ...HEAD, part: "query", rotated })),
  );
  const [width = 0] = [turned?.shape[1]];
  expect(Array.from(turned?.data.slice(0, width) ?? [])).toEqual(
    Array.from(plain?.data.slice(0, width) ?? []),
  );
  expect(Array.from(turned?.data ?? [])).not.toEqual(Array.from(plain?.data ?? []));
  close();
});

test("a number is traced through gate, rotation and norm to what was learnt", async ({ page }) => {
  await opened(page, "&picture=steps&number=ff-gated.3-2");
  const learnt = panel(page).getByText("Here the trace ends");
  const trail = panel(page).locator(".trail li");
  for (let step = 1; step <= 60 && !(await learnt.isVisible()); step += 1) {
    await panel(page).getByRole("button", { name: "Trace this number" }).click();
    await expect(trail).toHaveCount(step + 1);
    await expect(panel(page)).toHaveAttribute("aria-busy", "false");
  }
  await expect(learnt).toBeVisible();
  // Nothing is added for the position: the token's own number is all there is.
  await expect(panel(page).getByText(/token “/)).toBeVisible();
  await expect(panel(page).getByText(/^position /)).toHaveCount(0);
});

for (const [theme, width, lang] of [
  ["dark", 390, "zh-CN"],
  ["light", 390, "en"],
] as const) {
  test(`its steps stand on a phone: ${theme}, ${lang}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `${AT}&picture=steps&number=key-rotated.2-3&theme=${theme}&language=${lang}`,
    );
    await explorer.folder.setInputFiles(folder);
    await expect(value(page)).toBeVisible({ timeout: 30_000 });
    expect(await findings(page)).toEqual([]);
    expect(
      await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    ).toBe(0);
  });
}
