import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import { ExplorerPage, watch } from "./explorer-page.js";

const LONG = "The dog bites the man and the man bites the dog. ".repeat(400);

async function save(
  page: Page,
  within = page.getByRole("contentinfo"),
): Promise<{ name: string; content: string }> {
  const downloaded = page.waitForEvent("download");
  await within.getByRole("button", { name: "Save page as file" }).click();
  const download = await downloaded;
  return {
    name: download.suggestedFilename(),
    content: readFileSync(await download.path(), "utf8"),
  };
}

function open(page: Page, content: string, name = "page.json"): Promise<void> {
  return page
    .locator("headscope-page-footer input[type=file]")
    .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
}

test("a page that is too long for a link is saved as a file, survives a reload, and opens from the file", async ({
  page,
  browser,
  baseURL,
}) => {
  const seen = watch(page);
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&layer=3&edits={'heads':[{'stack':'cross','layers':[1],'heads':[2],'gate':0}]}",
  );
  await explorer.sentence.fill(LONG);
  const notice = page.getByRole("status", { name: "Notices" });
  await expect(notice).toContainText("This page is too much for a link.");
  await expect(page).toHaveURL(
    /#v=1&layer=3&edits=\{'heads':\[\{'stack':'cross','layers':\[1\],'heads':\[2\],'gate':0\}\]\}$/,
  );
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.locator("headscope-top-bar").getByRole("button", { name: "Copy link" }).click();
  await expect(notice).toContainText("This page is too much for a link.");
  const { name, content } = await save(page, notice);
  expect(name).toBe("The dog bites the man and the man bites.json");
  expect(JSON.parse(content)).toEqual({
    headscope: 1,
    state: {
      text: LONG,
      layer: "3",
      edits: { heads: [{ stack: "cross", layers: [1], heads: [2], gate: 0 }] },
    },
  });
  await page.reload();
  await expect(explorer.sentence).toHaveValue(LONG);
  expect(seen.errors).toEqual([]);

  const elsewhere = new ExplorerPage(
    await (await browser.newContext({ ...(baseURL && { baseURL }) })).newPage(),
  );
  await elsewhere.open();
  await open(elsewhere.page, content, name);
  await expect(elsewhere.sentence).toHaveValue(LONG);
  await expect(elsewhere.chips).toHaveText(/Cross-attention 2\.3 silenced/);
  await elsewhere.page.keyboard.press("Control+z");
  await expect(elsewhere.sentence).not.toHaveValue(LONG);
  await expect(elsewhere.page.getByRole("status", { name: "Notices" })).not.toContainText(
    "too much for a link",
  );
  await test.step("dropped on the page", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open(
      "#v=1&model=models/tiny-bert&text=The+dog+and+the+cat.&hidden=3&theme=dark&picture=mask&edits={'masks':[{'stack':'encoder','layers':[0],'heads':[0],'block':[[1,1]]}]}",
    );
    const texts = await explorer.tokens("Tokens of your sentence").allTextContents();
    const { content } = await save(page);
    await page.goto("about:blank");
    await page.goto("./#v=1");
    await explorer.settle();
    const transfer = await page.evaluateHandle((text) => {
      const made = new DataTransfer();
      made.items.add(new File([text], "The dog.json"));
      return made;
    }, content);
    await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
    await expect(explorer.picker).toHaveAccessibleName("Model: Tiny BERT");
    await explorer.settle();
    expect(await explorer.tokens("Tokens of your sentence").allTextContents()).toEqual(texts);
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page.locator("headscope-mask")).toBeVisible();
    await expect(explorer.chips).toHaveCount(1);
  });
});

/** Files that are no saved page, and the notice about each. */
const REFUSED = [
  [
    "that was cut short",
    `{"headscope": 1, "state": {"text": "The`,
    "This file is no saved page, or it was cut short: it does not hold JSON. Choose another. file/not-json",
  ],
  [
    "of something else",
    `{"model_type": "bert"}`,
    "This file is no saved page of Headscope. Choose another. file/not-a-page",
  ],
  [
    "that is far too large",
    `"${"a".repeat(5_000_000)}"`,
    "This file is too large to be a saved page. Choose another. file/too-large",
  ],
  [
    "with a broken part",
    `{"headscope": 1, "state": {"text": "The cat.", "layer": "x", "edits": "c1.1*AAAA"}}`,
    "could not be read and was left at its usual value: layer, edits.",
  ],
  [
    "of a newer page",
    `{"headscope": 9, "state": {"text": "The cat."}}`,
    "made by a newer Headscope",
  ],
] as const;

test("a file that is no saved page is a notice, and the page works", async ({ page }) => {
  const seen = watch(page);
  const explorer = new ExplorerPage(page);
  for (const [what, content, sentence] of REFUSED) {
    await test.step(what, async () => {
      await explorer.open("#v=1&text=The+dog.");
      // The notices stand above what is in view.
      await page.getByRole("button", { name: "Open a saved page…" }).scrollIntoViewIfNeeded();
      await open(page, content);
      await expect(page.getByRole("status", { name: "Notices" })).toContainText(sentence);
      await expect(page.getByRole("button", { name: "Dismiss" }).last()).toBeInViewport({
        ratio: 1,
      });
      await explorer.settle();
      await expect(explorer.sentence).toHaveValue(
        content.includes("The cat.") ? "The cat." : "The dog.",
      );
    });
  }
  expect(seen).toEqual({ foreign: [], errors: [] });
});
