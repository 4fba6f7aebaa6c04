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
        const read =
          message.kind === "call" && message.call.kind === "read" ? message.call.read.what : null;
        if (message.kind !== "call" || read === null || read !== window.unreadable) {
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

test("a killed engine starts again, says so, and keeps the text, the edits and its answers", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.&edits=c2.3x0");
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
});

test("a thread that is ended from outside, of which no browser says anything, is started again too", async ({
  page,
}) => {
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

test("killed in the middle of typing, it answers the last keystroke", async ({ page }) => {
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

test("steps that could not be read are told with their code, and read when one tries again", async ({
  page,
}) => {
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

test("what another picture could not read is told with its code, and read of a run that is computed again", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=One.");
  await page.evaluate(() => (window.unreadable = "positions"));
  await page.getByRole("radio", { name: "Positions", exact: true }).check();
  await expect(page.getByRole("alert")).toContainText("engine/internal");
  await page.evaluate(() => (window.unreadable = null));
  // What another picture does without is missed by nobody; who comes back has it read once more.
  await page.getByRole("radio", { name: "Heatmap", exact: true }).check();
  await expect(page.getByRole("alert")).toHaveText("");
  await page.evaluate(() => (window.unreadable = "positions"));
  await page.getByRole("radio", { name: "Positions", exact: true }).check();
  await expect(page.getByRole("alert")).toContainText("engine/internal");
  await page.evaluate(() => (window.unreadable = null));
  await page.getByRole("button", { name: "Compute again" }).click();
  await explorer.settle();
  await expect(page.getByRole("alert")).toHaveText("");
  await expect(
    page
      .locator("headscope-positions")
      .getByRole("application")
      .or(page.locator("headscope-positions canvas"))
      .first(),
  ).toBeVisible();
});

/** What a figure of the bench would save as a table. */
const tableIn = (part: Locator): Promise<unknown[][]> =>
  part
    .locator("headscope-save-figure")
    .evaluate((figure) => ("table" in figure ? (figure.table as { rows: unknown[][] }).rows : []));

test("what says which heads other positions break tells when a killed engine stopped it, and measures when it is asked again", async ({
  page,
}) => {
  const explorer = new ExplorerPage(page);
  await explorer.open("#v=1&text=The+dog+bites+the+man.&bench=positions");
  await page
    .getByLabel(/^Scheme/)
    .first()
    .selectOption("none");
  await explorer.settle();
  const heads = page.locator("headscope-broken-heads");
  const ask = heads.locator("#measure");
  // Pressed and killed in one go, once the first run was asked for: the measuring takes only a few.
  await ask.evaluate(async (button: HTMLElement) => {
    button.click();
    await new Promise((resolve) => setTimeout(resolve));
    window.killEngine();
  });
  await expect(heads.getByRole("status")).toContainText("engine/crashed");
  await explorer.settle();
  await expect(heads.getByRole("status")).toContainText("You can begin again.");
  await ask.click();
  await expect(heads.locator("li").first()).toBeVisible({ timeout: 30_000 });
  await expect(heads.getByText("engine/crashed")).toHaveCount(0);
});

const RANKED = {
  en: {
    go: "Measure 72 heads",
    goOn: /^Go on with \d+ heads?$/,
    kept: "What was computed until then is kept",
  },
  "zh-CN": { go: "测量 72 个头", goOn: /^继续测量其余 \d+ 个头$/, kept: "此前算出的结果都已保留" },
} as const;
for (const language of ["en", "zh-CN"] as const) {
  test(`a ranking of heads that a killed engine stopped says so, keeps what it measured, and goes on to the same numbers, in ${language}`, async ({
    page,
  }) => {
    const words = RANKED[language];
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&text=The+woman+who+lives+next+door+has+a+little+black+dog.&bench=heads&labs=heads(room-ranking)&language=${language}`,
    );
    const ranking = page.locator("headscope-head-ranking");
    const go = ranking.getByRole("button", { name: words.go });
    // Pressed and killed by the page itself: on a busy machine all 72 heads are measured before the test polls.
    await go.evaluate(async (button: HTMLElement) => {
      const panel = button.getRootNode() as ShadowRoot;
      button.click();
      while (!panel.querySelector("ol li")) await new Promise((resolve) => setTimeout(resolve));
      window.killEngine();
    });
    await expect(ranking.getByRole("status").filter({ hasText: "engine/crashed" })).toContainText(
      words.kept,
    );
    await explorer.settle();
    const kept = await tableIn(ranking);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(72);
    // By the keyboard, as soon as the translation is written once more.
    const goOn = ranking.getByRole("button", { name: words.goOn });
    await expect(goOn).toBeEnabled();
    await goOn.press("Enter");
    await expect(go).toBeVisible({ timeout: 30_000 });
    const all = await tableIn(ranking);
    expect(all).toHaveLength(72);
    for (const row of kept) expect(all).toContainEqual(row);
    await expect(ranking.getByText("engine/crashed")).toHaveCount(0);
    const isMeasuring = await go.evaluate(async (button: HTMLElement) => {
      const panel = button.getRootNode() as ShadowRoot;
      button.click();
      await new Promise((resolve) => setTimeout(resolve));
      return panel.querySelector("progress") !== null;
    });
    expect(isMeasuring).toBe(true);
    await expect(ranking.locator("progress")).toHaveCount(0, { timeout: 30_000 });
    expect(await tableIn(ranking)).toEqual(all);
  });
}

const READ = {
  en: { goOn: /^Go on with \d schemes?$/, kept: "What was computed until then is kept" },
  "zh-CN": { goOn: /^继续阅读其余 \d 种方案$/, kept: "此前算出的结果都已保留" },
} as const;
for (const language of ["en", "zh-CN"] as const) {
  test(`a reading of lengths that a killed engine stopped says so, keeps its lines, and reads the others, in ${language}`, async ({
    page,
  }) => {
    test.setTimeout(120_000);
    const words = READ[language];
    const explorer = new ExplorerPage(page);
    await explorer.open(
      `#v=1&text=The+dog+bites+the+man.&stack=decoder&bench=positions&labs=lengths(schemes-none.alibi)&language=${language}`,
    );
    const lab = page.locator("headscope-length-lab");
    await lab.locator("#go").click();
    const line = (name: string): Locator => lab.locator(`[data-line=${name}]`);
    await expect(line("anew")).toBeVisible({ timeout: 60_000 });
    const before = await line("anew").getAttribute("data-within");
    await kill(page);
    await expect(lab.locator(".failed")).toContainText(words.kept);
    await expect(lab.locator(".failed")).toContainText("engine/crashed");
    await explorer.settle();
    await expect(line("anew")).toHaveAttribute("data-within", before ?? "");
    await lab.getByRole("button", { name: words.goOn }).press("Enter");
    await expect(line("alibi")).toBeVisible({ timeout: 60_000 });
    await expect(lab.locator("#go")).toBeVisible();
    await expect(lab.locator("tbody tr")).toHaveCount(3);
    await expect(line("anew")).toHaveAttribute("data-within", before ?? "");
    await expect(lab.locator(".failed")).toHaveText("");
  });
}
