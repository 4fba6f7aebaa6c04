import { devices, expect, test, type Page } from "@playwright/test";
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

test("the list says what each model does and how large it is before anything of it is fetched", async ({
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
});

test("another model brings its own stacks and sample, and undo takes it back without fetching it again", async ({
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
});

test("what was typed and edited stays, and what another model lacks is left out until it is back", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=My+own+sentence.&edits=c2.3x0&layer=3&head=8");
  await explorer.choose("Tiny BERT");
  await expect(explorer.sentence).toHaveValue("My own sentence.");
  await expect(explorer.chips).toHaveText(/Cross-attention 2\.3 silenced \(not in this model\)/);
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 4");
  await expect(page.getByRole("alert")).toHaveText("");
  await explorer.choose("English → French");
  await expect(explorer.chips).toHaveText(/Cross-attention 2\.3 silenced\s*$/);
  await expect(explorer.headTitle).toHaveText("Layer 3 · head 8");
});

test("the list is worked by the keyboard alone", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open();
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

test("a model that is chosen while another is fetched ends that download", async ({ page }) => {
  let deliver = (): void => undefined;
  const held = new Promise<void>((resolve) => (deliver = resolve));
  await page.route("**/en-fr/model.safetensors*", async (route) => {
    await held;
    await route.continue();
  });
  const explorer = new ExplorerPage(page);
  const aborted = page.waitForEvent("requestfailed", (request) =>
    request.url().includes("en-fr/model.safetensors"),
  );
  await page.goto("./#v=1&text=The+dog.");
  await expect(page.getByText("Loading the model")).toBeVisible();
  await explorer.choose("Tiny GPT");
  await aborted;
  deliver();
  await explorer.type("The dog and the cat.");
  await expect(explorer.picker).toHaveAccessibleName("Model: Tiny GPT");
  await expect(page.getByRole("heading", { name: "Decoder" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveText("");
});

test("a sample is one step: its text, its head and its note, until the text changes", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=Typed.&stack=encoder&layer=1&head=1");
  const note = page.locator("headscope-sentence-bar .note");
  await expect(note).toHaveCount(0);
  await page.getByRole("combobox", { name: "Try a sample" }).selectOption("The dog bites the man.");
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

test("a head says its role on held-out text and on this one, and the grid says it too", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&model=models/tiny-gpt");
  const role = page.locator("headscope-head-role");
  await expect(role.locator(".name")).not.toBeEmpty();
  await role.getByText("All roles").click();
  await expect(role.getByRole("row", { name: /previous token/ })).toHaveText(
    /previous token\s+\d\.\d\d\s+\d\.\d\d/,
  );
  await expect(explorer.head(1, 1)).toHaveAccessibleName(
    /^Layer 1, head 1: (no single role|.+ \d\.\d\d)$/,
  );
});

test("without headscope.json everything works, and the role says why it is not there", async ({
  page,
}) => {
  await page.route("**/headscope.json*", (route) => route.fulfill({ status: 404, body: "" }));
  const explorer = new ExplorerPage(page);
  await explorer.open();
  await expect(page.locator("headscope-head-role")).toContainText("no headscope.json");
  await expect(explorer.head(1, 1)).toHaveAccessibleName("Layer 1, head 1");
  await expect(page.getByRole("alert")).toHaveText("");
});

test.describe("on a phone", () => {
  const { userAgent, deviceScaleFactor, isMobile, hasTouch } = devices["Pixel 7"];
  test.use({
    userAgent,
    deviceScaleFactor,
    isMobile,
    hasTouch,
    viewport: { width: 390, height: 844 },
  });

  test("a finger changes the model and hides a token, and nothing runs off the side", async ({
    page,
  }) => {
    const explorer = new ExplorerPage(page);
    await explorer.open();
    await explorer.picker.tap();
    const list = page.getByRole("menu", { name: "Models" });
    const box = await list.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
    await explorer.model("Tiny BERT").tap();
    await explorer.settle();
    const token = explorer.tokens("Tokens of your sentence").nth(1);
    await token.tap();
    await explorer.settle();
    await expect(token).toHaveAttribute("aria-pressed", "true");
    await explorer.tab("Details").tap();
    await expect(page.locator("headscope-predictions headscope-bars")).toBeVisible();
    await expect(page.getByText(/^In place of “.+”: .+%/)).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
