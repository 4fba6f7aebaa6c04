// What is written: by the reader and by the model, masked, too long, undone.
import { BITES, expect, NOTHING, test, watch, type ExplorerPage } from "./page.js";

test("typed text is computed at once, the last letter too", async ({ page, explorer }) => {
  await explorer.open(BITES);
  const [, before] = await explorer.texts();
  await explorer.type("The man bites the dog.");
  expect((await explorer.texts())[1]).not.toBe(before);
  await expect(explorer.tokens).toContainText(["The", "man", "the", "dog", ".", "end"]);
  await test.step("what stands below keeps its place", async () => {
    await explorer.open(
      "stack=encoder&text=The+woman+who+lives+next+door+has+a+very+little+black+dog+and+the+man+who+knows+her+brother+has+a+big+white+cat+that+likes+to+sleep+in+the+warm",
    );
    const words = (await explorer.texts())[1].split(" ").length;
    await explorer.sentence.press("End");
    const frames = page.evaluate(async () => {
      const root = document.querySelector("headscope-explorer")?.shadowRoot;
      const main = root?.querySelector(".parts");
      const sentence = root?.querySelector<HTMLElement & { session: { translation: string } }>(
        "headscope-sentence-bar",
      );
      const seen: { top: number; words: number }[] = [];
      for (let left = 90; left > 0; left -= 1) {
        await new Promise(requestAnimationFrame);
        seen.push({
          top: main?.getBoundingClientRect().top ?? NaN,
          words: sentence?.session.translation.split(" ").length ?? NaN,
        });
      }
      return seen;
    });
    await explorer.keys("s");
    const seen = await frames;
    expect(Math.min(...seen.map((frame) => frame.words))).toBeLessThan(words);
    expect(Math.min(...seen.map(({ top }) => top))).toBeGreaterThanOrEqual(seen[0]?.top ?? NaN);
  });
});

test("your own translation is read instead", async ({ explorer }) => {
  await explorer.open(BITES);
  const [, written] = await explorer.texts();
  await explorer.translation.fill("Un chat");
  await explorer.settle();
  await expect(explorer.targetTokens.first()).toHaveText("start");
  await expect(explorer.targetTokens.last()).toHaveText("chat");
  await explorer.press("Use model translation");
  await expect(explorer.translation).toHaveValue(written);
  await explorer.button("Undo").click();
  await expect(explorer.translation).toHaveValue("Un chat");
  await explorer.button("Undo").click();
  await expect(explorer.translation).toHaveValue(written);
});

test("a text grows by what the model writes, the same for the same link", async ({ explorer }) => {
  const drawn = "sampling=temperature-1.5,seed-11";
  await explorer.open(`model=models/tiny-gpt&stack=decoder&text=She+lives&${drawn}`);
  await explorer.press("Continue 20 tokens");
  const text = await explorer.sentence.inputValue();
  // As in Node and in Firefox (`tests/firefox/page.test.ts`).
  const words = "with his promise to the right time you hadn't want me please, would it you left";
  expect(text).toBe(`She lives ${words} their show`);
  await expect(explorer.tokens).toContainText(["She", "lives"]);
  await explorer.button("Undo").click();
  await expect(explorer.sentence).toHaveValue("She lives");
  await explorer.reload();
  await explorer.press("Continue 20 tokens");
  await expect(explorer.sentence).toHaveValue(text);
});

test("any characters, none, and too many can be typed", async ({ page, explorer }) => {
  const seen = watch(page);
  await explorer.open("text=The+dog.");
  const explanation = page.getByText("Dotted tokens are not in the vocabulary.");
  await expect(explanation).toHaveCount(0);
  for (const text of ["مرحبا بالعالم", "a\u0301\u0000\u200d\uFFFD", "日本語 🙂 👩‍👩‍👧 "]) {
    await explorer.type(text);
    await expect(explorer.sentence).toHaveValue(text);
    await expect(explorer.tokens.last()).toHaveText("end");
    await expect(explorer.alert).toHaveText("");
  }
  await expect(explanation.first()).toBeVisible();
  await explorer.type("   \n\t");
  await expect(page.getByText("Type a sentence to see its attention.")).toBeVisible();
  await expect(explorer.translation).toHaveValue("");
  await expect(explorer.tokens).toHaveCount(0);
  await expect(page.locator("headscope-heatmap, headscope-inspector dl")).toHaveCount(0);
  await explorer.type("The dog bites the man.");
  await explorer.type("word ".repeat(10_000));
  await expect(explorer.alert).toContainText("The pictures show the previous text.");
  await explorer.type("A short one.");
  await expect(explorer.alert).toHaveText("");
  await expect(explorer.tokens.first()).toHaveText("A");
  expect(seen).toEqual(NOTHING);
});

test("a masked token is predicted and restored", async ({ page, explorer }) => {
  await explorer.open("model=models/tiny-bert&text=The+dog+and+the+cat+drink+milk.");
  const predictions = page.locator("headscope-inspector .predictions");
  const dog = explorer.tokens.nth(2);
  await dog.click();
  await explorer.settle();
  await expect(dog).toHaveAccessibleName("dog, masked");
  await expect(predictions).toContainText(/Original token “dog”: [<\d]/);
  await dog.click();
  await expect(page).not.toHaveURL(/masked=/);
  await explorer.keys("Control+z", "ArrowRight", "ArrowRight", "ArrowRight", "Space");
  await explorer.settle();
  await expect(page).toHaveURL(/masked=3,6/);
  // Masked tokens move along with the text.
  await explorer.sentence.press("Home");
  await explorer.sentence.pressSequentially("So ");
  await explorer.settle();
  await expect(page.locator("headscope-tokens .masked")).toHaveText(["dog", "cat"]);
});

/** The browser decides how much of what was typed one press takes back. */
async function pressUntil(explorer: ExplorerPage, keys: string, text: string): Promise<void> {
  for (let press = 0; press < 8 && (await explorer.sentence.inputValue()) !== text; press += 1)
    await explorer.keys(keys);
  await expect(explorer.sentence).toHaveValue(text);
}

test("each step is undone and redone by its name", async ({ page, explorer }) => {
  await explorer.open(BITES);
  await expect(explorer.button("Undo")).toBeDisabled();
  await explorer.type("The dog bites the cat.");
  // Longer than the pause that ends a step of typing.
  await page.waitForTimeout(1200);
  await explorer.type("The dog bites the cat. Now.");
  await explorer.press("Ablate head");
  await explorer.chooseModel("Tiny BERT");
  await explorer.tokens.nth(2).click();
  await explorer.settle();
  for (const step of [
    "masked tokens",
    "change of model",
    "change of heads",
    "change of the text",
  ]) {
    await expect(explorer.button("Undo")).toHaveAttribute("title", `Undo: ${step}`);
    await explorer.button("Undo").click();
    await expect(explorer.button("Redo")).toHaveAttribute("title", `Redo: ${step}`);
  }
  await expect(page).not.toHaveURL(/masked=/);
  await expect(explorer.picker).toHaveAccessibleName("Model: English → French");
  await expect(explorer.chips).toHaveCount(0);
  await expect(explorer.sentence).toHaveValue("The dog bites the cat.");
  await explorer.button("Undo").click();
  await expect(explorer.sentence).toHaveValue("The dog bites the man.");
  await expect(explorer.button("Undo")).toBeDisabled();
  await explorer.settle();
  for (let step = 0; step < 5; step += 1) await explorer.button("Redo").click();
  await expect(explorer.button("Redo")).toHaveCount(0);
  await expect(explorer.picker).toHaveAccessibleName("Model: Tiny BERT");
  await test.step("in a text field", async () => {
    await explorer.open("text=The+dog.");
    await explorer.press("Ablate head");
    await expect(explorer.chips).toHaveCount(1);
    await explorer.sentence.click();
    await explorer.sentence.press("End");
    await page.keyboard.type(" And");
    await pressUntil(explorer, "Control+z", "The dog.");
    await expect(explorer.chips).toHaveCount(1);
    await pressUntil(explorer, "Control+Shift+z", "The dog. And");
    await explorer.settle();
    await explorer.figure.focus();
    // However many pauses the typing had.
    while ((await explorer.button("Undo").getAttribute("title")) === "Undo: change of the text")
      await explorer.keys("Control+z");
    await expect(explorer.sentence).toHaveValue("The dog.");
    await explorer.keys("Control+z");
    await expect(explorer.chips).toHaveCount(0);
    await explorer.keys("Control+y");
    await expect(explorer.chips).toHaveCount(1);
  });
});

test("a run of letters in a text field is one step of its undo", async ({ page, explorer }) => {
  await explorer.open("model=models/tiny-gpt&text=The+dog&stack=decoder");
  await explorer.sentence.press("End");
  await explorer.sentence.pressSequentially(" sees her", { delay: 40 });
  await explorer.settle();
  await explorer.keys("ControlOrMeta+z");
  await expect(explorer.sentence).toHaveValue("The dog");
  await expect(page).toHaveURL(/text=The\+dog&/);
  await explorer.keys("ControlOrMeta+Shift+z");
  await expect(explorer.sentence).toHaveValue("The dog sees her");
});
