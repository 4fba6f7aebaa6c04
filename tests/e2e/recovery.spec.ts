// What goes wrong while a page is in use: a killed engine, a long run.
import { expect, test, type Page } from "./page.js";
import { randomModel } from "../../tools/bench/random-model.js";

declare global {
  interface Window {
    startedWorkers: Worker[];
    /** What a crash looks like from the page: the thread is gone and the browser says so. */
    killEngine: () => void;
  }
}

/** Replaces the page's Worker, so that a test can end one. */
const watchWorkers = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.startedWorkers = [];
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
    };
  });

const RESTARTED = "The engine crashed and was restarted. Your text and edits are unchanged.";
const ABLATED = "edits={'heads':[{'stack':'cross','layers':[1],'heads':[2],'gate':0}]}";

test("a killed engine restarts with a notice", async ({ page, explorer }) => {
  await watchWorkers(page);
  await explorer.open(`text=The+dog+bites+the+man.&${ABLATED}`);
  const before = await explorer.texts();
  await page.evaluate(() => window.killEngine());
  await expect(page.getByText(RESTARTED)).toBeVisible();
  await explorer.settle();
  expect(await explorer.texts()).toEqual(before);
  await expect(explorer.chips).toHaveCount(1);
  // A thread that ends by itself tells nobody.
  await explorer.fresh("text=One.");
  await page.workers()[0]?.evaluate(() => self.close());
  await expect(page.getByText(RESTARTED)).toBeVisible();
  await explorer.type("The man bites the dog.");
  await expect(explorer.tokens.nth(1)).toHaveText("man");
});

/**
 * What the page says of a run when it first names a layer; it is stopped in the same frame, for the
 * words of one layer are soon those of the next.
 */
const stopAtLayer = (page: Page): Promise<string> =>
  page.locator("headscope-notices").evaluate(
    (element) =>
      new Promise<string>((resolve) => {
        const look = (): void => {
          const line = element.shadowRoot?.querySelector("progress")?.parentElement;
          const words = line?.querySelector("p")?.textContent.trim() ?? "";
          if (!words.includes("layer")) {
            requestAnimationFrame(look);
            return;
          }
          resolve(words);
          line?.querySelector("button")?.click();
        };
        look();
      }),
  );

test("a long run names its layer and can be stopped", async ({ page, explorer }) => {
  // On a fast machine even a long run is over before the page speaks of it: here it speaks at once.
  await page.addInitScript(() => {
    const wait = window.setTimeout.bind(window);
    window.setTimeout = ((act: () => void, millis?: number) =>
      wait(act, millis === 600 ? 0 : millis)) as typeof window.setTimeout;
  });
  await explorer.open("text=The+dog.");
  await explorer.folder.setInputFiles(randomModel(undefined, test.info().outputPath()));
  await expect(explorer.picker).toHaveAccessibleName("Model: random-bert");
  await explorer.settle();
  const notices = page.locator("headscope-notices");
  const stopped = stopAtLayer(page);
  await explorer.sentence.fill("the man and the dog ".repeat(102).trim());
  expect(await stopped).toMatch(/^Computing: Encoder, layer ([1-9]|1[0-2]) of 12$/);
  await expect(notices).toContainText("Stopped.");
  await expect(notices.getByRole("progressbar")).toHaveCount(0);
  await explorer.button("Compute again").click();
  await expect(explorer.figure).toHaveAccessibleName(/512 queries by 512 keys/, {
    timeout: 120_000,
  });
  await expect(notices).not.toContainText("Stopped.");
});
