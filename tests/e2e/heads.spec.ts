// Heads: chosen, sorted, measured, and the numbers of the one that is shown.
import { expect, runOf, test } from "./page.js";

const SENTENCE = "My sister doesn't like milk.";
const STATE = `text=${encodeURIComponent(SENTENCE)}`;
const named = (one: { layer: number; head: number } | undefined): RegExp =>
  new RegExp(`^Layer ${(one?.layer ?? NaN) + 1}, head ${(one?.head ?? NaN) + 1}: `);

test("heads are chosen by mouse, arrows and letters", async ({ page, explorer }) => {
  await explorer.open(`${STATE}&layer=1&head=1`);
  await explorer.head(3, 5).click();
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 5");
  await explorer.keys("ArrowLeft", "ArrowUp", "Enter");
  await expect(explorer.headTitle).toHaveText("Layer 2 · head 4");
  await explorer.figure.focus();
  await explorer.keys("]", ".", "]");
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 5");
  await explorer.head(1, 2).hover();
  await expect(explorer.headTitle).toHaveText("Layer 1 · head 2");
  await page.mouse.move(0, 0);
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 5");
});

test("each stack and stage shows the numbers of the run", async ({ explorer }) => {
  await explorer.open(STATE);
  const source = await explorer.tokens.count();
  const target = await explorer.targetTokens.count();
  for (const [name, queries, keys] of [
    ["Encoder", source, source],
    ["Decoder", target, target],
    ["Cross-attention", target, source],
  ] as const) {
    await explorer.choose(name);
    await expect(explorer.figure).toHaveAccessibleName(
      `Attention, weights: ${queries} queries by ${keys} keys`,
    );
  }
  await explorer.open(`${STATE}&layer=2&head=6&cell=3-2`);
  await runOf("en-fr", { text: SENTENCE }, async (run) => {
    await expect(explorer.translation).toHaveValue(run.targetText);
    for (const stage of ["raw", "scores", "masked", "weights"] as const) {
      await explorer.choose(stage);
      const { data, shape } = await run.attention({ stack: "cross", layer: 1, head: 5, stage });
      const shown = (await explorer.table()).flat();
      expect(shown).toHaveLength(data.length);
      for (const [at, number] of shown.entries()) expect(number).toBeCloseTo(data[at] ?? NaN, 2);
      if (stage !== "masked")
        expect(await explorer.inspectedNumber(stage)).toBeCloseTo(
          data[2 * (shape[1] ?? 0) + 1] ?? NaN,
          2,
        );
    }
  });
});

test("a pair is inspected, locked and released", async ({ page, explorer }) => {
  await explorer.open(STATE);
  const pair = explorer.inspector.locator(".pair");
  await explorer.figure.click();
  await expect(page).toHaveURL(/cell=/);
  await explorer.figure.focus();
  await explorer.keys("ArrowDown");
  const read = (await pair.textContent()) ?? "";
  await explorer.keys("Enter");
  await explorer.sentence.focus();
  await page.mouse.move(0, 0);
  await expect(pair).toHaveText(read);
  await explorer.figure.focus();
  await explorer.keys("Escape");
  await expect(page).not.toHaveURL(/cell=/);
  const token = explorer.targetTokens.nth(2);
  await token.hover();
  await expect(pair.locator("bdi").first()).toHaveText((await token.textContent())?.trim() ?? "");
  await token.click();
  await expect(token).toHaveAttribute("aria-pressed", "true");
});

test("the grid is filtered, sorted and listed as a table", async ({ page, explorer }) => {
  const { scores, measures } = await runOf("tiny-gpt", { text: SENTENCE }, async (run, model) => ({
    scores: (model.notes?.roles.decoder ?? []).flatMap((heads, layer) =>
      heads.map((roles, head) => ({ layer, head, score: roles.previous ?? 0 })),
    ),
    measures: await run.measures({ stack: "decoder" }),
  }));
  const heads = page.locator("headscope-grid .head");
  await explorer.open(`${STATE}&model=models/tiny-gpt`);
  await expect(heads).toHaveCount(scores.length);
  await page.getByLabel("Sort by").selectOption("previous");
  const [best] = scores.toSorted((one, other) => other.score - one.score);
  await expect(heads.first()).toHaveAccessibleName(named(best));
  await page.getByLabel("Show").selectOption("previous");
  await expect(heads).toHaveCount(scores.filter(({ score }) => score >= 0.5).length);
  await page.getByLabel("Sort by").selectOption("entropy");
  await page.getByLabel("Show").selectOption("");
  const [sharpest, second] = measures.toSorted(
    (one, other) => (one.entropy ?? Infinity) - (other.entropy ?? Infinity),
  );
  await expect(heads.first()).toHaveAccessibleName(named(sharpest));
  await heads.first().focus();
  await explorer.keys("ArrowRight", "Enter");
  await expect(page).toHaveURL(new RegExp(`head=${(second?.head ?? NaN) + 1}&sort=entropy`));
  await explorer.open(`${STATE}&stack=encoder&layer=2&head=3`);
  await expect(page.locator("headscope-inspector .measures")).toContainText(
    /\d\.\d{3} nats = \d\.\d{3} bits/,
  );
  const like = page.locator("headscope-heads-panel .like").getByRole("button");
  await expect(like).toHaveCount(5);
  const place = /Layer \d+ · head \d+/.exec((await like.first().textContent()) ?? "")?.[0] ?? "";
  await like.first().click();
  await explorer.settle();
  await expect(explorer.headTitle).toHaveText(place);
  await explorer.button("Show the heads as a table").click();
  await expect(page.locator("headscope-grid tbody td").filter({ hasText: "nats" })).toHaveCount(24);
});
