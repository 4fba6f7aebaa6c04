import { expect, test, type Page } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";

const undo = (page: Page): ReturnType<Page["getByRole"]> =>
  page.getByRole("button", { name: "Undo", exact: true });
const redo = (page: Page): ReturnType<Page["getByRole"]> =>
  page.getByRole("button", { name: "Redo", exact: true });

/** Longer than the pause that ends a step of typing. */
const PAUSE = 1200;

test("each step is undone and redone by its name: text, edits, masked tokens, model", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  await expect(undo(page)).toBeDisabled();
  await explorer.type("The dog bites the cat.");
  await page.waitForTimeout(PAUSE);
  await explorer.type("The dog bites the cat. Now.");
  await page.getByRole("button", { name: "Silence this head" }).click();
  await explorer.settle();
  await expect(undo(page)).toHaveAttribute("title", "Undo: change of heads");
  await expect(undo(page)).toHaveAccessibleDescription("Undo: change of heads");
  await explorer.choose("Tiny BERT");
  await explorer.tokens("Tokens of your sentence").nth(2).click();
  await explorer.settle();

  for (const [step, check] of [
    ["hidden tokens", async () => expect(page).not.toHaveURL(/hidden=/)],
    [
      "change of model",
      async () => expect(explorer.picker).toHaveAccessibleName("Model: English → French"),
    ],
    ["change of heads", async () => expect(explorer.chips).toHaveCount(0)],
    [
      "change of the text",
      async () => expect(explorer.sentence).toHaveValue("The dog bites the cat."),
    ],
    [
      "change of the text",
      async () => expect(explorer.sentence).toHaveValue("The dog bites the man."),
    ],
  ] as const) {
    await expect(undo(page)).toHaveAttribute("title", `Undo: ${step}`);
    await undo(page).click();
    await check();
    await expect(redo(page)).toHaveAttribute("title", `Redo: ${step}`);
  }
  await expect(undo(page)).toBeDisabled();
  await explorer.settle();
  await expect(explorer.tokens("Tokens of your sentence").filter({ hasText: "man" })).toHaveCount(
    1,
  );

  for (let step = 0; step < 5; step += 1) await redo(page).click();
  await explorer.settle();
  await expect(redo(page)).toBeDisabled();
  await expect(explorer.sentence).toHaveValue("The dog bites the cat. Now.");
  await expect(explorer.picker).toHaveAccessibleName("Model: Tiny BERT");
  await expect(explorer.tokens("Tokens of your sentence").nth(2)).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

/** The browser decides how much of what was typed one press takes back. */
async function pressUntil(
  { page, sentence }: ExplorerPage,
  keys: string,
  text: string,
): Promise<void> {
  for (let press = 0; press < 8 && (await sentence.inputValue()) !== text; press += 1)
    await page.keyboard.press(keys);
  await expect(sentence).toHaveValue(text);
}

test("in a text field the keys undo what was typed there, elsewhere they undo the page", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&text=The+dog.&edits={'heads':[{'stack':'cross','layers':[0],'heads':[0],'gate':0}]}",
  );
  await page.getByRole("button", { name: "Silence this head" }).click();
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(2);
  let steps = 0;
  await explorer.sentence.click();
  await explorer.sentence.press("End");
  await page.keyboard.type(" And");
  await pressUntil(explorer, "Control+z", "The dog.");
  await expect(explorer.chips).toHaveCount(2);
  await pressUntil(explorer, "Control+Shift+z", "The dog. And");
  await explorer.settle();

  await explorer.figure.focus();
  // However many pauses the typing had.
  while ((await undo(page).getAttribute("title")) === "Undo: change of the text") {
    await page.keyboard.press("Control+z");
    steps += 1;
  }
  await expect(explorer.sentence).toHaveValue("The dog.");
  await page.keyboard.press("Control+z");
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(1);
  await page.keyboard.press("Control+y");
  for (let step = 0; step < steps; step += 1) await page.keyboard.press("Control+Shift+Z");
  await explorer.settle();
  await expect(explorer.chips).toHaveCount(2);
  await expect(explorer.sentence).toHaveValue("The dog. And");
});

test("a move of a slider in an experiment is one step, and undo leads back to its experiment", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&model=models/tiny-bert&text=The+dog.&bench=positions&labs=places(open-yes)",
  );
  const waves = page.locator("headscope-demo[name=waves]");
  const dim = waves.locator("#dim").getByRole("slider");
  await expect(dim).toHaveValue("64");
  await dim.scrollIntoViewIfNeeded();
  const box = await dim.boundingBox();
  if (!box) throw new Error("no slider");
  const y = box.y + box.height / 2;
  // By the pointer, which rests on its way.
  await page.mouse.move(box.x + box.width / 8, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 4, y, { steps: 5 });
  await page.waitForTimeout(1200);
  await page.mouse.move(box.x + box.width / 2, y, { steps: 5 });
  await page.mouse.up();
  const moved = await dim.inputValue();
  expect(Number(moved)).toBeGreaterThan(128);
  const back = undo(page);
  await expect(back).toHaveAttribute("title", /setting of a laboratory/);
  // By the keys, from pause to pause.
  const length = waves.locator("#length").getByRole("slider");
  await length.press("ArrowRight");
  await length.press("ArrowRight");
  await expect(length).toHaveValue("66");
  await page.keyboard.press("Control+z");
  await expect(length).toHaveValue("64");
  await expect(dim).toHaveValue(moved);
  await back.click();
  await expect(dim).toHaveValue("64");
  await expect(page).toHaveURL(/labs=places\(open-yes\)(&|$)/);
  await redo(page).click();
  await expect(dim).toHaveValue(moved);
  // Where the bench was closed meanwhile, it opens where the change was made.
  await page.locator("headscope-bench .doors button[aria-expanded=true]").click();
  await expect(waves).toHaveCount(0);
  await back.click();
  await expect(dim).toHaveValue("64");
  await expect(back).toBeDisabled();
});
