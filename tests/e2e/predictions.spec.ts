import { expect, test } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";

test("a decoder continues the text, a candidate is added by a click, and edits change the candidates", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&model=models/tiny-gpt&text=The+dog");
  const area = page.locator("headscope-continuation-area");
  await expect(area.locator(".written")).not.toBeEmpty();
  const candidates = area.getByRole("button");
  await expect(candidates).toHaveCount(5);
  const written = (await area.locator(".written").textContent()) ?? "";
  const first = (await candidates.first().locator("bdi").textContent()) ?? "";
  expect(written.startsWith(first)).toBe(true);
  const tokens = await explorer.tokens("Tokens of your sentence").count();
  await candidates.first().click();
  await explorer.settle();
  // A text that grows is computed from its old end on.
  const executed = await page
    .locator("headscope-page-footer")
    .evaluate(
      (footer: HTMLElement & { executed: { reusedTokens: number } | null }) => footer.executed,
    );
  expect(executed?.reusedTokens).toBeGreaterThanOrEqual(tokens);
  await expect(explorer.sentence).toHaveValue(
    new RegExp(`^The dog ?${first.replaceAll(/[^\p{L}]/gu, ".")}$`, "u"),
  );
  await expect(area.locator(".written")).not.toHaveText(written);
  await test.step("after any token", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&model=models/tiny-gpt&text=The+dog+and+the&cell=3-1");
    const beliefs = page.locator("headscope-predictions headscope-bars");
    await expect(beliefs.getByRole("heading")).toHaveText("What the model would write after “dog”");
    const before = await beliefs.locator(".text").allTextContents();
    expect(before).toHaveLength(5);
    const candidates = page.locator("headscope-continuation-area small");
    const shares = await candidates.allTextContents();
    await page.evaluate(
      () =>
        (location.hash =
          "#v=1&model=models/tiny-gpt&text=The+dog+and+the&cell=3-1&edits={'heads':[{'stack':'decoder','gate':0}]}"),
    );
    await explorer.settle();
    await expect.poll(() => candidates.allTextContents()).not.toEqual(shares);
    expect(await beliefs.locator(".text").allTextContents()).not.toEqual(before);
  });
});

const ADDRESS = "#v=1&model=models/tiny-bert&text=The+dog+and+the+cat+drink+milk.";

test("a masked token is predicted, restored, and carried by a link; special tokens are not masked", async ({
  page,
  context,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(ADDRESS);
  const predictions = page.locator("headscope-predictions");
  await expect(predictions).toContainText("Hide a token of the sentence");
  const dog = explorer.tokens("Tokens of your sentence").nth(2);
  await expect(dog).toHaveText("dog");
  await dog.click();
  await explorer.settle();
  await expect(dog).toHaveAccessibleName("dog, hidden from the model");
  await expect(page).toHaveURL(/hidden=3/);
  await expect(predictions.getByRole("heading")).toHaveText(
    "What the model would put in place of “dog”",
  );
  await expect(predictions.getByRole("listitem")).toHaveCount(5);
  await expect(predictions).toContainText(/The true one, “dog”, has [<\d]/);
  await dog.click();
  await explorer.settle();
  await expect(dog).toHaveAttribute("aria-pressed", "false");
  await expect(page).not.toHaveURL(/hidden=/);
  await page.keyboard.press("Control+z");
  await explorer.settle();
  await expect(dog).toHaveAttribute("aria-pressed", "true");
  await test.step("several masked tokens", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open(ADDRESS);
    const tokens = explorer.tokens("Tokens of your sentence");
    await tokens.nth(2).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    await explorer.settle();
    await expect(page).toHaveURL(/hidden=3,6/);
    await expect(page.locator("headscope-predictions").getByRole("heading")).toContainText("cat");
    const other = new ExplorerPage(await context.newPage());
    await other.open(new URL(page.url()).hash);
    await expect(other.page.locator("headscope-tokens .hidden")).toHaveText(["dog", "cat"]);
    await other.sentence.press("Home");
    await other.sentence.pressSequentially("So ");
    await other.settle();
    await expect(other.page.locator("headscope-tokens .hidden")).toHaveText(["dog", "cat"]);
  });
  await test.step("special tokens", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open(ADDRESS);
    await explorer.tokens("Tokens of your sentence").first().click();
    await explorer.settle();
    await expect(page.locator("headscope-tokens .hidden")).toHaveCount(0);
    await expect(page).toHaveURL(/cell=1-/);
  });
});
