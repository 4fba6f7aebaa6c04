import { expect, test, type Page } from "@playwright/test";
import { ExplorerPage, watch } from "./explorer-page.js";

/** Counts how often each model's weights are fetched. */
function countWeights(page: Page): Record<string, number> {
  const fetched: Record<string, number> = {};
  page.on("request", (request) => {
    const model = /models\/([\w-]+)\/model\.safetensors/.exec(request.url())?.[1];
    if (model) fetched[model] = (fetched[model] ?? 0) + 1;
  });
  return fetched;
}

test("the list says what each model does and its size before it is fetched, and is worked by the keyboard", async ({
  page,
}) => {
  const fetched = countWeights(page);
  const explorer = new ExplorerPage(page);
  await explorer.open();
  await expect(explorer.picker).toHaveAccessibleName("Model: English → French");
  await explorer.picker.click();
  await expect(explorer.model("English → French")).toHaveAttribute("aria-checked", "true");
  await expect(explorer.model("English → French")).toContainText("loaded");
  await expect(explorer.model("Tiny GPT")).toContainText(/goes on writing · GPT-2/);
  await expect(explorer.model("Tiny GPT")).toContainText(/\d MB/);
  await expect(explorer.model("Tiny BERT")).toContainText(/\d MB[\s\S]*fills gaps · BERT/);
  expect(fetched).toEqual({ "en-fr": 1 });
  await test.step("keyboard", async () => {
    await page.keyboard.press("Escape");
    await explorer.picker.focus();
    await page.keyboard.press("Enter");
    await expect(explorer.model("English → French")).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await expect(page.getByRole("menuitem", { name: "Open a folder…" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(explorer.model("Tiny GPT")).toBeHidden();
    await expect(explorer.picker).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(explorer.model("English → French")).toBeFocused();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await explorer.settle();
    await expect(explorer.picker).toHaveAccessibleName("Model: Tiny BERT");
  });
});

test("another model brings its own stacks and sample; typed text and edits remain, and undo fetches nothing again", async ({
  page,
}) => {
  const seen = watch(page);
  const fetched = countWeights(page);
  const explorer = new ExplorerPage(page);
  await explorer.open();
  const before = await explorer.sentence.inputValue();
  await explorer.choose("Tiny GPT");
  await expect(page).toHaveURL(/model=models\/tiny-gpt/);
  await expect(page.getByRole("radio", { name: "Encoder" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Decoder" })).toBeVisible();
  await expect(explorer.translation).toHaveCount(0);
  await expect(explorer.sentence).not.toHaveValue(before);
  await explorer.choose("Tiny BERT");
  await expect(page.getByRole("heading", { name: "Encoder" })).toBeVisible();
  for (const name of ["Tiny GPT", "English → French"]) {
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await explorer.settle();
    await expect(explorer.picker).toHaveAccessibleName(`Model: ${name}`);
  }
  await expect(explorer.sentence).toHaveValue(before);
  await expect(explorer.stack("Cross-attention")).toBeChecked();
  expect(fetched).toEqual({ "en-fr": 1, "tiny-gpt": 1, "tiny-bert": 1 });
  expect(seen).toEqual({ foreign: [], errors: [] });
  await test.step("typed text and edits", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open(
      "#v=1&text=My+own+sentence.&edits={'heads':[{'stack':'cross','layers':[1],'heads':[2],'gate':0}]}&layer=3&head=8",
    );
    await explorer.choose("Tiny BERT");
    await expect(explorer.sentence).toHaveValue("My own sentence.");
    await expect(explorer.chips).toHaveText(/Cross-attention 2\.3 silenced \(not in this model\)/);
    await expect(explorer.headTitle).toHaveText("Layer 3 · head 4");
    await expect(page.getByRole("alert")).toHaveText("");
    await explorer.choose("English → French");
    await expect(explorer.chips).toHaveText(/Cross-attention 2\.3 silenced\s*$/);
    await expect(explorer.headTitle).toHaveText("Layer 3 · head 8");
  });
  await test.step("a sample is one step", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=Typed.&stack=encoder&layer=1&head=1");
    const note = page.locator("headscope-sentence-bar .note");
    await expect(note).toHaveCount(0);
    await page
      .getByRole("combobox", { name: "Try a sample" })
      .selectOption("The dog bites the man.");
    await explorer.settle();
    await expect(explorer.sentence).toHaveValue("The dog bites the man.");
    await expect(note).toContainText("The order is right");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await explorer.settle();
    await expect(explorer.sentence).toHaveValue("Typed.");
    await expect(explorer.stack("Encoder")).toBeChecked();
    await expect(explorer.headTitle).toHaveText("Layer 1 · head 1");
    await page.getByRole("button", { name: "Redo", exact: true }).click();
    await expect(note).toBeVisible();
    await explorer.type("The dog bites the man!");
    await expect(note).toHaveCount(0);
  });
});
