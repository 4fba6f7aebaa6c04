import { expect, test } from "@playwright/test";
import { ExplorerPage } from "./explorer-page.js";

declare global {
  interface Window {
    /** Every worker that the page started, oldest first. */
    startedWorkers: Worker[];
  }
}

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    window.startedWorkers = [];
    const Native = window.Worker;
    window.Worker = class extends Native {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        window.startedWorkers.push(this);
      }
    };
  });
});

/** What a crash looks like from the page: the thread is gone and the browser says so. */
function kill(page: ExplorerPage["page"]): Promise<void> {
  return page.evaluate(() => {
    const worker = window.startedWorkers.at(-1);
    worker?.terminate();
    worker?.dispatchEvent(new ErrorEvent("error", { message: "killed by a test" }));
  });
}

test("a killed engine starts again, says so, and keeps the text, the edits and its answers", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.&edits=c2.3x0");
  const before = await explorer.texts();
  await kill(page);
  await expect(page.getByText("The engine stopped unexpectedly and was restarted. Your text and edits are kept.")).toBeVisible();
  await explorer.settle();
  expect(await explorer.texts()).toEqual(before);
  await expect(explorer.chips).toHaveCount(1);
  await explorer.stack("Encoder").check();
  await explorer.settle();
  await explorer.type("The man bites the dog.");
  await expect(explorer.tokens("Tokens of your sentence").nth(1)).toHaveText("man");
  expect(await page.evaluate(() => window.startedWorkers.length)).toBe(2);
});

test("killed in the middle of typing, it answers the last keystroke", async ({ page }) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=One.");
  await explorer.sentence.fill("The woman who lives next door has a little black dog.");
  await kill(page);
  await explorer.sentence.fill("The dog bites the man.");
  await explorer.settle();
  await expect(explorer.tokens("Tokens of your sentence")).toContainText(["The", "dog", "the", "man", ".", "end"]);
  await expect(explorer.translation).not.toHaveValue("");
});
