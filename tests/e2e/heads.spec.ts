// Heads: chosen, sorted, measured, and the numbers of the one that is shown.
import { expect, test } from "./page.js";

const SENTENCE = "My sister doesn't like milk.";
const STATE = `text=${encodeURIComponent(SENTENCE)}`;

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

test("each stack and stage of a head is shown", async ({ explorer }) => {
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
  await expect(explorer.radio("masked")).toHaveCount(0);
  await explorer.choose("Decoder");
  for (const stage of ["raw", "scores", "masked", "weights"]) {
    await explorer.choose(stage);
    await expect(explorer.figure).toHaveAccessibleName(new RegExp(`^Attention, ${stage}: `));
  }
});

test("a pair is inspected, locked and released", async ({ page, explorer }) => {
  await explorer.open(STATE);
  const pair = explorer.inspector.locator(".pair");
  await explorer.figure.click();
  await expect(page).toHaveURL(/cell=/);
  await explorer.figure.focus();
  const clicked = (await pair.textContent()) ?? "";
  await explorer.keys("ArrowDown");
  await expect(pair).not.toHaveText(clicked);
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
  const heads = page.locator("headscope-grid .head");
  await explorer.open(`${STATE}&model=models/tiny-gpt`);
  const before = await heads.count();
  await page.getByLabel("Show").selectOption("previous");
  await expect(heads).not.toHaveCount(before);
  await page.getByLabel("Sort by").selectOption("entropy");
  await page.getByLabel("Show").selectOption("");
  await expect(heads).toHaveCount(before);
  const second = /layer (\d+), head (\d+)/i.exec(
    (await heads.nth(1).getAttribute("aria-label")) ?? "",
  );
  await heads.first().focus();
  await explorer.keys("ArrowRight", "Enter");
  await expect(page).toHaveURL(new RegExp(`layer=${second?.[1]}&head=${second?.[2]}&sort=entropy`));
  await explorer.open(`${STATE}&stack=encoder&layer=2&head=3`);
  await expect(page.locator("headscope-inspector .measures")).toContainText(
    /\d\.\d{3} nats = \d\.\d{3} bits/,
  );
  await explorer.inspector.getByText("Singular values", { exact: true }).click();
  const spectra = explorer.inspector.locator("headscope-spectrum svg");
  await expect(spectra).toHaveCount(2);
  await spectra.first().scrollIntoViewIfNeeded();
  await expect(spectra.first()).toBeInViewport();
  await page.locator("headscope-heads-panel .like > summary").click();
  const like = page.locator("headscope-heads-panel .like").getByRole("button");
  await expect(like).toHaveCount(5);
  const place = /Layer \d+ · head \d+/.exec((await like.first().textContent()) ?? "")?.[0] ?? "";
  await like.first().click();
  await explorer.settle();
  await expect(explorer.headTitle).toHaveText(place);
  await explorer.button("Show the heads as a table").click();
  await expect(page.locator("headscope-grid tbody td").filter({ hasText: "nats" })).toHaveCount(24);
});
