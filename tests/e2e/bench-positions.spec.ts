import { readFileSync } from "node:fs";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { ExplorerPage, shownNumber } from "./explorer-page.js";
import { npyFile } from "./files.js";

const BERT = "#v=1&model=models/tiny-bert&text=The+dog+sees+the+cat.&bench=positions";

test("positions: without them another order of the tokens only permutes the output, and heads that break are listed", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(BERT);
  await page.locator("headscope-positions-bench #scheme").selectOption("none");
  await explorer.settle();
  await expect(explorer.chips).toHaveText([/Encoder, positions: none/]);
  await page.getByRole("button", { name: "Measure" }).click();
  const heads = page.locator("headscope-broken-heads");
  await expect(heads.locator("[data-residue]")).toContainText(
    "permutes the output and nothing else",
    { timeout: 30_000 },
  );
  const first = heads.locator("li button").first();
  const [, layer, head] = /Layer (\d+) · head (\d+)/.exec((await first.textContent()) ?? "") ?? [];
  await first.click();
  await explorer.settle();
  await expect(explorer.headTitle).toContainText(`Layer ${layer} · head ${head}`);
  await test.step("a causal mask still knows the order", async () => {
    await explorer.open(
      "#v=1&model=models/tiny-gpt&text=The+dog+sees+the+cat&bench=positions&edits={'positions':[{'stack':'decoder','scheme':'none'}]}",
    );
    await page.getByRole("button", { name: "Measure" }).click();
    await expect(heads.locator("[data-residue]")).toContainText(
      "A causal mask still knows the order",
      { timeout: 30_000 },
    );
  });
});

test("positions: tokens are moved by keyboard and pointer; the text stays, a link and undo have the order", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(BERT);
  const tokens = page.locator("headscope-order-strip [data-token]");
  const order = async (): Promise<string[]> =>
    (await tokens.allTextContents()).map((text) => text.trim());
  const before = await order();
  await tokens.nth(1).focus();
  await page.keyboard.press("ArrowRight");
  await explorer.settle();
  expect((await order()).slice(1, 3)).toEqual([before[2], before[1]]);
  await expect(tokens.nth(2)).toBeFocused();
  await expect(explorer.chips).toHaveText([/other order/]);
  await expect(page).toHaveURL(/edits=\{'positions':\[\{'stack':'encoder','order':\[0,2,1[,\]]/);
  const [from, to] = [await tokens.nth(4).boundingBox(), await tokens.nth(0).boundingBox()];
  if (!from || !to) throw new Error("no tokens");
  const dragged = (await order())[4];
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 6 });
  await page.mouse.up();
  await explorer.settle();
  expect((await order())[0]).toBe(dragged);
  await expect(explorer.sentence).toHaveValue("The dog sees the cat.");
  const moved = await order();
  await page.reload();
  await explorer.settle();
  expect(await order()).toEqual(moved);
  await page.getByRole("button", { name: "Back to the order of the text" }).click();
  await explorer.settle();
  expect(await order()).toEqual(before);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await explorer.settle();
  expect(await order()).toEqual(moved);
});

const lab = (page: Page): Locator => page.locator("headscope-position-lab");

/** Each scheme's part of the experiment, the demo that it is, and a figure of it. */
const SCHEMES = [
  ["Learned", "learned", "headscope-numbers"],
  ["Rotary", "rotary", "[data-row=here]"],
  ["ALiBi", "alibi", "[data-row]"],
  ["T5", "buckets", "headscope-numbers"],
  ["Transformer-XL", "terms", "headscope-numbers >> nth=4"],
] as const;

test("positions: the experiment has every scheme, without a text too; its figures follow their settings and are saved", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&model=models/tiny-bert&text=&bench=positions");
  await lab(page).locator("summary").press("Enter");
  const put = async (name: string, value: string): Promise<void> => {
    const field = lab(page).getByRole("spinbutton", { name, exact: true });
    await field.fill(value);
    await field.press("Enter");
  };
  await put("dimensions d", "16");
  await put("positions", "20");
  await put("base b", "100");
  const table = lab(page).locator("headscope-positions");
  await expect(table.getByRole("application")).toHaveAccessibleName(
    /20 positions by 16 dimensions/,
  );
  await table.getByRole("application").focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  const reading = /Position (\d+), dimension (\d+): \+?(\S+)/;
  await expect(table.locator(".reading")).toHaveText(reading);
  const [, position, dimension, value = ""] =
    reading.exec((await table.locator(".reading").textContent()) ?? "") ?? [];
  const at = Number(dimension) - 1;
  const angle = (Number(position) - 1) / 100 ** ((2 * Math.floor(at / 2)) / 16);
  expect(shownNumber(value)).toBeCloseTo(at % 2 ? Math.cos(angle) : Math.sin(angle), 2);
  const saving = lab(page)
    .locator("headscope-save-figure")
    .filter({ has: page.locator("headscope-positions") });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    saving.getByText(".npy", { exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/sinusoidal.*16/);
  expect(npyFile(readFileSync(await download.path())).shape).toEqual([20, 16]);

  for (const [name, demo, figure] of SCHEMES) {
    await test.step(name, async () => {
      await lab(page).getByRole("radio", { name }).check({ force: true });
      await expect(page.locator(`headscope-demo[name=${demo}] ${figure}`).first()).toBeVisible({
        timeout: 30_000,
      });
    });
  }
  await test.step("rotary vectors are moved by a slider and by a button that stops", async () => {
    await lab(page).getByRole("radio", { name: "Rotary" }).check({ force: true });
    const rotary = page.locator("headscope-demo[name=rotary]");
    const shift = rotary.locator("#shift").getByRole("slider");
    await shift.focus();
    await page.keyboard.press("ArrowRight");
    await expect(rotary.locator("[data-row=shifted] th")).toHaveText("at m = 30, n = 25");
    await rotary.getByRole("button", { name: "Move both on" }).click();
    await expect.poll(async () => Number(await shift.inputValue())).toBeGreaterThan(23);
    await rotary.getByRole("button", { name: "Stop" }).click();
    // Where nothing may move there is no such button.
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.reload();
    await expect(rotary.locator("[data-pair]").first()).toBeVisible({ timeout: 30_000 });
    await expect(rotary.locator("#play")).toHaveCount(0);
  });
});

test("positions: the loss beyond the trained lengths is read for the chosen schemes, and can be stopped", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&model=models/tiny-gpt&text=The+dog+sees+the+cat&bench=positions&labs=lengths(schemes-none.alibi)",
  );
  const loss = page.locator("headscope-length-lab");
  await loss.locator("#go").press("Enter");
  await expect(loss.getByRole("progressbar")).toBeVisible();
  await loss.locator("#stop").press("Enter");
  await expect(loss.locator("#go")).toBeVisible();
  for (const toggle of await loss.locator("[data-scheme]").all()) {
    const wanted = ["model", "alibi"].includes((await toggle.getAttribute("data-scheme")) ?? "");
    if ((await toggle.getAttribute("aria-pressed")) !== String(wanted)) await toggle.click();
  }
  await loss.locator("#go").click();
  await expect(loss.locator("[data-line=alibi]")).toBeVisible({ timeout: 60_000 });
  await expect(loss.locator("#go")).toBeVisible({ timeout: 60_000 });
  await loss.getByRole("radio", { name: "each token" }).check();
  await expect(loss).toContainText("Positions end at 256 under the model’s own.");
  const lengths = await loss
    .locator("headscope-curves")
    .evaluate((figure) =>
      ("lines" in figure ? (figure.lines as { points: object[] }[]) : []).map(
        ({ points }) => points.length,
      ),
    );
  expect(lengths).toContain(256);
  expect(lengths).toContain(512);
});
