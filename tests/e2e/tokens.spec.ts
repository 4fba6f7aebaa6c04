import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, type Locator, type Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";
import { groupsOf, joinWeights, poolWeights, rowSums, sinkOf } from "../../www/reduce/index.js";
import { ExplorerPage, shownNumber, watch } from "./explorer-page.js";

/** Words of several pieces in each of the bundled models. */
const TEXT = "The photographer misunderstood the unbelievable architecture.";
const HEADS = {
  encoder: { model: "en-fr", stack: "encoder", layer: 1, head: 2 },
  cross: { model: "en-fr", stack: "cross", layer: 1, head: 4 },
} as const;

const addressOf = ({
  model,
  stack,
  layer,
  head,
}: {
  model: string;
  stack: string;
  layer: number;
  head: number;
}): string =>
  `#v=1&model=models/${model}&text=${encodeURIComponent(TEXT)}&stack=${stack}&layer=${layer + 1}&head=${head + 1}`;

/** The same engine outside the page, through the public package. */
async function runOf(name: string): Promise<{ run: Headscope.Run; model: Headscope.Model }> {
  const headscope = (await import(pathToFileURL("dist/npm/headscope.js").href)) as typeof Headscope;
  const model = await headscope.loadModel(resolve(`dist/site/models/${name}`));
  return { run: await model.run({ text: TEXT }), model };
}

const tokensOf = (
  run: Headscope.Run,
  stack: string,
): { queries: Headscope.Token[]; keys: Headscope.Token[] } => {
  const target = run.targetTokens.length > 0 ? run.targetTokens : run.tokens;
  return {
    queries: stack === "encoder" ? run.tokens : target,
    keys: stack === "decoder" ? target : run.tokens,
  };
};

const numbersOf = async (cells: Locator): Promise<number[]> =>
  (await cells.allTextContents()).map(shownNumber);
const together = (page: Page): Locator => page.locator("headscope-together-list");

/** The figure's own table, compared with numbers worked out from the run. */
async function expectTable(page: Page, expected: Float32Array): Promise<void> {
  await page.getByRole("button", { name: "Show the numbers" }).click();
  const cells = page.locator("headscope-heatmap td:not(.sum)");
  await expect(cells).toHaveCount(expected.length);
  (await numbersOf(cells)).forEach((value, at) =>
    expect(value).toBeCloseTo(expected[at] ?? NaN, 2),
  );
  const rows = await page.locator("headscope-heatmap tbody tr").count();
  const columns = expected.length / rows;
  const given = Array.from({ length: rows }, (_, row) =>
    expected.subarray(row * columns, (row + 1) * columns).reduce((sum, value) => sum + value, 0),
  );
  // The sums of rows are shown where one of them is not 1.
  const sums = page.locator("headscope-heatmap td.sum");
  await expect(sums).toHaveCount(given.some((sum) => Math.abs(sum - 1) > 1e-3) ? rows : 0);
  (await numbersOf(sums)).forEach((value, row) => expect(value).toBeCloseTo(given[row] ?? NaN, 2));
}

test("words, ordinary tokens and several tokens show sums and means of the weights of the run", async ({
  page,
}) => {
  const head = HEADS.cross;
  test.setTimeout(180_000);
  const seen = watch(page);
  const { run, model } = await runOf(head.model);
  const weights = await run.attention(head);
  const { queries, keys } = tokensOf(run, head.stack);
  const grouping = { byWord: true, ordinaryOnly: true, without: null };
  const [rows, columns] = [groupsOf(queries, grouping), groupsOf(keys, grouping)];
  expect(Math.max(...columns.map(({ length }) => length))).toBeGreaterThan(1);
  const explorer = new ExplorerPage(page);

  // Independent of the page's own sums: the plain definition.
  const words = Float32Array.from(
    rows.flatMap((pieces) =>
      columns.map(
        (others) =>
          pieces
            .flatMap((query) => others.map((key) => weights.data[query * keys.length + key] ?? NaN))
            .reduce((sum, value) => sum + value, 0) / pieces.length,
      ),
    ),
  );
  await explorer.open(`${addressOf(head)}&by=word&specials=hidden`);
  await expectTable(page, words);
  await expect(explorer.figure).toHaveAccessibleName(
    `Attention, weights: ${rows.length} queries by ${columns.length} keys`,
  );

  const [first, second] = [1, 3];
  for (const pool of ["sum", "mean"] as const) {
    await explorer.open(
      `${addressOf(head)}&picked=t${first + 1},${second + 1}${pool === "mean" ? ".mean" : ""}`,
    );
    const values = poolWeights(weights, "query", [first, second], pool).sort((a, b) => b - a);
    (await numbersOf(together(page).locator("headscope-bars .text"))).forEach((value, at) =>
      expect(value).toBeCloseTo(values[at] ?? NaN, 2),
    );
  }
  model.dispose();
  expect(seen).toEqual({ foreign: [], errors: [] });
});

test("an attention sink is explained, and without it the rest adds up to 1", async ({ page }) => {
  test.setTimeout(180_000);
  const head = { model: "tiny-gpt", stack: "decoder", layer: 2, head: 0 } as const;
  const { run, model } = await runOf(head.model);
  const [weights, mask] = await Promise.all([run.attention(head), run.mask(head)]);
  const sink = sinkOf(weights, mask, run.tokens);
  if (!sink) throw new Error("this head has no sink any more: choose another");
  const explorer = new ExplorerPage(page);
  await explorer.open(addressOf(head));
  const note = page.getByRole("complementary", { name: "Attention sink" });
  await expect(note).toContainText(`“start” takes ${Math.round(sink.share * 100)}%`);
  await note.getByRole("button", { name: "Renormalise without “start”" }).click();
  await expect(page).toHaveURL(/sink=out/);
  await expect(
    page.getByText("Renormalised without “start”: not the weights that the model uses."),
  ).toBeVisible();
  const alone = run.tokens.map((_, index) => [index]);
  const expected = joinWeights(
    weights,
    alone,
    alone.filter(([key]) => key !== sink.key),
    sink.key,
  );
  for (const sum of rowSums(expected))
    expect(Math.min(Math.abs(sum), Math.abs(sum - 1))).toBeLessThan(1e-5);
  await expectTable(page, expected.data);
  await expect(explorer.figure).toHaveAccessibleName(
    /^Attention, weights renormalised without “start”/,
  );
  // The stages before the softmax have no such thing.
  await explorer.stage("raw").check();
  await explorer.settle();
  await expect(note).toHaveCount(0);
  model.dispose();
});

test("tokens and words are picked and blocked, travel in a link, and Escape lets them go", async ({
  page,
}) => {
  test.setTimeout(120000);
  const explorer = new ExplorerPage(page);
  await explorer.open(addressOf(HEADS.encoder));
  const tokens = explorer.tokens("Tokens of your sentence");
  await tokens.nth(2).click({ modifiers: ["Shift"] });
  await tokens.nth(4).click({ modifiers: ["Shift"] });
  await expect(page).toHaveURL(/picked=s3,5/);
  await tokens.nth(6).focus();
  await page.keyboard.press("Shift+Enter");
  await expect(page).toHaveURL(/picked=s3,5,7/);
  await expect(tokens.nth(6)).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator("headscope-tokens").first().locator(".share")).toHaveCount(
    await tokens.count(),
  );
  await together(page).getByRole("radio", { name: "are looked at by" }).check();
  await together(page).getByRole("radio", { name: "mean" }).check();
  await expect(page).toHaveURL(/picked=s3,5,7.mean.to/);
  await page.reload();
  await explorer.settle();
  await expect(together(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(together(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/picked=/);
  await test.step("words with all their pieces", async () => {
    await test.step("blocked", async () => {
      const explorer = new ExplorerPage(page);
      await explorer.open(`${addressOf(HEADS.encoder)}&by=word&cell=1-2`);
      await explorer.figure.focus();
      await page.keyboard.press("b");
      await explorer.settle();
      // The first word has one piece, the second three.
      await expect(page).toHaveURL(
        /edits=.*'stack':'encoder','layers':\[1\],'heads':\[2\],'block':\[\[0,1\],\[0,2\],\[0,3\]/,
      );
      await expect(page.locator("headscope-heatmap [aria-live]")).toContainText("blocked by you");
    });
    await test.step("picked", async () => {
      const explorer = new ExplorerPage(page);
      await explorer.open(`#v=1&by=word&text=${encodeURIComponent(TEXT)}`);
      await page.getByRole("button", { name: "Pick several" }).click();
      const chips = explorer.tokens("Tokens of your sentence");
      await chips.nth(1).click();
      await expect(page).toHaveURL(/picked=s2&/);
      await expect(together(page)).toContainText("photographer");
      await chips.nth(2).click();
      await expect(page).not.toHaveURL(/picked/);
      await expect(together(page)).toHaveCount(0);
    });
    await test.step("bytes", async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      const explorer = new ExplorerPage(page);
      await explorer.open(
        `#v=1&model=models/tiny-gpt&stack=decoder&text=${encodeURIComponent("I love 👩‍👩‍👧 pizza!")}`,
      );
      const chips = explorer.tokens("Tokens of your sentence");
      await expect(chips.filter({ hasText: "⟨F0⟩" })).toHaveCount(3);
      const heights = await chips.evaluateAll((all) => all.map((chip) => chip.clientHeight));
      expect(Math.max(...heights)).toBe(Math.min(...heights));
    });
  });
});
