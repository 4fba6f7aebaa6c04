import { expect, test } from "@playwright/test";
import { ExplorerPage, watch } from "./explorer-page.js";

test("typed text is computed at once, and a shorter text leaves nothing of the longer one", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const [, before] = await explorer.texts();
  await explorer.type("The man bites the dog.");
  const [, after] = await explorer.texts();
  expect(after).not.toBe(before);
  await expect(explorer.tokens("Tokens of your sentence")).toContainText([
    "The",
    "man",
    "the",
    "dog",
    ".",
    "end",
  ]);
  await test.step("a shorter text", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=She+gave+him+the+book+that+he+wanted+to+read.&cell=10-10");
    for (const text of ["She read.", "", "She gave him the book that he wanted to read."]) {
      await explorer.type(text);
      await expect(page.getByRole("alert")).toHaveText("");
    }
    await expect(page).toHaveURL(/cell=10-10/);
    await expect(explorer.inspected("weights")).toBeVisible();
  });
});

test("200 keystrokes in 2 seconds end in the answer to the last one", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=");
  const last =
    "The woman who lives next door has a little black dog. ".repeat(4).slice(0, 199) + ".";
  // A person's keyboard: the page gets each text as it is at that moment, ten milliseconds after the one before.
  await explorer.sentence.evaluate(async (area: HTMLTextAreaElement, text) => {
    for (let length = 1; length <= text.length; length += 1) {
      area.value = text.slice(0, length);
      area.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }, last);
  await explorer.settle();
  const typed = await explorer.texts();
  const tokens = await explorer.tokens("Tokens of your sentence").allTextContents();
  await explorer.open(`#v=1&text=${encodeURIComponent(last)}`);
  await page.reload();
  await explorer.settle();
  expect(typed).toEqual(await explorer.texts());
  expect(tokens).toEqual(await explorer.tokens("Tokens of your sentence").allTextContents());
});

test("your own translation is read instead, can be undone, and given back to the model", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const [, written] = await explorer.texts();
  const hint = page.getByText("or type your own");
  await expect(hint).toHaveCSS("opacity", "0");
  await explorer.translation.focus();
  await expect(hint).toHaveCSS("opacity", "1");
  await explorer.translation.fill("Un chat");
  await explorer.settle();
  await expect(explorer.tokens("Tokens of the translation").first()).toHaveText("start");
  await expect(explorer.tokens("Tokens of the translation").last()).toHaveText("chat");
  await page.getByRole("button", { name: "Let the model write" }).click();
  await explorer.settle();
  await expect(explorer.translation).toHaveValue(written);
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  await undo.click();
  await expect(explorer.translation).toHaveValue("Un chat");
  await undo.click();
  await explorer.settle();
  await expect(explorer.translation).toHaveValue(written);
});

test("any characters can be typed, blank text too, and pieces unknown to the model are explained", async ({
  page,
}) => {
  const seen = watch(page);
  const explorer = new ExplorerPage(page);
  await explorer.open();
  for (const text of [
    "日本語 🙂 👩‍👩‍👧 ",
    "مرحبا بالعالم",
    "a\u0301\u0000\u200d\uFFFD",
    "x".repeat(100),
  ]) {
    await explorer.type(text);
    await expect(explorer.sentence).toHaveValue(text);
    await expect(explorer.tokens("Tokens of your sentence").last()).toHaveText("end");
    await expect(page.getByRole("alert")).toHaveText("");
  }
  await explorer.type("The dog bites the man.");
  await expect(explorer.translation).not.toHaveValue("");
  expect(seen).toEqual({ foreign: [], errors: [] });
  await test.step("blank text", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=");
    for (const text of ["", "   \n\t"]) {
      await explorer.type("The dog.");
      await expect(explorer.invitation).toHaveCount(0);
      await explorer.type(text);
      await expect(explorer.sentence).toHaveValue(text);
      await expect(explorer.invitation).toBeVisible();
      await expect(explorer.translation).toHaveValue("");
      await expect(explorer.tokens("Tokens of your sentence")).toHaveCount(0);
      await expect(
        page.locator(
          "headscope-heatmap, headscope-inspector dl, headscope-inspector headscope-bars",
        ),
      ).toHaveCount(0);
      await expect(page.getByRole("alert")).toHaveText("");
    }
    await explorer.type("The dog bites the man.");
    await expect(explorer.translation).not.toHaveValue("");
    await expect(explorer.figure).toBeVisible();
  });
  await test.step("unknown pieces", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.type("The dog.");
    const explanation = page.getByText("The model does not know the dotted pieces.");
    await expect(explanation).toHaveCount(0);
    await explorer.type("日本語");
    await expect(explanation.first()).toBeVisible();
  });
});

test("a text that is too long is refused in one sentence, and the next shorter one is computed", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open();
  const long = "word ".repeat(10_000);
  await explorer.type(long);
  await expect(page.getByRole("alert")).toContainText("This text is too long for the model");
  await expect(page.getByRole("alert")).toContainText(
    "The pictures show the last text that fitted.",
  );
  await expect(explorer.sentence).toHaveValue(long);
  const greys = page.locator("headscope-sentence-bar .stale");
  await expect(greys).toHaveCount(3);
  await explorer.type("A short one.");
  await expect(greys).toHaveCount(0);
  await expect(page.getByRole("alert")).toHaveText("");
  await expect(explorer.tokens("Tokens of your sentence").first()).toHaveText("A");
  await test.step("without an earlier text", async () => {
    await page.goto("about:blank");
    await page.goto(`./#v=1&text=${"word+".repeat(600)}`);
    await expect(page.getByRole("alert")).toContainText("This text is too long for the model");
    await expect(page.getByRole("alert")).not.toContainText("last text");
  });
});
