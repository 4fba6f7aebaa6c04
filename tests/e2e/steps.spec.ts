import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, type Locator, type Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { ExplorerPage, shownNumber } from "./explorer-page.js";

const HEADS = {
  cross: {
    model: "en-fr",
    text: "My sister doesn't like milk.",
    stack: "cross",
    layer: 1,
    head: 5,
  },
  decoder: { model: "tiny-gpt", text: "The dog and the cat", stack: "decoder", layer: 1, head: 2 },
} as const;
type Head = (typeof HEADS)[keyof typeof HEADS];

const addressOf = ({ model, text, stack, layer, head }: Head, more = ""): string =>
  `#v=1&model=models/${model}&text=${encodeURIComponent(text)}&stack=${stack}&layer=${layer + 1}&head=${head + 1}&picture=steps${more}`;

/** The same engine outside the page, through the public package. */
async function runOf({ model: name, text }: Pick<Head, "model" | "text">): Promise<{
  run: Headscope.Run;
  close: () => void;
}> {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const model = await headscope.loadModel(resolve(`dist/site/models/${name}`));
  return { run: await model.run({ text }), close: () => model.dispose() };
}

const panel = (page: Page): Locator => page.locator("headscope-steps-panel");
const strip = (page: Page): Locator => panel(page).getByRole("application");
const value = (page: Page): Locator => panel(page).locator("[data-value]");

async function open(page: Page, address: string): Promise<ExplorerPage> {
  const explorer = new ExplorerPage(page);
  await page.goto(`./${address}`);
  await settle(page);
  return explorer;
}

async function settle(page: Page): Promise<void> {
  await expect(panel(page)).toBeVisible({ timeout: 30_000 });
  await expect(value(page)).toBeVisible();
  await expect(page.getByRole("main")).toHaveAttribute("aria-busy", "false");
  await expect(panel(page)).toHaveAttribute("aria-busy", "false");
}

test("each step is a tensor of the run, and its sum gives its number", async ({ page }) => {
  const head = HEADS.cross;
  const { run, close } = await runOf(head);
  const { stack, layer, head: index } = head;
  const steps = await run.steps({ stack, layer, head: index });
  await open(page, addressOf(head, "&number=input.2-3"));
  await expect(strip(page)).toHaveAccessibleName(
    new RegExp(`: ${steps.length} matrices of ${steps[0]?.tensor.shape[0]} tokens`),
  );
  const slider = panel(page).getByRole("slider", { name: "Step" });
  for (const [at, { step, tensor }] of steps.entries()) {
    await slider.fill(String(at + 1));
    const number = new RegExp(`number=${step}\\.(\\d+)-(\\d+)`);
    await expect(page).toHaveURL(number);
    await settle(page);
    const [, row = "", column = ""] = number.exec(page.url()) ?? [];
    const cell =
      tensor.data[(Number(row) - 1) * (tensor.shape[1] ?? 0) + Number(column) - 1] ?? NaN;
    await expect
      .poll(async () => shownNumber((await value(page).textContent()) ?? ""))
      .toBeCloseTo(cell, 2);
    const shown = await panel(page).locator("[data-amount]").allTextContents();
    const { operation } = await run.explain({
      stack,
      layer,
      head: index,
      step,
      row: Number(row) - 1,
      column: Number(column) - 1,
    });
    if (operation.kind === "add")
      expect(shown.map(shownNumber).reduce((sum, term) => sum + term, 0)).toBeCloseTo(cell, 2);
  }
  const last = steps.at(-1)?.tensor.data ?? new Float32Array();
  const hidden = await run.hidden({
    stack: "decoder",
    layer: layer + 1,
  });
  expect(Array.from(last)).toEqual(Array.from(hidden.data));
  close();
});

test("a number is traced back, block by block, to a learned weight, and Escape leads back", async ({
  page,
}) => {
  await open(page, addressOf(HEADS.decoder, "&number=attended.2-3"));
  const before = (await value(page).textContent()) ?? "";
  const trace = panel(page).getByRole("button", { name: "Trace this number" });
  const learnt = panel(page).getByText("Here the trace ends");
  for (let step = 1; step <= 80 && !(await learnt.isVisible()); step += 1) {
    await trace.click();
    await expect(panel(page).locator(".trail li")).toHaveCount(step + 1);
    await settle(page);
  }
  await expect(learnt).toBeVisible();
  await expect(page).toHaveURL(/number=(input|embedded)\./);
  await expect(panel(page).getByText(/token “/)).toBeVisible();
  await panel(page).locator(".trail button").first().click();
  await settle(page);
  await expect(value(page)).toHaveText(before);
  await strip(page).focus();
  await page.keyboard.press("t");
  await expect(panel(page).locator(".trail li")).toHaveCount(2);
  await settle(page);
  await strip(page).focus();
  await page.keyboard.press("Escape");
  await expect(panel(page).locator(".trail")).toHaveCount(0);
  await expect(value(page)).toHaveText(before);
});

test("the strip is played and walked by keys, a number is explained under the pointer and held by a click", async ({
  page,
}) => {
  await open(page, addressOf(HEADS.decoder, "&number=input.1-1"));
  await panel(page).getByRole("button", { name: "Play" }).click();
  await expect(page).toHaveURL(/number=(entered|query)\./);
  await panel(page).getByRole("button", { name: "Pause" }).click();
  await strip(page).focus();
  await page.keyboard.press(".");
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/number=(query|key)\.1-\d+/);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload();
  await settle(page);
  await expect(panel(page).getByRole("button", { name: "Play" })).toHaveCount(0);
  await test.step("pointer", async () => {
    await open(page, addressOf(HEADS.decoder, "&number=input.1-1"));
    const box = await panel(page).locator("canvas.marks").boundingBox();
    if (!box) throw new Error("nothing is drawn");
    await page.mouse.move(box.x + 150, box.y + 90);
    await expect(panel(page).locator("headscope-sum .name")).toHaveText(
      /^X: .+, column (?!1$)\d+$/,
    );
    await page.mouse.click(box.x + 150, box.y + 90);
    await expect(page).toHaveURL(/number=input\.\d+-\d+/);
    await expect(page).not.toHaveURL(/number=input\.1-1$/);
  });
});
