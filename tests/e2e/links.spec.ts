// Links and saved pages: what they carry.
import { expect, ExplorerPage, test, type Page } from "./page.js";

test("a link carries text, head, stage, theme and edits", async ({ page, explorer }) => {
  await explorer.grantClipboard();
  await explorer.open("text=The+dog+bites+the+man.&stack=encoder");
  await explorer.head(3, 4).click();
  await explorer.choose("scores");
  await explorer.set("Dark");
  await explorer.press("Ablate head");
  await explorer.type("The cat & the dog = friends? 50% “oui” #1 + 1");
  await expect(page).toHaveURL(/text=The\+cat/);
  const other = await explorer.linked();
  expect(await other.texts()).toEqual(await explorer.texts());
  await expect(other.headTitle).toHaveText("Layer 3 · head 4");
  await expect(other.radio("scores")).toBeChecked();
  await expect(other.chips).toHaveText(/Encoder 3\.4 ablated/);
  await expect(other.page.locator("html")).toHaveAttribute("data-theme", "dark");
  await other.page.close();
  await explorer.fresh("text=One.");
  await explorer.sentence.fill("Typed a moment ago.");
  const bar = page.locator("headscope-top-bar");
  await explorer.openMenu("Share");
  await bar.getByRole("button", { name: "Copy link" }).click();
  await expect(bar.getByText("Link copied").first()).toBeVisible();
  expect(await explorer.copied()).toBe(new URL("#v=1&text=Typed+a+moment+ago.", page.url()).href);
});

test("a reload right after a change or a letter keeps it", async ({ page, explorer }) => {
  await explorer.open("text=The+dog");
  await explorer.openMenu("Settings");
  await explorer.radio("Viridis").evaluate((radio: HTMLInputElement) => radio.click());
  const loaded = page.waitForEvent("load");
  // In the page itself, where nothing comes between the letter and the reload.
  await explorer.sentence.evaluate((area: HTMLTextAreaElement) => {
    area.value = "The dog bites.";
    area.dispatchEvent(new Event("input", { bubbles: true }));
    location.reload();
  });
  await loaded;
  await explorer.settle();
  await expect(explorer.sentence).toHaveValue("The dog bites.");
  await explorer.openMenu("Settings");
  await expect(explorer.radio("Viridis")).toBeChecked();
});

test("a link names a model of another server, which is fetched when its reader agrees", async ({
  page,
  explorer,
}) => {
  const asked: string[] = [];
  const far = "https://models.example/tiny-gpt/";
  await page.route(`${far}**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    asked.push(`${route.request().method()} ${pathname}`);
    const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "*" };
    await route.fulfill({ path: `models${pathname}`, headers });
  });
  const link = `model=${far}&text=A+dog+runs&layer=2&head=3`;
  await page.goto(`./#${link}`);
  const question = page.locator("headscope-model-question");
  await expect(question).toContainText(
    "This page needs the model “tiny-gpt”: 2.8 MB would be fetched from models.example.",
  );
  expect(asked.filter((one) => !one.startsWith("HEAD "))).toEqual([]);
  await question.getByRole("button", { name: "Open without it" }).click();
  await explorer.settle();
  await expect(explorer.picker).toHaveAccessibleName("Model: English → French");
  await expect(explorer.sentence).toHaveValue("A dog runs");
  expect(asked.filter((one) => !one.startsWith("HEAD "))).toEqual([]);
  await page.goto("about:blank");
  await page.goto(`./#${link}`);
  await question.getByRole("button", { name: "Fetch and open" }).click();
  await explorer.settle();
  await expect(explorer.headTitle).toHaveText("Layer 2 · head 3");
  await expect(explorer.picker).toHaveAccessibleName("Model: tiny-gpt");
  expect(asked).toContain("GET /tiny-gpt/model.safetensors");
  await explorer.grantClipboard();
  await explorer.openMenu("Share");
  await page.locator("headscope-top-bar").getByRole("button", { name: "Copy link" }).click();
  await expect.poll(() => explorer.copied()).toContain(`#v=1&${link.replace("layer=2&", "")}`);
  await explorer.reload();
  await expect(explorer.picker).toHaveAccessibleName("Model: tiny-gpt");
});

const LONG = "The dog bites the man and the man bites the dog. ".repeat(400);
const EDITS = { heads: [{ stack: "cross", layers: [1], heads: [2], gate: 0 }] };

async function openFile(page: Page, content: string, name = "page.json"): Promise<void> {
  const sheet = page.locator("headscope-share-sheet");
  if (!(await sheet.count())) await new ExplorerPage(page).openMenu("Share");
  await sheet
    .locator("input[type=file]")
    .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
}

test("a page too long for a link is saved as a file", async ({
  page,
  explorer,
  browser,
  baseURL,
}) => {
  await explorer.open(`layer=3&edits=${JSON.stringify(EDITS)}`);
  await explorer.sentence.fill(LONG);
  await expect(explorer.notices).toContainText("This session is too large for a link.");
  await expect(page).toHaveURL(/#v=1&layer=3&edits=\{'heads':[^&]*$/);
  const { name, text } = await explorer.save(
    explorer.notices.getByRole("button", { name: "Save page as file" }),
  );
  expect(name).toBe("The dog bites the man and the man bites.json");
  expect(JSON.parse(text)).toEqual({
    headscope: 1,
    state: { text: LONG, layer: "3", edits: EDITS },
  });
  await page.reload();
  await expect(explorer.sentence).toHaveValue(LONG);
  const context = await browser.newContext({ ...(baseURL && { baseURL }) });
  const elsewhere = new ExplorerPage(await context.newPage());
  await elsewhere.open();
  await openFile(elsewhere.page, text, name);
  await expect(elsewhere.sentence).toHaveValue(LONG);
  await expect(elsewhere.chips).toHaveText(/Cross-attention 2\.3 ablated/);
  const dataTransfer = await elsewhere.page.evaluateHandle((content) => {
    const made = new DataTransfer();
    made.items.add(new File([content], "The dog.json"));
    return made;
  }, '{"headscope":1,"state":{"model":"models/tiny-bert","text":"The cat.","theme":"dark","picture":"mask"}}');
  await elsewhere.page.dispatchEvent("body", "drop", { dataTransfer });
  await expect(elsewhere.picker).toHaveAccessibleName("Model: Tiny BERT");
  await expect(elsewhere.page.locator("headscope-mask")).toBeVisible();
  await context.close();
  // The notices stand above what is in view.
  await openFile(
    page,
    `{"headscope": 1, "state": {"text": "The cat.", "layer": "x", "edits": "c1.1*AAAA"}}`,
  );
  await expect(explorer.notices).toContainText(
    "Invalid parts of the link were replaced by defaults: layer, edits.",
  );
  await expect(explorer.button("Dismiss").last()).toBeInViewport({ ratio: 1 });
  await expect(explorer.sentence).toHaveValue("The cat.");
});
