import { expect, test, type Page } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";

const TEXT = "The+dog+sees+the+cat.";

async function copied(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

test("the link to a figure of the bench opens that figure, and its embed code shows it in another page", async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&model=models/tiny-bert&text=${TEXT}&bench=positions`);
  const lab = page.locator("headscope-position-lab");
  await lab.locator("summary").click();
  const waves = page.locator("headscope-demo[name=waves]");
  const put = async (id: string, value: string): Promise<void> => {
    const field = waves.locator(`#${id}`).getByRole("spinbutton");
    await field.fill(value);
    await field.press("Enter");
  };
  await put("dim", "24");
  await put("length", "20");
  await put("base", "500");
  const table = waves.locator("headscope-positions");
  const shape = (): Promise<number[]> =>
    table.evaluate(
      (element) => (element as unknown as { tensor: { shape: number[] } }).tensor.shape,
    );
  await expect.poll(shape).toEqual([20, 24]);
  const numbers = (): Promise<number[]> =>
    table.evaluate((element) => [
      ...(element as unknown as { tensor: { data: Float32Array } }).tensor.data,
    ]);
  const before = await numbers();
  const save = waves.locator("headscope-save-figure").first();
  await save.getByRole("button", { name: "Copy link" }).click();
  await expect(save.getByRole("status")).toHaveText("Link copied");
  const link = await copied(page);
  expect(decodeURIComponent(link)).toContain(
    "labs=places(open-yes)waves(dim-24,base-500,length-20)",
  );
  await save.getByRole("button", { name: "Copy embed code" }).click();
  await expect(save.getByRole("status")).toHaveText("Copied. Paste it into the HTML of a page.");
  const code = await copied(page);
  expect(code).toContain(
    'bench="positions" labs="places(open-yes)waves(dim-24,base-500,length-20)"></head-scope>',
  );

  await page.goto("about:blank");
  await page.goto(link);
  await expect.poll(shape).toEqual([20, 24]);
  expect(await numbers()).toEqual(before);

  await page.route("**/other.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><meta charset="utf-8">${code}`,
    }),
  );
  await page.goto(new URL("other.html", baseURL).href);
  await expect.poll(shape, { timeout: 30_000 }).toEqual([20, 24]);
  expect(await numbers()).toEqual(before);
});

test("a link that an experiment cannot meet is a notice with its code, and shows the nearest", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  const notice = page.locator("headscope-notices p", { hasText: "link/unread" });
  for (const [bench, labs, named, shown] of [
    // Of an experiment that is not open, with a setting that contradicts another one.
    [
      "masks",
      "waves(dim-NaN,base-5)alibi(heads-4,head-9)pad(text-.d800.)",
      ["labs: dim", "labs: head", "labs: text"],
      /labs=waves\(base-5\)alibi\(heads-4,head-4\)(&|$)/,
    ],
    ["positions", "places(open-yes)waves(dim-1e9,length-20)", ["labs: dim"], /waves\(length-20\)/],
    // Known once the text is.
    ["heads", "heads(room-ranking)effect(word-5000)", ["labs: word"], /effect\(word-\d\)/],
    ["masks", "kitchen(knife-1)", ["labs"], /bench=masks/],
  ] as const) {
    await test.step(labs, async () => {
      await page.goto("about:blank");
      await explorer.open(`#v=1&model=models/tiny-bert&text=${TEXT}&bench=${bench}&labs=${labs}`);
      for (const part of named) await expect(notice).toContainText(part);
      await expect.poll(() => decodeURIComponent(page.url())).toMatch(shown);
    });
  }
});

test("a link opens each part of the bench with its settings and the user's own text", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  for (const [bench, labs, shown] of [
    ["kinds", "scores(dim-100,seed-3)", "headscope-demo[name=scores] headscope-bars"],
    ["masks", "masks(open-cost)cost(of-memory)", "headscope-demo[name=cost] headscope-curves"],
    ["heads", "heads(room-stream)stream(of-deviation)", "headscope-stream headscope-numbers"],
    [
      "positions",
      "places(open-yes,part-alibi)alibi(heads-12)",
      "headscope-demo[name=alibi] [data-row] >> nth=11",
    ],
  ] as const) {
    await explorer.open(`#v=1&model=models/tiny-bert&text=${TEXT}&bench=${bench}&labs=${labs}`);
    await expect(page.locator(shown).first()).toBeVisible({ timeout: 30_000 });
    await expect(page.locator("headscope-notices p")).toHaveCount(0);
    expect(decodeURIComponent(page.url())).toContain(labs);
  }
  const own = "Don’t (stop), 狗 100%";
  const field = page.locator("headscope-demo[name=pad] input");
  await explorer.open(`#v=1&model=models/tiny-bert&text=${TEXT}&bench=masks&labs=masks(open-pad)`);
  await field.fill(own);
  await expect(page).toHaveURL(/text-Don\.2019\.t/);
  const link = page.url();
  await page.goto("about:blank");
  await page.goto(link);
  await explorer.settle();
  await expect(field).toHaveValue(own);
});
