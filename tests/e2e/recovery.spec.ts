import { expect, test, type Locator } from "@playwright/test";
import type { Message, Reply } from "../../www/engine/protocol.js";
import { ExplorerPage } from "./explorer-page.js";

declare global {
  interface Window {
    /** Every worker that the page started, oldest first. */
    startedWorkers: Worker[];
    /** What the engine cannot read from now on. */
    unreadable: string | null;
    /** What a crash looks like from the page: the thread is gone and the browser says so. */
    killEngine: () => void;
  }
}

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    window.startedWorkers = [];
    window.unreadable = null;
    window.killEngine = () => {
      const worker = window.startedWorkers.at(-1);
      worker?.terminate();
      worker?.dispatchEvent(new ErrorEvent("error", { message: "killed by a test" }));
    };
    const Native = window.Worker;
    window.Worker = class extends Native {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        window.startedWorkers.push(this);
      }

      override postMessage(message: Message): void {
        const asked =
          message.kind === "call" && message.call.kind === "query" ? message.call.query.what : null;
        if (message.kind !== "call" || asked === null || asked !== window.unreadable) {
          super.postMessage(message);
          return;
        }
        const failure = {
          code: "engine/internal",
          message: "torn",
          doing: "reading",
          expected: "a page",
          got: "a torn page",
        };
        const data: Reply = { kind: "failure", id: message.id, failure };
        queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data })));
      }
    };
  });
});

const kill = (page: ExplorerPage["page"]): Promise<void> =>
  page.evaluate(() => window.killEngine());

test("a killed engine starts again, says so, and keeps the text, the edits and the last keystroke", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&text=The+dog+bites+the+man.&edits={'heads':[{'stack':'cross','layers':[1],'heads':[2],'gate':0}]}",
  );
  const before = await explorer.texts();
  await kill(page);
  await expect(
    page.getByText(
      "The engine stopped unexpectedly and was restarted. Your text and edits are kept.",
    ),
  ).toBeVisible();
  await explorer.settle();
  expect(await explorer.texts()).toEqual(before);
  await expect(explorer.chips).toHaveCount(1);
  await explorer.stack("Encoder").check();
  await explorer.settle();
  await explorer.type("The man bites the dog.");
  await expect(explorer.tokens("Tokens of your sentence").nth(1)).toHaveText("man");
  expect(await page.evaluate(() => window.startedWorkers.length)).toBe(2);
  await test.step("a thread that ends by itself", async () => {
    await page.goto("about:blank");
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=The+dog+bites+the+man.");
    await page.workers()[0]?.evaluate(() => self.close());
    await expect(
      page.getByText(
        "The engine stopped unexpectedly and was restarted. Your text and edits are kept.",
      ),
    ).toBeVisible();
    await explorer.type("The man bites the dog.");
    await expect(explorer.tokens("Tokens of your sentence").nth(1)).toHaveText("man");
    await expect(explorer.translation).not.toHaveValue("");
  });
  await test.step("killed while typing", async () => {
    await page.goto("about:blank");
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=One.");
    await explorer.sentence.fill("The woman who lives next door has a little black dog.");
    await kill(page);
    await explorer.sentence.fill("The dog bites the man.");
    await explorer.settle();
    await expect(explorer.tokens("Tokens of your sentence")).toContainText([
      "The",
      "dog",
      "the",
      "man",
      ".",
      "end",
    ]);
    await expect(explorer.translation).not.toHaveValue("");
  });
});

test("what could not be read is named with its code, and read when it is asked for again", async ({
  page,
}) => {
  await test.step("steps", async () => {
    await new ExplorerPage(page).open("#v=1&text=One.");
    const panel = page.locator("headscope-steps-panel");
    await page.evaluate(() => (window.unreadable = "steps"));
    await page.getByRole("radio", { name: "Steps", exact: true }).check();
    await expect(panel.getByRole("alert")).toContainText("The engine made a mistake: a torn page.");
    await expect(panel.getByRole("alert")).toContainText("engine/internal");
    await expect(panel.getByText("Reading the steps")).toBeHidden();
    await panel.getByRole("button", { name: "Try again" }).click();
    await expect(panel.getByRole("alert")).toBeVisible();
    await page.evaluate(() => (window.unreadable = null));
    await panel.getByRole("button", { name: "Try again" }).click();
    await expect(panel.getByRole("application")).toBeVisible();
    await expect(panel.getByRole("alert")).toHaveCount(0);
  });
  await test.step("another picture", async () => {
    await page.goto("about:blank");
    const failure = page.getByRole("alert").filter({ hasText: "engine/internal" });
    const explorer = new ExplorerPage(page);
    await explorer.open("#v=1&text=One.");
    await page.evaluate(() => (window.unreadable = "positions"));
    await page.getByRole("radio", { name: "Positions", exact: true }).check();
    await expect(failure).toBeVisible();
    await page.evaluate(() => (window.unreadable = null));
    // The heatmap does not need it. Back at the positions it is read once more.
    await page.getByRole("radio", { name: "Heatmap", exact: true }).check();
    await expect(failure).toHaveCount(0);
    await page.evaluate(() => (window.unreadable = "positions"));
    await page.getByRole("radio", { name: "Positions", exact: true }).check();
    await expect(failure).toBeVisible();
    await page.evaluate(() => (window.unreadable = null));
    await page.getByRole("button", { name: "Compute again" }).click();
    await explorer.settle();
    await expect(failure).toHaveCount(0);
    await expect(
      page
        .locator("headscope-positions")
        .getByRole("application")
        .or(page.locator("headscope-positions canvas"))
        .first(),
    ).toBeVisible();
  });
});

/** What a figure of the bench would save as a table. */
const tableIn = (part: Locator): Promise<unknown[][]> =>
  part
    .locator("headscope-save-figure")
    .evaluate((figure) => ("table" in figure ? (figure.table as { rows: unknown[][] }).rows : []));

test("a ranking of heads that a killed engine stopped says so, keeps what it measured, and continues to the same numbers", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open(
    "#v=1&text=The+woman+who+lives+next+door+has+a+little+black+dog.&bench=heads&labs=heads(room-ranking)",
  );
  const ranking = page.locator("headscope-head-ranking");
  const measure = ranking.getByRole("button", { name: "Measure 72 heads" });
  // Pressed and killed by the page itself: a busy machine measures all heads before a test polls.
  await measure.evaluate(async (button: HTMLElement) => {
    const panel = button.getRootNode() as ShadowRoot;
    button.click();
    while (!panel.querySelector("ol li")) await new Promise((resolve) => setTimeout(resolve));
    window.killEngine();
  });
  await expect(ranking.getByRole("status").filter({ hasText: "engine/crashed" })).toContainText(
    "What was computed until then is kept",
  );
  await explorer.settle();
  const before = await tableIn(ranking);
  expect(before.length).toBeGreaterThan(0);
  expect(before.length).toBeLessThan(72);
  // By the keyboard, as soon as the translation is written once more.
  const proceed = ranking.getByRole("button", { name: /^Go on with \d+ heads?$/ });
  await expect(proceed).toBeEnabled();
  await proceed.press("Enter");
  await expect(measure).toBeVisible({ timeout: 30_000 });
  const all = await tableIn(ranking);
  expect(all).toHaveLength(72);
  for (const row of before) expect(all).toContainEqual(row);
  await expect(ranking.getByText("engine/crashed")).toHaveCount(0);
});
