import { readFile } from "node:fs/promises";
import { expect, test, type Locator, type Page } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";

/** The worked example's output, to eight decimals. */
const OUTPUT = [
  [0.98522025, 1.74174051, 0.75652026],
  [0.90965265, 1.40965265, 0.5],
  [0.99851226, 1.75849334, 0.75998108],
  [0.99560386, 1.90407309, 0.90846923],
];

const bench = (page: Page): Locator => page.locator("headscope-numbers-bench");
const result = (page: Page, name: string): Locator =>
  bench(page).locator("headscope-worked-matrices").getByRole("grid", { name, exact: true });
const cell = (page: Page, name: string): Locator =>
  page.getByRole("textbox", { name, exact: true });

async function numbersOf(grid: Locator): Promise<number[][]> {
  const rows = grid.locator("tbody tr");
  await expect(rows.first()).toBeVisible();
  const texts = await Promise.all(
    (await rows.all()).map((row) => row.getByRole("gridcell").allTextContents()),
  );
  return texts.map((row) =>
    row.map((text) => Number(text.trim().replace("−∞", "-Infinity").replace("−", "-"))),
  );
}

async function open(page: Page, hash = "text=The+dog+bites."): Promise<ExplorerPage> {
  const explorer = new ExplorerPage(page);
  await explorer.open(`#v=1&${hash}&bench=numbers`);
  await expect(result(page, "context")).toBeVisible();
  return explorer;
}

test("workbench: the worked example comes out to eight decimals, numbers are typed, undone and shared", async ({
  page,
}) => {
  await open(page);
  await bench(page).getByRole("radio", { name: "8", exact: true }).check();
  expect(await numbersOf(result(page, "context"))).toEqual(OUTPUT);
  expect(await numbersOf(result(page, "raw scores"))).toEqual([
    [8, 2, 10, 2],
    [4, 0, 4, 0],
    [12, 2, 14, 2],
    [10, 4, 14, 3],
  ]);
  for (const row of await numbersOf(result(page, "weights")))
    expect(row.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 7);
  await result(page, "raw scores").getByRole("gridcell").nth(2).hover();
  await expect(bench(page).locator(".made")).toHaveText(
    /^\s*QKᵀ\s*1,3 = 2 · 2 \+ 0 · 4 \+ 2 · 3\s*= 10\s*$/,
  );
  await test.step("typing", async () => {
    await page.goto("about:blank");
    await open(page);
    await cell(page, "X, row 1, column 1").focus();
    await page.keyboard.type("0");
    await page.keyboard.press("ArrowRight");
    await expect(cell(page, "X, row 1, column 2")).toBeFocused();
    await expect(async () =>
      expect((await numbersOf(result(page, "queries")))[0]).toEqual([0, 0, 0]),
    ).toPass();
    await expect(page).toHaveURL(/numbers=/);
    await page.keyboard.type("half");
    await page.keyboard.press("Enter");
    await expect(cell(page, "X, row 2, column 2")).toBeFocused();
    await expect(page.getByText("“half” is no number")).toBeVisible();
    await expect(cell(page, "X, row 1, column 2")).toHaveValue("half");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Escape");
    await expect(cell(page, "X, row 1, column 2")).toHaveValue("0");
    await expect(page.getByText("“half” is no number")).toBeHidden();
    await page.reload();
    await expect(cell(page, "X, row 1, column 1")).toHaveValue("0");
    await bench(page).getByLabel("Start from").selectOption("two identical words");
    await expect(cell(page, "Name of word 1")).toHaveValue("same");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(cell(page, "X, row 1, column 1")).toHaveValue("0");
    await expect(cell(page, "Name of word 1")).toHaveValue("w₁");
  });
});

test("workbench: a mask, no √d and two heads; overflow and both projections are measured", async ({
  page,
}) => {
  await open(page);
  await bench(page).getByLabel("Mask", { exact: true }).selectOption("causal");
  await expect(async () =>
    expect((await numbersOf(result(page, "weights")))[0]).toEqual([1, 0, 0, 0]),
  ).toPass();
  expect((await numbersOf(result(page, "with the mask")))[0]).toEqual([
    expect.closeTo(4.619, 3),
    -Infinity,
    -Infinity,
    -Infinity,
  ]);
  await cell(page, "M, row 1, column 1").focus();
  await page.keyboard.press("Delete");
  await expect(async () =>
    expect((await numbersOf(result(page, "weights")))[0]).toEqual([0, 0, 0, 0]),
  ).toPass();
  await result(page, "weights").getByRole("gridcell").first().hover();
  await expect(bench(page).locator(".made")).toContainText("may look at nothing");
  await bench(page).getByRole("radio", { name: "nothing" }).check();
  await expect(async () =>
    expect(await numbersOf(result(page, "scaled scores"))).toEqual(
      await numbersOf(result(page, "raw scores")),
    ),
  ).toPass();
  await bench(page).getByLabel("Start from").selectOption("two heads");
  await expect(
    bench(page).getByText("Both give the same 48 numbers, to the last bit."),
  ).toBeVisible();
  await expect(result(page, "all heads side by side")).toBeVisible();
  const first = await numbersOf(result(page, "context"));
  await bench(page)
    .locator("headscope-worked-matrices")
    .getByRole("radio", { name: "2", exact: true })
    .check();
  await expect(async () =>
    expect(await numbersOf(result(page, "context"))).not.toEqual(first),
  ).toPass();
  const second = await numbersOf(result(page, "context"));
  expect(await numbersOf(result(page, "all heads side by side"))).toEqual(
    first.map((row, index) => [...row, ...(second[index] ?? [])]),
  );
  await test.step("projections", async () => {
    await page.goto("about:blank");
    await open(page);
    await bench(page).getByRole("button", { name: "Measure here" }).click();
    const rows = bench(page).locator("headscope-projection-lab tbody tr");
    await expect(rows).toHaveCount(2, { timeout: 30_000 });
    const [split = [], wide = []] = await Promise.all(
      (await rows.all()).map((row) => row.getByRole("cell").allTextContents()),
    );
    expect(split.slice(0, 2)).toEqual(["36", "24"]);
    expect(wide.slice(0, 2)).toEqual(split.slice(0, 2));
    for (const way of [split, wide]) expect(parseFloat(way[2] ?? "")).toBeGreaterThan(0);
    await expect(bench(page).getByText("Measured in this browser")).toContainText(
      "Both gave the same sum",
    );
  });
  await test.step("overflow", async () => {
    await page.goto("about:blank");
    await open(page);
    const lab = bench(page).locator("headscope-overflow-lab");
    await expect(lab).toContainText(
      "These scores overflow f32 beyond × 10.98, f64 beyond × 87.81.",
    );
    const broken = lab.getByText("NaN", { exact: true });
    await expect(broken).toHaveCount(0);
    await lab.getByRole("slider").fill("110");
    await expect(
      lab.locator("[data-way=plainSingle]").getByText("NaN", { exact: true }).first(),
    ).toBeVisible();
    await expect(lab.locator("[data-way=plainDouble]")).toContainText("all finite");
    await lab.getByRole("slider").fill("200");
    await expect(
      lab.locator("[data-way=plainDouble]").getByText("NaN", { exact: true }).first(),
    ).toBeVisible();
    for (const way of ["shiftedSingle", "shiftedDouble"])
      await expect(lab.locator(`[data-way=${way}]`)).toContainText("all finite");
  });
});

test("workbench: CSV and npy files go out and come in, a table is pasted, and what does not fit is refused", async ({
  page,
}) => {
  await open(page);
  const names: string[] = [];
  const saved = async (name: string): Promise<Buffer> => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name, exact: true }).click();
    names.push((await download).suggestedFilename());
    return readFile(await (await download).path());
  };
  const csv = await saved("Save X as csv");
  const npy = await saved("Save W_Q as npy");
  await saved("Save Q as npy");
  expect(names).toEqual([
    "headscope_workbench_x.csv",
    "headscope_workbench_w_query.npy",
    "headscope_workbench_query.npy",
  ]);
  expect(csv.toString()).toContain("w₃,1,1,0");
  await bench(page).getByLabel("Start from").selectOption("two heads");
  const into = (name: string): Locator =>
    page.locator(`input[type=file][aria-label="A CSV or .npy file for ${name}"]`);
  await into("W_Q").setInputFiles({
    name: "q.npy",
    mimeType: "application/octet-stream",
    buffer: npy,
  });
  await expect(
    bench(page).getByText("W_Q is 3 × 3, but needs 4 rows to go with the others."),
  ).toBeVisible();
  await expect(cell(page, "W_Q, row 1, column 3")).toHaveValue("2");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await into("X").setInputFiles({ name: "x.csv", mimeType: "text/csv", buffer: csv });
  await expect(cell(page, "Name of word 3")).toHaveValue("w₃");
  await into("X").setInputFiles({
    name: "x.npy",
    mimeType: "application/octet-stream",
    buffer: Buffer.from("no such thing"),
  });
  await expect(bench(page).getByText("x.npy: This is no .npy file.")).toBeVisible();
  await expect(cell(page, "X, row 1, column 1")).toHaveValue("1");
  await test.step("tables of other programs", async () => {
    await page.goto("about:blank");
    await open(page);
    const into = page.locator('input[type=file][aria-label="A CSV or .npy file for X"]');
    const read = (text: string): Promise<void> =>
      into.setInputFiles({ name: "x.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await read(",0,1,2\nw1,1,2,3\nw2,4,5,6\nw3,7,8,9\nw4,1,1,1\n");
    await expect(cell(page, "Name of word 4")).toHaveValue("w4");
    await expect(cell(page, "X, row 1, column 3")).toHaveValue("3");
    await read("NaN,NaN,NaN\n1,2,3\n4,5,6\n7,8,9\n");
    await expect(
      bench(page).getByText("x.csv: “NaN” is no number that can be used here."),
    ).toBeVisible();
    await expect(cell(page, "X, row 1, column 3")).toHaveValue("3");
  });
  await test.step("pasted", async () => {
    await page.goto("about:blank");
    await open(page);
    await cell(page, "W_V, row 1, column 1").focus();
    await page.evaluate(() => {
      const deepest = (root: Document | ShadowRoot): Element | null =>
        root.activeElement?.shadowRoot
          ? deepest(root.activeElement.shadowRoot)
          : root.activeElement;
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "0,5\t−1\n2\t3");
      deepest(document)?.dispatchEvent(
        new ClipboardEvent("paste", {
          clipboardData,
          bubbles: true,
          composed: true,
          cancelable: true,
        }),
      );
    });
    await expect(cell(page, "W_V, row 1, column 1")).toHaveValue("0.5");
    await expect(cell(page, "W_V, row 1, column 2")).toHaveValue("−1");
    await expect(cell(page, "W_V, row 2, column 2")).toHaveValue("3");
    await expect(async () =>
      expect((await numbersOf(result(page, "values")))[0]).toEqual([0.5, -1, 0]),
    ).toPass();
  });
});

test("workbench: every matrix has a link and an embed code, and needs no model", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page);
  await bench(page).getByLabel("Start from").selectOption("two heads");
  const worked = bench(page).locator("headscope-worked-matrices");
  await worked.getByRole("radio", { name: "2", exact: true }).first().check({ force: true });
  await worked.getByRole("radio", { name: "8", exact: true }).check({ force: true });
  const matrices =
    (await worked.getByRole("grid").count()) +
    (await bench(page).locator("headscope-brought-matrix").count());
  expect(
    await bench(page)
      .locator("headscope-worked-matrices, headscope-brought-matrix")
      .getByRole("button", { name: /^Copy link: / })
      .count(),
  ).toBe(matrices);
  const shown = await numbersOf(result(page, "weights"));
  await worked.getByRole("button", { name: "Copy link: A", exact: true }).click();
  await expect(worked.getByText("Link copied")).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await bench(page).getByRole("button", { name: "Copy embed code: X", exact: true }).click();
  await expect(bench(page).locator("headscope-brought-matrix").getByText("Copied.")).toBeVisible();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toMatch(/<head-scope [^>]*bench="numbers"[^>]*labs="[^"]*numbers\(head-2\)/);
  await page.goto("about:blank");
  await page.route("**/models/**", (route) => route.abort());
  await page.goto(link);
  await expect(result(page, "context")).toBeVisible();
  expect(await numbersOf(result(page, "weights"))).toEqual(shown);
  await expect(worked.getByRole("radio", { name: "8", exact: true })).toBeChecked();
});

test("workbench: a head of the model is taken there, and comes to the weights of the model", async ({
  page,
}) => {
  await open(page, "text=The+dog+bites+the+man.&stack=encoder&layer=1&head=2");
  const part = page.locator("headscope-from-model");
  await part.getByRole("button").click();
  await expect(part).toContainText("the biases");
  const residue = part.locator("[data-residue]");
  await expect(residue).toContainText("The weights below are the model’s");
  expect(Number(await residue.getAttribute("data-residue"))).toBeLessThan(1e-5);
  await test.step("not under another kind of attention", async () => {
    await open(
      page,
      "model=models/tiny-gpt&text=The+dog+sees+the+cat&edits={'positions':[{'stack':'decoder','scheme':'alibi'}]}",
    );
    await part.getByRole("button").click();
    await expect(part).toContainText("The weights below are not the model’s");
  });
});
