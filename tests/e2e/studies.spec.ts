// Studies on the page: files of the command, opened, and a study of one's own texts.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, type Page, test } from "./page.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const MODEL = "models/tiny-gpt";
const STATE = `model=${MODEL}&text=The+dogs+run.&stack=decoder&layer=1&head=2`;
const TEXTS = ["Tom and Mary went home.", "She has an old car.", "I like my old house."];
const PAIR = {
  clean: { text: "The dogs in the garden" },
  corrupted: { text: "The dog in the garden" },
  target: { id: 384, minus: 299 },
  what: "head",
};

/** Computes a study by the command; the result is its file. */
async function study(
  name: string,
  at: (file: string) => string,
  texts: readonly string[],
): Promise<string> {
  const file = at(`${name}-texts.${name === "patch" ? "jsonl" : "txt"}`);
  await writeFile(file, texts.map((text) => `${text}\n`).join(""));
  const options = ["--model", MODEL, "--texts", file, "--out", at(`${name}.jsonl`)];
  const words = ["dist/npm/cli.js", "study", name, ...options, "--workers", "1"];
  await promisify(execFile)(process.execPath, words, { cwd: root });
  return readFile(at(`${name}.jsonl`), "utf8");
}

async function drop(page: Page, target: string, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([named = "", text = ""]) => {
      const made = new DataTransfer();
      made.items.add(new File([text], named));
      return made;
    },
    [name, content],
  );
  await page.dispatchEvent(target, "drop", { dataTransfer });
}

test("files of studies label the heads, give typical texts, and open as a grid", async ({
  page,
  explorer,
}, info) => {
  const at = (file: string): string => info.outputPath(file);
  await explorer.open(STATE);
  const heads = page.locator("headscope-heads-panel");
  await drop(page, "body", "roles.jsonl", await study("roles", at, TEXTS));
  await expect(heads).toContainText("Roles: on 3 texts of “roles-texts.txt”");
  await expect(heads.locator(".role dt").first()).toHaveText("on 3 texts of “roles-texts.txt”");
  // The files of the menu of models lead to the same.
  await explorer.folder.evaluate((input: HTMLInputElement) => (input.webkitdirectory = false));
  const typical = await study("typical", at, TEXTS);
  const buffer = Buffer.from(typical);
  await explorer.folder.setInputFiles({ name: "typical.jsonl", mimeType: "", buffer });
  await expect(heads).toContainText("Typical sentences: on 3 texts of “typical-texts.txt”");
  await heads.getByText("Typical sentences", { exact: true }).click();
  await heads.getByRole("button", { name: /^She has an old car\./ }).click();
  await expect(explorer.sentence).toHaveValue("She has an old car.");
  const patches = await study("patch", at, [JSON.stringify(PAIR)]);
  await drop(page, "body", "patch.jsonl", patches);
  const grid = page.locator("headscope-demo[name=pooled]");
  await expect(grid).toContainText("1 pair of texts in “patch-texts.jsonl” · Decoder");
  await expect(grid.getByRole("application")).toBeVisible();
  await grid.getByRole("application").focus();
  await explorer.keys("End", "Enter");
  await expect(explorer.headTitle).toHaveText("Layer 1 · head 4");
  // Of another model.
  await drop(page, "body", "other.jsonl", patches.replaceAll("tiny-gpt", "tiny-bert"));
  await expect(explorer.notices).toContainText("expected a study of tiny-gpt");
  await expect(grid).toContainText("1 pair of texts");
});

test("a text file that is dropped on the heads is studied while the page is used", async ({
  page,
  explorer,
}) => {
  await explorer.open(STATE);
  const heads = page.locator("headscope-heads-panel");
  const many = Array.from({ length: 2000 }, (_, at) => `${TEXTS[at % 3] ?? ""} ${at}`);
  await drop(page, "headscope-heads-panel", "long.txt", many.join("\n"));
  await expect(heads).toContainText(/“long\.txt”: \d+ of 2,?000 texts/);
  await explorer.sentence.fill("The cat sat on the mat.");
  await explorer.settle();
  await expect(explorer.tokens).toHaveCount(8);
  await heads.getByRole("button", { name: "Stop" }).click();
  await expect(heads.locator("progress")).toHaveCount(0);
  await drop(page, "headscope-heads-panel", "short.txt", TEXTS.join("\n"));
  await expect(heads).toContainText("Typical sentences: on 3 texts of “short.txt”");
  await expect(explorer.sentence).toHaveValue("The cat sat on the mat.");
});
