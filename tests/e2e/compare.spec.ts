// Two runs side by side: another sentence, the original, another model.
import { BITES, expect, NOTHING, test, watch, type Locator, type Page } from "./page.js";

const PAIR = `${BITES}&compare=other&other=The+man+bites+the+dog.&stack=encoder&layer=2&head=3`;
const panel = (page: Page): Locator => page.locator("headscope-pairs-panel");
const bar = (page: Page): Locator => page.locator("headscope-other-bar");
const other = (page: Page): Locator => page.getByRole("textbox", { name: "The other sentence" });

test("two runs are compared cell by cell", async ({ page, explorer }) => {
  await explorer.open(`${PAIR}&cell=2-5`);
  const cosines = panel(page).locator(".cosines").first();
  await expect(cosines).toContainText("“dog” and “dog”");
  // The dog b ites the man . </s> | The man b ites the dog . </s>
  const difference = panel(page).locator("headscope-difference");
  const byWord = (await explorer.table(difference)).flat();
  await bar(page).getByRole("radio", { name: "aligned by word" }).focus();
  await explorer.keys("ArrowRight");
  await explorer.settle();
  await expect(page).toHaveURL(/aligned=positions/);
  await expect(cosines).toContainText("“dog” and “man”");
  expect((await explorer.table(difference)).flat()).not.toEqual(byWord);
  await explorer.open(`${PAIR}&cell=2-5`);
  await page
    .getByRole("toolbar", { name: "Tokens of the other sentence" })
    .getByRole("button")
    .nth(1)
    .click();
  await expect(page).toHaveURL(/pairs=s2-2/);
  await expect(cosines).toContainText("“dog” and “man”");
});

test("a comparison is entered, left and shared", async ({ page, explorer }) => {
  const seen = watch(page);
  await page.setViewportSize({ width: 1400, height: 900 });
  await explorer.open(BITES);
  await explorer.button("Compare…").click();
  await expect(other(page)).toHaveValue("The man bites the dog.");
  await explorer.settle();
  await expect(panel(page).locator("headscope-difference canvas").first()).toBeInViewport({
    ratio: 1,
  });
  await other(page).fill("The man sees the big dog.");
  await explorer.settle();
  await expect(page).toHaveURL(/compare=other&other=The\+man\+sees\+the\+big\+dog\./);
  await expect(panel(page)).toContainText("− only in the second");
  await expect(other((await explorer.linked()).page)).toHaveValue("The man sees the big dog.");
  await explorer.button("Stop comparing").click();
  await explorer.settle();
  await expect(bar(page)).toHaveCount(0);
  await explorer.press("Undo");
  await expect(other(page)).toHaveValue("The man sees the big dog.");
  await other(page).fill("dog ".repeat(3000));
  await expect(bar(page).getByRole("alert")).toBeVisible();
  await expect(explorer.alert).toBeEmpty();
  await other(page).fill("");
  await expect(panel(page)).toContainText("Type another sentence");
  expect(seen).toEqual(NOTHING);
});

test("a head’s output of the other text is an edit, shown with the answer", async ({
  page,
  explorer,
}) => {
  const seen = watch(page);
  await explorer.open(PAIR);
  await explorer.button("Use the other text’s output in this head").click();
  await explorer.settle();
  const chip = "Encoder 2.3: output of “The man bites the dog.”";
  await expect(page.locator("headscope-edits-panel")).toContainText(chip);
  await expect(page.locator("headscope-edits-panel .outputs")).toContainText("chien");
  const { page: linked } = await explorer.linked();
  await expect(linked.locator("headscope-edits-panel")).toContainText(chip);
  await explorer.button("Compare with unedited").click();
  await explorer.settle();
  await expect(page.locator("headscope-moved-states")).toBeVisible();
  await explorer.press("Undo");
  await explorer.press("Undo");
  await expect(page.locator("headscope-edits-panel")).not.toContainText(chip);
  expect(seen).toEqual(NOTHING);
});

test("an edited run is compared with its original", async ({ page, explorer }) => {
  await explorer.open(
    "model=models/tiny-gpt&text=The+dog+and+the&layer=2&head=1&edits={'masks':[{'stack':'decoder','layers':[1],'heads':[0],'block':[[3,1]]}]}&cell=4-2",
  );
  const changes = page.locator("headscope-edit-changes");
  await expect(page.locator("headscope-output-ribbon tbody tr")).toHaveCount(5);
  // Here the edits change no word, so both runs write the same.
  await expect(page.locator(".outputs")).toContainText("unchanged");
  const unedited = await page.locator(".outputs .edited bdi").innerText();
  const changed = await changes.innerText();
  await explorer.press("Compare with unedited");
  await expect(bar(page).locator(".original bdi")).toHaveText(unedited);
  const difference = (await explorer.table(panel(page).locator("headscope-difference"))).flat();
  expect(difference.some((value) => value !== 0)).toBe(true);
  await expect.poll(() => changes.innerText()).toBe(changed);
  await explorer.open("model=models/tiny-gpt&text=The+dog+and+the+cat&compare=other");
  await page.getByLabel("The other model").selectOption({ label: "Tiny BERT" });
  const caption = panel(page).locator("figcaption").nth(1);
  await expect(caption).toHaveText("Tiny BERT · Encoder · layer 2 · head 4");
  await explorer.settle();
  await expect(panel(page)).toContainText("a cosine between them would mean nothing");
  await expect(page).toHaveURL(/othermodel=models\/tiny-bert/);
});

test("a click selects a token of a comparison; masking is a mode", async ({ page, explorer }) => {
  await explorer.open(
    "model=models/tiny-bert&text=The+dog+sees.&compare=other&other=The+cat+sees.",
  );
  await explorer.tokens.nth(2).click();
  await expect(page).toHaveURL(/cell=3-/);
  await expect(page).not.toHaveURL(/masked=/);
  await explorer.button("Mask tokens").click();
  await explorer.tokens.nth(3).click();
  await expect(page).toHaveURL(/masked=4/);
  // The second sentence has no masked tokens of its own.
  await bar(page).getByRole("button", { name: "the", exact: true }).click();
  await expect(page).not.toHaveURL(/masked=2/);
});

test("any two heads stand side by side", async ({ page, explorer }) => {
  const seen = watch(page);
  await page.setViewportSize({ width: 1400, height: 900 });
  await explorer.open(BITES);
  // Kept on the right, while another one is chosen.
  await explorer.press("Set beside another");
  await explorer.head(3, 6).click();
  await explorer.settle();
  await expect(page).toHaveURL(/otherhead=cross\.2-5/);
  const captions = panel(page).locator("figcaption");
  await expect(captions.first()).toHaveText("Cross-attention · layer 3 · head 6");
  await expect(captions.nth(1)).toHaveText("Cross-attention · layer 2 · head 5");
  const tops = await panel(page)
    .locator("figure .stage")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  // Other stacks have no difference, but every picture.
  await bar(page)
    .getByLabel("The other head")
    .selectOption({ label: "Encoder · layer 1 · head 8" });
  await expect(panel(page)).toContainText("so there is no difference of their cells");
  for (const [tab, tag] of [
    ["Lines", "lines"],
    ["Dimensions", "dimensions"],
    ["Steps", "steps"],
  ] as const) {
    await panel(page).getByRole("radio", { name: tab }).click();
    await expect(panel(page).locator(`headscope-${tag}`)).toHaveCount(2);
  }
  await expect(page).toHaveURL(/picture=steps/);
  const linked = await explorer.linked();
  await expect(panel(linked.page).locator("headscope-steps")).toHaveCount(2);
  await explorer.press("Undo");
  await expect(page).toHaveURL(/otherhead=cross\.2-5/);
  expect(seen).toEqual(NOTHING);
});
