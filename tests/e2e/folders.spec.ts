import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { ExplorerPage, watch } from "./explorer-page.js";

const MODELS = "models";
const FILES = ["config.json", "model.safetensors", "tokenizer.json"];

/** A model's folder from elsewhere: without headscope.json, with another format beside it. */
function foreignFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), "headscope-")), "my-bert");
  mkdirSync(join(folder, "onnx"), { recursive: true });
  for (const file of FILES) cpSync(join(MODELS, "tiny-bert", file), join(folder, file));
  writeFileSync(join(folder, "onnx", "config.json"), "{}");
  return folder;
}

function folderWith(files: Record<string, string>): string {
  const folder = join(mkdtempSync(join(tmpdir(), "headscope-")), "broken");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test("a folder from the disk works without headscope.json, stays in the list, and is in no link; files can be dropped", async ({
  page,
}) => {
  const seen = watch(page);
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  await explorer.folder.setInputFiles(foreignFolder());
  await expect(explorer.picker).toHaveAccessibleName("Model: my-bert");
  await explorer.settle();
  await expect(page.locator("headscope-top-bar")).toContainText("from your disk, in no link");
  await expect(page.locator("headscope-head-role")).toContainText("no headscope.json");
  await explorer.tokens("Tokens of your sentence").nth(2).click();
  await explorer.settle();
  await expect(page.locator("headscope-predictions")).toContainText("The true one");
  await expect(page).not.toHaveURL(/model=/);
  await explorer.choose("Tiny GPT");
  await explorer.choose("my-bert");
  await expect(explorer.picker).toHaveAccessibleName("Model: my-bert");
  expect(seen).toEqual({ foreign: [], errors: [] });
  await test.step("dropped files", async () => {
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+dog+bites+the+man.");
    const files = FILES.map((name) => ({
      name,
      base64: readFileSync(join(MODELS, "tiny-gpt", name)).toString("base64"),
    }));
    const transfer = await page.evaluateHandle((contents) => {
      const made = new DataTransfer();
      for (const { name, base64 } of contents)
        made.items.add(
          new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name),
        );
      return made;
    }, files);
    await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
    await expect(page.getByText("Drop a model’s folder here to open it.")).toBeVisible();
    await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
    await expect(explorer.picker).toHaveAccessibleName("Model: Your files");
    await explorer.settle();
    await expect(page.getByText("Drop a model’s folder here to open it.")).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Decoder" })).toBeVisible();
  });
});

const REFUSED = [
  ["that is no model", { "notes.txt": "hello" }, /This folder cannot be opened: .*config\.json/],
  [
    "of an unknown family",
    { "config.json": '{"model_type": "t5"}', "model.safetensors": "", "tokenizer.json": "{}" },
    /This folder cannot be opened: /,
  ],
] as const;

test("a folder that cannot be opened is one sentence with a way back", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.");
  const before = await explorer.texts();
  for (const [what, files, sentence] of REFUSED) {
    await test.step(what, async () => {
      await explorer.folder.setInputFiles(folderWith(files));
      await expect(page.getByRole("alert")).toContainText(sentence);
      await page.getByRole("button", { name: "Go back" }).click();
      await explorer.settle();
      await expect(page.getByRole("alert")).toHaveText("");
      expect(await explorer.texts()).toEqual(before);
    });
  }
});
