import { expect, test } from "@playwright/test";
import { ExplorerPage, watch } from "./explorer-page.js";

test("what is typed is read at once", async ({ page }) => {
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
});

test("a shorter text than before leaves nothing behind", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=She+gave+him+the+book+that+he+wanted+to+read.&cell=10-10");
  for (const text of ["She read.", "", "She gave him the book that he wanted to read."]) {
    await explorer.type(text);
    await expect(page.getByRole("alert")).toHaveText("");
  }
  await expect(page).toHaveURL(/cell=10-10/);
  await expect(explorer.inspected("weights")).toBeVisible();
});

test("200 keystrokes in 2 seconds leave the answer to the last one", async ({ page }) => {
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

test("a person's own translation is read instead, until the model may write again", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const [, written] = await explorer.texts();
  const hint = page.getByText("or type your own");
  await expect(hint).toHaveCSS("opacity", "0");
  await explorer.translation.focus();
  await expect(hint).toHaveCSS("opacity", "1");
  await explorer.translation.fill("");
  await expect(explorer.translation).toHaveAttribute("placeholder", "Type your own translation");
  await explorer.translation.fill("Un chat");
  await explorer.settle();
  await expect(explorer.tokens("Tokens of the translation").first()).toHaveText("start");
  await expect(explorer.tokens("Tokens of the translation").last()).toHaveText("chat");
  await page.getByRole("button", { name: "Let the model write" }).click();
  await explorer.settle();
  await expect(explorer.translation).toHaveValue(written);
});

test("nothing that is typed breaks it", async ({ page }) => {
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
});

test("a blank text has no translation and no picture, and typing goes on from there", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=");
  for (const text of ["", "   ", "\n\n\t"]) {
    await explorer.type("The dog.");
    await expect(explorer.invitation).toHaveCount(0);
    await explorer.type(text);
    await expect(explorer.sentence).toHaveValue(text);
    await expect(explorer.invitation).toBeVisible();
    await expect(explorer.translation).toHaveValue("");
    await expect(explorer.tokens("Tokens of your sentence")).toHaveCount(0);
    await expect(
      page.locator("headscope-heatmap, headscope-inspector dl, headscope-inspector headscope-bars"),
    ).toHaveCount(0);
    await expect(page.getByRole("alert")).toHaveText("");
  }
  await explorer.type("The dog bites the man.");
  await expect(explorer.translation).not.toHaveValue("");
  await expect(explorer.figure).toBeVisible();
});

test("pieces that the model does not know are explained", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog.");
  const explanation = page.getByText("The model does not know the dotted pieces.");
  await expect(explanation).toHaveCount(0);
  await explorer.type("日本語");
  await expect(explanation.first()).toBeVisible();
});

test("ten thousand words are refused in one sentence, kept, and forgotten when shortened", async ({
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
});

test("a text that never fitted speaks of no earlier one", async ({ page }) => {
  await page.goto(`./#v=1&text=${"word+".repeat(600)}`);
  await expect(page.getByRole("alert")).toContainText("This text is too long for the model");
  await expect(page.getByRole("alert")).not.toContainText("last text");
});
